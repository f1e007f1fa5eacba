import type { PaymentKind } from '../ledger/facts.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import { stateText } from '../ledger/stateWords.ts'
import { stateFromStatus } from '../ledger/statusMeaning.ts'
import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { TransactionCallName } from '../sandbox/control.ts'
import type { DeliveryEntry, HistoryStep, LogEntry, RequestEntry } from '../schemas/sandboxAnswers.ts'
import { cellText } from '../terminal/printer.ts'
import { safeLines, safeText } from '../text/safeText.ts'
import { t, translated } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { amountText, instantText } from './valueText.ts'

// What the page of `inspect` says of the sandbox, too, so that nothing here may need Node.js.

const LABELS: Readonly<Record<string, () => string>> = {
  type: () => t`kind`,
  idTransaction: () => t`transaction id`,
  originalTransactionId: () => t`refund of`,
  requestNumber: () => t`order`,
  externalId: () => t`external id`,
  amount: () => t`amount`,
  value: () => t`amount`,
  refunded: () => t`refunded`,
  shippingAmount: () => t`shipping`,
  refundReason: () => t`reason`,
  key: () => t`key`,
  typeKey: () => t`key type`,
  documentValidation: () => t`owner`,
  destinationName: () => t`receiver`,
  destinationTaxId: () => t`CPF or CNPJ of the receiver`,
  destinationBank: () => t`bank`,
  statusTransaction: () => t`status in the event`,
  errorCode: () => t`error code`,
  errorMessage: () => t`error`,
  status: () => t`state`,
  createdAt: () => t`created`,
  expiresAt: () => t`expires`,
  paidAt: () => t`paid at`,
  settledAt: () => t`ended`,
  chargebackAt: () => t`charged back`,
  chargedBack: () => t`taken back`,
  usernameCheckout: () => t`checkout`,
  callbackUrl: () => t`callback URL`,
  paymentCode: () => t`payment code`,
  balance: () => t`balance`,
  now: () => t`clock`,
  event: () => t`event`,
  outcome: () => t`outcome`,
  attempts: () => t`attempts`,
  kind: () => t`kind`,
  on: () => t`on`,
  times: () => t`times`,
  async: () => t`async`,
}

/** How a member of a request or an answer is called on a screen; its own name if it has no other. */
export function wireLabel(field: string): string {
  return LABELS[field]?.() ?? field
}

const KINDS: ReadonlyMap<unknown, PaymentKind> = new Map([
  ['payment', 'qr'],
  ['refund', 'refund'],
  ['transfer', 'transfer'],
])

/** The state that people read for what the sandbox holds of a transaction; undefined for anything else. */
export function transactionState({
  type,
  status,
  statusTransaction,
  chargebackAt,
}: AnswerFields): PaymentState | undefined {
  const kind = KINDS.get(type)
  if (kind === undefined) return undefined
  // The service goes on calling a charge PAID after its chargeback.
  if (chargebackAt !== null && chargebackAt !== undefined) return 'returned'
  return stateFromStatus(kind, cellText(statusTransaction ?? status))
}

const CONTROLS: Readonly<Record<string, readonly (TransactionCallName | 'pay-late')[]>> = {
  'payment PENDING': ['pay', 'expire', 'cancel'],
  'payment PAID': ['chargeback', 'deliver'],
  'payment EXPIRED': ['pay-late', 'deliver'],
  'payment CANCELLED': ['pay-late', 'deliver'],
  'payment REFUNDED': ['deliver'],
  'refund PROCESSING': ['fail'],
  'refund COMPLETED': ['deliver'],
  'refund FAILED': ['deliver'],
  'transfer PROCESSING': ['cancel', 'fail'],
  'transfer COMPLETED': ['return', 'deliver'],
  'transfer FAILED': ['deliver'],
}

/** The controls that a transaction allows, among them `pay-late` for a code that has ended. */
export function controlsFor({ type, status }: AnswerFields): readonly (TransactionCallName | 'pay-late')[] {
  return CONTROLS[`${cellText(type)} ${cellText(status)}`] ?? []
}

const AMOUNTS: readonly string[] = ['amount', 'value', 'balance', 'refunded', 'chargedBack', 'shippingAmount']
const WORDS: readonly string[] = ['type', 'typeKey', 'outcome']

/** A member of what the sandbox answers, for a person. */
export function wireText(fields: AnswerFields, name: string): string {
  const value = fields[name]
  const text = cellText(value)
  if (AMOUNTS.includes(name)) return amountText(centsFromJson(value) ?? null)
  if (name === 'now' || name.endsWith('At')) return instantText(parseInstant(text) ?? null)
  if (name === 'status') return stateText(transactionState(fields) ?? text)
  if (name === 'on') return text || t`any`
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  return WORDS.includes(name) ? translated(text) : text
}

const ANSWER_LINES_MAX = 8

/** A request or an attempt to deliver a webhook as one line. */
export function logLine(entry: LogEntry): string {
  if (entry.type === 'request') return requestLine(entry)
  const { event, eventStatus, url, attempt, attemptsMax } = entry
  if (entry.outcome === 'lost') return t`webhook ${event} ${eventStatus} to ${url}: not sent, because of a fault`
  return t`webhook ${event} ${eventStatus} to ${url}: ${resultText(entry)} (attempt ${attempt} of ${attemptsMax})`
}

/** A step in the history of a transaction: its first line, and what was sent where, or answered. */
export function stepLines(step: HistoryStep): string[] {
  if (step.kind === 'request') return [requestLine(step), ...refusalLines(step)]
  const { event, eventStatus } = step
  if (step.kind === 'event') return [t`event ${event} ${eventStatus}`, safeText(step.url)]
  if (step.outcome === 'lost') return [t`not sent, because of a fault`]
  const { attempt, attemptsMax } = step
  const line = t`${event} ${eventStatus}: ${resultText(step)} (attempt ${attempt} of ${attemptsMax})`
  return [line, ...receiverLines(step)]
}

/** What was answered to a request that was refused; empty for any other. */
export function refusalLines({ code, details }: Pick<RequestEntry, 'code' | 'details'>): string[] {
  return code === null ? [] : [`${safeText(code)}: ${safeText(details ?? '')}`]
}

/** What a receiver answered that refused a webhook; empty for any other. */
export function receiverLines({ answer }: Pick<DeliveryEntry, 'answer'>): string[] {
  const lines = safeLines((answer ?? '').trim()).filter((line) => line.trim() !== '')
  return lines.slice(0, ANSWER_LINES_MAX)
}

function requestLine({ method, path, status, ms }: Omit<RequestEntry, 'type'>): string {
  const result = status === null ? t`dropped` : String(status)
  return t`${method} ${safeText(path)}: ${result} (${ms} ms)`
}

function resultText({ status, error }: Omit<DeliveryEntry, 'type'>): string {
  return status === null ? safeText(error ?? '') : String(status)
}
