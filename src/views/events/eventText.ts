import type { ChalkInstance } from 'chalk'
import { findingFromName } from '../../ledger/paymentState.ts'
import { causeOfAnswer, type KnownAnswer } from '../../listener/answerCause.ts'
import type { PostResult } from '../../listener/webhookPost.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Cell, layOutCells, truncateCells } from '../../text/cellLayout.ts'
import { safeJson, safeLines, safeText } from '../../text/safeText.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { isObject } from '../../wire/answers.ts'
import { isSuccessStatus } from '../../wire/answerVerdict.ts'
import type { EventFacts } from '../../wire/eventFacts.ts'
import { readJsonTree } from '../../wire/jsonTree.ts'
import { indented, layOut } from '../../wire/jsonWriters.ts'
import { isRefusal, isTooSlow } from '../../wire/signature.ts'
import { isAlarmingStatus, maskEmail, maskText, statusColour } from '../valueText.ts'
import { ANSWER_CAUSES, ANSWER_FIXES } from './answerText.ts'

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

type Judged = Pick<EventView, 'isRecorded' | 'event' | 'valid' | 'reason' | 'duplicate'>

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

const FRACTION = /\.\d{1,9}(?=Z$)/

const REJECTION_TEXTS: ReadonlyMap<string, () => string> = new Map([
  ['missing', () => t`no signature`],
  ['mismatch', () => t`wrong signature`],
  ['malformed', () => t`malformed signature`],
  ['not-json', () => t`not JSON`],
  ['not-stored', () => t`not stored`],
  ['too-large', () => t`too large`],
  ['method', () => t`not POST`],
  ['path', () => t`wrong path`],
  ['loop', () => t`came back`],
  ['check', () => t`sample`],
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

/** From this width on, a refused webhook has its id beside the command that explains it. */
const REFUSED_WIDE_COLUMNS = 150

/** A refused webhook as one line, if it fits: what it says it is, what is proved about it, and what to do next. */
export function refusedLines(view: EventView, cause: string, next: Cell, { columns, style }: EventLayout): string[] {
  const [mark, time, verdict, ...facts] = factCells(view, style)
  const cells = [mark, time, verdict].filter((cell) => cell !== undefined)
  const what = columns >= WIDE_COLUMNS ? facts : []
  const ids = columns >= REFUSED_WIDE_COLUMNS ? idCells(view, true, style.dim) : []
  return layOutCells([...cells, ...what, ...ids, { text: cause, isProse: true }, next], columns, TIME_AT)
}

/** True for a genuine event that a person must not overlook. */
export function isAlarming({
  valid,
  event,
  facts,
}: Judged & { facts: Pick<EventFacts, 'status'> | undefined }): boolean {
  return valid && (findingFromName(event) === 'not-paid' || isAlarmingStatus(facts?.status ?? null))
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
function isRejected({ valid, isRecorded }: Judged): boolean {
  return !valid && !isRecorded
}

/** The verdict with its reason: `✓ ok`, `✗ wrong signature`. */
export function eventVerdictText(view: Judged): string {
  const { valid, reason, duplicate } = view
  const mark = valid ? '✓' : isRejected(view) ? '✗' : '?'
  if (reason !== null) return `${mark} ${rejectionText(reason)}`
  return `${mark} ${duplicate ? t`dup` : valid ? t`ok` : t`refused`}`
}

/** What was decided about a webhook, by which events are filtered; `unsigned` for one that `--allow-unsigned` let in. */
export function eventVerdict(view: Judged): 'genuine' | 'repeated' | 'unsigned' | 'refused' {
  if (view.duplicate) return 'repeated'
  if (view.valid) return view.reason === null ? 'genuine' : 'refused'
  return isRejected(view) ? 'refused' : 'unsigned'
}

/** Whether a verdict is what a person hopes for. */
export function verdictTone(view: Judged): 'good' | 'warn' | 'bad' {
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

const INDENTED = indented('  ')

/** A webhook's body as lines. JSON is indented, but keeps its number formats, order and repeated keys. */
export function bodyLines(body: Buffer, { style, unmask }: Pick<EventLayout, 'style' | 'unmask'>): string[] {
  const text = body.toString('utf8')
  const tree = readJsonTree(text.replace(/^\uFEFF/, ''))
  if (tree === undefined) return safeLines(unmask ? text : maskText(text))
  // Dangerous characters are written as JSON escapes.
  const quote = (shown: string) => safeJson(JSON.stringify(shown))
  return layOut(tree, INDENTED, {
    name: (name) => style.cyan(quote(name)),
    text: (shown, name) => quote(unmask ? shown : maskedText(shown, name)),
    number: (literal, name) => (unmask || !isTaxDocumentName(name) ? literal : quote(maskTaxDocument(literal))),
  }).split('\n')
}

/** Without the personal data in it. `name` is the name of the member that holds the text or its list. */
function maskedText(text: string, name: string): string {
  if (isTaxDocumentName(name)) return text === '' ? '' : maskTaxDocument(text)
  if (/e-?mail$/i.test(name)) return maskEmail(text)
  if (/phone|telefone|celular/i.test(name)) return '***'
  return isIdName(name) ? text : maskText(text)
}

/** Ids are never masked, because they are needed for look-ups; some consist of digits only. */
function isIdName(name: string): boolean {
  return /^id|(?:I|_i)d$/.test(name)
}

function isTaxDocumentName(name: string): boolean {
  return /tax_?(?:id|number|document)|cpf|cnpj|^document/i.test(name)
}

const ANSWER_LINES_MAX = 8
const MARK_COLUMNS = 2

/** Where a webhook was sent. */
export interface Receiver {
  /** Without user name and password. */
  url: string
  /**
   * The options of the account that signed it, as words of a command: `-p dev `, or ''. Null if no profile has its secret, which
   * PIXGATE_CLIENT_SECRET must hold then.
   */
  account: string | null
}

/** What a developer may want to know about an answer. */
export interface AnswerAdvice {
  /** Sentences; empty if the service would count the webhook as received. */
  texts: readonly string[]
  /** The command that finds the cause, ready to paste; null if the answer tells it. */
  command: string | null
}

interface SentWebhook {
  /** Its number in the ledger; null if it is not a recorded event. */
  n: number | null
  event: string | null
  idTransaction: string | null
  receiver: Receiver
  /** False if it has no genuine signature on purpose. */
  isGenuine: boolean
  /** True if it has a signature, genuine or not. */
  isSigned: boolean
}

/** The answer to a webhook, and what a developer may want to know about it. */
export function answerLines(
  webhook: SentWebhook,
  result: PostResult,
  { expected, isGood }: { expected: number | null; isGood: boolean },
  terminal: Terminal,
): string[] {
  const { out, outIsTerminal } = terminal
  const columns = outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  const { n, event, idTransaction } = webhook
  const { status, ms } = result
  const cells = [
    { text: isGood ? '✓' : '✗', paint: isGood ? out.green : out.red },
    { text: String(status ?? '—'), paint: isGood ? out.green : out.red, gap: 1 },
    { text: answerTime(ms), paint: out.dim, endsAt: 15 },
    { text: n === null ? '' : t`#${n}`, paint: out.dim },
    { text: safeText(event ?? '') },
    { text: safeText(idTransaction ?? '') },
  ]
  const beginning = isGood ? [] : safeLines(result.body.trim()).slice(0, ANSWER_LINES_MAX)
  const { texts, command } = remarks(webhook, result, expected)
  const words = [
    ...beginning.filter((line) => line.trim() !== '').map((text) => ({ text, paint: out.dim, isProse: true })),
    ...texts.map((text) => ({ text, paint: isGood ? out.yellow : out.red, isProse: true })),
    ...(command === null ? [] : [{ text: safeText(command) }]),
  ]
  const more = words.map((cell) => ({ ...cell, at: MARK_COLUMNS, isFirst: true }))
  return layOutCells([...cells, ...more], columns, MARK_COLUMNS)
}

/** Why the service would count an answer as failed, what to do about it, and what finds out more if the answer proves no cause. */
export function answerAdvice(answer: KnownAnswer, receiver: Receiver): AnswerAdvice {
  const { status } = answer
  if (status === null) return { texts: [], command: null }
  const cause = causeOfAnswer(answer)
  const texts = cause === null ? [] : [ANSWER_CAUSES[cause](), ...ANSWER_FIXES[cause]()]
  const isOpen = cause === 'crash' || (cause === null && isRefusal(status))
  if (!isOpen) return { texts, command: null }
  const introduction =
    receiver.account === null
      ? t`With the secret of this sandbox in \`PIXGATE_CLIENT_SECRET\`, this command finds out why:`
      : t`This command finds out why:`
  return {
    texts: [...(cause === null ? [t`Your server refused it`] : texts), introduction],
    command: `pixgate ${receiver.account ?? ''}webhook check ${shellWord(receiver.url)}`,
  }
}

/** What a developer may want to know about an answer: why there was none, its likely cause, what the service would do. */
function remarks(
  { isGenuine, isSigned, receiver }: SentWebhook,
  result: PostResult,
  expected: number | null,
): AnswerAdvice {
  const { status, error } = result
  if (error !== null || status === null) return { texts: [error?.message ?? ''], command: null }
  const differs = expected === null || status === expected ? [] : [t`Expected ${expected}`]
  const lateTexts = isTooSlow(result) ? [ANSWER_CAUSES.slow()] : []
  if (!isGenuine) return { texts: [...differs, ...lateTexts, ...forgeryRemarks(result, isSigned)], command: null }
  if (status === expected) return { texts: lateTexts, command: null }
  const { texts, command } = answerAdvice(result, receiver)
  return { texts: [...differs, ...texts], command }
}

function forgeryRemarks(answer: KnownAnswer, isSigned: boolean): readonly string[] {
  const { status } = answer
  if (status === null) return []
  if (isSuccessStatus(status)) return [t`It accepted a webhook without a genuine signature, which anyone could send`]
  if (isRefusal(status)) return [t`It refused a webhook without a genuine signature, as it should`]
  const cause = causeOfAnswer(answer)
  if (status < 500) return cause === null ? [] : [ANSWER_CAUSES[cause]()]
  return [
    isSigned
      ? t`It failed instead of refusing: a wrong signature must give 401, not an exception; look at its log`
      : t`It failed instead of refusing: a missing signature must give 401, not an exception; look at its log`,
  ]
}
