import { DAY_MS, formatInstant, REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import { KEY_TYPES } from '../pix/pixKey.ts'
import {
  CENTS,
  constant,
  enumOf,
  NUMBER,
  objectOf,
  orNull,
  PAYMENT_STATUS,
  SETTLEMENT,
  TEXT,
  type ValueOf,
} from '../schemas/jsonSchema.ts'
import { CLIENT, TRANSFER_END } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { conflictError, SandboxError } from './sandboxError.ts'

/** A cash-in as it is kept. Money in cents, times in milliseconds. */
export const KEPT_PAYMENT = objectOf({
  type: constant('payment'),
  idTransaction: TEXT,
  requestNumber: TEXT,
  status: PAYMENT_STATUS,
  amountCents: CENTS,
  shippingAmountCents: orNull(CENTS),
  usernameCheckout: orNull(TEXT),
  client: orNull(CLIENT),
  /** The partner's share; leaves the balance when the payment is paid. */
  split: orNull(objectOf({ username: TEXT, percentageSplit: NUMBER, shareCents: CENTS })),
  callbackUrl: TEXT,
  paymentCode: TEXT,
  createdAtMs: NUMBER,
  expiresAtMs: NUMBER,
  paidAtMs: orNull(NUMBER),
  chargebackAtMs: orNull(NUMBER),
  /** What the chargeback took out of the balance. */
  chargedBackCents: CENTS,
  /** Given back or on its way back. */
  heldForRefundsCents: CENTS,
  /** Given back for good. */
  refundedCents: CENTS,
})

export type Payment = Readonly<ValueOf<typeof KEPT_PAYMENT>>

/** Paid by the payer; a code that is expired or cancelled only if `late`. */
export function markPaid(payment: Payment, nowMs: number, late: boolean): Payment {
  const { status, idTransaction } = payment
  if (status === 'PAID' || status === 'REFUNDED')
    throw conflictError(english`Payment \`${idTransaction}\` is already paid`)
  if (status !== 'PENDING' && !late) {
    throw conflictError(
      english`Payment \`${idTransaction}\` is ${status}: the payer's bank refuses its code unless \`late\` is set`,
      'CODE_ENDED',
    )
  }
  return { ...payment, status: 'PAID', paidAtMs: nowMs }
}

/** A pending payment that ends unpaid. */
export function endUnpaid(payment: Payment, status: 'EXPIRED' | 'CANCELLED'): Payment {
  if (payment.status !== 'PENDING') {
    throw conflictError(english`Payment \`${payment.idTransaction}\` is ${payment.status}, no longer PENDING`)
  }
  return { ...payment, status }
}

/** Disputed by the payer's bank: what was not refunded goes back to the payer; the status stays PAID. */
export function markChargedBack(payment: Payment, nowMs: number): Payment {
  if (payment.status !== 'PAID') {
    throw conflictError(
      english`Payment \`${payment.idTransaction}\` is ${payment.status}: only a PAID one can be charged back`,
    )
  }
  if (payment.chargebackAtMs !== null) {
    throw conflictError(english`Payment \`${payment.idTransaction}\` has already been charged back`)
  }
  const chargedBackCents = payment.amountCents - payment.heldForRefundsCents
  return { ...payment, chargebackAtMs: nowMs, chargedBackCents }
}

/** A part is on its way back, or after a failed refund (a negative part) no longer. */
export function addHeldRefund(payment: Payment, cents: number): Payment {
  return { ...payment, heldForRefundsCents: payment.heldForRefundsCents + cents }
}

/** A part has been given back; REFUNDED once that is all. */
export function addRefunded(payment: Payment, cents: number): Payment {
  const refundedCents = payment.refundedCents + cents
  return { ...payment, refundedCents, status: refundedCents === payment.amountCents ? 'REFUNDED' : payment.status }
}

/** A refund of a payment as it is kept. Money in cents, times in milliseconds. */
export const KEPT_REFUND = objectOf({
  type: constant('refund'),
  idTransaction: TEXT,
  originalTransactionId: TEXT,
  status: SETTLEMENT,
  amountCents: CENTS,
  refundReason: TEXT,
  callbackUrl: TEXT,
  createdAtMs: NUMBER,
  settledAtMs: orNull(NUMBER),
})

export type Refund = Readonly<ValueOf<typeof KEPT_REFUND>>

/**
 * The cents that a refund of this payment gives back: all that is left if no amount is requested. Throws SandboxError 422
 * what the service's rules forbid: not PAID, charged back, received too long ago, more than what is left.
 */
export function refundableCents(payment: Payment, askedCents: number | undefined, nowMs: number): number {
  if (payment.status !== 'PAID' || payment.paidAtMs === null) {
    throw refundNotAllowed(english`The original transaction is ${payment.status}: only a PAID one can be refunded`)
  }
  if (payment.chargebackAtMs !== null) throw refundNotAllowed(english`The payment was charged back`)
  if (nowMs - payment.paidAtMs > REFUND_WINDOW_DAYS * DAY_MS) {
    throw refundNotAllowed(
      english`The payment was received more than ${REFUND_WINDOW_DAYS} days ago: the sandbox's clock is at ${formatInstant(nowMs)}`,
    )
  }
  const leftCents = payment.amountCents - payment.heldForRefundsCents
  if (leftCents === 0) throw refundNotAllowed(english`The whole payment is already being refunded`)
  if (askedCents !== undefined && askedCents > leftCents) {
    throw refundNotAllowed(english`\`amount\` is more than what is left of the original payment`)
  }
  return askedCents ?? leftCents
}

/** The end of a refund that is in progress. */
export function markSettled(refund: Refund, status: 'COMPLETED' | 'FAILED', nowMs: number): Refund {
  if (refund.status !== 'PROCESSING') {
    throw conflictError(english`Refund \`${refund.idTransaction}\` is ${refund.status}, no longer PROCESSING`)
  }
  return { ...refund, status, settledAtMs: nowMs }
}

/** A refund that the rules of the business forbid: 422. */
export function refundNotAllowed(details: string): SandboxError {
  return new SandboxError(422, 'REFUND_NOT_ALLOWED', details)
}

/** A cash-out as it is kept. Money in cents, times in milliseconds. */
export const KEPT_TRANSFER = objectOf({
  type: constant('transfer'),
  idTransaction: TEXT,
  externalId: orNull(TEXT),
  status: SETTLEMENT,
  /** The status as events name it; null while in progress. */
  statusTransaction: orNull(TRANSFER_END),
  valueCents: CENTS,
  key: TEXT,
  typeKey: enumOf(...KEY_TYPES),
  documentValidation: orNull(TEXT),
  holder: objectOf({ name: TEXT, taxId: TEXT, bank: TEXT }),
  callbackUrl: TEXT,
  createdAtMs: NUMBER,
  settledAtMs: orNull(NUMBER),
  errorCode: orNull(TEXT),
  errorMessage: orNull(TEXT),
  /** The code with which it will fail; null if it will be paid out. */
  failsWith: orNull(TEXT),
  /** The payment of this sandbox whose code it pays. */
  paysPayment: orNull(TEXT),
})

export type Transfer = Readonly<ValueOf<typeof KEPT_TRANSFER>>

/** Why a transfer failed: how events name the status, the code, and a sentence. */
export interface TransferFailure {
  readonly statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED'
  readonly errorCode: string
  readonly errorMessage: string
}

/** Paid out to the recipient. */
export function markCompleted(transfer: Transfer, nowMs: number): Transfer {
  if (transfer.status !== 'PROCESSING') throw notProcessing(transfer)
  return { ...transfer, status: 'COMPLETED', statusTransaction: 'PAID_OUT', settledAtMs: nowMs }
}

/** Failed: while in progress, or after it was paid out when the recipient returns it. */
export function markFailed(transfer: Transfer, failure: TransferFailure, nowMs: number): Transfer {
  if (failure.statusTransaction === 'RETURNED') {
    if (transfer.status !== 'COMPLETED') {
      throw conflictError(
        english`Transfer \`${transfer.idTransaction}\` is ${transfer.status}: only a paid one can be returned`,
      )
    }
  } else if (transfer.status !== 'PROCESSING') {
    throw notProcessing(transfer)
  }
  return { ...transfer, ...failure, status: 'FAILED', settledAtMs: nowMs }
}

function notProcessing(transfer: Transfer): Error {
  return conflictError(english`Transfer \`${transfer.idTransaction}\` is ${transfer.status}, no longer PROCESSING`)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const ID_PREFIX_MIN = 6

/** True for an id that can name a transaction here: a UUID, or text that begins with `paid-`. */
export function isTransactionId(id: string): boolean {
  return UUID.test(id) || id.startsWith('paid-')
}

/** True if the text is this id, or at least its first 6 characters if it is a UUID, in any case. */
export function isIdOrPrefix(text: string, id: string): boolean {
  if (text === id) return true
  if (!UUID.test(id)) return false
  const isLongEnough = text.length >= ID_PREFIX_MIN
  return isLongEnough && id.toLowerCase().startsWith(text.toLowerCase())
}

interface TransactionNames {
  idTransaction: string
  paymentCode?: string
  requestNumber?: string
  externalId?: string | null
}

interface NamedTransactions<Each> {
  /** False if only the beginning of their ids was typed. */
  isWhole: boolean
  found: Each[]
}

/**
 * The transactions that a typed id names, in any case: by transaction id, payment code, request number or external id, else by at least the first 6
 * characters of a transaction id. This is the one rule of the control API and its commands.
 */
export function namedTransactions<Each extends TransactionNames>(
  all: readonly Each[],
  typed: string,
): NamedTransactions<Each> {
  const id = typed.trim().toLowerCase()
  const whole = all.filter(({ idTransaction, paymentCode, requestNumber, externalId }) =>
    [idTransaction, paymentCode, requestNumber, externalId].some((name) => name?.toLowerCase() === id),
  )
  if (whole.length > 0) return { isWhole: true, found: whole }
  return { isWhole: false, found: all.filter(({ idTransaction }) => isIdOrPrefix(id, idTransaction)) }
}
