import { statSync } from 'node:fs'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, createContext } from '../../context.ts'
import { assertCanSend } from '../../payments/consent.ts'
import type { Account } from '../../profiles/account.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { Failure, failureDocument, isSystemError, NotReached, RateLimited, UsageError } from '../../wire/errors.ts'
import { findPlansToSend, type PassedOver, type PlansFound, type PlanToSend } from './plansToSend.ts'

/** How often the ledger and the folder are looked at. */
const PAUSE_MS = 2000
/** After which time a plan is tried again that could not be sent because something was not reached. */
const AGAIN_MS = 30_000

/** Sends one plan in a context of its own and returns the exit code. */
type Send = (context: Context, plan: string) => Promise<number>

/**
 * Sends approved plans as they come, until Ctrl-C or SIGTERM. Each is tried once; again only if it changed, such as by a further approval, or if something
 * was not reached. What is wrong with one plan does not stop the others. Returns 0, or the exit code of the plan that was being sent at the end. Throws
 * UsageError.
 */
export async function watchPlans(context: Context, folder: string | undefined, send: Send): Promise<number> {
  if (folder !== undefined) assertFolder(folder)
  const account = await context.account()
  assertCanSend(account)
  const { interrupt } = context.runtime
  const tried = new Map<string, { version: string; againMs: number }>()
  const versions = new Map<string, string>()
  noteWatch(context, account, folder)
  while (!interrupt.aborted) {
    const { plans, passedOver, hasApprovers } = await lookForPlans(context, account, folder)
    if (account.environment === 'production' && !hasApprovers) throw anybodyApproves(account)
    for (const file of passedOver) notePassedOver(context, file, versions)
    const due = plans.filter(({ named, version }) => {
      const last = tried.get(named)
      return last?.version !== version || context.now() >= last.againMs
    })
    for (const plan of due) {
      if (interrupt.aborted) break
      const { exitCode, isPassing } = await sendOne(context, account, plan, send)
      tried.set(plan.named, {
        version: plan.version,
        againMs: isPassing ? context.now() + AGAIN_MS : Number.POSITIVE_INFINITY,
      })
      if (interrupt.aborted) return exitCode
    }
    await pause(interrupt)
  }
  return 0
}

/** The plans that may be sent; none if the ledger is not reached at the moment. */
async function lookForPlans(context: Context, account: Account, folder: string | undefined): Promise<PlansFound> {
  // Each look has a context of its own: SQLite's locks are lost when a process closes a second connection to the same file.
  const own = createContext(context.runtime, context.settings)
  own.forgoSecret()
  try {
    return await findPlansToSend(own, account, folder)
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    context.notice(t`${error.message}; pixgate keeps trying`)
    return { plans: [], passedOver: [], hasApprovers: true }
  } finally {
    await own.close()
  }
}

/** Sends a plan with a context of its own, so that secret and profile are read again. */
async function sendOne(context: Context, account: Account, { named }: PlanToSend, send: Send) {
  const { runtime, settings, terminal, print } = context
  const isJson = print.format === 'json'
  const answer = account.environment === 'production' ? { confirm: account.confirmName } : { yes: true }
  const own = createContext(
    { ...runtime, secrets: [...runtime.secrets], ...(isJson ? { stdout: nowhere() } : {}) },
    { ...settings, ...answer, input: false },
  )
  let exitCode = 0
  let failure: Failure | null = null
  try {
    terminal.note(t`Sending ${named}`)
    exitCode = await send(own, named)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    failure = error
    exitCode = error.exitCode
  } finally {
    await own.close()
  }
  if (isJson) print.item({ plan: named, exitCode, error: failure && failureDocument(failure) }, () => [])
  if (failure !== null) reportPlan(context, named, failure)
  await terminal.flush()
  return { exitCode, isPassing: failure instanceof NotReached || failure instanceof RateLimited }
}

/** With JSON each plan has one line, and what its payments print would be others. */
function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

function reportPlan({ terminal }: Context, named: string, { message, details, hint }: Failure): void {
  terminal.warn(t`${named}: ${message}`)
  for (const line of details) terminal.note(line)
  terminal.next(hint)
}

function noteWatch({ terminal }: Context, { clientId, url }: Account, folder: string | undefined): void {
  terminal.note(
    folder === undefined
      ? t`Sends the approved plans of ${clientId} at ${url} as they come; Ctrl-C ends it`
      : t`Sends the approved plans of ${clientId} at ${url} and those in \`${folder}\` as they come; Ctrl-C ends it`,
  )
}

/** Says once why a file is not sent, unless it changed since the last look: it may still be copied into the folder. */
function notePassedOver(context: Context, { named, version, reason }: PassedOver, versions: Map<string, string>): void {
  if (versions.get(named) === version) context.notice(reason)
  versions.set(named, version)
}

function assertFolder(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  throw new UsageError(t`\`--watch\` takes a folder with plans, and \`${folder}\` is not one`, {
    details: [t`Nothing was sent`],
    hint: t`Omit it to send the plans of the ledger, or send this one with \`pixgate plan send ${shellWord(folder)}\``,
  })
}

/** Nobody is asked, so the list is all that says who may approve. */
function anybodyApproves({ confirmName }: Account): UsageError {
  return new UsageError(t`\`--watch\` sends what others approve, and this account has no list of approvers`, {
    details: [t`Nothing was sent`],
    hint: t`Set one with \`pixgate profile edit ${confirmName} --approval-from 0 --approvers approvers\``,
  })
}

async function pause(interrupt: AbortSignal): Promise<void> {
  try {
    await sleep(PAUSE_MS, undefined, { signal: interrupt })
  } catch (error) {
    if (!interrupt.aborted) throw error
  }
}
