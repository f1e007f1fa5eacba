import { type Database, integerOf, type OpenDatabase, type Row, textOf } from '../storage/sqlite.ts'
import { t } from '../text/words.ts'
import {
  CHAIN_START,
  chainDigest,
  DamagedRecord,
  DamagedRow,
  insertRecord,
  parseRecord,
  paymentRecords,
  storedRecord,
} from './chain.ts'
import { derivePayment } from './derivePayment.ts'
import { comparableTarget, projectRecord } from './project.ts'
import type { AttemptRecord, LedgerRecord } from './records.ts'
import { readRunRow } from './runRows.ts'
import { MIGRATIONS } from './schema.ts'

const PAGE_RECORDS = 1000
const LISTED_MAX = 20

/** The tables that are built from records. */
const DERIVED: ReadonlyMap<string, string> = new Map([
  ...['payment', 'attempt', 'event', 'forward', 'day_total'].map((table) => [table, `SELECT * FROM ${table}`] as const),
  [
    'run',
    "SELECT name, seq, account, kind, file, reference, rows, total_cents, fingerprint FROM run WHERE state = 'accepted'",
  ],
])

/**
 * Checks a payment that a decision about money depends on: its records must match their checksums, and its row must follow from them.
 * Returns the record of its first attempt. Throws DamagedRecord, and DamagedValue if it has no records.
 */
export function checkPayment(database: Database, payment: string): LedgerRecord<AttemptRecord> {
  const summary = derivePayment(paymentRecords(database, payment))
  const [{ record } = summary.deciding] = summary.attempts
  const { facts } = record
  const row = database.get('SELECT * FROM payment WHERE id = ?', payment)
  const isSame =
    row !== undefined &&
    row.kind === facts.kind &&
    row.comparable_key === comparableTarget(facts) &&
    row.amount_cents === facts.amountCents &&
    row.state === summary.state &&
    row.may_have_moved === (summary.mayHaveMoved ? 1 : 0) &&
    row.moved_cents === summary.movedCents &&
    row.sent_ms === summary.sentMs
  if (!isSame) throw new DamagedRecord(record.seq)
  return record
}

/**
 * Checks a whole ledger: SQLite's own check, the schema, the chain of checksums, every derived table against one that is built again from
 * the records, and the checksums of the rows of batches. Returns a sentence for each problem, none if all is well. Throws SQLite's error if the file cannot be read at all.
 */
export function checkLedger(database: Database, open: OpenDatabase): string[] {
  const problems = database
    .all(`PRAGMA integrity_check(${LISTED_MAX})`)
    .map((row) => textOf(row, 'integrity_check'))
    .filter((line) => line !== 'ok')
    .map((line) => t`SQLite found damage: ${line}`)
  if (problems.length > 0) return problems
  const rebuilt = open(':memory:')
  try {
    for (const statements of MIGRATIONS) rebuilt.exec(statements)
    if (schemaOf(database) !== schemaOf(rebuilt)) return [t`The schema is not the one that pixgate writes`]
    rebuilt.exec('PRAGMA foreign_keys = OFF')
    // Their numbers are not in the records. A wrong address or client id shows in the payments of the account.
    for (const row of database.all('SELECT id, base_url, client_id FROM account')) {
      const [id, baseUrl, clientId] = [integerOf(row, 'id'), textOf(row, 'base_url'), textOf(row, 'client_id')]
      rebuilt.run('INSERT INTO account (id, base_url, client_id) VALUES (?, ?, ?)', id, baseUrl, clientId)
    }
    problems.push(...rebuild(database, rebuilt))
    if (problems.length === 0) problems.push(...differences(database, rebuilt), ...rowProblems(database))
    return problems
  } finally {
    rebuilt.close()
  }
}

/** Checks the chain and builds the derived tables of `target` from it. */
function rebuild(source: Database, target: Database): string[] {
  let end = CHAIN_START
  for (;;) {
    const rows = source.all('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?', end.seq, PAGE_RECORDS)
    if (rows.length === 0) return []
    target.exec('BEGIN')
    for (const row of rows) {
      const stored = storedRecord(row)
      if (stored.seq !== end.seq + 1) return [t`Record ${end.seq + 1} is missing`]
      const digest = chainDigest(end.digest, stored)
      if (digest !== textOf(row, 'digest')) return [t`Record ${stored.seq} does not match its checksum`]
      insertRecord(target, stored, digest)
      try {
        projectRecord(target, parseRecord(stored))
      } catch (error) {
        if (!(error instanceof DamagedRecord)) throw error
        return [t`Record ${error.seq} does not match its checksum`]
      }
      end = { seq: stored.seq, digest }
    }
    target.exec('COMMIT')
  }
}

function differences(database: Database, rebuilt: Database): string[] {
  return [...DERIVED]
    .filter(([, query]) => !isEqual(database, rebuilt, `${query} ORDER BY 1, 2`))
    .map(([table]) => t`The table ${table} does not follow from the records`)
}

function isEqual(database: Database, rebuilt: Database, query: string): boolean {
  const others = rebuilt.each(query)
  for (const row of database.each(query)) {
    const other = others.next()
    if (other.done === true || JSON.stringify(row) !== JSON.stringify(other.value)) return false
  }
  return others.next().done === true
}

/** The rows of batches are in no record, so each has a checksum of its own. */
function rowProblems(database: Database): string[] {
  const row = database.get('SELECT count(*) AS rows FROM run_row WHERE run NOT IN (SELECT name FROM run)')
  if (row !== undefined && integerOf(row, 'rows') > 0) return [t`Rows of a batch have no run`]
  const problems: string[] = []
  for (const each of database.each('SELECT * FROM run_row')) {
    if (problems.length === LISTED_MAX) break
    const found = damagedRow(each)
    if (found !== undefined) problems.push(t`Line ${found.line} of ${found.run} does not match its checksum`)
  }
  return problems
}

function damagedRow(row: Row): DamagedRow | undefined {
  try {
    readRunRow(row)
    return undefined
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}

function schemaOf(database: Database): string {
  return JSON.stringify(database.all('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'))
}
