import { DAY_MS } from '../pix/calendar.ts'
import type { RefundView } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { conflictError, HttpError } from './httpError.ts'
import type { Payment } from './payment.ts'

const REFUND_WINDOW_DAYS = 30

/** A refund of a payment. Money in cents, times in milliseconds. */
export interface Refund {
  readonly type: 'refund'
  readonly idTransaction: string
  readonly originalTransactionId: string
  readonly status: RefundView['status']
  readonly amountCents: number
  readonly refundReason: string
  readonly callbackUrl: string
  readonly createdAtMs: number
  readonly settledAtMs: number | null
}

/**
 * The cents that a refund of this payment gives back: all that is left if no amount is requested. Throws HttpError 422
 * what the service's rules forbid: not PAID, charged back, more than 30 days ago, more than what is left.
 */
export function refundableCents(payment: Payment, askedCents: number | undefined, nowMs: number): number {
  if (payment.status !== 'PAID' || payment.paidAtMs === null) {
    throw refundNotAllowed(english`The original transaction is ${payment.status}: only a PAID one can be refunded`)
  }
  if (payment.chargebackAtMs !== null) throw refundNotAllowed(english`The payment was charged back`)
  if (nowMs - payment.paidAtMs > REFUND_WINDOW_DAYS * DAY_MS) {
    throw refundNotAllowed(english`The payment was received more than ${REFUND_WINDOW_DAYS} days ago`)
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
export function refundNotAllowed(details: string): HttpError {
  return new HttpError(422, 'REFUND_NOT_ALLOWED', details)
}
