import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFile } from '../storage/privateFolder.ts'
import { type Database, integerOf, type OpenDatabase, type Row, type SqlValue, textOf } from '../storage/sqlite.ts'
import { isSystemError } from '../wire/errors.ts'
import { LedgerAudit } from './audit/ledgerAudit.ts'
import {
  CHAIN_START,
  chainDigest,
  DamagedRecord,
  DamagedRow,
  parseRecord,
  paymentRecords,
  storedRecord,
} from './chain.ts'
import { derivePayment } from './derivePayment.ts'
import type { LedgerProblem } from './ledgerProblem.ts'
import type { AttemptRecord, LedgerRecord } from './records.ts'
import { readRunRow } from './runRow.ts'
import { comparableTarget } from './samePayment.ts'
import { schemaOf, TABLES } from './tables.ts'

const PAGE_RECORDS = 1000
const PAGE_RUN_ROWS = 5000
const LISTED_MAX = 20
const IN_MEMORY = ':memory:'

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

/** What a check of a whole small ledger finds: no problem if all is well. See {@link LedgerCheck}. */
export function checkLedger(database: Database, open: OpenDatabase): LedgerProblem[] {
  const check = new LedgerCheck(open, IN_MEMORY)
  try {
    check.checkFile(database)
    while (check.checkRecords(database));
    while (check.checkTables(database));
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
 * Checks a whole ledger: SQLite's own check, the schema, the chain of checksums, every derived table and the search against what the records
 * say (see {@link LedgerAudit}), and the checksums of the rows of batches. A large ledger takes a while, so the check has steps, between which
 * others can write: `checkFile`, `checkRecords` until it returns false, `checkTables` until it returns false. They throw SQLite's error if the file
 * cannot be read at all.
 */
export class LedgerCheck {
  readonly problems: LedgerProblem[] = []
  readonly #own: Database
  readonly #path: string
  readonly #schema: string
  readonly #audit: LedgerAudit
  #end = CHAIN_START
  /** What is left to do with the tables, each until it returns false. */
  readonly #steps: ((database: Database) => boolean)[]
  readonly #checkRows = (database: Database) => this.#audit.checkRows(database)
  #areRowsChecked = false
  #runRow: SqlValue[] = ['', 0]

  /**
   * What the audit must remember goes to a new private file at `path`, which `close` removes: that of a million payments would fill the
   * memory. `:memory:` is for small ledgers. Throws the system's error or SQLite's if the file cannot be written.
   */
  constructor(open: OpenDatabase, path: string) {
    this.#path = path
    if (path !== IN_MEMORY) createPrivateFile(path)
    this.#own = open(path)
    try {
      this.#own.exec('PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -65536')
      // Nothing is committed, so only what the cache cannot hold is written.
      this.#own.exec('BEGIN')
      this.#schema = writtenSchema(open)
      this.#audit = new LedgerAudit(this.#own)
    } catch (error) {
      this.close()
      throw error
    }
    this.#steps = [
      (database) => this.#checkRunRows(database),
      this.#checkRows,
      (database) => this.#audit.checkWords(database),
    ]
  }

  /** The number of the last record that was checked. */
  get lastSeq(): number {
    return this.#end.seq
  }

  /** The number of the last record that the tables were compared with. */
  get comparedSeq(): number {
    return this.#audit.checkedSeq
  }

  /** Runs SQLite's own check, and compares the schema. */
  checkFile(database: Database): void {
    for (const row of database.all(`PRAGMA integrity_check(${LISTED_MAX})`)) {
      const line = textOf(row, 'integrity_check')
      if (line !== 'ok') this.problems.push({ is: 'damaged-file', found: line })
    }
    if (this.problems.length > 0) return
    if (schemaOf(database) !== this.#schema) this.problems.push({ is: 'other-schema' })
  }

  /** Checks up to 1,000 further records against their checksums. False after the last record, and if a problem was found. */
  checkRecords(database: Database): boolean {
    if (this.problems.length > 0) return false
    const rows = database.all('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?', this.#end.seq, PAGE_RECORDS)
    let problem: LedgerProblem | undefined
    for (const row of rows) {
      problem = this.#take(row)
      if (problem !== undefined) break
    }
    if (problem !== undefined) this.problems.push(problem)
    return rows.length > 0 && problem === undefined
  }

  /** Checks the records that were written meanwhile, and a part of the tables. False after the last part. */
  checkTables(database: Database): boolean {
    while (this.checkRecords(database));
    if (this.problems.length > 0) return false
    // What was written since the rows were checked has words, too.
    if (this.#areRowsChecked) while (this.#audit.checkRows(database));
    const [step] = this.#steps
    if (step !== undefined) {
      if (!step(database)) {
        this.#steps.shift()
        this.#areRowsChecked ||= step === this.#checkRows
      }
      return true
    }
    this.#audit.checkCounts(database)
    this.problems.push(...this.#audit.problems)
    const orphan = database.get('SELECT 1 FROM run_row WHERE run NOT IN (SELECT name FROM run) LIMIT 1')
    if (orphan !== undefined) this.problems.push({ is: 'batch-rows-without-run' })
    return false
  }

  close(): void {
    this.#own.close()
    if (this.#path !== IN_MEMORY) rmSync(this.#path, { force: true })
  }

  /** The rows of batches are in no record, so each has a checksum of its own. What is wrong with them is reported at once. */
  #checkRunRows(database: Database): boolean {
    const query = 'SELECT * FROM run_row WHERE (run, line) > (?, ?) ORDER BY run, line LIMIT ?'
    const rows = database.all(query, ...this.#runRow, PAGE_RUN_ROWS)
    for (const row of rows) {
      const found = damagedRow(row)
      if (found === undefined) continue
      this.problems.push({ is: 'changed-batch-row', run: found.run, line: found.line })
      if (this.problems.length >= LISTED_MAX) return false
    }
    const last = rows.at(-1)
    if (last === undefined || this.problems.length > 0) return false
    this.#runRow = [textOf(last, 'run'), integerOf(last, 'line')]
    return true
  }

  #take(row: Row): LedgerProblem | undefined {
    const stored = storedRecord(row)
    if (stored.seq !== this.#end.seq + 1) return { is: 'missing-record', seq: this.#end.seq + 1 }
    const digest = chainDigest(this.#end.digest, stored)
    if (digest !== textOf(row, 'digest')) return { is: 'changed-record', seq: stored.seq }
    try {
      this.#audit.take(parseRecord(stored))
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error
      return { is: 'changed-record', seq: error.seq }
    }
    this.#end = { seq: stored.seq, digest }
    return undefined
  }
}

/** The schema of a new ledger. */
function writtenSchema(open: OpenDatabase): string {
  const empty = open(IN_MEMORY)
  try {
    empty.exec(TABLES)
    return schemaOf(empty)
  } finally {
    empty.close()
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

function damagedRow(row: Row): DamagedRow | undefined {
  try {
    readRunRow(row)
    return undefined
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}
