import { setMaxListeners } from 'node:events'
import type { Context } from '../../context.ts'
import type { ConnectionPool } from '../../gateway/connections.ts'
import {
  explainAnswer,
  type Header,
  isTooSlow,
  openConnectionPoolTo,
  type PostResult,
  postBytes,
} from '../../listener/webhookPost.ts'
import type { Column } from '../../terminal/printer.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { layOutCells } from '../../views/cellLayout.ts'
import { answerTime } from '../../views/eventText.ts'
import { tooSlowText } from '../../views/listenText.ts'
import { withoutPassword } from '../../wire/address.ts'
import { isSuccessStatus } from '../../wire/answerVerdict.ts'
import { Cancelled, worstExitCode } from '../../wire/errors.ts'
import type { DeliveredDocument } from '../schemas/webhooks.ts'

/** A webhook that is ready to be sent. */
export interface PreparedWebhook {
  /** Its number in the ledger; null if it is not a recorded event. */
  n: number | null
  url: URL
  body: Buffer
  headers: readonly Header[]
  event: string | null
  idTransaction: string | null
  /** False if it has no genuine signature on purpose. */
  isGenuine: boolean
}

interface Sent {
  webhook: PreparedWebhook
  result: PostResult
}

export interface SendingOptions {
  /** All together, not one after the other. */
  atOnce: boolean
  /** The answer is a list even if it has one member. */
  isList: boolean
  /** The status that every answer must have; null for any 2xx. */
  expected: number | null
  /** Gets every result. */
  onResult?(webhook: PreparedWebhook, result: PostResult): void
}

const ANSWER_CHARACTERS_MAX = 500
const ANSWER_LINES_MAX = 8
const MARK_COLUMNS = 2

const COLUMNS: readonly Column[] = ['url', 'event', 'idTransaction', 'status', 'ms', 'error', 'body'].map((path) => ({
  path,
}))

/**
 * Sends all of these, prints the answers, and returns the exit code: 0 if all answers are as expected, 1 if one is not, 6 if the target was
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
    if (print.format === 'text') terminal.data(answerLines({ webhook, result }, context, expected).join('\n'))
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
  if (print.format !== 'text') await printDocuments(context, sent.map(documentOf), isList)
  return worstExitCode(sent.map(({ result }) => exitCodeOf(result, expected)))
}

function trace(terminal: Terminal, { url, body, headers }: PreparedWebhook, { status, ms, error }: PostResult): void {
  terminal.trace(t`> POST ${withoutPassword(url.href)} ${body.length} bytes`)
  for (const [name, value] of headers) terminal.trace(t`> ${name}: ${value}`)
  terminal.trace(status === null ? t`< ${error?.code ?? ''} after ${ms} ms` : t`< ${status} in ${ms} ms`)
}

async function printDocuments({ print }: Context, documents: DeliveredDocument[], isList: boolean): Promise<void> {
  const [only] = documents
  const columns = only !== undefined && 'n' in only ? [{ path: 'n' }, ...COLUMNS] : COLUMNS
  if (isList || only === undefined) await print.list(documents, columns)
  else print.one(only, () => [])
}

function documentOf({ webhook, result }: Sent): DeliveredDocument {
  const { n, url, event, idTransaction } = webhook
  const { status, ms, error, body } = result
  const resultFields = {
    url: withoutPassword(url.href),
    event,
    idTransaction,
    status,
    ms,
    error: error?.message ?? null,
    body,
  }
  return { ...(n === null ? {} : { n }), ...resultFields, ...(isTooSlow(result) ? { tooSlow: true } : {}) }
}

function exitCodeOf({ status, error }: PostResult, expected: number | null): number {
  if (status === null) return 6
  if (error !== null) return 1
  return (expected === null ? isSuccessStatus(status) : status === expected) ? 0 : 1
}

function answerLines({ webhook, result }: Sent, { terminal }: Context, expected: number | null): string[] {
  const { out, outIsTerminal } = terminal
  const columns = outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  const { n, event, idTransaction } = webhook
  const { status, ms } = result
  const isGood = exitCodeOf(result, expected) === 0
  const cells = [
    { text: isGood ? '✓' : '✗', paint: isGood ? out.green : out.red },
    { text: String(status ?? '—'), paint: isGood ? out.green : out.red, gap: 1 },
    { text: answerTime(ms), paint: out.dim, endsAt: 15 },
    { text: n === null ? '' : t`#${n}`, paint: out.dim },
    { text: safeText(event ?? '') },
    { text: safeText(idTransaction ?? '') },
  ]
  const beginning = isGood ? [] : safeLines(result.body.trim()).slice(0, ANSWER_LINES_MAX)
  const words = [
    ...beginning.filter((line) => line.trim() !== '').map((text) => ({ text, paint: out.dim })),
    ...remarks(webhook, result, expected).map((text) => ({ text, paint: isGood ? out.yellow : out.red })),
  ]
  const more = words.map((cell) => ({ ...cell, at: MARK_COLUMNS, isFirst: true, isProse: true }))
  return layOutCells([...cells, ...more], columns, MARK_COLUMNS)
}

/** What a developer may want to know about an answer: why there was none, its likely cause, what the service would do. */
function remarks({ isGenuine }: PreparedWebhook, result: PostResult, expected: number | null): string[] {
  const { status, error } = result
  if (error !== null || status === null) return [error?.message ?? '']
  if (expected !== null && status !== expected) return [t`Expected ${expected}`]
  if (!isGenuine) {
    if (isSuccessStatus(status)) return [t`It accepted a webhook without a genuine signature, which anyone could send`]
    if (status < 500) return [t`It refused a webhook without a genuine signature, as it should`]
  }
  const cause = expected === null ? explainAnswer(status) : null
  if (cause !== null) return [cause]
  if (isSuccessStatus(status) && status !== 200) return [t`The service expects 200, and may send it again`]
  return isTooSlow(result) ? [tooSlowText()] : []
}

function interruptedFailure(done: number, all: number): Cancelled {
  return new Cancelled(t`Interrupted after ${done} of ${all} deliveries`, {
    details: [t`A delivery in progress may have arrived`],
    hint: t`Run the command again when you are ready`,
  })
}
