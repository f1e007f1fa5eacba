import type { ChalkInstance } from 'chalk'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey, isKeyType } from '../../pix/pixKey.ts'
import { cellText, valueAt, wordText } from '../../terminal/documentFields.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { maskKey, maskText } from '../personalData.ts'
import { amountText, instantText, shortInstantText, statusColour } from '../valueText.ts'
import { isBeingSent } from './beingSent.ts'

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
