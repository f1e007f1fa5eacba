import { setMaxListeners } from 'node:events'
import type { Context } from '../../context.ts'
import type { ConnectionPool } from '../../gateway/connections.ts'
import type { EventOwner } from '../../ledger/accounts.ts'
import { runningListeners } from '../../ledger/listeners.ts'
import { isSameScope } from '../../ledger/paymentState.ts'
import {
  type Header,
  openConnectionPoolTo,
  type PostResult,
  postBytes,
  withoutLogin,
} from '../../listener/webhookPost.ts'
import type { SigningContext } from '../../payments/consent.ts'
import type { Signer } from '../../profiles/signer.ts'
import { accountOptions } from '../../settings.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import { DELIVERED } from '../../views/events/deliveryText.ts'
import { answerLines } from '../../views/events/eventText.ts'
import { isLoopbackHost, readReceiverUrl, readTargetUrl, withoutPassword } from '../../wire/baseAddress.ts'
import { Cancelled, UsageError, worstExitCode } from '../../wire/errors.ts'
import { type EventFacts, readEventFacts } from '../../wire/eventFacts.ts'
import { isReceived, isTooSlow, SIGNATURE_ENCODINGS, SIGNATURE_HEADER } from '../../wire/signature.ts'

/** A webhook that is ready to be sent. */
export interface PreparedWebhook {
  /** Its number in the ledger; null if it is not a recorded event, or has none yet. */
  n: number | null
  /** The id of its record in the ledger, likewise. */
  record: string | null
  url: URL
  body: Buffer
  headers: readonly Header[]
  event: string | null
  idTransaction: string | null
  /** False if it has no genuine signature on purpose. */
  isGenuine: boolean
  /** True if its target was typed for this delivery alone. */
  once?: boolean
}

interface Sent {
  webhook: PreparedWebhook
  result: PostResult
}

interface SendingOptions {
  /** All together, not one after the other. */
  atOnce: boolean
  /** The answer is a list even if it has one member. */
  isList: boolean
  /** The status that every answer must have; null for 200. */
  expected: number | null
  /** Gets every result. */
  onResult?(webhook: PreparedWebhook, result: PostResult): void
}

const ANSWER_CHARACTERS_MAX = 500

/**
 * Sends all of these, prints the answers, and returns the exit code: 0 if all answers are as expected and came within 5 s, 1 if one is not, 6 if the target was
 * not reached. Throws Cancelled at Ctrl-C, UsageError for a proxy that cannot be used.
 */
export async function sendWebhooks(
  context: Context,
  webhooks: readonly PreparedWebhook[],
  options: SendingOptions,
): Promise<number> {
  const { print, terminal, settings, runtime } = context
  const { atOnce, isList, expected, onResult } = options
  const signal = AbortSignal.any([runtime.interrupt])
  setMaxListeners(0, signal)
  const sent: Sent[] = []
  const targets = new Map<string, ConnectionPool>()
  for (const { url } of webhooks) {
    if (!targets.has(url.origin)) targets.set(url.origin, openConnectionPoolTo(url, runtime.env))
  }

  async function send(webhook: PreparedWebhook): Promise<void> {
    const { url, body, headers } = webhook
    const connections = targets.get(url.origin)
    if (connections === undefined) return
    const limits = { timeoutMs: settings.timeoutMs, charactersMax: ANSWER_CHARACTERS_MAX, signal }
    const result = await postBytes(connections, url, body, headers, limits)
    if (signal.aborted && result.status === null) return
    trace(terminal, webhook, result)
    sent.push({ webhook, result })
    onResult?.(webhook, result)
    if (print.format === 'text')
      terminal.data(
        answerLines(
          {
            ...webhook,
            isSigned: isSigned(headers),
            receiver: { url: withoutLogin(url), account: accountOptions(settings) },
          },
          result,
          { expected, isGood: exitCodeOf(result, expected) === 0 },
          terminal,
        ).join('\n'),
      )
  }

  try {
    if (atOnce) await Promise.all(webhooks.map(send))
    else {
      for (const webhook of webhooks) {
        if (signal.aborted) break
        await send(webhook)
      }
    }
  } finally {
    await Promise.all([...targets.values()].map((connections) => connections.close()))
  }
  if (sent.length < webhooks.length) throw interruptedFailure(sent.length, webhooks.length)
  if (print.format !== 'text') await printSent(context, sent, isList)
  return worstExitCode(sent.map(({ result }) => exitCodeOf(result, expected)))
}

