import { comparableTarget } from '../ledger/derivedTables.ts'
import { checkPayment } from '../ledger/integrity.ts'
import { isOfAccount, type PaymentRow, paymentRow } from '../ledger/payments.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import type { Database, Row } from '../storage/sqlite.ts'
import { type LimitConflict, limitConflict } from './amountLimits.ts'
import { isAllRefunded } from './refundable.ts'

/** The same payment within this time counts as a repeat. */
const REPEAT_WINDOW_MS = 6 * 24 * 60 * 60 * 1000

/** Why a payment must not be sent. */
export type Conflict =
  /** The same payment, or another refund of the same original, has an unknown outcome. */
  | { why: 'unknown'; earlier: PaymentRow }
  /** The same payment was sent within six days. */
  | { why: 'repeat'; earlier: PaymentRow }
  /** The externalId was used by another payment. */
  | { why: 'external-id'; earlier: PaymentRow }
  /** It is more than what is left of the payment that it returns. */
  | { why: 'left'; originalCents: number | null; refundedCents: number; amountCents: number | null }
  | LimitConflict

/** A payment that is about to be sent, as far as the rules need it. */
export interface PlannedPayment {
  facts: MoneyPayment
  /** Of a transfer. */
  externalId: string | null
  /** Its UUID if it is in the ledger: a further attempt is not a repeat of the first. */
  payment: string | null
  /** The run that sends it, whose rows are not repeats of each other; null for a payment of its own. */
  run: string | null
  /** UUIDs of earlier payments that were shown in the question and that a person accepted to pay once more. */
  accepted: ReadonlySet<string>
  /** The amount of the payment that a refund returns; null if unknown. */
  originalCents: number | null
  /** What it adds to the sum of the day, in cents, if that is not its amount. */
  newTodayCents?: number
}

/**
 * Finds out whether the rules allow a payment: the only function that does, for one payment and for a million rows, before the question
 * and again in the transaction that records the attempt. Repeats are judged first, then what is left, then the limits. Every earlier
 * payment that is read is compared with its checksums. Throws DamagedRecord.
 */
export function findConflict(
  database: Database,
  account: Account,
  planned: PlannedPayment,
  nowMs: number,
): Conflict | undefined {
  const { facts } = planned
  const related =
    facts.kind === 'transfer' ? sameTransfers(database, account, planned) : refunds(database, account, planned)
  return (
    unknownConflict(database, related, planned) ??
    repeatConflict(database, related, planned, nowMs) ??
    externalIdConflict(database, account, planned) ??
    leftConflict(database, account, planned) ??
    limitConflict(database, account, facts.amountCents, planned.newTodayCents ?? facts.amountCents ?? 0, nowMs)
  )
}

/** What this machine has refunded of a payment, or may have, in cents; Infinity if all of it, however much that is. */
export function refundedCents(
  database: Database,
  account: Pick<Account, 'url' | 'clientId'>,
  originalTransactionId: string,
): number {
  return sumOf(refundRows(database, account, originalTransactionId))
}

/** True if `--in-addition-to` names this payment: by its UUID, its idTransaction, or the externalId of a transfer. */
export function isNamed({ kind, id, name, idTransaction }: PaymentRow, typed: string): boolean {
  return typed === id || typed === idTransaction || (kind === 'transfer' && typed === name)
}

function unknownConflict(
  database: Database,
  related: readonly PaymentRow[],
  { facts, run }: PlannedPayment,
): Conflict | undefined {
  const earlier = related.find(
    // A second refund of the same original is never certain while one has an unknown outcome, even in the same run.
    (each) => each.state === 'unknown' && (facts.kind === 'refund' || !isOfRun(database, each, run)),
  )
  return earlier === undefined ? undefined : { why: 'unknown', earlier }
}

function repeatConflict(
  database: Database,
  related: readonly PaymentRow[],
  { facts, run, accepted }: PlannedPayment,
  nowMs: number,
): Conflict | undefined {
  const earlier = related.find(
    (each) =>
      each.mayHaveMoved &&
      isSameAmount(each, facts) &&
      nowMs - each.sentMs <= REPEAT_WINDOW_MS &&
      !accepted.has(each.id) &&
      !isOfRun(database, each, run),
  )
  return earlier === undefined ? undefined : { why: 'repeat', earlier }
}

