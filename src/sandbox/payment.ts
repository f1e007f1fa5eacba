import type { PaymentView } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { conflictError } from './httpError.ts'

/** A cash-in. Money in cents, times in milliseconds. */
export interface Payment {
  readonly type: 'payment'
  readonly idTransaction: string
  readonly requestNumber: string
  readonly status: PaymentView['status']
  readonly amountCents: number
  readonly shippingAmountCents: number | null
  readonly usernameCheckout: string | null
  readonly client: PaymentView['client']
  /** The partner's share; leaves the balance when the payment is paid. */
  readonly split: { readonly username: string; readonly percentageSplit: number; readonly shareCents: number } | null
  readonly callbackUrl: string
  readonly paymentCode: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly paidAtMs: number | null
  readonly chargebackAtMs: number | null
  /** What the chargeback took out of the balance. */
  readonly chargedBackCents: number
  /** Given back or on its way back. */
  readonly heldForRefundsCents: number
  /** Given back for good. */
  readonly refundedCents: number
}

/** Paid by the payer; a code that is expired or cancelled only if `late`. */
export function markPaid(payment: Payment, nowMs: number, late: boolean): Payment {
  const { status, idTransaction } = payment
  if (status === 'PAID' || status === 'REFUNDED')
    throw conflictError(english`Payment \`${idTransaction}\` is already paid`)
  if (status !== 'PENDING' && !late) {
    throw conflictError(
      english`Payment \`${idTransaction}\` is ${status}: the payer's bank refuses its code unless \`late\` is set`,
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
