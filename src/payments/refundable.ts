import type { KnownOriginal } from '../ledger/originals.ts'
import { DAY_MS, formatInstant, REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { type AnswerFields, readPaymentStatus } from '../wire/answers.ts'
import { Refused } from '../wire/errors.ts'

/** A payment that can be refunded, as the gateway and the ledger show it. */
export interface RefundablePayment {
  amountCents: number | null
  paidAtMs: number | null
  /** What was refunded of it, or may have been, as far as the ledger knows. */
  refundedCents: number
  /** Null if the amount of the payment is unknown. */
  leftCents: number | null
  /** Whole days until the window closes; null if the time of the payment is unknown. */
  daysLeft: number | null
}

/**
 * Judges the answer to a query of the original, together with what the ledger knows of it: it must be PAID, not paid too long ago, and not
 * refunded completely. Throws Refused with code REFUND_NOT_ALLOWED; nothing was sent then. Whether the amount is left is judged by
 * `findConflict`.
 */
export function assertRefundable(
  originalTransactionId: string,
  fields: AnswerFields,
  known: Pick<KnownOriginal, 'amountCents' | 'paidAtMs'>,
  refundedCents: number,
  nowMs: number,
): RefundablePayment {
  const { status, amountCents, paidAtMs } = readPaymentStatus(fields)
  if (status?.toUpperCase() !== 'PAID') {
    throw notAllowed(
      t`The payment ${originalTransactionId} is ${status ?? '—'}, and only a PAID one can be refunded`,
      t`Run \`pixgate status ${commandArgument(originalTransactionId)}\` to look it up`,
    )
  }
  const paid = { amountCents: amountCents ?? known.amountCents, paidAtMs: paidAtMs ?? known.paidAtMs }
  return assertKnownRefundable(originalTransactionId, paid, refundedCents, nowMs)
}

/** Judges a payment by its amount and time alone, as far as they are known. Throws like {@link assertRefundable}. */
export function assertKnownRefundable(
  originalTransactionId: string,
  { amountCents, paidAtMs }: Pick<KnownOriginal, 'amountCents' | 'paidAtMs'>,
  refundedCents: number,
  nowMs: number,
): RefundablePayment {
  if (paidAtMs !== null && isWindowClosed(paidAtMs, nowMs)) {
    throw notAllowed(
      t`It was paid on ${formatInstant(paidAtMs)}, now it is ${formatInstant(nowMs)}, and a payment can only be refunded for ${REFUND_WINDOW_DAYS} days`,
      t`Ask the payer for a PIX key and pay it back with \`pixgate transfer\``,
    )
  }
  if (isAllRefunded(amountCents, refundedCents)) {
    throw notAllowed(
      t`All of the payment ${originalTransactionId} was already refunded`,
      t`Run \`pixgate history show ${commandArgument(originalTransactionId)}\` to see when and by whom`,
    )
  }
  return {
    amountCents,
    paidAtMs,
    refundedCents,
    leftCents: amountCents === null ? null : amountCents - refundedCents,
    daysLeft: paidAtMs === null ? null : daysUntilClosed(nowMs - paidAtMs),
  }
}

/** True if {@link assertKnownRefundable} would not throw. */
export function isStillRefundable(
  { amountCents, paidAtMs }: Pick<KnownOriginal, 'amountCents' | 'paidAtMs'>,
  refundedCents: number,
  nowMs: number,
): boolean {
  return !(paidAtMs !== null && isWindowClosed(paidAtMs, nowMs)) && !isAllRefunded(amountCents, refundedCents)
}

function isWindowClosed(paidAtMs: number, nowMs: number): boolean {
  return nowMs - paidAtMs > REFUND_WINDOW_DAYS * DAY_MS
}

/**
 * True if nothing of a payment is left to refund. `refundedCents` is Infinity if all of it was refunded, however much that is; an original
 * amount of null is unknown.
 */
export function isAllRefunded(originalCents: number | null, refundedCents: number): boolean {
  return refundedCents === Number.POSITIVE_INFINITY || (originalCents !== null && refundedCents >= originalCents)
}

function daysUntilClosed(ageMs: number): number {
  return Math.min(REFUND_WINDOW_DAYS, Math.ceil(REFUND_WINDOW_DAYS - ageMs / DAY_MS))
}

function notAllowed(message: string, hint: string): Refused {
  return new Refused(message, { code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent', details: [t`Nothing was sent`], hint })
}
