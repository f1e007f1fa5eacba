import type { ClosedPeriod } from '../pix/period.ts'
import { type Database, integerOf, integerOrNull, textOf } from '../storage/sqlite.ts'
import { shownOnce } from './acceptedBefore.ts'
import { type AccountInEnvironment, accountId } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { eventScope } from './eventMeaning.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

type Event = LedgerRecord<EventRecord>

/**
 * The ids of the payments of an account by which money can have moved in a period: those that were created in it, and earlier ones of which
 * anything was recorded since it began. Oldest first.
 */
export function paymentsOfPeriod(database: Database, account: AccountInEnvironment, period: ClosedPeriod): string[] {
  const rows = database.all(
    `SELECT payment.id FROM (SELECT id, created_ms, seq FROM payment
       WHERE account = $account AND environment = $environment AND created_ms >= $sinceMs AND created_ms < $beforeMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM record JOIN payment ON payment.id = record.payment
       WHERE record.seq > $seq AND record.payment IS NOT NULL
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM event JOIN payment ON payment.id = event.payment
       WHERE event.seq > $seq
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM event
       JOIN attempt ON attempt.id_transaction = event.original_id JOIN payment ON payment.id = attempt.payment
       WHERE event.seq > $seq AND event.payment IS NULL
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM original
       JOIN attempt ON attempt.id_transaction = original.id AND attempt.account = original.account
       JOIN payment ON payment.id = attempt.payment
       WHERE original.account = $account AND original.seq > $seq
         AND payment.environment = $environment AND payment.created_ms < $sinceMs
     ) AS payment WHERE ${shownOnce(database, 'all') ?? '1 = 1'} ORDER BY payment.created_ms, payment.seq`,
    {
      account: accountId(database, account),
      environment: account.environment,
      sinceMs: period.sinceMs,
      beforeMs: period.beforeMs,
      seq: lastRecordBefore(database, period.sinceMs),
    },
  )
  return rows.map((row) => textOf(row, 'id'))
}

/** A record before which nothing was recorded in or after a time: that of the last payment before the first one since then. */
function lastRecordBefore(database: Database, sinceMs: number): number {
  const row = database.get(
    `SELECT max(seq) AS seq FROM payment
     WHERE seq < coalesce((SELECT min(seq) FROM payment WHERE created_ms >= $sinceMs), 9e15)`,
    { sinceMs },
  )
  return row === undefined ? 0 : (integerOrNull(row, 'seq') ?? 0)
}

/** The events of an account since a time that belong to no payment of this ledger, oldest first. */
export function unlinkedEvents(
  database: Database,
  { environment, url, clientId }: AccountInEnvironment,
  sinceMs: number,
): Event[] {
  return database
    .all(
      `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq
       WHERE event.payment IS NULL AND event.scope = ? AND event.duplicate_of IS NULL AND event.received_ms >= ? ORDER BY event.n`,
      eventScope({ environment, baseUrl: url, clientId }),
      sinceMs,
    )
    .map(readRecord)
    .filter((record): record is Event => record.type === 'event')
}

/** How many transfers and refunds of an account that were created before a time have no final state, and their sum. */
export function openBefore(
  database: Database,
  account: AccountInEnvironment,
  beforeMs: number,
): { payments: number; cents: number; unknownAmounts: number } {
  const row = database.get(
    `SELECT count(*) AS payments, coalesce(sum(known_cents), 0) AS cents, count(*) - count(known_cents) AS unknown_amounts
     FROM payment WHERE account = ? AND environment = ? AND created_ms < ? AND kind <> 'qr' AND state IN ('accepted', 'unknown')`,
    accountId(database, account),
    account.environment,
    beforeMs,
  )
  if (row === undefined) return { payments: 0, cents: 0, unknownAmounts: 0 }
  return {
    payments: integerOf(row, 'payments'),
    cents: integerOf(row, 'cents'),
    unknownAmounts: integerOf(row, 'unknown_amounts'),
  }
}
