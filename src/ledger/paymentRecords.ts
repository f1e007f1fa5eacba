import type { Database } from '../storage/sqlite.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import type { LedgerRecord, PaymentRecord } from './records.ts'

/**
 * All records of a payment with the events that are linked to it, in the order in which they were written. Each is compared with its
 * checksum. Throws DamagedRecord.
 */
export function paymentRecords(database: Database, payment: string): PaymentRecord[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.payment = $payment
     UNION ALL
     SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq WHERE event.payment = $payment
     ORDER BY seq`,
    { payment },
  )
  return rows.map(readRecord).filter(isPaymentRecord)
}

function isPaymentRecord(record: LedgerRecord): record is PaymentRecord {
  return ['attempt', 'resend', 'answer', 'finding', 'event'].includes(record.type)
}
