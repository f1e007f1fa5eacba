import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFile } from '../storage/privateFolder.ts'
import {
  type Database,
  integerOf,
  type OpenDatabase,
  type Row,
  type SqlValue,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import { isSystemError } from '../wire/errors.ts'
import {
  CHAIN_START,
  type ChainedRecord,
  chainDigest,
  DamagedRecord,
  DamagedRow,
  insertRecord,
  parseRecord,
  paymentRecords,
  type StoredRecord,
  storedRecord,
} from './chain.ts'
import { addSharedRecords, Deriver, deriveVerified } from './derivedTables.ts'
import { derivePayment } from './derivePayment.ts'
import type { AttemptRecord, LedgerRecord } from './records.ts'
import { isReadable } from './refusedRecords.ts'
import { takeRuleApprovals } from './rulesInForce.ts'
import { isSameSums, RunSum, type RunSums } from './runFingerprint.ts'
import { addRunRows, readRunRow } from './runRows.ts'
import { comparableTarget } from './samePayment.ts'
import type { LedgerProblem } from './stop.ts'
import { DERIVED_TABLE_NAMES, schemaOf, TABLES } from './tables.ts'
import { noteSignedBytes } from './verifiedEvents.ts'

/** Of each record the tables are built, which takes longer than to compare them. */
const PAGE_RECORDS = 250
const PAGE_ROWS = 1000
const PAGE_WORDS = 5000
const LISTED_MAX = 20
const IN_MEMORY = ':memory:'

const COMPARED_TABLES = ['run', ...DERIVED_TABLE_NAMES.filter((name) => name !== 'search'), 'meta']

/** Of some tables a part comes from records: which rows, and which columns do not: what a batch's file looked like, who works on it, what was verified. */
const PARTS: Readonly<Record<string, { where?: string; unrecorded?: readonly string[] }>> = {
  run: { where: "state = 'accepted' OR seq IS NOT NULL", unrecorded: ['columns', 'fields', 'worker'] },
  rule_approval: { unrecorded: ['is_valid'] },
  plan_step: { unrecorded: ['is_judged'] },
  refused_record: { where: "why <> 'signature'" },
  meta: { where: "name = 'stop'" },
}

const SEARCH_TEXTS =
  'DROP TABLE search; CREATE TABLE search (rowid INTEGER PRIMARY KEY, name TEXT, document TEXT, cells TEXT, words TEXT)'

const NEXT_WORDS = `SELECT max(term) AS last, group_concat(term || ' ' || places || ' ' || checksum, x'0a') AS words FROM (
  SELECT term, count(*) AS places,
    sum(doc * (offset * 32 + instr('name document cells words', col)) % 2147483647) AS checksum
  FROM temp.search_places WHERE term > ? GROUP BY term ORDER BY term LIMIT ${PAGE_WORDS})`

/**
 * Verifies a payment that a decision about money depends on: its records must match their checksums, and its row must follow from them.
 * Returns the record of its first attempt. Throws DamagedRecord, and DamagedValue if it has no records.
 */
export function verifyPayment(database: Database, payment: string): LedgerRecord<AttemptRecord> {
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
export function checkLedger(database: Database, open: OpenDatabase, isShared = false): LedgerProblem[] {
  const check = new LedgerCheck(open, IN_MEMORY, isShared)
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
 * Checks a whole ledger: SQLite's own check, the schema, the chain of checksums, the checksums of the rows of batches, and every derived table and
 * the search, which are built anew from the records in a database of the check, so that each row and each word can be compared. A large ledger takes a
 * while, so the check has steps, between which others can write: `checkFile`, `checkRecords` until it returns false, `checkTables` until it returns
 * false. They throw SQLite's error if the file cannot be read at all.
 */
export class LedgerCheck {
  readonly problems: LedgerProblem[] = []
  /** The runs of which nothing is sent, because their rows are not those that were confirmed. */
  readonly unconfirmedRuns: UnconfirmedRun[] = []
  readonly #own: Database
  readonly #path: string
  readonly #isShared: boolean
  readonly #schema: string
  readonly #searchTable: string
  #end = CHAIN_START
  #lastAccount = 0
  #comparison: Generator<void> | undefined
  /** What is wrong with the tables; as long as it is not all known, the records that others add are taken all the same. */
  readonly #differences: LedgerProblem[] = []
  /** How many rows the tables must have, as far as they were counted, and how many were compared. */
  rows = 0
  comparedRows = 0

  /**
   * The tables that are built anew go to a new private file at `path`, which `close` removes: those of a million payments would fill the
   * memory. `:memory:` is for small ledgers. `isShared` is true for a copy of a shared one. Throws the system's error or SQLite's if the file cannot be written.
   */
  constructor(open: OpenDatabase, path: string, isShared = false) {
    this.#path = path
    this.#isShared = isShared
    if (path !== IN_MEMORY) createPrivateFile(path)
    this.#own = open(path)
    try {
      // Nothing is committed, so only what the cache cannot hold is written.
      this.#own.exec('PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -65536; PRAGMA foreign_keys = OFF; BEGIN')
      this.#own.exec(TABLES)
      this.#schema = schemaOf(this.#own)
      this.#searchTable = this.#own.text("SELECT sql FROM sqlite_schema WHERE name = 'search'") ?? ''
      // Of most payments the words change with their answer, so they are indexed when all are known.
      this.#own.exec(SEARCH_TEXTS)
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
    for (const line of database.texts(`PRAGMA integrity_check(${LISTED_MAX})`)) {
      if (line !== 'ok') this.problems.push({ is: 'damaged-file', found: line })
    }
    if (this.problems.length > 0) return
    if (schemaOf(database) !== this.#schema) this.problems.push({ is: 'other-schema' })
  }

  /** Checks some further records against their checksums, and builds their tables. False after the last record, and if a problem was found. */
  checkRecords(database: Database): boolean {
    if (this.problems.length > 0) return false
    const rows = database.all('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?', this.#end.seq, PAGE_RECORDS)
    if (rows.length > 0) this.#copyAccounts(database)
    this.#copyVerified(database)
    const problem = this.#isShared ? this.#takeShared(database, rows) : this.#takeOwn(database, rows)
    if (problem === undefined) return rows.length > 0
    this.problems.push(problem)
    return false
  }

  /** Checks the records that were written meanwhile, and a part of the tables. False after the last part. */
  checkTables(database: Database): boolean {
    this.#comparison ??= this.#compare(database)
    return this.#comparison.next().done !== true
  }

  close(): void {
    this.#own.close()
    if (this.#path !== IN_MEMORY) rmSync(this.#path, { force: true })
  }

  /** Adds records to the tables of the check, those that follow each other in the chain. */
  #takeOwn(database: Database, rows: readonly Row[]): LedgerProblem | undefined {
    const deriver = new Deriver(this.#own, rows.map(storedRecord))
    for (const row of rows) {
      const problem = this.#taken(row, (record) => {
        const parsed = parseRecord(record)
        this.#copyRunRow(database, parsed)
        insertRecord(this.#own, record)
        deriver.add(parsed)
      })
      if (problem !== undefined) return problem
    }
    return undefined
  }

  /** The same for a copy of a shared ledger, in which some may be refused. */
  #takeShared(database: Database, rows: readonly Row[]): LedgerProblem | undefined {
    const records: ChainedRecord[] = []
    for (const row of rows) {
      const problem = this.#taken(row, (record) => {
        records.push(record)
        if (isReadable(record)) this.#copyRunRow(database, parseRecord(record))
      })
      if (problem !== undefined) return problem
    }
    addSharedRecords(this.#own, records)
    return undefined
  }

  /** Does work with a record, if it is the next one of the chain. */
  #taken(row: Row, work: (record: ChainedRecord) => void): LedgerProblem | undefined {
    const stored = storedRecord(row)
    if (stored.seq !== this.#end.seq + 1) return { is: 'missing-record', seq: this.#end.seq + 1 }
    const digest = chainDigest(this.#end.digest, stored)
    if (digest !== textOf(row, 'digest')) return { is: 'changed-record', seq: stored.seq }
    try {
      work({ ...stored, digest })
    } catch (error) {
      if (error instanceof DamagedRow) return { is: 'changed-batch-row', run: error.run, line: error.line }
      if (error instanceof DamagedRecord) return { is: 'changed-record', seq: error.seq }
      throw error
    }
    this.#end = { seq: stored.seq, digest }
    return undefined
  }

  /** What this machine has verified is in no record either. Another process may verify more meanwhile. */
  #copyVerified(database: Database): void {
    const state = 'SELECT count(*) AS all_rows, total(is_valid) AS valid FROM verified_event'
    const [found, known] = [database.get(state), this.#own.get(state)]
    if (JSON.stringify(found) === JSON.stringify(known)) return
    for (const row of database.all('SELECT scope, digest, is_valid FROM verified_event')) {
      const bytes = { scope: textOf(row, 'scope'), digest: textOf(row, 'digest') }
      noteSignedBytes(this.#own, bytes, row.is_valid === 1)
    }
    deriveVerified(this.#own)
  }

  /** The numbers of accounts are in no record. */
  #copyAccounts(database: Database): void {
    for (const row of database.all('SELECT * FROM account WHERE id > ? ORDER BY id', this.#lastAccount)) {
      this.#lastAccount = integerOf(row, 'id')
      const insert = 'INSERT OR IGNORE INTO account (id, base_url, client_id) VALUES (?, ?, ?)'
      this.#own.run(insert, this.#lastAccount, textOf(row, 'base_url'), textOf(row, 'client_id'))
    }
  }

  /** A payment is found by the cells of its row in a batch, which are in no record of a ledger of one machine. Throws DamagedRow. */
  #copyRunRow(database: Database, record: LedgerRecord): void {
    if (record.type !== 'attempt' || record.place === null) return
    const { run, line } = record.place
    const row = database.get('SELECT * FROM run_row WHERE run = ? AND line = ?', run, line)
    if (row !== undefined) addRunRows(this.#own, { run, rows: [readRunRow(row)] })
  }

  /** Compares everything, with a pause after each part. */
  *#compare(database: Database): Generator<void> {
    yield* this.#checkRunRows(database)
    for (const table of COMPARED_TABLES) {
      this.rows += this.#own.integer(`SELECT count(*) FROM ${table} WHERE ${whereOf(table)}`) ?? 0
    }
    for (const table of COMPARED_TABLES) yield* this.#compareTable(database, table)
    yield* this.#indexWords()
    yield* this.#compareWords(database)
    if (this.problems.length > 0) return
    this.problems.push(...this.#differences)
    if (database.has('SELECT 1 FROM run_row WHERE run NOT IN (SELECT name FROM run) LIMIT 1')) {
      this.problems.push({ is: 'batch-rows-without-run' })
    }
  }

  /** True if the tables of the check hold what all records say, and the next part can be compared. */
  #isUpToDate(database: Database): boolean {
    while (this.checkRecords(database));
    return this.problems.length === 0 && this.#differences.length < LISTED_MAX
  }

  /** Most rows of batches are in no record, so each has a checksum of its own, and all of a run must be those that were confirmed. */
  *#checkRunRows(database: Database): Generator<void> {
    const lastSeq = this.#end.seq
    const sums = new Map<string, RunSum>()
    const query = 'SELECT * FROM run_row WHERE (run, line) > (?, ?) ORDER BY run, line LIMIT ?'
    let after: [run: string, line: number] = ['', 0]
    while (this.problems.length === 0) {
      const rows = database.all(query, ...after, PAGE_ROWS)
      const damaged = rows.flatMap((row) => damagedRow(row, sums) ?? [])
      for (const { run, line } of damaged.slice(0, LISTED_MAX)) {
        this.problems.push({ is: 'changed-batch-row', run, line })
      }
      const last = rows.at(-1)
      if (last === undefined) break
      after = [textOf(last, 'run'), integerOf(last, 'line')]
      yield
    }
    const runs = "SELECT * FROM run JOIN record USING (seq) WHERE state = 'accepted' AND seq <= ?"
    this.unconfirmedRuns.push(...database.all(runs, lastSeq).flatMap((row) => unconfirmedRun(row, sums)))
  }

  *#compareTable(database: Database, table: string): Generator<void> {
    const columns = columnsOf(this.#own, table)
    for (let from: SqlValue[] | undefined; this.#isUpToDate(database); yield) {
      if (table === 'account_rule') takeRuleApprovals(this.#own, database)
      const expected = rowsOf(this.#own, table, { ...columns, from, limit: PAGE_ROWS })
      const to = expected.length < PAGE_ROWS ? undefined : expected.at(-1)?.key
      const found = rowsOf(database, table, { ...columns, from, to, limit: 2 * PAGE_ROWS })
      const room = LISTED_MAX - this.#differences.length
      for (const row of differentRows(expected, found).slice(0, room)) {
        this.#differences.push({ is: 'different-row', table, row })
      }
      this.comparedRows += expected.length
      if (to === undefined) break
      from = to
    }
    yield
  }

  /** Makes the search of the check. Nothing is added to its tables meanwhile. */
  *#indexWords(): Generator<void> {
    this.#own.exec(`ALTER TABLE search RENAME TO search_text; ${this.#searchTable}`)
    for (let from = 0; ; yield) {
      const last = 'SELECT max(rowid) FROM (SELECT rowid FROM search_text WHERE rowid > ? ORDER BY rowid LIMIT ?)'
      const to = this.#own.integer(last, from, PAGE_ROWS)
      if (to === null) return
      this.#own.run(
        `INSERT INTO search (rowid, name, document, cells, words)
         SELECT rowid, name, document, cells, words FROM search_text WHERE rowid > ? AND rowid <= ?`,
        from,
        to,
      )
      from = to
    }
  }

  /** Compares the words of the search, with the places where each occurs. */
  *#compareWords(database: Database): Generator<void> {
    let after = ''
    while (this.#isUpToDate(database)) {
      const [found, expected] = [nextWords(database, after), nextWords(this.#own, after)]
      if (found.words !== expected.words) {
        this.#differences.push({ is: 'different-search' })
        return
      }
      if (expected.last === null) return
      after = expected.last
      yield
    }
  }
}

/** The columns of a table that come from records, and those of its primary key. */
function columnsOf(database: Database, table: string): { key: string[]; compared: string[] } {
  const columns = database.all('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk', table)
  const names = (of: readonly Row[]) => of.map((row) => textOf(row, 'name'))
  const unrecorded = PARTS[table]?.unrecorded ?? []
  return {
    key: names(columns.filter(({ pk }) => pk !== 0)),
    compared: names(columns).filter((name) => !unrecorded.includes(name)),
  }
}

interface ComparedRow {
  key: SqlValue[]
  /** All its compared columns. */
  text: string
}

interface Page extends ReturnType<typeof columnsOf> {
  /** After this key; from the beginning if there is none. */
  from: SqlValue[] | undefined
  to?: SqlValue[] | undefined
  limit: number
}

/** Rows of a table as far as they come from records, by their primary key. */
function rowsOf(database: Database, table: string, { key, compared, from, to, limit }: Page): ComparedRow[] {
  const columns = key.join(', ')
  const bound = (sign: string, values: SqlValue[] | undefined) =>
    values === undefined ? '' : `AND (${columns}) ${sign} (${key.map(() => '?').join(', ')})`
  const rows = database.all(
    `SELECT ${compared.join(', ')} FROM ${table} WHERE (${whereOf(table)}) ${bound('>', from)} ${bound('<=', to)}
     ORDER BY ${columns} LIMIT ?`,
    ...(from ?? []),
    ...(to ?? []),
    limit,
  )
  return rows.map((row) => ({
    key: key.map((column) => (typeof row[column] === 'string' ? row[column] : integerOf(row, column))),
    text: JSON.stringify(row),
  }))
}

/** The keys of the rows that are missing, differ, or should not exist. */
function differentRows(expected: readonly ComparedRow[], found: readonly ComparedRow[]): string[] {
  const [there, meant] = [found, expected].map((rows) => new Set(rows.map(({ text }) => text)))
  const different = [...expected, ...found].filter(({ text }) => there?.has(text) !== meant?.has(text))
  return [...new Set(different.map(({ key }) => key.join(', ')))]
}

function whereOf(table: string): string {
  return PARTS[table]?.where ?? 'TRUE'
}

/**
 * The next words of the search as one text with how often each occurs and a checksum over its payments, columns and positions, and the last of
 * them. A row for each word would take longer to hand over than to find.
 */
function nextWords(database: Database, after: string): { words: string | null; last: string | null } {
  database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_places USING fts5vocab(main, search, 'instance')")
  const row = database.get(NEXT_WORDS, after) ?? {}
  return { words: textOrNull(row, 'words'), last: textOrNull(row, 'last') }
}

/** The file of a check that runs is not used by its name any more; Windows does not remove it. */
function removeLeftOver(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    if (!isSystemError(error) || (error.code !== 'EBUSY' && error.code !== 'EPERM')) throw error
  }
}

/** Adds a row of a run to the sums of its run; returns what is wrong with it instead. */
function damagedRow(row: Row, sums: Map<string, RunSum>): DamagedRow | undefined {
  try {
    const { isLeftOut, rowId, facts } = readRunRow(row)
    const run = textOf(row, 'run')
    const sum = sums.get(run) ?? new RunSum()
    if (!isLeftOut) sum.add(rowId, facts)
    sums.set(run, sum)
    return undefined
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}

/** A run whose rows are not those that a person confirmed. */
export interface UnconfirmedRun extends Pick<StoredRecord, 'user' | 'machine' | 'at'> {
  run: string
  confirmed: RunSums
  found: RunSums
}

function unconfirmedRun(row: Row, sums: ReadonlyMap<string, RunSum>): UnconfirmedRun[] {
  const [rows, totalCents, run] = [integerOf(row, 'rows'), integerOf(row, 'total_cents'), textOf(row, 'name')]
  const confirmed = { rows, totalCents, fingerprint: textOf(row, 'fingerprint') }
  const found = (sums.get(run) ?? new RunSum()).sums
  if (isSameSums(confirmed, found)) return []
  return [{ run, confirmed, found, user: textOf(row, 'user'), machine: textOf(row, 'machine'), at: textOf(row, 'at') }]
}
