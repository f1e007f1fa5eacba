import { comparableTarget } from '../ledger/derivedTables.ts'
import { OF_ACCOUNT } from '../ledger/paymentList.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import { type Database, integerOf, integerOrNull } from '../storage/sqlite.ts'
import { isCountedToday, sentTodayCents } from './amountLimits.ts'
import { conflictFailure } from './conflictFailure.ts'
import { checkLedgerIsCurrent } from './decide.ts'
import type { PaymentContext } from './paymentContext.ts'
import { findConflict, type PlannedPayment, refundedCents } from './paymentRules.ts'
import { acceptedRepeats, type RepeatOptions } from './repeatOptions.ts'
import type { TransferInLedger } from './resume.ts'

/** What the ledger says before a question, in one reading. */
export interface PaymentPreview {
  /** Earlier payments to the same key: how many, and when the last was sent in ms. */
  paidBefore: { count: number; lastMs: number | null }
  sentTodayCents: number
  /** What was refunded of the original, or may have been; Infinity if all of it. 0 for a transfer. */
  refundedCents: number
  /** UUIDs of the earlier payments that the options accept to pay once more. */
  accepted: ReadonlySet<string>
}

/**
 * Applies the rules to a payment before the question, and reads what the question shows. Throws UsageError or Refused if the payment is
 * not allowed, so that a person is not asked in vain; {@link decide} applies the same rules again.
 */
export function previewPayment(
  context: PaymentContext,
  planned: Omit<PlannedPayment, 'accepted'>,
  options: RepeatOptions,
): Promise<PaymentPreview> {
  const { account, ledger } = context
  const nowMs = context.now()
  return ledger.read((database) => {
    checkLedgerIsCurrent(context, database)
    const accepted = acceptedRepeats(database, account, planned.facts, options)
    const conflict = findConflict(database, account, { ...planned, accepted }, nowMs)
    if (conflict !== undefined) throw conflictFailure(database, account, planned, conflict)
    return {
      paidBefore: paidBefore(database, context, planned.facts, planned.payment),
      sentTodayCents: sentTodayCents(database, account, nowMs),
      refundedCents:
        planned.facts.kind === 'refund' ? refundedCents(database, account, planned.facts.originalTransactionId) : 0,
      accepted,
    }
  })
}

/** Reads what the question of a resume shows. The rules are applied by {@link decide}, because most of them depend on its state. */
export function previewResume(context: PaymentContext, payment: TransferInLedger): Promise<PaymentPreview> {
  const { account, ledger } = context
  const nowMs = context.now()
  return ledger.read((database) => {
    checkLedgerIsCurrent(context, database)
    return {
      paidBefore: paidBefore(database, context, payment.facts, payment.id),
      sentTodayCents: sentTodayCents(database, account, nowMs) - countedTodayCents(payment, nowMs),
      refundedCents: 0,
      accepted: new Set<string>(),
    }
  })
}

/** How much of a payment today's sum already contains, in cents. */
function countedTodayCents({ summary }: TransferInLedger, nowMs: number): number {
  return isCountedToday(summary.sentMs, nowMs) ? summary.movedCents : 0
}

function paidBefore(
  database: Database,
  { account }: PaymentContext,
  facts: MoneyPayment,
  own: string | null,
): PaymentPreview['paidBefore'] {
  const row = database.get(
    `SELECT count(*) AS payments, max(sent_ms) AS last_ms FROM payment
     WHERE comparable_key = ? AND kind = ? AND may_have_moved = 1 AND id IS NOT ? AND ${OF_ACCOUNT}`,
    comparableTarget(facts),
    facts.kind,
    own,
    account.url,
    account.clientId,
  )
  if (row === undefined) return { count: 0, lastMs: null }
  return { count: integerOf(row, 'payments'), lastMs: integerOrNull(row, 'last_ms') }
}
