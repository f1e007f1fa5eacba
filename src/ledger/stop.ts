import type { Database } from '../storage/sqlite.ts'
import { parseRecord, RECORD_COLUMNS, readRecord, type StoredRecord } from './chain.ts'
import type { LedgerRecord } from './records.ts'
import type { LedgerMachine, LedgerResumedRecord, LedgerStoppedRecord } from './stopRecords.ts'

/** The record that says that a ledger is stopped, or that it is not any more. */
export type StopRecord = LedgerRecord<LedgerStoppedRecord> | LedgerRecord<LedgerResumedRecord>

const META_NAME = 'stop'

/** Notes the record that stops a ledger or ends a stop, for {@link stopInForce}. */
export function noteStop(database: Database, { seq }: StopRecord): void {
  const note = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'
  database.run(note, META_NAME, String(seq))
}

/** Forgets it, before the copy is made anew. */
export function forgetStop(database: Database): void {
  database.run('DELETE FROM meta WHERE name = ?', META_NAME)
}

/** The record that stopped a ledger or ended a stop last. Throws DamagedRecord. */
function lastStopRecord(database: Database): StopRecord | undefined {
  const row = database.get(
    `SELECT ${RECORD_COLUMNS} FROM meta JOIN record ON record.seq = CAST(meta.value AS INTEGER) WHERE meta.name = ?`,
    META_NAME,
  )
  return row === undefined ? undefined : asStopRecord(readRecord(row))
}

/** The stop of a shared ledger that nobody has ended; null if there is none, as in every ledger of one machine. Throws DamagedRecord. */
export function stopInForce(database: Database): LedgerRecord<LedgerStoppedRecord> | null {
  const last = lastStopRecord(database)
  return last?.type === 'ledger-stopped' ? last : null
}

/** True if a machine has handed over what it had since a stop. */
export function wasHeardSince(database: Database, { seq }: StopRecord, { login, machine }: LedgerMachine): boolean {
  const heard = "SELECT 1 FROM record WHERE seq > ? AND type = 'machine-heard' AND user = ? AND machine = ?"
  return database.get(heard, seq, login, machine) !== undefined
}

/** The stop record that a server holds; undefined for any other record. */
export function readStopRecord(stored: StoredRecord | undefined): StopRecord | undefined {
  return stored === undefined ? undefined : asStopRecord(parseRecord(stored))
}

function asStopRecord(record: LedgerRecord): StopRecord | undefined {
  return record.type === 'ledger-stopped' || record.type === 'ledger-resumed' ? record : undefined
}
