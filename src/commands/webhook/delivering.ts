import { setMaxListeners } from 'node:events'
import type { Context } from '../../context.ts'
import { explainAnswer, type Header, type PostResult, postBytes } from '../../receiver/post.ts'
import type { Column } from '../../terminal/printer.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { layOutCells } from '../../views/cellLayout.ts'
import { answerTime } from '../../views/eventText.ts'
import { withoutPassword } from '../../wire/address.ts'
import { Cancelled, gravestExitCode } from '../../wire/errors.ts'
import { isSuccessStatus } from '../../wire/verdict.ts'

/** A webhook that is ready to be sent. */
export interface Parcel {
  /** Its number in the journal; null where it is none of its events. */
  n: number | null
  url: URL
  body: Buffer
  headers: readonly Header[]
  event: string | null
  idTransaction: string | null
  /** False where it has no genuine signature on purpose. */
  isGenuine: boolean
}

interface Delivered {
  parcel: Parcel
  result: PostResult
}

export interface DeliveryWishes {
  /** All together, not one after the other. */
  atOnce: boolean
  /** The answer is a list even where it has one member. */
  isList: boolean
  /** Told of every answer. */
  onResult?(parcel: Parcel, result: PostResult): void
}

const ANSWER_CHARACTERS_MAX = 500
const ANSWER_LINES_MAX = 8
const MARK_COLUMNS = 2
/** So long the service waits for an answer. */
const PATIENCE_MS = 5_000

const COLUMNS: readonly Column[] = ['url', 'event', 'idTransaction', 'status', 'ms', 'error', 'body'].map((path) => ({
  path,
}))

/**
 * Sends all of these, prints what was answered, and returns the exit code: 0 where all answers are 2xx, 1 where one is not,
 * 6 where there was none. Throws Cancelled at Ctrl-C.
 */
export async function deliver(
  context: Context,
  parcels: readonly Parcel[],
  { atOnce, isList, onResult }: DeliveryWishes,
): Promise<number> {
  const { print, terminal, settings, world } = context
  const signal = AbortSignal.any([world.interrupt])
  setMaxListeners(0, signal)
  const delivered: Delivered[] = []

  async function send(parcel: Parcel): Promise<void> {
    const limits = { timeoutMs: settings.timeoutMs, bytesMax: ANSWER_CHARACTERS_MAX, signal }
    const result = await postBytes(parcel.url, parcel.body, parcel.headers, limits)
    if (signal.aborted && result.status === null) return
    trace(terminal, parcel, result)
    delivered.push({ parcel, result })
    onResult?.(parcel, result)
    if (print.format === 'text') terminal.data(answerLines({ parcel, result }, context).join('\n'))
  }

  if (atOnce) await Promise.all(parcels.map(send))
  else {
    for (const parcel of parcels) {
      if (signal.aborted) break
      await send(parcel)
    }
  }
  if (delivered.length < parcels.length) throw interrupted(delivered.length, parcels.length)
  if (print.format !== 'text') await printDocuments(context, delivered.map(documentOf), isList)
  return gravestExitCode(delivered.map(({ result }) => exitCodeOf(result)))
}

function trace(terminal: Terminal, { url, body, headers }: Parcel, { status, ms, error }: PostResult): void {
  terminal.trace(t`> POST ${withoutPassword(url.href)} ${body.length} bytes`)
  for (const [name, value] of headers) terminal.trace(t`> ${name}: ${value}`)
  terminal.trace(status === null ? t`< ${error?.code ?? ''} after ${ms} ms` : t`< ${status} in ${ms} ms`)
}

async function printDocuments(
  { print }: Context,
  documents: Record<string, unknown>[],
  isList: boolean,
): Promise<void> {
  const [only] = documents
  const columns = only !== undefined && 'n' in only ? [{ path: 'n' }, ...COLUMNS] : COLUMNS
  if (isList || only === undefined) await print.list(documents, columns)
  else print.one(only, () => [])
}

function documentOf({ parcel, result }: Delivered): Record<string, unknown> {
  const { n, url, event, idTransaction } = parcel
  const { status, ms, error, body } = result
  const what = { url: withoutPassword(url.href), event, idTransaction, status, ms, error: error?.message ?? null, body }
  return n === null ? what : { n, ...what }
}

function exitCodeOf({ status, error }: PostResult): number {
  if (status === null) return 6
  return isSuccessStatus(status) && error === null ? 0 : 1
}

function answerLines({ parcel, result }: Delivered, { terminal }: Context): string[] {
  const { out, outIsTerminal } = terminal
  const columns = outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  const { n, event, idTransaction } = parcel
  const { status, ms } = result
  const isGood = exitCodeOf(result) === 0
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
    ...remarks(parcel, result).map((text) => ({ text, paint: isGood ? out.yellow : out.red })),
  ]
  const more = words.map((cell) => ({ ...cell, at: MARK_COLUMNS, isFirst: true, isProse: true }))
  return layOutCells([...cells, ...more], columns, MARK_COLUMNS)
}

/** What a developer may want to know about an answer: why there was none, its likely cause, what the service would think. */
function remarks({ isGenuine }: Parcel, { status, ms, error }: PostResult): string[] {
  if (error !== null) return [error.message]
  if (status !== null && !isGenuine) {
    if (isSuccessStatus(status)) return [t`It took a webhook without a genuine signature, which anybody could send`]
    if (status < 500) return [t`It refused a webhook without a genuine signature, as it should`]
  }
  const cause = status === null ? null : explainAnswer(status)
  if (cause !== null) return [cause]
  if (status !== null && isSuccessStatus(status) && status !== 200)
    return [t`The service asks for 200, and may send it again`]
  return ms > PATIENCE_MS ? [t`The service waits 5 s and would have taken this for a failure`] : []
}

function interrupted(done: number, all: number): Cancelled {
  return new Cancelled(t`It was interrupted after ${done} of ${all} deliveries`, {
    details: [t`What was on its way may have arrived`],
    hint: t`Run the command again when you are ready`,
  })
}