function isSigned(headers: readonly Header[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}

function trace(terminal: Terminal, { url, body, headers }: PreparedWebhook, { status, ms, error }: PostResult): void {
  terminal.trace(t`> POST ${withoutPassword(url.href)} ${body.length} bytes`)
  for (const [name, value] of headers) terminal.trace(t`> ${name}: ${value}`)
  terminal.trace(status === null ? t`< ${error?.code ?? ''} after ${ms} ms` : t`< ${status} in ${ms} ms`)
}

async function printSent({ print }: Context, sent: readonly Sent[], isList: boolean): Promise<void> {
  const documents = writtenFor('programs', () => sent.map(DELIVERED.documentOf))
  const [only] = documents
  const { n, tooSlow, ...others } = DELIVERED.members
  const columns = Object.keys(only?.n === undefined ? others : { n, ...others }).map((path) => ({ path }))
  if (isList || only === undefined) await print.list(documents, { columns })
  else print.one(only, () => [])
}

function exitCodeOf(result: PostResult, expected: number | null): number {
  const { status, error } = result
  if (status === null) return 6
  const isGood = expected === null ? isReceived(result) : status === expected && error === null && !isTooSlow(result)
  return isGood ? 0 : 1
}

function interruptedFailure(done: number, all: number): Cancelled {
  return new Cancelled(t`Interrupted after ${done} of ${all} deliveries`, {
    details: [t`A delivery in progress may have arrived`],
    hint: t`Run the command again when you are ready`,
  })
}

/** How a signature is written. */
export const ENCODING_OPTION = {
  flags: '--signature-encoding <encoding>',
  description: 'hex or base64',
  default: 'hex',
  choices: SIGNATURE_ENCODINGS,
} as const

/** What the body of a webhook says; undefined if it is not JSON. */
export function readBodyFacts(body: Buffer): EventFacts | undefined {
  return readEventFacts(body.toString('utf8'))
}

/** Says that `--set` adds a path, because most that a body does not have are misspelt. */
export function noteAdded({ terminal }: Pick<Context, 'terminal'>): (path: string) => void {
  return (path) => terminal.warn(t`\`--set\` adds \`${path}\`, which the body does not have`)
}

/** A secret alone does not tell its environment; what is signed with it for another machine counts as production. */
export function forTarget(signer: Signer, { hostname }: URL): Signer {
  return signer.baseUrl !== null || isLoopbackHost(hostname) ? signer : { ...signer, environment: 'production' }
}

/** Asks whether these bodies may be signed, if that requires consent. Throws like `askSigningConsent`. */
export async function askToSign(
  {
    terminal,
    settings,
  }: { terminal: SigningContext['terminal']; settings: Pick<Context['settings'], 'yes' | 'confirm'> },
  signer: Signer,
  bodies: readonly Buffer[],
  rows: readonly LabelledRow[],
): Promise<void> {
  const { askSigningConsent } = await import('../../payments/consent.ts')
  const facts = bodies.map(readBodyFacts)
  const amounts = facts.flatMap((each) => (typeof each?.amountCents === 'number' ? [each.amountCents] : []))
  const amountCents = amounts.length === 0 ? null : amounts.reduce((sum, each) => sum + each, 0)
  const { yes, confirm } = settings
  const about = facts.slice(0, 1).flatMap((each) => (each === undefined ? [] : eventRows(each)))
  const count: LabelledRow[] = bodies.length > 1 ? [[t`events`, String(bodies.length)]] : about
  await askSigningConsent({ signer, terminal, yes, confirm }, { amountCents, rows: [...count, ...rows] })
}

function eventRows({ event, status, idTransaction }: EventFacts): LabelledRow[] {
  const eventText = [event, status].filter((part) => part !== null).join(', ')
  const rows: LabelledRow[] = [
    [t`event`, eventText],
    [t`id`, idTransaction ?? ''],
  ]
  return rows.filter(([, value]) => value !== '')
}

/** Where an event is sent, and why, for a person. */
export interface Target {
  url: URL
  why: string
}

const CALLBACK_VARIABLE = 'PIXGATE_CALLBACK_URL'

/** Reads the target of `--to`. Throws UsageError. */
export function readTarget(typed: string, name: string): Target {
  return { url: readReceiverUrl(typed, name), why: t`the URL of \`${name}\`` }
}

/**
 * The target without `--to`: the listener that runs for this owner on this machine, else the callback URL of the account. Throws UsageError
 * if there is neither.
 */
export async function defaultTarget(context: Context, owner: EventOwner): Promise<Target> {
  const listeners = await runningListeners(await context.ledger())
  const listener = listeners.findLast((each) => isOfSameOwner(each, owner))
  if (listener !== undefined) return { url: new URL(listener.url), why: t`the listener that runs on this machine` }
  const callback = await callbackOf(context, owner)
  if (callback !== undefined) return callback
  throw new UsageError(t`There is no target: no listener runs here for this account, and it has no callback URL`, {
    hint: t`Add \`--to http://127.0.0.1:3000/webhooks\`, or start \`pixgate webhook listen\` in another terminal`,
  })
}

function isOfSameOwner(one: EventOwner, other: EventOwner): boolean {
  const { environment, baseUrl, clientId } = other
  if (baseUrl !== null && clientId !== null) return isSameScope(one, { environment, baseUrl, clientId })
  return one.environment === environment && one.baseUrl === baseUrl && one.clientId === clientId
}

async function callbackOf(context: Context, owner: EventOwner): Promise<Target | undefined> {
  const typed = context.runtime.env[CALLBACK_VARIABLE]
  if (typed) return callbackTarget(typed, CALLBACK_VARIABLE)
  if (owner.baseUrl === null || owner.clientId === null) return undefined
  const account = await context.account()
  const { callbackUrl, sources } = account
  if (callbackUrl === null || !isSameScope(owner, { ...account, baseUrl: account.url })) return undefined
  return callbackTarget(callbackUrl, sources.callbackUrl ?? account.confirmName)
}

function callbackTarget(url: string, source: string): Target {
  return { url: new URL(readTargetUrl(url, source)), why: t`the callback URL of ${source}` }
}
