import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import { t } from '../text/words.ts'
import { type AnswerFields, readPaymentState } from '../wire/answers.ts'
import { Refused } from '../wire/errors.ts'

/** The service takes refunds within 30 days after the payment was received. */
const REFUND_WINDOW_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** A payment that can be returned, as far as a query shows it. */
export interface RefundablePayment {
  amountCents: number | null
  paidAtMs: number | null
  /** Whole days until the window closes; null where the time of payment is unknown. */
  daysLeft: number | null
}

/**
 * Judges the answer to a query of the original: it must be PAID, paid within 30 days, and not smaller than the refund
 * (`amountCents`, null for all of it). Throws Refused with code REFUND_NOT_ALLOWED; nothing was sent then.
 */
export function checkRefundable(
  originalTransactionId: string,
  fields: AnswerFields,
  amountCents: number | null,
  nowMs: number,
): RefundablePayment {
  const state = readPaymentState(fields)
  if (state.status?.toUpperCase() !== 'PAID') {
    throw notAllowed(
      t`The payment ${originalTransactionId} is ${state.status ?? '—'}, and only a PAID one can be returned`,
      t`Look at it with \`pixgate status ${originalTransactionId}\``,
    )
  }
  const daysLeft = state.paidAtMs === null ? null : daysUntilClosed(nowMs - state.paidAtMs)
  if (state.paidAtMs !== null && nowMs - state.paidAtMs > REFUND_WINDOW_DAYS * DAY_MS) {
    throw notAllowed(
      t`It was paid on ${formatInstant(state.paidAtMs)}, and a payment can be returned for 30 days only`,
      t`Pay it back with \`pixgate transfer\`, after asking the payer for a PIX key`,
    )
  }
  if (amountCents !== null && state.amountCents !== null && amountCents > state.amountCents) {
    throw notAllowed(
      t`${formatReais(amountCents)} is more than the payment, which was ${formatReais(state.amountCents)}`,
      t`Return at most ${formatReais(state.amountCents)}`,
    )
  }
  return { amountCents: state.amountCents, paidAtMs: state.paidAtMs, daysLeft }
}

function daysUntilClosed(ageMs: number): number {
  return Math.min(REFUND_WINDOW_DAYS, Math.ceil(REFUND_WINDOW_DAYS - ageMs / DAY_MS))
}

function notAllowed(message: string, hint: string): Refused {
  return new Refused(message, { code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent', details: [t`Nothing was sent`], hint })
}
