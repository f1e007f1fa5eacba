import type { ChalkInstance } from 'chalk'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { type Cell, layOutCells, truncateCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { isObject } from '../../wire/answers.ts'
import type { EventFacts } from '../../wire/eventFacts.ts'
import { maskText } from '../personalData.ts'
import { statusColour } from '../valueText.ts'

/** What a person sees of a webhook. */
export interface EventView {
  /** Its number in the ledger; null if it is not recorded, or has none yet. */
  n: number | null
  isRecorded: boolean
  event: string | null
  valid: boolean
  /** Why it is not valid. */
  reason: string | null
  duplicate: boolean
  body: Buffer
  /** RFC 3339. */
  receivedAt: string
  /** How long the answer took; null if that is not known. */
  answeredMs: number | null
  /** Undefined if the body is not JSON. */
  facts: EventFacts | undefined
}

/** How events are shown. */
export interface EventLayout {
  /** The width of the terminal; Infinity if nothing limits it. */
  columns: number
  /** At level 0 there are no escape sequences. */
  style: ChalkInstance
  /** Shows tax documents unmasked. */
  unmask: boolean
}

/** Where the columns begin; amounts and milliseconds end at theirs. */
const TIME_AT = 3
export const VERDICT_OFFSET = 13
const EVENT_AT = 20
const STATUS_AT = 40
const AMOUNT_END = 65
const NARROW_MS_END = 73
const ID_AT = 67
const MS_END = 111
/** From this width on, ids are in the same line; on narrower terminals they get their own. */
const WIDE_COLUMNS = 118

const EVENT_CELLS_MAX = 32
const STATUS_CELLS_MAX = 24
const MESSAGE_CHARACTERS_MAX = 300
const BEGINNING_CHARACTERS = 60
const KEYS_MAX = 12

/** The fraction of a second in an instant. */
const FRACTION = /\.\d{1,9}(?=Z$)/

/** Statuses that are highlighted: money that was taken back or did not arrive. */
const ALARMING: readonly string[] = ['CHARGEBACK', 'RETURNED', 'FAILED', 'ERROR']

/** Short texts for why a webhook was rejected. */
const REJECTION_TEXTS: ReadonlyMap<string, () => string> = new Map([
  ['missing', () => t`no signature`],
  ['mismatch', () => t`wrong signature`],
  ['malformed', () => t`malformed signature`],
  ['not-json', () => t`not JSON`],
  ['not-stored', () => t`not stored`],
  ['too-large', () => t`too large`],
  ['method', () => t`not POST`],
  ['path', () => t`wrong path`],
  ['host', () => t`wrong host`],
])

/** Why a webhook was rejected, for a person; an unknown reason as it is, cut to 20 columns. */
export function rejectionText(reason: string): string {
  return REJECTION_TEXTS.get(reason)?.() ?? truncateCells(safeText(reason.slice(0, 40)), 20)
}

/**
 * A webhook as text: time, verdict, event, status, amount, ids, milliseconds and number in aligned columns, then details. It
 * is one line if it fits; on a narrow terminal the ids are in the next line. An id is never cut or broken.
 */
export function eventLines(view: EventView, canvas: EventLayout): string[] {
  const { columns, style } = canvas
  const isWide = columns >= WIDE_COLUMNS
  const ids = idCells(view, isWide, isRejected(view) ? style.dim : undefined)
  const msEnd = isWide ? MS_END : NARROW_MS_END
  const tail: Cell[] = [
    { text: answerTime(view.answeredMs), paint: style.dim, endsAt: msEnd, isSpare: true },
    { text: view.n === null ? '' : t`#${view.n}`, paint: style.dim, at: msEnd + 2 },
  ]
  const cells = isWide ? [...ids, ...tail] : [...tail, ...ids]
  return layOutCells([...factCells(view, style), ...cells, ...detailCells(view, canvas)], columns, TIME_AT)
}

/** True for a genuine event that a person must not overlook. */
export function isAlarming({ valid, event, facts }: Pick<EventView, 'valid' | 'event' | 'facts'>): boolean {
  return valid && (event === 'transfer.failed' || ALARMING.includes(facts?.status?.toUpperCase() ?? ''))
}

let lastClock = { second: '', text: '--:--:--' }

/** The time in São Paulo, `14:03:07`; dashes for an unreadable time. */
export function clockText(receivedAt: string): string {
  // Thousands of webhooks may arrive in one second, so the last result is cached.
  const second = receivedAt.replace(FRACTION, '')
  if (second !== lastClock.second) {
    const ms = parseInstant(receivedAt)
    lastClock = { second, text: ms === undefined ? '--:--:--' : formatInstant(ms).slice(11, 19) }
  }
  return lastClock.text
}

/** Formats milliseconds: `0.4 ms`, `12 ms`, `1.2 s`; '' for null. */
export function answerTime(ms: number | null): string {
  if (ms === null) return ''
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 || Number.isInteger(ms) ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}

function factCells(view: EventView, style: ChalkInstance): Cell[] {
  const { facts } = view
  const alarm = isAlarming(view)
  const status = truncateCells(safeText(facts?.status?.slice(0, STATUS_CELLS_MAX * 2) ?? ''), STATUS_CELLS_MAX)
  const faint = isRejected(view) ? style.dim : undefined
  const loud = alarm ? style.red.bold : faint
  return [
    { text: alarm ? '!!' : '', paint: style.red.bold },
    { text: clockText(view.receivedAt), paint: style.dim, at: TIME_AT, gap: 1 },
    {
      text: eventVerdictText(view),
      paint: { good: style.green, warn: style.yellow, bad: style.red }[verdictTone(view)],
      at: VERDICT_OFFSET,
      isProse: true,
    },
    { text: eventName(view), paint: loud ?? style.bold, at: EVENT_AT, isProse: true },
    { text: status, paint: loud ?? statusColour(facts?.status ?? null, style), at: STATUS_AT, isProse: true },
    {
      text: typeof facts?.amountCents === 'number' ? formatReais(facts.amountCents) : '',
      paint: faint,
      endsAt: AMOUNT_END,
    },
  ]
}

/** True for a rejected webhook. One accepted with `--allow-unsigned` is not valid either, but recorded. */
function isRejected({ valid, isRecorded }: EventView): boolean {
  return !valid && !isRecorded
}

/** The verdict with its reason: `✓ ok`, `✗ wrong signature`. */
export function eventVerdictText(view: EventView): string {
  const { valid, reason, duplicate } = view
  const mark = valid ? '✓' : isRejected(view) ? '✗' : '?'
  if (reason !== null) return `${mark} ${rejectionText(reason)}`
  return `${mark} ${duplicate ? t`dup` : valid ? t`ok` : t`refused`}`
}

/** What was decided about a webhook, by which events are filtered; `unsigned` for one that `--allow-unsigned` let in. */
export function eventVerdict(view: EventView): 'genuine' | 'repeated' | 'unsigned' | 'refused' {
  if (view.duplicate) return 'repeated'
  if (view.valid) return view.reason === null ? 'genuine' : 'refused'
  return isRejected(view) ? 'refused' : 'unsigned'
}

/** Whether a verdict is what a person hopes for. */
export function verdictTone(view: EventView): 'good' | 'warn' | 'bad' {
  if (isRejected(view)) return 'bad'
  return view.valid && !view.duplicate && view.reason === null ? 'good' : 'warn'
}

function eventName({ event, facts }: EventView): string {
  const name = event ?? facts?.event ?? null
  if (name === null) return facts === undefined ? '' : t`unknown`
  return truncateCells(safeText(name.slice(0, EVENT_CELLS_MAX * 2)), EVENT_CELLS_MAX)
}

function idCells({ facts }: EventView, isWide: boolean, paint: ChalkInstance | undefined): Cell[] {
  const own = safeText(facts?.idTransaction ?? '')
  const original = facts?.originalTransactionId ? `→ ${safeText(facts.originalTransactionId)}` : ''
  const place = isWide ? { paint, at: ID_AT } : { paint, isFirst: true }
  return [
    { text: own, ...place },
    { text: original, ...(own === '' ? place : { paint, gap: 1 }) },
  ]
}

function detailCells(view: EventView, { style, unmask }: EventLayout): Cell[] {
  const { facts, body } = view
  const alarm = isAlarming(view) ? style.red : undefined
  if (facts === undefined)
    return body.length === 0 ? [] : [{ text: beginningOf(body), paint: style.dim, isProse: true }]
  return [
    { text: facts.externalId === null ? '' : t`external id ${facts.externalId}` },
    { text: errorText(facts, unmask), paint: alarm, isProse: true },
    { text: directedText(facts, unmask), isProse: true },
    { text: keysText(facts, body), paint: style.dim, isProse: true },
  ]
}

/** The error in an event, at most 300 characters of it; '' if there is none. */
export function errorText({ errorCode, errorMessage }: EventFacts, unmask: boolean): string {
  const text = [errorCode, errorMessage].filter((part) => part !== null).join(': ')
  const shown = text.slice(0, MESSAGE_CHARACTERS_MAX) + (text.length > MESSAGE_CHARACTERS_MAX ? '…' : '')
  return safeText(unmask ? shown : maskText(shown))
}

/** The receiver of a transfer, or the payer: name, tax document, masked unless `unmask`, and bank; '' if not known. */
export function personText({ name, taxId, bank }: EventFacts, unmask: boolean): string {
  const who = unmask
    ? [name, taxId && formatTaxDocument(taxId), bank]
    : [name && maskText(name), taxId && maskTaxDocument(taxId), bank]
  const parts = who.flatMap((part) => (part ? [part.slice(0, MESSAGE_CHARACTERS_MAX)] : []))
  return safeText(parts.join(', '))
}

function directedText(facts: EventFacts, unmask: boolean): string {
  const who = personText(facts, unmask)
  if (who === '') return ''
  return facts.subject === 'transfer' ? t`to ${who}` : t`from ${who}`
}

/** For an unknown format, the names of its fields. */
function keysText({ subject }: EventFacts, body: Buffer): string {
  if (subject !== null) return ''
  const payload: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  const top = isObject(payload) && isObject(payload.data) ? payload.data : payload
  if (!isObject(top)) return t`JSON, but not an object`
  const keys = Object.keys(top)
  if (keys.length === 0) return t`no fields`
  const shown = keys.slice(0, KEYS_MAX).map((key) => key.slice(0, EVENT_CELLS_MAX))
  if (keys.length === shown.length) return t`fields ${shown.join(', ')}`
  return t`fields ${shown.join(', ')} and ${keys.length - shown.length} more`
}

function beginningOf(body: Buffer): string {
  const text = body.subarray(0, BEGINNING_CHARACTERS * 4).toString('utf8')
  const shown = Array.from(text).slice(0, BEGINNING_CHARACTERS).join('')
  return t`${body.length} bytes, beginning with ${maskText(shown)}`
}
