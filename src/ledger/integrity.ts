import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFile } from '../storage/privateFolder.ts'
import { type Database, integerOf, type OpenDatabase, type Row, textOf } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isSystemError } from '../wire/errors.ts'
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
import { updateDerivedTables } from './derivedTables.ts'
import { derivePayment } from './derivePayment.ts'
import type { AttemptRecord, LedgerRecord } from './records.ts'
import { readRunRow } from './runRows.ts'
import { comparableTarget } from './sameTarget.ts'
import { schemaOf } from './schema.ts'
import { TABLES } from './tables.ts'

const PAGE_RECORDS = 1000
const LISTED_MAX = 20
const IN_MEMORY = ':memory:'

/** The tables that are built from records. */
const DERIVED: ReadonlyMap<string, string> = new Map([
  ...['payment', 'attempt', 'sent_target', 'original', 'clock_step', 'event', 'forward'].map(
    (table) => [table, `SELECT * FROM ${table}`] as const,
  ),
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
    row.was_sent === (summary.wasSent ? 1 : 0) &&
    row.sent_ms === summary.sentMs
  if (!isSame) throw new DamagedRecord(record.seq)
  return record
}

/** What a check of a whole small ledger finds: a sentence for each problem, none if all is well. See {@link LedgerCheck}. */
export function checkLedger(database: Database, open: OpenDatabase): string[] {
  const check = new LedgerCheck(open, IN_MEMORY)
  try {
    check.checkFile(database)
    while (check.checkRecords(database));
    check.checkTables(database)
    return check.problems
  } finally {
    check.close()
  }
}

/**
 * The path for the tables of a check in a data folder. What checks that were killed have left there is removed. Throws the system's error.
 */
export function newCheckFilePath(folder: string, newId: () => string): string {
  for (const name of readdirSync(folder)) if (/^check-[\da-f-]{36}\.db$/.test(name)) removeLeftOver(join(folder, name))
  return join(folder, `check-${newId()}.db`)
}

/**
 * Checks a whole ledger: SQLite's own check, the schema, the chain of checksums, every derived table against one that is built again from
 * the records, and the checksums of the rows of batches. A large ledger takes minutes, so the check has steps, between which others can
 * write: `checkFile`, `checkRecords` until it returns false, `checkTables`. They throw SQLite's error if the file cannot be read at all.
 */
export class LedgerCheck {
  /** A sentence for each problem. */
  readonly problems: string[] = []
  readonly #rebuilt: Database
  readonly #path: string
  #end = CHAIN_START

  /**
   * Builds the tables in a new private file at `path`, which `close` removes: those of a million payments would fill the memory.
   * `:memory:` is for small ledgers. Throws the system's error or SQLite's if the file cannot be written.
   */
  constructor(open: OpenDatabase, path: string) {
    this.#path = path
    if (path !== IN_MEMORY) createPrivateFile(path)
    this.#rebuilt = open(path)
    try {
      this.#rebuilt.exec('PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536')
      // Nothing is committed, so only what the cache cannot hold is written.
      this.#rebuilt.exec('BEGIN')
      this.#rebuilt.exec(TABLES)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The number of the last record that was checked. */
  get lastSeq(): number {
    return this.#end.seq
  }

  /** Runs SQLite's own check, and compares the schema. */
  checkFile(database: Database): void {
    for (const row of database.all(`PRAGMA integrity_check(${LISTED_MAX})`)) {
      const line = textOf(row, 'integrity_check')
      if (line !== 'ok') this.problems.push(t`SQLite found damage: ${line}`)
    }
    if (this.problems.length > 0) return
    if (schemaOf(database) !== schemaOf(this.#rebuilt)) {
      this.problems.push(t`The schema is not the one that pixgate writes`)
    }
  }

  /** Checks up to 1,000 further records and builds their tables again. False after the last record, and if a problem was found. */
  checkRecords(database: Database): boolean {
    if (this.problems.length > 0) return false
    // Their numbers are not in the records. A wrong address or client id shows in the payments of the account.
    for (const row of database.all('SELECT id, base_url, client_id FROM account')) {
      const [id, baseUrl, clientId] = [integerOf(row, 'id'), textOf(row, 'base_url'), textOf(row, 'client_id')]
      const insert = 'INSERT OR IGNORE INTO account (id, base_url, client_id) VALUES (?, ?, ?)'
      this.#rebuilt.run(insert, id, baseUrl, clientId)
    }
    const rows = database.all('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?', this.#end.seq, PAGE_RECORDS)
    let problem: string | undefined
    for (const row of rows) {
      problem = this.#rebuild(row)
      if (problem !== undefined) break
    }
    if (problem !== undefined) this.problems.push(problem)
    return rows.length > 0 && problem === undefined
  }

  /** Checks the records that were written meanwhile, compares the tables, and checks the rows of batches. */
  checkTables(database: Database): void {
    while (this.checkRecords(database));
    if (this.problems.length > 0) return
    this.problems.push(...differences(database, this.#rebuilt), ...rowProblems(database))
  }

  close(): void {
    this.#rebuilt.close()
    if (this.#path !== IN_MEMORY) rmSync(this.#path, { force: true })
  }

  #rebuild(row: Row): string | undefined {
    const stored = storedRecord(row)
    if (stored.seq !== this.#end.seq + 1) return t`Record ${this.#end.seq + 1} is missing`
    const digest = chainDigest(this.#end.digest, stored)
    if (digest !== textOf(row, 'digest')) return t`Record ${stored.seq} does not match its checksum`
    insertRecord(this.#rebuilt, stored, digest)
    try {
      updateDerivedTables(this.#rebuilt, parseRecord(stored))
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error
      return t`Record ${error.seq} does not match its checksum`
    }
    this.#end = { seq: stored.seq, digest }
    return undefined
  }
}

/** The file of a check that runs is not used by its name any more; Windows does not remove it. */
function removeLeftOver(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    if (!isSystemError(error) || (error.code !== 'EBUSY' && error.code !== 'EPERM')) throw error
  }
}

function differences(database: Database, rebuilt: Database): string[] {
  return [...DERIVED]
    .filter(([, query]) => !isEqual(database, rebuilt, `${query} ORDER BY 1, 2`))
    .map(([table]) => t`The table ${table} does not match the records`)
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
