import { formatInstant, parseInstant } from '../pix/calendar.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { parseRecord, RECORD_COLUMNS, recordsOf, type StoredRecord } from './chain.ts'
import { note } from './ledgerNotes.ts'
import type { LedgerEnvironment } from './paymentState.ts'
import type { LedgerMachine, LedgerRecord, LedgerResumedRecord, LedgerStoppedRecord } from './records.ts'
import { isReadable, ownerAddress } from './refusedRecords.ts'

/** The record that says that a ledger is stopped, or that it is not any more. */
export type StopRecord = LedgerRecord<LedgerStoppedRecord> | LedgerRecord<LedgerResumedRecord>

const META_NAME = 'stop'

/** Notes the record that stops a ledger or ends a stop, for {@link stopInForce}. */
export function noteStop(database: Database, { seq }: StopRecord): void {
  note(database, META_NAME, String(seq))
}

/** Forgets it, before the copy is made anew. */
export function forgetStop(database: Database): void {
  database.run('DELETE FROM meta WHERE name = ?', META_NAME)
}

/** The record that stopped a ledger or ended a stop last. Throws DamagedRecord. */
function lastStopRecord(database: Database): StopRecord | undefined {
  const query = `SELECT ${RECORD_COLUMNS} FROM meta JOIN record ON record.seq = CAST(meta.value AS INTEGER) WHERE meta.name = ?`
  return recordsOf(database.all(query, META_NAME), 'ledger-stopped', 'ledger-resumed')[0]
}

/** The stop of a shared ledger that has not been ended; null if there is none, as in every ledger of one machine. Throws DamagedRecord. */
export function stopInForce(database: Database): LedgerRecord<LedgerStoppedRecord> | null {
  const last = lastStopRecord(database)
  return last?.type === 'ledger-stopped' ? last : null
}

/** True if a machine has handed over what it had since a stop. */
export function wasHeardSince(database: Database, { seq }: StopRecord, { login, machine }: LedgerMachine): boolean {
  const heard = "SELECT 1 FROM record WHERE seq > ? AND type = 'machine-heard' AND user = ? AND machine = ?"
  return database.has(heard, seq, login, machine)
}

/** The stop record that counts among those that a server holds, newest first: an unreadable one has no effect. */
export function readLastStop(stored: readonly StoredRecord[]): StopRecord | undefined {
  const last = stored.find(isReadable)
  return last === undefined ? undefined : asStopRecord(parseRecord(last))
}

function asStopRecord(record: LedgerRecord): StopRecord | undefined {
  return record.type === 'ledger-stopped' || record.type === 'ledger-resumed' ? record : undefined
}

/**
 * Checks that the ledger is not stopped. To be called in each transaction that moves money, settles or imports. Throws the
 * {@link stopFailure}.
 */
export function assertNotStopped(database: Database, environment: LedgerEnvironment): void {
  const failure = stopFailure(database, environment)
  if (failure !== null) throw failure
}

/** The failure, with code `LEDGER_OLDER`, of what a stopped ledger does not allow; null if it is not stopped. */
export function stopFailure(database: Database, { user, machine }: LedgerEnvironment): UsageError | null {
  const stop = stopInForce(database)
  if (stop === null) return null
  const isHeard = wasHeardSince(database, stop, { login: user, machine })
  const ending = `pixgate ledger repair ${ownerAddress(database)}`
  return new UsageError(t`The shared ledger is stopped, so nothing was sent`, {
    code: 'LEDGER_OLDER',
    details: [
      stopSentence(stop),
      t`A payment that is missing there could be made twice`,
      ...(isHeard ? [t`This machine has handed over what it had`] : []),
    ],
    hint: isHeard
      ? t`Run \`pixgate ledger repair\` on every other machine; then the owner of the database runs \`${ending}\``
      : t`Run \`pixgate ledger repair\` here and on every other machine; then the owner of the database runs \`${ending}\``,
  })
}

/** Who stopped the ledger, where and why. */
export function stopSentence({ user, machine, at, lacksRecords }: LedgerRecord<LedgerStoppedRecord>): string {
  const time = formatInstant(parseInstant(at) ?? 0)
  return lacksRecords
    ? t`${user} on ${machine} found on ${time} that the database lacks records`
    : t`${user} on ${machine} found on ${time} that the database was restored or replaced`
}

/** What a check of the whole ledger found wrong. `table` is a table that is built from the records. */
export type LedgerProblem =
  /** In SQLite's words. */
  | { is: 'damaged-file'; found: string }
  | { is: 'other-schema' }
  | { is: 'missing-record'; seq: number }
  | { is: 'changed-record'; seq: number }
  | { is: 'changed-batch-row'; run: string; line: number }
  | { is: 'batch-rows-without-run' }
  /** `row` is the key of a row that is missing, differs, or should not exist. */
  | { is: 'different-row'; table: string; row: string }
  /** Payments are not found by their words. */
  | { is: 'different-search' }
