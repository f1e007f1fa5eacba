import type { Database } from '../storage/sqlite.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { eventScope, isAbout } from './eventMeaning.ts'
import type { Payment } from './payments.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

/**
 * The events of the same amount that may be about a payment of which the gateway's id is not known, but need not be: only a person can
 * tell. Oldest first; none for a payment that is finished.
 */
export function possibleEvents(
  database: Database,
  { facts, owner, summary, first }: Payment,
): LedgerRecord<EventRecord>[] {
  const scope = eventScope(owner)
  const isOpen = summary.state === 'unknown' || summary.state === 'accepted'
  if (facts.amountCents === null || scope === null || !isOpen || summary.idTransaction !== null) return []
  return database
    .all(
      `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq
       WHERE event.payment IS NULL AND event.scope = ? AND event.amount_cents = ? AND event.received_ms >= ? ORDER BY event.n`,
      scope,
      facts.amountCents,
      Date.parse(first.at),
    )
    .map(readRecord)
    .filter((record): record is LedgerRecord<EventRecord> => record.type === 'event')
    .filter(
      ({ subject, externalId, originalTransactionId }) =>
        isAbout(subject, facts.kind) &&
        (facts.kind !== 'transfer' || externalId === null) &&
        (facts.kind !== 'refund' || originalTransactionId === facts.originalTransactionId),
    )
}
