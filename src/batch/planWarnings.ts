import { accountId } from '../ledger/accounts.ts'
import type { MoneyPayment, TransferPayment } from '../ledger/facts.ts'
import { type PaymentRow, paymentRow } from '../ledger/payments.ts'
import { HAS_SAME_TARGET, targetValues } from '../ledger/samePayment.ts'
import { comparableKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'

/** Rows to send with the same target and amount as one above. */
export interface EqualRows {
  count: number
  /** The first of them, and the row above; null if there is none. */
  first: { line: number; like: number } | null
}

/** Counts the rows of a run to send that equal one above them. */
export function countEqualRows(database: Database, run: string): EqualRows {
  const row = database.get(
    `SELECT count(*) AS rows, min(line) AS line FROM run_row
     WHERE run = ? AND is_left_out = 0 AND EXISTS (SELECT 1 ${EQUAL_ABOVE})`,
    run,
  )
  const count = row === undefined ? 0 : integerOf(row, 'rows')
  if (row === undefined || count === 0) return { count: 0, first: null }
  const line = integerOf(row, 'line')
  const above = database.get(
    `SELECT (SELECT min(above.line) ${EQUAL_ABOVE}) AS line FROM run_row WHERE run = ? AND line = ?`,
    run,
    line,
  )
  return { count, first: above === undefined ? null : { line, like: integerOf(above, 'line') } }
}

const EQUAL_ABOVE = `FROM run_row above WHERE above.run = run_row.run AND above.comparable_key = run_row.comparable_key
  AND above.amount_cents IS run_row.amount_cents AND above.line < run_row.line`

/** Counts the PIX keys among the rows of a run to send that this account never paid before. */
export function countNewKeys(database: Database, account: Account, run: string): number {
  const row = database.get(
    `SELECT count(DISTINCT comparable_key) AS keys FROM run_row
     WHERE run = ? AND is_left_out = 0 AND NOT EXISTS (
       SELECT 1 FROM payment
       WHERE payment.comparable_key = run_row.comparable_key AND payment.account = ?
         AND payment.kind = 'transfer' AND may_have_moved = 1
     )`,
    run,
    accountId(database, account),
  )
  return row === undefined ? 0 : integerOf(row, 'keys')
}

/** What was paid to the target of a payment before. */
export interface PaidToTarget {
  count: number
  /** The last amount, and when it was sent in ms; null if there is none. */
  lastCents: number | null
  lastMs: number | null
}

/** Reads what this account paid to the key of a transfer, or returned of the original of a refund. */
export function paidToTarget(database: Database, account: Account, facts: MoneyPayment): PaidToTarget {
  const values = targetValues(database, account, facts)
  // Both need the index payment_to only.
  const counted = database.get(
    `SELECT count(*) AS payments FROM payment WHERE ${HAS_SAME_TARGET} AND may_have_moved = 1`,
    values,
  )
  const count = counted === undefined ? 0 : integerOf(counted, 'payments')
  if (count === 0) return { count, lastCents: null, lastMs: null }
  const last = database.get(
    `SELECT moved_cents, sent_ms FROM payment WHERE ${HAS_SAME_TARGET} AND may_have_moved = 1 ORDER BY sent_ms DESC LIMIT 1`,
    values,
  )
  if (last === undefined) return { count, lastCents: null, lastMs: null }
  return { count, lastCents: integerOf(last, 'moved_cents'), lastMs: integerOf(last, 'sent_ms') }
}

/** A row that pays a key far more than it was paid before. */
export interface UnusualRow {
  line: number
  key: string
  amountCents: number
  medianCents: number
}

const EARLIER_MIN = 3
const EARLIER_MAX = 100
const TIMES = 5

/** Compares a transfer with what its key was paid before; undefined if that is too little to compare with, or if it is usual. */
export function findUnusualAmount(
  database: Database,
  account: Account,
  line: number,
  { key, amountCents }: TransferPayment,
): UnusualRow | undefined {
  const before = database
    .all(
      `SELECT moved_cents FROM payment
       WHERE comparable_key = ? AND account = ? AND kind = 'transfer' AND may_have_moved = 1
       ORDER BY sent_ms DESC LIMIT ${EARLIER_MAX}`,
      comparableKey(key),
      accountId(database, account),
    )
    .map((row) => integerOf(row, 'moved_cents'))
  if (before.length < EARLIER_MIN) return undefined
  const medianCents = median(before)
  return amountCents > TIMES * medianCents ? { line, key, amountCents, medianCents } : undefined
}

function median(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2)
}

/** Payments under a reference that moved money, or may have, and that the file no longer holds. */
export interface MissingRows {
  count: number
  /** The first of them. */
  payments: readonly PaymentRow[]
}

const LISTED_MAX = 1000

const CONDITION = `FROM payment
  WHERE payment.reference = $reference AND kind = $kind AND account = $account AND may_have_moved = 1
    AND NOT EXISTS (SELECT 1 FROM run_row WHERE run_row.row_id = payment.row_id AND run_row.run = $run)`

/** Finds the payments of earlier files of the same reference that a planned run no longer holds. */
export function findMissingRows(
  database: Database,
  account: Account,
  { run, kind, reference }: { run: string; kind: 'transfer' | 'refund'; reference: string },
): MissingRows {
  const values = { run, kind, reference, account: accountId(database, account) }
  const counted = database.get(`SELECT count(*) AS payments ${CONDITION}`, values)
  const rows = database.all(`SELECT payment.* ${CONDITION} ORDER BY payment.seq LIMIT ${LISTED_MAX}`, values)
  return { count: counted === undefined ? 0 : integerOf(counted, 'payments'), payments: rows.map(paymentRow) }
}
