import { accountRules } from '../ledger/accountRules.ts'
import { checkPayment } from '../ledger/integrity.ts'
import { type KnownOriginal, knownOriginal } from '../ledger/originals.ts'
import { isOfAccount, type PaymentRow, paymentRowOf } from '../ledger/payments.ts'
import { isSameRefundAmount } from '../ledger/samePayment.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import { DamagedValue, type Database } from '../storage/sqlite.ts'
import { type RuleConflict, ruleConflict } from './accountRuleConflict.ts'
import { type LimitConflict, limitConflict } from './amountLimits.ts'
import { type ComparedPayment, type EarlierRefund, earlierRefunds, earlierTransfers } from './earlierPayments.ts'
import { isExternalIdUsed, sentTodayCents, sentWithExternalId, unknownWithExternalId } from './paymentLookup.ts'
import { isAllRefunded } from './refundable.ts'
import { isAccepted } from './repeatOptions.ts'

/** Why a payment must not be sent. */
export type Conflict =
  /** The same payment, or another refund of the same original, has an unknown outcome. */
  | { why: 'unknown'; earlier: PaymentRow }
  /** The same payment was sent within six days. */
  | { why: 'repeat'; earlier: PaymentRow }
  /** The externalId was used by another payment. */
  | { why: 'external-id'; earlier: PaymentRow }
  /** A chargeback of the payment that it returns is known, so that the money could go back twice. */
  | { why: 'chargeback'; originalTransactionId: string }
  /** It is more than what is left of the payment that it returns. */
  | { why: 'left'; originalCents: number | null; refundedCents: number; amountCents: number | null }
  | RuleConflict
  | LimitConflict

/** A payment that is about to be sent, as far as the rules need it. */
export interface PlannedPayment extends ComparedPayment {
  /** Of a transfer. */
  externalId: string | null
  /** The amount of the payment that a refund returns, as the gateway said; null if it was not asked. */
  originalCents: number | null
  /** True if pixgate made up its externalId: neither it nor the reference that it follows from was typed. */
  isIdMadeUp: boolean
  /** True if the same bytes are sent again. */
  isResend?: boolean
  /** What it adds to the sum of the day, in cents, if that is not its amount. */
  newTodayCents?: number
}

/**
 * Finds out whether the rules allow a payment: the only function that does, for one payment and for a million rows, before the question
 * and again in the transaction that records the attempt. Repeats are judged first, then what is left, then the rules of
 * the account, then the limits of its profile. It takes the same time
 * however many payments the ledger holds: the window of a rule is part of its query, and only the payment that decides is compared with its
 * checksums. `sentToday` and `rules` give the sum of the day and the rules, for a caller that judges many payments. Throws DamagedRecord and DamagedValue.
 */
export function findConflict(
  database: Database,
  account: Account,
  planned: PlannedPayment,
  nowMs: number,
  sentToday: () => number = () => sentTodayCents(database, account, nowMs),
  rules: AccountRules = accountRules(database, account),
): Conflict | undefined {
  const { facts, newTodayCents } = planned
  return (
    (facts.kind === 'transfer'
      ? transferConflict(database, account, planned, nowMs)
      : refundConflict(database, account, planned, nowMs)) ??
    ruleConflict(database, account, rules, planned, nowMs) ??
    limitConflict(account, facts.amountCents, newTodayCents ?? facts.amountCents ?? 0, sentToday)
  )
}

/** What this machine knows to be refunded of a payment, or may be, in cents; Infinity if all of it, however much that is. */
export function refundedCents(database: Database, account: Account, originalTransactionId: string): number {
  return (
    sumOf(
      earlierRefunds(database, account, originalTransactionId, null, 0).filter(({ mayHaveMoved }) => mayHaveMoved),
    ) + knownOriginal(database, account, originalTransactionId).refundedElsewhereCents
  )
}

