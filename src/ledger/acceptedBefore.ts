import { type Database, integerOf } from '../storage/sqlite.ts'
import { PAYMENT_OF_ROW } from './samePayment.ts'

/** What the gateway had accepted when it was sent: by an earlier attempt of this ledger or another one. */
export type AcceptedBefore = ReturnType<typeof acceptedBeforeOf>

/** The index that finds what the gateway had accepted before, which is rare. */
export const ACCEPTED_BEFORE_INDEX =
  "CREATE INDEX attempt_before ON attempt (payment) WHERE outcome = 'accepted-before';"

const IS_ACCEPTED_BEFORE =
  "EXISTS (SELECT 1 FROM attempt WHERE attempt.payment = payment.id AND attempt.outcome = 'accepted-before')"
/** What this ledger had sent before is part of the sum of its day. */
const IS_FROM_ELSEWHERE = 'payment.may_have_moved = 1 AND payment.counted_cents = 0'

/** Condition of a payment: its money moved, or may have, by a request that another ledger has. */
export const IS_SENT_ELSEWHERE = `${IS_ACCEPTED_BEFORE} AND ${IS_FROM_ELSEWHERE}`
/** That condition for a query of many payments, whose attempts are not looked up one by one. */
export const SENT_ELSEWHERE = `payment.id IN (SELECT payment FROM attempt WHERE outcome = 'accepted-before') AND ${IS_FROM_ELSEWHERE}`

/** What makes `again` a second entry of the payment `made`: they have the same external id, and it tells no more than that one. */
const IS_KNOWN_TWICE = `before.outcome = 'accepted-before' AND again.may_have_moved = 1 AND again.counted_cents = 0
  AND made.comparable_key = again.comparable_key AND made.amount_cents = again.amount_cents
  AND made.counted_cents > 0 AND made.state <> 'unknown' AND again.state IN ('accepted', made.state)`
const OTHER_WITH_ITS_ID = `attempt first
  ON first.external_id = before.external_id AND first.account = before.account AND first.payment <> before.payment
  JOIN payment made ON made.id = first.payment`

/**
 * The condition of a payment that lists and sums have; null if they have all. A ledger that took over the records of two machines which had sent the same
 * file has each payment twice: as the machine made it, and as what the gateway had accepted before the other one sent it. `reads` says whether a query reads
 * a page of payments, one by one, or all of them.
 */
export function shownOnce(database: Database, reads: 'page' | 'all'): string | null {
  if (!hasAcceptedBefore(database)) return null
  return reads === 'page'
    ? `NOT EXISTS (SELECT 1 FROM payment again JOIN attempt before ON before.payment = again.id JOIN ${OTHER_WITH_ITS_ID}
         WHERE again.seq = payment.seq AND ${IS_KNOWN_TWICE})`
    : `payment.seq NOT IN (SELECT again.seq FROM attempt before JOIN payment again ON again.id = before.payment JOIN ${OTHER_WITH_ITS_ID}
         WHERE ${IS_KNOWN_TWICE})`
}

/** False for most ledgers, which spares them a query of all payments. */
export function hasAcceptedBefore(database: Database): boolean {
  return database.has("SELECT 1 FROM attempt WHERE outcome = 'accepted-before' LIMIT 1")
}

/** What the run itself sent for a row: a shared ledger may have taken over a payment of the same row from each of two machines. */
const OWN_PAYMENT = `(SELECT max(own.seq) FROM payment own
  WHERE own.run = run_row.run AND own.line = run_row.line AND own.may_have_moved = 1)`

/** What the gateway had accepted before of the rows of a run, without those that were left out. */
export function acceptedBeforeOf(database: Database, run: string) {
  if (!hasAcceptedBefore(database)) return { rows: 0, cents: 0, elsewhere: { rows: 0, cents: 0 } }
  const cents = 'coalesce(payment.amount_cents, run_row.amount_cents, 0)'
  const row = database.get(
    `SELECT count(*) AS rows, coalesce(sum(${cents}), 0) AS cents,
       count(*) FILTER (WHERE ${IS_FROM_ELSEWHERE}) AS elsewhere_rows,
       coalesce(sum(${cents}) FILTER (WHERE ${IS_FROM_ELSEWHERE}), 0) AS elsewhere_cents
     FROM run_row JOIN run ON run.name = run_row.run JOIN payment ON payment.seq = coalesce(${OWN_PAYMENT}, ${PAYMENT_OF_ROW})
     WHERE run_row.run = ? AND is_left_out = 0 AND ${IS_ACCEPTED_BEFORE}`,
    run,
  )
  if (row === undefined) throw new Error('A sum has no row')
  return {
    rows: integerOf(row, 'rows'),
    cents: integerOf(row, 'cents'),
    /** The part whose first request another ledger has, maybe another machine's, which counts it as its own. */
    elsewhere: { rows: integerOf(row, 'elsewhere_rows'), cents: integerOf(row, 'elsewhere_cents') },
  }
}
