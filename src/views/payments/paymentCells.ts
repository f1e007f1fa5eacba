import type { ChalkInstance } from 'chalk'
import type { AttemptSummary } from '../../ledger/derivePayment.ts'
import type { PaymentKind } from '../../ledger/facts.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import type { Payment } from '../../ledger/payments.ts'
import type { AttemptRecord, LedgerRecord, ResendRecord, RunPlace } from '../../ledger/records.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey, isKeyType } from '../../pix/pixKey.ts'
import { directionOf, signedCents } from '../../reconcile/tableFile.ts'
import { INSTANT, objectOf, TEXT, type ValueOf } from '../../schemas/jsonSchema.ts'
import { type Column, cellText, type Document, valueAt, wordText } from '../../terminal/printer.ts'
import { declared, t, translated } from '../../text/translate.ts'
import { amountText, instantText, maskKey, maskText, shortInstantText, statusColour } from '../valueText.ts'

/** What a cell about a payment is made from: its JSON, masked or not, and its amount, which is never read from the JSON. */
export interface PaymentItem {
  document: Document
  amountCents: number | null
}

/** The time at a path of JSON in São Paulo; a dash if there is none. */
export function timeText({ document }: Pick<PaymentItem, 'document'>, path: string): string {
  const at = valueAt(document, path)
  return instantText(typeof at === 'string' ? (parseInstant(at) ?? null) : null)
}

/** The same, shorter. */
export function shortTimeText({ document }: Pick<PaymentItem, 'document'>, path: string, nowMs: number): string {
  const at = valueAt(document, path)
  return shortInstantText(typeof at === 'string' ? (parseInstant(at) ?? null) : null, nowMs)
}

/** The status of a payment, else its state; of an id that could not be looked up the code of its error. */
export function statusText({ document }: PaymentItem): string {
  const { status, error } = document
  return cellText(status ?? valueAt(error, 'code') ?? valueAt(document, 'pixgate.state')) || '—'
}

/** The colour of a status; an id that could not be looked up is red. */
export function colourOfStatus({ document }: PaymentItem, style: ChalkInstance): ChalkInstance {
  return 'error' in document ? style.red : statusColour(cellText(document.status), style)
}

/** The state in JSON, for people: one whose answer is awaited right now has no outcome yet. */
export function stateText(document: Document, nowMs: number): string {
  return isBeingSent(document, nowMs) ? t`being sent` : wordText(valueAt(document, 'pixgate.state'))
}

/** The colour of the state in JSON. */
export function colourOfState({ document }: PaymentItem, style: ChalkInstance): ChalkInstance | undefined {
  return stateColour(cellText(valueAt(document, 'pixgate.state')), style)
}

/** Whether a state is what a person hopes for. */
export function stateTone(state: string): 'good' | 'warn' | 'bad' | 'plain' {
  switch (state) {
    case 'paid':
      return 'good'
    case 'accepted':
      return 'warn'
    case 'unknown':
    case 'refused':
    case 'not-paid':
    case 'returned':
      return 'bad'
    default:
      return 'plain'
  }
}

/** The colour of a state: money that may be lost or sent twice must not be overlooked. */
export function stateColour(state: string, style: ChalkInstance): ChalkInstance | undefined {
  const bad = state === 'unknown' ? style.red.bold : style.red
  return { good: style.green, warn: style.yellow, bad, plain: undefined }[stateTone(state)]
}

/** The colour of a verdict: what differs or is missing is red and bold. */
export function verdictColour({ document }: PaymentItem, style: ChalkInstance): ChalkInstance | undefined {
  const verdict = cellText(valueAt(document, 'pixgate.verdict'))
  if (verdict === 'match' || verdict === 'agrees') return style.green
  if (verdict === '' || verdict === 'open') return undefined
  return verdict === 'late' ? style.yellow : style.red.bold
}

/** The properties in which a payment differs from what was expected. */
export function differencesText({ document }: PaymentItem): string {
  const differences = valueAt(document, 'pixgate.differences')
  return Array.isArray(differences) ? differences.join(', ') : ''
}

/** The payee; the id of a refunded payment is in the column `name` already. */
export function payeeText({ document }: Pick<PaymentItem, 'document'>): string {
  const payee = cellText(valueAt(document, 'pixgate.payee'))
  return payee === '' || payee === document.originalTransactionId ? '—' : payee
}

/** A payee masked: a key, which is also in the JSON, and a tax document in the name of a sole trader. */
export function maskedPayee(payee: string, { key, typeKey }: Document): string {
  return payee === key ? maskKey(payee, String(typeKey)) : maskText(payee)
}

/** The name of the other party; without one the key of a transfer as people write it. */
export function partyText({ document }: Pick<PaymentItem, 'document'>): string {
  return cellText(valueAt(document, 'pixgate.party')) || keyText({ document }) || '—'
}

/** The key of a transfer as people write it; '' if it has none. */
export function keyText({ document }: Pick<PaymentItem, 'document'>): string {
  const { key, typeKey } = document
  return typeof key === 'string' && isKeyType(typeKey) ? formatKey(key, typeKey) : cellText(key)
}

/** The user's own reference; without one the name. */
export function referenceText({ document }: Pick<PaymentItem, 'document'>): string {
  return cellText(valueAt(document, 'pixgate.ownReference')) || cellText(valueAt(document, 'pixgate.name'))
}

/** The id by which commands take a payment: the gateway's, before there is one pixgate's own. */
export function idText({ document }: Pick<PaymentItem, 'document'>): string {
  return cellText(document.idTransaction) || cellText(valueAt(document, 'pixgate.id'))
}