function transferConflict(
  database: Database,
  account: Account,
  planned: PlannedPayment,
  nowMs: number,
): Conflict | undefined {
  const { unknown, repeat } = earlierTransfers(database, account, planned, nowMs)
  const { externalId } = planned
  const usedId = externalId !== null && isExternalIdUsed(database, account, externalId) ? externalId : null
  const unknownSeq = unknown ?? (usedId === null ? null : unknownWithExternalId(database, account, usedId, planned))
  if (unknownSeq !== null) return { why: 'unknown', earlier: checkedRow(database, account, planned, unknownSeq) }
  if (repeat !== null) return { why: 'repeat', earlier: checkedRow(database, account, planned, repeat) }
  // An externalId names one payment forever. One whose request never left can be used again.
  const sentSeq = usedId === null ? null : sentWithExternalId(database, account, usedId)
  return sentSeq === null ? undefined : { why: 'external-id', earlier: checkedRow(database, account, planned, sentSeq) }
}

function refundConflict(
  database: Database,
  account: Account,
  planned: PlannedPayment,
  nowMs: number,
): Conflict | undefined {
  const { facts, accepted } = planned
  if (facts.kind !== 'refund') return undefined
  const original = facts.originalTransactionId
  const all = earlierRefunds(database, account, original, planned.run, nowMs)
  const earlier = all.filter(({ id }) => id !== planned.payment)
  // A second refund of the same original is never certain while one has an unknown outcome, even in the same run.
  const unknown = earlier.find(({ isUnknown }) => isUnknown)
  if (unknown !== undefined) {
    return { why: 'unknown', earlier: checkedRow(database, account, planned, unknown.seq) }
  }
  const isRepeat = (each: EarlierRefund) =>
    each.isRecent && each.isOfOtherRun && isSameRefundAmount(each, facts) && !isAccepted(accepted, each)
  // What a person alone says was not made is a repeat of itself, too.
  const own = all.find(({ id, mayHaveMoved }) => id === planned.payment && !mayHaveMoved)
  const repeat = earlier.find(isRepeat) ?? (own?.isRecent && !isAccepted(accepted, own) ? own : undefined)
  if (repeat !== undefined) return { why: 'repeat', earlier: checkedRow(database, account, planned, repeat.seq) }
  const known = knownOriginal(database, account, original)
  if (known.isContested && !accepted.despiteChargeback) {
    return { why: 'chargeback', originalTransactionId: original }
  }
  const conflict = leftConflict(planned, earlier, known)
  const settled = earlier.filter((each) => !each.mayHaveMoved && each.isRecent && !isAccepted(accepted, each))
  const [newest] = settled
  if (conflict === undefined || newest === undefined) return conflict
  // What a person settled as not paid is left again for a refund that is meant in addition to it.
  const isCause =
    leftConflict(
      planned,
      earlier.filter((each) => !settled.includes(each)),
      known,
    ) === undefined
  return isCause ? { why: 'repeat', earlier: checkedRow(database, account, planned, newest.seq) } : conflict
}

/** What a person settled as not paid counts as refunded until it is named. */
function leftConflict(
  { facts, originalCents: queriedCents, accepted }: PlannedPayment,
  earlier: readonly EarlierRefund[],
  known: KnownOriginal,
): Conflict | undefined {
  const originalCents = queriedCents ?? known.amountCents
  const counted = earlier.filter((each) => each.mayHaveMoved || (each.isRecent && !isAccepted(accepted, each)))
  const refunded = sumOf(counted) + known.refundedElsewhereCents
  const { amountCents } = facts
  const conflict: Conflict = { why: 'left', originalCents, refundedCents: refunded, amountCents }
  // A request without an amount would return what was returned before once more.
  const isWhole = facts.kind === 'refund' && facts.isWhole
  if (isAllRefunded(originalCents, refunded) || (isWhole && refunded > 0)) return conflict
  return originalCents !== null && refunded + (amountCents ?? 0) > originalCents ? conflict : undefined
}

function sumOf(refunds: readonly EarlierRefund[]): number {
  return refunds.reduce((sum, { isWhole, cents }) => sum + (isWhole ? Number.POSITIVE_INFINITY : cents), 0)
}

/** The row of the payment that decides. It must follow from its records, and be of this account and kind. */
function checkedRow(database: Database, account: Account, { facts }: PlannedPayment, seq: number): PaymentRow {
  const row = paymentRowOf(database, seq)
  const first = checkPayment(database, row.id)
  if (first.facts.kind !== facts.kind || !isOfAccount(first, account)) {
    throw new DamagedValue(`the payment of record ${seq} is of another account`)
  }
  return row
}
