import type { MoneyPayment, TransferPayment } from '../ledger/facts.ts'
import { verifyPayment } from '../ledger/integrity.ts'
import { type KnownOriginal, knownOriginal } from '../ledger/originals.ts'
import { findPayee, isSameTargetOfPayee, type KnownPayee, payeesWithKey } from '../ledger/payees.ts'
import { isOfAccount, type PaymentRow, paymentRowOf } from '../ledger/payments.ts'
import { type RefusedRecord, refusalOf } from '../ledger/refusedRecords.ts'
import { accountRules } from '../ledger/rulesInForce.ts'
import { isSameRefundAmount } from '../ledger/samePayment.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant, saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import { chargeAddress, destinationOf, formatKey } from '../pix/destination.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import { DamagedValue, type Database } from '../storage/sqlite.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type ComparedPayment, type EarlierRefund, earlierRefunds, earlierTransfers } from './earlierPayments.ts'
import type { PaymentContext } from './paymentContext.ts'
import {
  isExternalIdUsed,
  sentTodayCents,
  sentWithExternalId,
  sentWithoutApprovalCents,
  unknownWithExternalId,
} from './paymentLookup.ts'
import type { WantedPayment } from './proposal.ts'
import { isAllRefunded } from './refundable.ts'
import { isAccepted } from './repeatOptions.ts'

/** Why a payment must not be sent. */
export type Conflict =
  /** The same payment, or another refund of the same original, has an unknown outcome. */
  | { why: 'unknown'; earlier: PaymentRow }
  /** An unreadable record could concern it. */
  | { why: 'record-refused'; refused: RefusedRecord }
  /** The same payment was sent lately. */
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
export interface IntendedPayment extends ComparedPayment, WantedPayment {
  /** True if the same bytes are sent again. */
  isResend?: boolean
  /** What it adds to the sum of the day, in cents, if that is not its amount. */
  newTodayCents?: number
}

/**
 * Finds out whether the rules allow a payment: the only function that does, for one payment and for a million rows, before the question
 * and again in the transaction that records the attempt. Unreadable records are judged first, then repeats, then what is left, then the rules of
 * the account, then the limits of its profile. It takes the same time
 * however many payments the ledger holds: the window of a rule is part of its query, and only the payment that decides is compared with its
 * checksums. `sentToday` and `rules` give the sum of the day and the rules, for a caller that judges many payments. Throws DamagedRecord and DamagedValue.
 */
