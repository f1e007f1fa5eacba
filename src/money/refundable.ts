import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { isOf, mayHaveMoved, movedCents, type Transaction } from '../timeline/transactions.ts'
import { type AnswerFields, readPaymentState } from '../wire/answers.ts'
import { Refused } from '../wire/errors.ts'

/** The service takes refunds within 30 days after the payment was received. */
const REFUND_WINDOW_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** A payment that can be returned, as far as a query and the timeline show it. */
export interface RefundablePayment {
  amountCents: number | null
  paidAtMs: number | null
  /** What this machine has returned of it. */
  returnedCents: number
  /** Null where the amount of the payment is unknown. */
  leftCents: number | null
  /** Whole days until the window closes; null where the time of payment is unknown. */
  daysLeft: number | null
}

/** What this machine has returned of a payment, or may have, in cents; Infinity where it was all, whatever that is. */
export function returnedCents(
  earlier: readonly Transaction[],
  account: Account,
  originalTransactionId: string,
): number {
  let sumCents = 0
  for (const transaction of earlier) {
    const { intent } = transaction
    if (intent.kind !== 'refund' || intent.originalTransactionId !== originalTransactionId) continue
    if (!isOf(transaction, account) || !mayHaveMoved(transaction)) continue
    sumCents += intent.isWhole ? Number.POSITIVE_INFINITY : movedCents(transaction)
  }
  return sumCents
}

/**
 * Refuses a refund of more than is left of a payment; null for an amount that is not known, or for all that is left. Throws
 * Refused with code REFUND_NOT_ALLOWED.
 */
export function checkLeft(paidCents: number | null, wantedCents: number | null, alreadyReturnedCents: number): void {
  if (paidCents === null) return
  const leftCents = Math.max(0, paidCents - alreadyReturnedCents)
  if (leftCents > 0 && (wantedCents ?? 0) <= leftCents) return
  throw notAllowed(
    t`${formatReais(wantedCents ?? paidCents)} is more than what is left of the payment, which is ${formatReais(leftCents)}`,
    t`It was ${formatReais(paidCents)}, and ${formatReais(Math.min(paidCents, alreadyReturnedCents))} was returned from this machine`,
  )
}

/** What this machine itself asked a payer for, in cents; null where the payment was not created here. */
export function askedForCents(
  earlier: readonly Transaction[],
  account: Account,
  originalTransactionId: string,
): number | null {
  const created = earlier.findLast(
    (each) => each.intent.kind === 'qr' && each.idTransaction === originalTransactionId && isOf(each, account),
  )
  return created?.intent.amountCents ?? null
}

/** Refuses to return more of a payment of which all was returned. Throws Refused with code REFUND_NOT_ALLOWED. */
export function checkNotWhollyReturned(originalTransactionId: string, alreadyReturnedCents: number): void {
  if (alreadyReturnedCents !== Number.POSITIVE_INFINITY) return
  throw notAllowed(
    t`All of the payment ${originalTransactionId} was returned from this machine already`,
    t`\`pixgate history show ${originalTransactionId}\` tells when and by whom`,
  )
}

/**
 * Judges the answer to a query of the original: it must be PAID, paid within 30 days, and what is left of it not smaller
 * than the refund (`wantedCents`, null for all that is left). Throws Refused with code REFUND_NOT_ALLOWED; nothing was sent
 * then.
 */
export function checkRefundable(
  originalTransactionId: string,
  fields: AnswerFields,
  wantedCents: number | null,
  alreadyReturnedCents: number,
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
  const leftCents = state.amountCents === null ? null : state.amountCents - alreadyReturnedCents
  checkLeft(state.amountCents, wantedCents, alreadyReturnedCents)
  const { amountCents, paidAtMs } = state
  return { amountCents, paidAtMs, returnedCents: alreadyReturnedCents, leftCents, daysLeft }
}

function daysUntilClosed(ageMs: number): number {
  return Math.min(REFUND_WINDOW_DAYS, Math.ceil(REFUND_WINDOW_DAYS - ageMs / DAY_MS))
}

function notAllowed(message: string, hint: string): Refused {
  return new Refused(message, { code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent', details: [t`Nothing was sent`], hint })
}
