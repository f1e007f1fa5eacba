import { setMaxListeners } from 'node:events'
import type { Context } from '../../context.ts'
import type { ConnectionPool } from '../../gateway/connections.ts'
import {
  type Header,
  openConnectionPoolTo,
  type PostResult,
  postBytes,
  withoutLogin,
} from '../../listener/webhookPost.ts'
import { accountOptions } from '../../settings.ts'
import type { Column } from '../../terminal/printer.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import { answerLines } from '../../views/events/answerText.ts'
import { withoutPassword } from '../../wire/address.ts'
import { isReceived, isTooSlow } from '../../wire/deliveryVerdict.ts'
import { Cancelled, worstExitCode } from '../../wire/errors.ts'
import type { DeliveredDocument } from '../schemas/webhooks.ts'

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
  /** The status that every answer must have; null for 200. */
  expected: number | null
  /** Gets every result. */
  onResult?(webhook: PreparedWebhook, result: PostResult): void
}

const ANSWER_CHARACTERS_MAX = 500

const COLUMNS: readonly Column[] = ['url', 'event', 'idTransaction', 'status', 'ms', 'error', 'body'].map((path) => ({
  path,
}))

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
          { ...webhook, receiver: { url: withoutLogin(url), account: accountOptions(settings) } },
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
  if (print.format !== 'text')
    await printDocuments(
      context,
      writtenFor('programs', () => sent.map(documentOf)),
      isList,
    )
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
