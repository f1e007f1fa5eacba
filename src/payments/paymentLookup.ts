import { type AccountKey, accountId } from '../ledger/accounts.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import {
  amountValues,
  HAS_SAME_AMOUNT,
  HAS_SAME_TARGET,
  hasSameMoney,
  isOfOneCharge,
  isPaymentOfRow,
  isSameRequest,
  repeatValues,
  targetDigest,
  targetValues,
} from '../ledger/samePayment.ts'
import { saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { DamagedValue, type Database, integerOf, integerOrNull, textOf } from '../storage/sqlite.ts'
import { type ComparedPayment, isOfOtherRun, runValue } from './earlierPayments.ts'

/** True if no money moved for a payment and none still can, so that a new attempt cannot pay it twice. */
export function mayBeRetried({ summary }: Payment): boolean {
  return !summary.mayHaveMoved && summary.state !== 'not-sent'
}

/**
 * The payment of this account that a row's id names and that asks for what the row asks for, in the order of `PAYMENT_OF_ROW`; undefined if there is
 * none.
 */
export function paymentOfRow(
  database: Database,
  account: Account,
  facts: MoneyPayment,
  rowId: string,
): Payment | undefined {
  const isOfRow = ({ facts: known, summary: { state } }: Payment) => isPaymentOfRow({ facts: known, state }, facts)
  const rows = database.all(
    `SELECT id FROM payment WHERE row_id = ? AND account = ? AND kind = ?
     ORDER BY may_have_moved DESC, state = 'unknown', seq DESC`,
    rowId,
    accountId(database, account),
    facts.kind,
  )
  const found = rows.map((row) => loadPayment(database, textOf(row, 'id'))).find(isOfRow)
  // A damaged index must not make a row of a batch look new: rows of one file are no repeats of each other.
  const sent = database.all('SELECT payment, target FROM sent_target WHERE row_id = ?', rowId)
  if (rows.length + sent.length === 0) return undefined
  const target = targetDigest(account, facts)
  const again = sent.flatMap((row) => (row.target === target ? [textOf(row, 'payment')] : []))
  if (again.includes(found?.id ?? '') || !again.some((id) => isOfRow(loadPayment(database, id)))) return found
  throw new DamagedValue(`the payment of the row ${rowId} is missing from an index`)
}

/** True if an attempt of this account has an externalId: new payments of a batch have new ones, so nothing else is asked about them. */
export function isExternalIdUsed(database: Database, account: Account, externalId: string): boolean {
  const own = accountId(database, account)
  return database.has('SELECT 1 FROM attempt WHERE external_id = ? AND account = ? LIMIT 1', externalId, own)
}

/** The newest other transfer with an externalId and an unknown outcome, by the number of its first record; null if there is none. */
export function unknownWithExternalId(
  database: Database,
  account: Account,
  externalId: string,
  { payment, run }: Pick<ComparedPayment, 'payment' | 'run'>,
): number | null {
  return database.integer(
    `SELECT payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = $externalId AND attempt.account = $account AND payment.is_unknown = 1 AND payment.id IS NOT $payment
       AND ${isOfOtherRun('payment')}
     ORDER BY attempt.seq DESC LIMIT 1`,
    { externalId, account: accountId(database, account), payment, ...runValue(run) },
  )
}

/** The payment of which a request with an externalId may have left, by the number of its first record; null if there is none. */
export function sentWithExternalId(database: Database, account: Account, externalId: string): number | null {
  return database.integer(
    `SELECT payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = ? AND attempt.account = ? AND attempt.outcome <> 'not-sent'
     ORDER BY payment.may_have_moved DESC, attempt.seq DESC LIMIT 1`,
    externalId,
    accountId(database, account),
  )
}

/** Another payment that has the row of this one, or this externalId, and of which money may have moved; null if there is none. */
export function sentInPlaceOf(
  database: Database,
  account: Account,
  { id, first, facts }: Pick<Payment, 'id' | 'first'> & { facts: MoneyPayment },
  externalId: string | null,
): number | null {
  return database.integer(
    `SELECT max(seq) FROM payment WHERE account = $account AND id <> $id AND may_have_moved = 1 AND (
       (row_id = $rowId AND kind = $kind AND comparable_key = $key AND amount_cents IS $amount)
       OR id IN (SELECT payment FROM attempt WHERE external_id = $externalId AND account = $account))`,
    { ...amountValues(database, account, facts), id, rowId: first.rowId, externalId },
  )
}

/** Earlier payments to the same target. */
export interface PaidBefore {
  count: number
  /** When the last was sent; null if there is none. */
  lastMs: number | null
}

/** Counts the payments to the target of a payment, without that with the UUID `own`. */
export function paidBefore(database: Database, account: Account, facts: MoneyPayment, own: string | null): PaidBefore {
  const row = database.get(
    // Needs the index payment_to only.
    `SELECT count(*) AS payments, max(sent_ms) AS last_ms FROM payment
     WHERE ${HAS_SAME_TARGET} AND may_have_moved = 1 AND seq IS NOT (SELECT own.seq FROM payment own WHERE own.id = $own)`,
    { ...targetValues(database, account, facts), own },
  )
  if (row === undefined) return { count: 0, lastMs: null }
  return { count: integerOf(row, 'payments'), lastMs: integerOrNull(row, 'last_ms') }
}

/** The newest payment of the same amount to the same destination that only a person says was not made, or was made although an event says that it failed. */
export function settledEarlier(database: Database, account: Account, facts: MoneyPayment): Payment | null {
  const id = database.text(
    `SELECT id FROM payment INDEXED BY payment_to
     WHERE ${hasSameMoney(isOfOneCharge(facts))} AND was_sent = 1 AND may_have_moved = 0 ORDER BY seq DESC LIMIT 1`,
    repeatValues(database, account, facts),
  )
  return id === null ? null : loadPayment(database, id)
}

/** Amounts that somebody wrote into a shared ledger by hand may be more in sum than a number holds: then it is the largest, which no limit allows. */
const SUM_OF_DAY = `CAST(min(total(counted_cents), ${Number.MAX_SAFE_INTEGER}) AS INTEGER)`

/**
 * What this ledger sent for an account since midnight in São Paulo, in cents: transfers and refunds, also those with an unknown outcome. A sum
 * over the index `payment_sent`.
 */
export function sentTodayCents(database: Database, account: AccountKey, nowMs: number): number {
  const query = `SELECT ${SUM_OF_DAY} FROM payment WHERE account = ? AND sent_ms >= ?`
  return sumSince(database, query, account, nowMs)
}

/** The part of {@link sentTodayCents} that no plan allowed, in cents. */
export function sentWithoutApprovalCents(database: Database, account: AccountKey, nowMs: number): number {
  const query = `SELECT ${SUM_OF_DAY} FROM payment WHERE account = ? AND sent_ms >= ? AND NOT EXISTS (
    SELECT 1 FROM attempt JOIN planned_attempt USING (seq) WHERE attempt.payment = payment.id)`
  return sumSince(database, query, account, nowMs)
}

function sumSince(database: Database, query: string, account: AccountKey, nowMs: number): number {
  return database.integer(query, accountId(database, account), startOfSaoPauloDayMs(saoPauloDay(nowMs))) ?? 0
}

/** The most payments that never left that are considered: they differ only in what is validated. */
const UNSENT_MAX = 20

/** A single payment that asks for the same, was recorded and never left: this is its next attempt. */
export function unsentPayment(database: Database, account: Account, facts: MoneyPayment): Payment | undefined {
  const rows = database.all(
    `SELECT id FROM payment INDEXED BY payment_unsent
     WHERE ${HAS_SAME_AMOUNT} AND state = 'not-sent' AND run IS NULL ORDER BY seq DESC LIMIT ${UNSENT_MAX}`,
    amountValues(database, account, facts),
  )
  return rows
    .map((row) => loadPayment(database, textOf(row, 'id')))
    .find(({ facts: other }) => isSameRequest(other, facts))
}

/**
 * The id of a further attempt of a payment, by its first: one that no payment of the account and no row of its runs uses or has used, `<id>-2` or the
 * next number. Null for a refund, which has none.
 */
export function nextExternalId(
  database: Database,
  account: Account,
  { facts, rowId, externalId }: Payment['first'],
): string | null {
  if (facts.kind !== 'transfer') return null
  const id = rowId ?? externalId ?? ''
  for (let number = 2; ; number++) {
    const candidate = `${id}-${number}`
    const used = database.get(
      `SELECT (SELECT count(*) FROM attempt WHERE external_id = $candidate AND account = $account)
            + (SELECT count(*) FROM run_row JOIN run ON run.name = run_row.run
                WHERE row_id = $candidate AND run.account = $account)
            + (SELECT count(*) FROM held_row JOIN run ON run.name = held_row.run
                WHERE row_id = $candidate AND run.account = $account) AS uses`,
      { candidate, account: accountId(database, account) },
    )
    if (used !== undefined && integerOf(used, 'uses') === 0) return candidate
  }
}
