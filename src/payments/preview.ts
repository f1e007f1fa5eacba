import type { HttpRequest } from '../gateway/exchange.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { type KnownPayee, payeesWithKey } from '../ledger/payees.ts'
import { type Payment, type SentReference, sentUnder } from '../ledger/payments.ts'
import { conflictFailure } from './conflictFailure.ts'
import { assertLedgerIsCurrent } from './currentLedger.ts'
import { judge, withSendingProcess } from './decide.ts'
import { assertClockAgrees } from './gatewayClock.ts'
import { decisionFailure, requestOf } from './pay.ts'
import type { PaymentContext } from './paymentContext.ts'
import { type PaidBefore, paidBefore, sentTodayCents, settledEarlier } from './paymentLookup.ts'
import { findConflict, isCountedToday, refundedCents } from './paymentRules.ts'
import type { NewPayment, Proposal } from './proposal.ts'
import { type AcceptedRepeats, acceptedRepeats, NO_REPEATS, type RepeatOptions } from './repeatOptions.ts'

/** What the ledger says before a question, in one reading. */
export interface PaymentPreview {
  /** Earlier payments to the same key: how many, and when the last was sent in ms. */
  paidBefore: PaidBefore
  sentTodayCents: number
  /** What was refunded of the original, or may have been; Infinity if all of it. 0 for a transfer. */
  refundedCents: number
  /** The earlier payments that the options accept to pay once more. */
  accepted: AcceptedRepeats
  /** The payees that have the key of a transfer. */
  payees: readonly KnownPayee[]
  /** The newest of them that only a person says was not made; null if there is none. */
  settledEarlier: Payment | null
  /** The newest payment of the same amount to the same target whose reference is the typed id; null if there is none. */
  sentUnder: SentReference | null
}

/**
 * Applies the rules to a payment before the question, and reads what the question shows. Throws UsageError or Refused if the payment is
 * not allowed, so that a person is not asked in vain; {@link decide} applies the same rules again.
 */
export async function previewPayment(
  context: PaymentContext,
  payment: NewPayment,
  options: RepeatOptions,
): Promise<PaymentPreview> {
  const { account, ledger } = context
  const { facts, externalId, isIdMadeUp } = payment
  await assertClockAgrees(context)
  const nowMs = context.now()
  const seen = context.witness.read()
  const preview = await ledger.read((database) => {
    assertLedgerIsCurrent(context, database, seen)
    const accepted = acceptedRepeats(database, account, facts, options)
    const conflict = findConflict(database, account, { ...payment, payment: null, run: null, accepted }, nowMs)
    if (conflict !== undefined) return conflict
    return {
      paidBefore: paidBefore(database, account, facts, null),
      sentTodayCents: sentTodayCents(database, account, nowMs),
      refundedCents: facts.kind === 'refund' ? refundedCents(database, account, facts.originalTransactionId) : 0,
      accepted,
      payees: facts.kind === 'transfer' ? payeesWithKey(database, account, facts) : [],
      settledEarlier: settledEarlier(database, account, facts),
      sentUnder: isIdMadeUp || externalId === null ? null : sentUnder(database, account, facts, externalId),
    }
  })
  if (!('why' in preview)) return preview
  const conflict = await withSendingProcess(context, preview)
  throw await ledger.read((database) => conflictFailure(database, account, payment, conflict))
}

/** Reads what the question of a resume shows. The rules are applied by {@link decide}, because most of them depend on its state. */
export async function previewResume(
  context: PaymentContext,
  payment: Payment & { facts: MoneyPayment },
): Promise<PaymentPreview> {
  const { account, ledger } = context
  await assertClockAgrees(context)
  const nowMs = context.now()
  const seen = context.witness.read()
  return ledger.read((database) => {
    assertLedgerIsCurrent(context, database, seen)
    return {
      paidBefore: paidBefore(database, account, payment.facts, payment.id),
      sentTodayCents: sentTodayCents(database, account, nowMs) - countedTodayCents(payment, nowMs),
      refundedCents: 0,
      accepted: NO_REPEATS,
      payees: payment.facts.kind === 'transfer' ? payeesWithKey(database, account, payment.facts) : [],
      settledEarlier: null,
      sentUnder: null,
    }
  })
}

/** How much of a payment today's sum already contains, in cents. */
function countedTodayCents({ summary }: Pick<Payment, 'summary'>, nowMs: number): number {
  return isCountedToday(summary.sentMs, nowMs) ? summary.countedCents : 0
}

/**
 * Does what `pay` does until a request is sent, with the same rules, but records nothing. Returns the request that would leave. Throws the
 * failure for a person if the payment is not allowed.
 */
export async function tryPayment(
  context: PaymentContext,
  proposal: Proposal,
  facts: MoneyPayment,
): Promise<HttpRequest> {
  const { ledger } = context
  await assertClockAgrees(context)
  const sender = await ledger.sender()
  // The transaction of `decide`, which is then rolled back.
  const { body, conflict } = await ledger.trial((writer) => {
    const [decision] = judge(context, writer, sender, [proposal])
    return { body: decision?.attempt?.body ?? '', conflict: decision?.conflict ?? null }
  })
  if (conflict !== null) throw await decisionFailure(context, proposal, facts, conflict)
  return requestOf(context.account, facts, body)
}
