import { Readable } from 'node:stream'
import type { EnvironmentVariables } from '../programInfo.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { type Failure, Refused } from '../wire/errors.ts'
import type { Account } from './account.ts'
import { runProgram } from './childProgram.ts'

const TIMEOUT_MS = 30_000
const REASON_CHARACTERS_MAX = 16 * 1024
const REASON_LINES_MAX = 20

/** When a check command is asked. */
export type CheckStage = 'dry-run' | 'plan' | 'send'

/** What a check command is asked about. */
export interface CheckedRequests {
  kind: 'transfer' | 'refund'
  /** The bodies of the requests, as they will be on the wire. */
  bodies: Iterable<string> | AsyncIterable<string>
  /** Null for a refund of all that is left whose amount is not known. */
  totalCents: number | null
}

interface CheckDependencies {
  env: EnvironmentVariables
  /** Kills the command. */
  interrupt: AbortSignal
}

/**
 * Asks the check command of a profile about one command or plan, as one JSON document on its stdin; does nothing if there is none. It gets no secret in its
 * environment, and is killed with its descendants after 30 s. Throws Refused with its stderr if it does not end with 0, and Cancelled on an interrupt.
 */
export async function runCheckCommand(
  account: Pick<Account, 'profile' | 'url' | 'clientId' | 'checkCommand' | 'confirmName'>,
  stage: CheckStage,
  requests: CheckedRequests,
  { env, interrupt }: CheckDependencies,
): Promise<void> {
  const { checkCommand, confirmName } = account
  if (checkCommand === null) return
  const input = Readable.from(documentPieces(account, stage, requests))
  const program = { command: checkCommand, input, reads: ['stderr'], timeoutMs: TIMEOUT_MS } as const
  const { fault, stderr } = await runProgram({ ...program, env, interrupt })
  if (fault !== null) throw refused(confirmName, fault, stderr.slice(0, REASON_CHARACTERS_MAX))
}

/** The document in pieces, because a batch can be longer than the memory. */
async function* documentPieces(
  { profile, url: baseUrl, clientId }: Pick<Account, 'profile' | 'url' | 'clientId'>,
  stage: CheckStage,
  { kind, bodies, totalCents }: CheckedRequests,
): AsyncGenerator<string> {
  const head = JSON.stringify({ stage, profile, account: { baseUrl, clientId }, kind })
  yield `${head.slice(0, -1)},"requests":[`
  let separator = ''
  for await (const body of bodies) {
    yield separator + body
    separator = ',\n'
  }
  yield `],"totalCents":${totalCents}}\n`
}

function refused(profile: string, why: string, stderr: string): Failure {
  const lines = stderr.split('\n').flatMap((line) => (line.trim() === '' ? [] : [safeText(line.trim())]))
  const [first, ...others] = lines.slice(0, REASON_LINES_MAX)
  return new Refused(t`The check command of ${profile} does not allow this: ${first ?? why}`, {
    outcome: 'not-sent',
    details: [...others, ...(first === undefined ? [] : [why]), t`Nothing was sent`],
    hint: t`Correct what it says; \`pixgate profile show ${profile}\` shows the command`,
  })
}