export function findConflict(
  database: Database,
  account: Account,
  intended: IntendedPayment,
  nowMs: number,
  sentToday: () => number = () => sentTodayCents(database, account, nowMs),
  rules: AccountRules = accountRules(database, account),
): Conflict | undefined {
  const { facts, newTodayCents } = intended
  const refused = refusalOf(database, facts, rules.payeesOnly !== null)
  if (refused !== null) return { why: 'record-refused', refused }
  return (
    (facts.kind === 'transfer'
      ? transferConflict(database, account, intended, nowMs)
      : refundConflict(database, account, intended, nowMs)) ??
    ruleConflict(database, account, rules, intended, nowMs) ??
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
  intended: IntendedPayment,
  nowMs: number,
): Conflict | undefined {
  const { unknown, repeat } = earlierTransfers(database, account, intended, nowMs)
  const { externalId } = intended
  const usedId = externalId !== null && isExternalIdUsed(database, account, externalId) ? externalId : null
  const unknownSeq = unknown ?? (usedId === null ? null : unknownWithExternalId(database, account, usedId, intended))
  if (unknownSeq !== null) return { why: 'unknown', earlier: verifiedRow(database, account, intended, unknownSeq) }
  if (repeat !== null) return { why: 'repeat', earlier: verifiedRow(database, account, intended, repeat) }
  // An externalId names one payment forever. One whose request never left can be used again.
  const sentSeq = usedId === null ? null : sentWithExternalId(database, account, usedId)
  return sentSeq === null
    ? undefined
    : { why: 'external-id', earlier: verifiedRow(database, account, intended, sentSeq) }
}

function refundConflict(
  database: Database,
  account: Account,
  intended: IntendedPayment,
  nowMs: number,
): Conflict | undefined {
  const { facts, accepted } = intended
  if (facts.kind !== 'refund') return undefined
  const original = facts.originalTransactionId
  const all = earlierRefunds(database, account, original, intended.run, nowMs)
  const earlier = all.filter(({ id }) => id !== intended.payment)
  // A second refund of the same original is never certain while one has an unknown outcome, even in the same run.
  const unknown = earlier.find(({ isUnknown }) => isUnknown)
  if (unknown !== undefined) {
    return { why: 'unknown', earlier: verifiedRow(database, account, intended, unknown.seq) }
  }
  const isRepeat = (each: EarlierRefund) =>
    each.isRecent && each.isOfOtherRun && isSameRefundAmount(each, facts) && !isAccepted(accepted, each)
  // What a person alone says was not made is a repeat of itself, too.
  const own = all.find(({ id, mayHaveMoved }) => id === intended.payment && !mayHaveMoved)
  const repeat = earlier.find(isRepeat) ?? (own?.isRecent && !isAccepted(accepted, own) ? own : undefined)
  if (repeat !== undefined) return { why: 'repeat', earlier: verifiedRow(database, account, intended, repeat.seq) }
  const known = knownOriginal(database, account, original)
  if (known.isContested && !accepted.despiteChargeback) {
    return { why: 'chargeback', originalTransactionId: original }
  }
  const conflict = leftConflict(intended, earlier, known)
  const settled = earlier.filter((each) => !each.mayHaveMoved && each.isRecent && !isAccepted(accepted, each))
  const [newest] = settled
  if (conflict === undefined || newest === undefined) return conflict
  // What a person settled as not paid is left again for a refund that is meant in addition to it.
  const isCause =
    leftConflict(
      intended,
      earlier.filter((each) => !settled.includes(each)),
      known,
    ) === undefined
  return isCause ? { why: 'repeat', earlier: verifiedRow(database, account, intended, newest.seq) } : conflict
}

/** What a person settled as not paid counts as refunded until it is named. */
function leftConflict(
  { facts, originalCents: queriedCents, accepted }: IntendedPayment,
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
function verifiedRow(database: Database, account: Account, { facts }: IntendedPayment, seq: number): PaymentRow {
  const row = paymentRowOf(database, seq)
  const first = verifyPayment(database, row.id)
  if (first.facts.kind !== facts.kind || !isOfAccount(first, account)) {
    throw new DamagedValue(`the payment of record ${seq} is of another account`)
  }
  return row
}

/** A limit of the profile that a payment would exceed. */
export type LimitConflict =
  | { why: 'max-amount'; amountCents: number; maxCents: number }
  | { why: 'max-day'; amountCents: number; maxCents: number; sentTodayCents: number }
  /** The amount of a refund is not known, so no limit can allow it. */
  | { why: 'amount-unknown' }

/** True if the sum of today holds a payment that was sent at this time, so that sending it again adds nothing. */
export function isCountedToday(sentMs: number, nowMs: number): boolean {
  return sentMs >= startOfSaoPauloDayMs(saoPauloDay(nowMs))
}

/**
 * Compares a payment with the limits of its profile. `newTodayCents` is what it adds to the sum of the day: less than its amount if it
 * is sent again and counted already. `sentToday` gives that sum, see {@link sentTodayCents}.
 */
export function limitConflict(
  { maxAmountCents, maxDayCents }: Pick<Account, 'maxAmountCents' | 'maxDayCents'>,
  amountCents: number | null,
  newTodayCents: number,
  sentToday: () => number,
): LimitConflict | undefined {
  if (maxAmountCents === null && maxDayCents === null) return undefined
  if (amountCents === null) return { why: 'amount-unknown' }
  if (maxAmountCents !== null && amountCents > maxAmountCents) {
    return { why: 'max-amount', amountCents, maxCents: maxAmountCents }
  }
  if (maxDayCents === null) return undefined
  const sent = sentToday()
  if (sent + newTodayCents <= maxDayCents) return undefined
  return { why: 'max-day', amountCents: newTodayCents, maxCents: maxDayCents, sentTodayCents: sent }
}

type RuleConflict =
  /** Its external id was made up by pixgate. */
  { why: 'id-made-up' } | PayeeConflict

interface RuledPayment {
  facts: MoneyPayment
  isIdMadeUp: boolean
  /** True if the same bytes are sent again. */
  isResend?: boolean
}

/** Compares a payment with the rules of its account, and with its payees. Throws DamagedRecord. */
function ruleConflict(
  database: Database,
  account: Account,
  rules: AccountRules,
  { facts, isIdMadeUp, isResend = false }: RuledPayment,
  nowMs: number,
): RuleConflict | undefined {
  if (facts.kind !== 'transfer') return undefined
  if (rules.requireExternalId !== null && isIdMadeUp) return { why: 'id-made-up' }
  return payeeConflict(database, account, rules, { facts, isResend, nowMs })
}

/** The failure of a payment that a rule of its account does not allow. */
export function ruleFailure(conflict: RuleConflict): UsageError {
  switch (conflict.why) {
    case 'id-made-up':
      return new UsageError(t`This account requires an external id of your own for each transfer`, {
        details: [t`Nothing was sent`],
        hint: t`Add \`--external-id\` with the number of the invoice; for a batch, \`--reference\` or a column of ids`,
      })
    default:
      return payeeFailure(conflict)
  }
}

type PayeeConflict =
  /** The payee that it names has another key or owner by now, or was removed. */
  | { why: 'payee-changed'; name: string }
  /** Only payees are paid, and its key is that of none. */
  | { why: 'not-payee'; key: string; keyType: TransferPayment['keyType'] }
  /** The payee with its key has an owner, which the transfer does not check. */
  | { why: 'payee-owner'; name: string }
  /** The payee with its key is new, or was changed, and must wait until this time in ms. */
  | { why: 'payee-wait'; name: string; state: KnownPayee['state']; untilMs: number }

/** Compares a transfer with the payees of its account, and with the rules about them. Throws DamagedRecord. */
function payeeConflict(
  database: Database,
  account: Account,
  { payeesOnly, payeeWaitMs }: AccountRules,
  { facts, isResend, nowMs }: { facts: TransferPayment; isResend: boolean; nowMs: number },
): PayeeConflict | undefined {
  const named = facts.payee
  // The same bytes may be sent again, whichever payment has the name now.
  if (named !== null && !isResend) {
    const payee = findPayee(database, account, named)
    if (payee === undefined || !isSameTargetOfPayee(payee, facts)) return { why: 'payee-changed', name: named }
  }
  if (payeesOnly === null && payeeWaitMs === null) return undefined
  const { key, keyType, documentValidation } = facts
  const payees = payeesWithKey(database, account, facts)
  if (payeesOnly !== null) {
    const [first] = payees
    if (first === undefined) return { why: 'not-payee', key, keyType }
    const isOwnerVerified = (payee: KnownPayee) =>
      payee.documentValidation === null || payee.documentValidation === documentValidation
    if (!payees.some(isOwnerVerified)) return { why: 'payee-owner', name: first.name }
  }
  const waits = payees.map((payee) => ({ payee, untilMs: payee.changedMs + (payeeWaitMs ?? 0) }))
  const isWaiting = ({ payee, untilMs }: (typeof waits)[number]) => payee.state !== 'confirmed' && nowMs < untilMs
  const [wait] = waits
  if (wait === undefined || !waits.every(isWaiting)) return undefined
  return { why: 'payee-wait', name: wait.payee.name, state: wait.payee.state, untilMs: wait.untilMs }
}

function payeeFailure(conflict: PayeeConflict): UsageError {
  const details = [t`Nothing was sent`]
  switch (conflict.why) {
    case 'payee-changed':
      return new UsageError(t`The payee ${conflict.name} was changed or removed since this payment was prepared`, {
        details,
        hint: t`Look at it with \`pixgate payee show ${commandArgument(conflict.name)}\`, then begin again`,
      })
    case 'not-payee':
      if (chargeAddress(conflict.key) !== null) {
        return new UsageError(
          t`This payment code is the charge at an address, so it goes to no payee, and this account pays payees only`,
          {
            details,
            hint: t`Ask the receiver for its PIX key; to add it, run \`pixgate payee add supplier --key maria@example.com\` with its own name and key`,
          },
        )
      }
      return new UsageError(
        t`${formatKey(conflict.key, conflict.keyType)} is the key of no payee, and this account pays payees only`,
        {
          details,
          hint: t`Check the key; to add it, run \`pixgate payee add supplier --key ${commandArgument(destinationOf(conflict.key, conflict.keyType).key)}\` with its own name`,
        },
      )
    case 'payee-owner':
      return new UsageError(t`This transfer does not check the owner that the payee ${conflict.name} has`, {
        details,
        hint: t`Pay it with \`--to ${commandArgument(conflict.name)}\`, or by its name in the column \`payee\` of a file: both check the owner`,
      })
    case 'payee-wait': {
      const { name, state, untilMs } = conflict
      const until = formatInstant(untilMs)
      return new UsageError(
        state === 'new'
          ? t`The payee ${name} is new, and this account pays it from ${until} on`
          : t`The payee ${name} was changed, and this account pays it from ${until} on`,
        { details, hint: t`Check with \`pixgate payee show ${commandArgument(name)}\` who changed it, and wait` },
      )
    }
  }
}

/** Why a payment needs a plan that a second person approved. */
export type ApprovalConflict =
  /** The amount, with what was sent without approval today, reaches that of the rule. */
  | { why: 'approval'; fromCents: number; amountCents: number; sentCents: number }
  /** The amount of a refund is not known, so the rule cannot be judged. */
  | { why: 'approval-amount-unknown' }

/**
 * Compares an amount, of a payment or of all that a command sends, with the rule of the account. `newTodayCents` is what it adds to the day: nothing if it
 * is sent again, which counts by its own amount alone. `withoutApproval` gives what was sent today without approval.
 */
export function approvalConflict(
  { approvalFromCents: fromCents }: Pick<AccountRules, 'approvalFromCents'>,
  amountCents: number | null,
  newTodayCents: number,
  withoutApproval: () => number,
): ApprovalConflict | undefined {
  if (fromCents === null) return undefined
  if (amountCents === null) return { why: 'approval-amount-unknown' }
  if (amountCents >= fromCents) return { why: 'approval', fromCents, amountCents, sentCents: 0 }
  if (newTodayCents === 0) return undefined
  const sentCents = withoutApproval()
  return sentCents + newTodayCents >= fromCents ? { why: 'approval', fromCents, amountCents, sentCents } : undefined
}

/** Why payments need a plan that a second person approved; undefined if they need none. */
export function neededApproval(
  { ledger, account, now }: PaymentContext,
  { amountCents, newTodayCents }: { amountCents: number | null; newTodayCents: number },
): Promise<ApprovalConflict | undefined> {
  return ledger.read((database) =>
    approvalConflict(accountRules(database, account), amountCents, newTodayCents, () =>
      sentWithoutApprovalCents(database, account, now()),
    ),
  )
}

/**
 * Throws UsageError with code APPROVAL_REQUIRED, before a question, if what a command sends without a plan needs one. The transaction that decides applies
 * the same rule again. `command` makes a plan of it.
 */
export async function assertNoApprovalNeeded(
  payments: PaymentContext,
  sums: { amountCents: number | null; newTodayCents: number },
  command: string,
): Promise<void> {
  const conflict = await neededApproval(payments, sums)
  if (conflict !== undefined) throw approvalFailure(conflict, command)
}

/** The failure of what needs a plan. `command` makes one. */
export function approvalFailure(conflict: ApprovalConflict, command: string): UsageError {
  const facts = { code: 'APPROVAL_REQUIRED', details: [t`Nothing was sent`] }
  if (conflict.why === 'approval-amount-unknown') {
    return new UsageError(
      t`A second person approves payments of this account, and the amount of this refund is not known`,
      {
        ...facts,
        hint: t`Add \`--amount\` with the amount to refund`,
      },
    )
  }
  const { fromCents, amountCents, sentCents } = conflict
  const amount = formatReais(amountCents)
  const from = formatReais(fromCents)
  return new UsageError(
    sentCents === 0
      ? t`${amount} needs the approval of a second person, as everything from ${from} on`
      : t`${amount} needs the approval of a second person: with the ${formatReais(sentCents)} that was sent today without it, it reaches ${from}`,
    { ...facts, hint: t`Run \`${command}\` and ask a second person to approve the plan` },
  )
}