/** The amount with the sign of money that leaves. */
export function signedAmountText({ document, amountCents }: PaymentItem): string {
  const isOutgoing = valueAt(document, 'pixgate.kind') !== 'qr'
  return amountText(amountCents !== null && isOutgoing ? -amountCents : amountCents)
}

/** A payment in a list that compares it with what another program has. */
export interface ComparedItem extends PaymentItem {
  /** What the other program has, with its sign if it has one; null if it has no amount. */
  otherCents: number | null
}

/** The column of the amount that another program has for a payment. */
export function otherAmountColumn(path: string, header: string): Column<ComparedItem> {
  return { path, header, align: 'right', text: ({ otherCents }) => amountText(otherCents) }
}

/** The amount of the payment that it is compared with; with the sign of its direction if the other one has a sign. */
export function ownAmountText({ document, amountCents }: PaymentItem, isSigned: boolean): string {
  const direction = isSigned ? directionOf(cellText(valueAt(document, 'pixgate.kind')) || 'qr') : null
  return amountText(amountCents === null ? null : signedCents(amountCents, direction))
}

/** Whole texts, because in Portuguese the word of a state depends on the kind. */
const TEXTS: Readonly<Record<PaymentKind, Readonly<Record<PaymentState, string>>>> = {
  qr: {
    'not-sent': declared`qr not-sent`,
    refused: declared`qr refused`,
    accepted: declared`qr accepted`,
    unknown: declared`qr unknown`,
    paid: declared`qr paid`,
    'not-paid': declared`qr not-paid`,
    returned: declared`qr returned`,
  },
  transfer: {
    'not-sent': declared`transfer not-sent`,
    refused: declared`transfer refused`,
    accepted: declared`transfer accepted`,
    unknown: declared`transfer unknown`,
    paid: declared`transfer paid`,
    'not-paid': declared`transfer not-paid`,
    returned: declared`transfer returned`,
  },
  refund: {
    'not-sent': declared`refund not-sent`,
    refused: declared`refund refused`,
    accepted: declared`refund accepted`,
    unknown: declared`refund unknown`,
    paid: declared`refund paid`,
    'not-paid': declared`refund not-paid`,
    returned: declared`refund returned`,
  },
}

/** The payments of a kind in a state, as sums name them: `transfer not-sent`. */
export function kindAndState(kind: PaymentKind, state: PaymentState): string {
  return translated(TEXTS[kind][state])
}

/** Who recorded a request of a shared ledger whose answer is not recorded yet, and until when it may leave; times in RFC 3339, UTC. */
export const BEING_SENT = objectOf({ user: TEXT, machine: TEXT, since: INSTANT, until: INSTANT })
type BeingSent = ValueOf<typeof BEING_SENT>

/** The request of a payment that waits for its answer; null if none does, or if the ledger belongs to this machine alone. */
export function beingSentOf({ summary, records }: Pick<Payment, 'summary' | 'records'>): BeingSent | null {
  const waiting = summary.attempts.filter(({ sender }) => sender !== null).map(({ record }) => record.id)
  const isWaiting = (record: LedgerRecord): record is LedgerRecord<AttemptRecord | ResendRecord> =>
    (record.type === 'attempt' && waiting.includes(record.id)) ||
    (record.type === 'resend' && waiting.includes(record.attempt))
  const request = records.findLast(isWaiting)
  if (request?.notAfter === undefined) return null
  const { user, machine, at, notAfter } = request
  return { user, machine, since: at, until: notAfter }
}

/** True if the JSON of a payment says that it may be on its way at a time of the ledger's clock. Afterwards its outcome is unknown. */
export function isBeingSent(document: Document, nowMs: number): boolean {
  const until = valueAt(document, 'pixgate.beingSent.until')
  return typeof until === 'string' && (parseInstant(until) ?? 0) >= nowMs
}

/** Who is sending a payment at a time of the ledger's clock; null if nobody is. */
export function beingSentText(payment: Payment, nowMs: number): string | null {
  const sending = beingSentOf(payment)
  if (sending === null || (parseInstant(sending.until) ?? 0) < nowMs) return null
  const { user, machine, since } = sending
  return t`being sent by ${user} on ${machine} since ${instantText(parseInstant(since) ?? null)}`
}

/** What a list shows: a payment, or one of its attempts. */
export interface ListedPayment {
  payment: Payment
  /** Null in a list of payments. */
  attempt: AttemptSummary | null
}

/** The attempt that is told about: of a payment the one that its state comes from. */
export function shownAttempt({ payment, attempt }: ListedPayment): AttemptSummary {
  return attempt ?? payment.summary.deciding
}

/** The record that tells when and by whom: of a payment that of its first attempt. */
export function shownRecord({ payment, attempt }: ListedPayment): Payment['first'] {
  return attempt?.record ?? payment.first
}

/** The name by which people know it; that of an attempt is its own externalId. */
export function nameOf({ payment, attempt }: ListedPayment): string {
  return attempt?.record.externalId ?? payment.givenId
}

/** The status in the wire's words; null if there is none. An attempt that does not decide has only what was said of it. */
export function statusOf({ payment, attempt }: ListedPayment): string | null {
  const { deciding, status } = payment.summary
  if (attempt === null || attempt === deciding) return status
  return attempt.event?.status ?? attempt.answer?.status ?? null
}

/** The place of a payment in the file of a batch, with nulls if it is in none; undefined for a charge. */
export function placeOf({
  payment: { facts, first },
}: ListedPayment):
  | Pick<RunPlace, 'run' | 'line' | 'reference'>
  | { run: null; line: null; reference: null }
  | undefined {
  return facts.kind === 'qr' ? undefined : (first.place ?? { run: null, line: null, reference: null })
}