/** An externalId names one payment forever. One whose request never left can be used again. */
function externalIdConflict(
  database: Database,
  account: Account,
  { externalId }: PlannedPayment,
): Conflict | undefined {
  if (externalId === null) return undefined
  const rows = database.all(
    `SELECT payment.* FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = ? AND attempt.outcome <> 'not-sent' ORDER BY payment.may_have_moved DESC, attempt.seq DESC`,
    externalId,
  )
  const [earlier] = ownPayments(database, account, 'transfer', rows)
  return earlier === undefined ? undefined : { why: 'external-id', earlier }
}

function leftConflict(database: Database, account: Account, planned: PlannedPayment): Conflict | undefined {
  const { facts, originalCents, payment } = planned
  if (facts.kind !== 'refund') return undefined
  const earlier = refundRows(database, account, facts.originalTransactionId).filter(({ id }) => id !== payment)
  const refunded = sumOf(earlier)
  const { amountCents } = facts
  const conflict: Conflict = { why: 'left', originalCents, refundedCents: refunded, amountCents }
  // A request without an amount would return what was returned before once more.
  if (isAllRefunded(originalCents, refunded) || (facts.isWhole && refunded > 0)) return conflict
  return originalCents !== null && refunded + (amountCents ?? 0) > originalCents ? conflict : undefined
}

/** Finds earlier equal transfers, except those of the same run: a file can name one key many times. */
function sameTransfers(
  database: Database,
  account: Account,
  { facts, payment, externalId, run }: PlannedPayment,
): PaymentRow[] {
  const rows = database.all(
    `SELECT * FROM payment
     WHERE comparable_key = $key AND amount_cents = $amountCents AND ($run IS NULL OR run IS NOT $run)
     UNION
     SELECT payment.* FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = $externalId AND payment.state = 'unknown'
     ORDER BY seq DESC`,
    { key: comparableTarget(facts), amountCents: facts.amountCents, run, externalId },
  )
  return ownPayments(database, account, 'transfer', rows).filter(({ id }) => id !== payment)
}

function refunds(database: Database, account: Account, { facts, payment }: PlannedPayment): PaymentRow[] {
  if (facts.kind !== 'refund') return []
  return refundRows(database, account, facts.originalTransactionId).filter(({ id }) => id !== payment)
}

function refundRows(
  database: Database,
  account: Pick<Account, 'url' | 'clientId'>,
  originalTransactionId: string,
): PaymentRow[] {
  const rows = database.all('SELECT * FROM payment WHERE comparable_key = ? ORDER BY seq DESC', originalTransactionId)
  return ownPayments(database, account, 'refund', rows)
}

function sumOf(refunds: readonly PaymentRow[]): number {
  return refunds
    .filter(({ mayHaveMoved }) => mayHaveMoved)
    .reduce((sum, { isWhole, movedCents }) => sum + (isWhole ? Number.POSITIVE_INFINITY : movedCents), 0)
}

function isSameAmount({ isWhole, amountCents }: PaymentRow, facts: MoneyPayment): boolean {
  return amountCents === facts.amountCents || (facts.kind === 'refund' && isWhole && facts.isWhole)
}

/** True for a payment that the file of this run holds, whichever run sent it: the file says how often it is to be paid. */
function isOfRun(database: Database, { run: own, rowId }: PaymentRow, run: string | null): boolean {
  if (run === null) return false
  if (own === run) return true
  return rowId !== null && database.get('SELECT 1 FROM run_row WHERE row_id = ? AND run = ?', rowId, run) !== undefined
}

/** The owner is read from the records, because a damaged column must not hide an earlier payment. */
function ownPayments(
  database: Database,
  account: Pick<Account, 'url' | 'clientId'>,
  kind: MoneyPayment['kind'],
  rows: readonly Row[],
): PaymentRow[] {
  return rows.map(paymentRow).filter(({ id }) => {
    const first = checkPayment(database, id)
    return first.facts.kind === kind && isOfAccount(first, account)
  })
}
