import { type Database, textOf } from '../storage/sqlite.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import type { AttemptRecord, LedgerRecord, PaymentRecord } from './records.ts'

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

/** The record of an attempt; undefined if there is none. Throws DamagedRecord. */
export function attemptRecord(database: Database, id: string): LedgerRecord<AttemptRecord> | undefined {
  const row = database.get(`SELECT ${RECORD_COLUMNS} FROM record WHERE record.id = ?`, id)
  const record = row === undefined ? undefined : readRecord(row)
  return record?.type === 'attempt' ? record : undefined
}

/** The payment that an attempt belongs to; undefined if there is no such attempt. */
export function paymentOfAttempt(database: Database, attempt: string): string | undefined {
  const row = database.get('SELECT payment FROM attempt WHERE id = ?', attempt)
  return row === undefined ? undefined : textOf(row, 'payment')
}

function isPaymentRecord(record: LedgerRecord): record is PaymentRecord {
  return ['attempt', 'resend', 'answer', 'finding', 'event'].includes(record.type)
}
