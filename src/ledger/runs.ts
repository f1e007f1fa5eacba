import { createHash } from 'node:crypto'
import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import type { Writer } from './append.ts'
import { DamagedRow, RECORD_COLUMNS, readRecord } from './chain.ts'
import type { PaymentState } from './derivePayment.ts'
import { livingProcess, type ProcessHolder, type SenderProcess } from './processes.ts'
import { accountRow, comparableTarget } from './project.ts'
import type { LedgerRecord, MoneyPayment, Owner, RunRecord } from './records.ts'

/** A row of a batch's file as the ledger keeps it. */
export interface RunRow {
  line: number
  /** Its externalId, typed or derived; what a refund is known by in its reference. */
  rowId: string
  isTypedId: boolean
  facts: MoneyPayment
  /** All cells of the row, in the order of the file's columns. */
  cells: readonly string[]
  /** The amount in cents of the payment that a refund returns; null if it was not asked for. */
  originalCents: number | null
  /** True if it had been sent before this run, so that it is only shown. */
  isLeftOut: boolean
}

/** A batch before its question is accepted. */
export interface PlannedRun {
  run: string
  kind: 'transfer' | 'refund'
  owner: Owner
  file: string | null
  reference: string
  /** The names of the file's columns. */
  columns: readonly string[]
}

/** A batch whose question was accepted. */
export interface Run {
  record: LedgerRecord<RunRecord>
  columns: readonly string[]
}

/** A row with the payment that stands for it; state null if it has none. */
export interface RunRowState {
  row: RunRow
  payment: string | null
  state: PaymentState | null
}

/** How many rows of a run are in each state; without those that were left out. */
export type RunCounts = Readonly<Record<PaymentState | 'none', { rows: number; cents: number }>>

/** Adds a planned run without rows. A planned run of a process that ended is removed first. */
export function planRun(writer: Writer, { id, open }: SenderProcess, folder: string, plan: PlannedRun): void {
  const { database } = writer
  for (const row of database.all("SELECT name, worker FROM run WHERE state = 'planned'")) {
    const worker = textOrNull(row, 'worker')
    if (worker === id) continue
    if (worker === null || livingProcess(database, open, folder, worker) === undefined)
      dropPlannedRun(database, textOf(row, 'name'))
  }
  database.run(
    `INSERT INTO run (name, account, kind, file, reference, columns, state, rows, total_cents, fingerprint, worker)
     VALUES (?, ?, ?, ?, ?, ?, 'planned', 0, 0, '', ?)`,
    plan.run,
    accountRow(database, plan.owner),
    plan.kind,
    plan.file,
    plan.reference,
    JSON.stringify(plan.columns),
    id,
  )
}

/** Adds a row to a planned run. Throws SQLite's error if the run has a row with this line or id. */
export function addRunRow(database: Database, run: string, row: RunRow): void {
  const stored = storedColumns(row)
  database.run(
    `INSERT INTO run_row (run, line, row_id, is_typed_id, comparable_key, amount_cents, facts, cells, original_cents, is_left_out, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run,
    row.line,
    row.rowId,
    row.isTypedId ? 1 : 0,
    comparableTarget(row.facts),
    row.facts.amountCents,
    stored.facts,
    stored.cells,
    row.originalCents,
    row.isLeftOut ? 1 : 0,
    rowDigest(run, row, stored),
  )
}

/** Changes a row of a planned run, such as after its original was looked up. */
export function replaceRunRow(database: Database, run: string, row: RunRow): void {
  database.run('DELETE FROM run_row WHERE run = ? AND line = ?', run, row.line)
  addRunRow(database, run, row)
}

/** Removes a run whose question was not accepted. */
export function dropPlannedRun(database: Database, run: string): void {
  database.run("DELETE FROM run_row WHERE run = (SELECT name FROM run WHERE name = ? AND state = 'planned')", run)
  database.run("DELETE FROM run WHERE name = ? AND state = 'planned'", run)
}

/** Records that the question of a run was accepted. */
export function acceptRun(writer: Writer, record: Omit<RunRecord, 'type'>): LedgerRecord<RunRecord> {
  return writer.append({ type: 'run', ...record })
}

/** An accepted run by its name; undefined if there is none. Throws DamagedRecord. */
export function findRun(database: Database, name: string): Run | undefined {
  const [row] = runRowsOf(database, 'run.name = ?', name)
  return row
}

/** All accepted runs, newest first. */
export function listRuns(database: Database): Run[] {
  return runRowsOf(database, '1 = 1')
}

/**
 * Takes a run, or a reference before its rows are planned, for this process. Returns the process that holds it already, undefined if this
 * one holds it now. To be called in a write transaction.
 */
export function claimReference(
  { database }: Writer,
  { id, open }: SenderProcess,
  folder: string,
  { owner, kind, reference }: Pick<PlannedRun, 'owner' | 'kind' | 'reference'>,
): ProcessHolder | undefined {
  const account = accountRow(database, owner)
  const workers = database.all(
    'SELECT DISTINCT worker FROM run WHERE reference = ? AND account = ? AND kind = ? AND worker IS NOT NULL AND worker <> ?',
    reference,
    account,
    kind,
    id,
  )
  for (const row of workers) {
    const holder = livingProcess(database, open, folder, textOf(row, 'worker'))
    if (holder !== undefined) return holder
  }
  database.run(
    'UPDATE run SET worker = NULL WHERE reference = ? AND account = ? AND kind = ?',
    reference,
    account,
    kind,
  )
  return undefined
}

/** Notes that this process works on a run; null when it has finished. */
export function setRunWorker(database: Database, run: string, worker: string | null): void {
  database.run('UPDATE run SET worker = ? WHERE name = ?', worker, run)
}

/** Up to `limit` rows of a run after a line, with the state of their payments. Throws DamagedRecord for a row that was changed. */
export function runRows(database: Database, run: string, afterLine: number, limit: number): RunRowState[] {
  const rows = database.all(
    `SELECT run_row.*, payment.id AS payment_id, payment.state AS payment_state
     FROM run_row JOIN run ON run.name = run_row.run
     LEFT JOIN payment ON payment.seq = ${PAYMENT_OF_ROW}
     WHERE run_row.run = ? AND run_row.line > ? ORDER BY run_row.line LIMIT ?`,
    run,
    afterLine,
    limit,
  )
  return rows.map((row) => ({
    row: readRunRow(row),
    payment: textOrNull(row, 'payment_id'),
    state: stateOf(textOrNull(row, 'payment_state')),
  }))
}

/** Counts and sums of the rows of a run by the state of their payments. */
export function countRun(database: Database, run: string): RunCounts {
  const counts = {
    none: { rows: 0, cents: 0 },
    'not-sent': { rows: 0, cents: 0 },
    refused: { rows: 0, cents: 0 },
    accepted: { rows: 0, cents: 0 },
    unknown: { rows: 0, cents: 0 },
    paid: { rows: 0, cents: 0 },
    'not-paid': { rows: 0, cents: 0 },
    returned: { rows: 0, cents: 0 },
  }
  const rows = database.all(
    `SELECT payment.state AS state, count(*) AS rows, sum(coalesce(run_row.amount_cents, payment.amount_cents, 0)) AS cents
     FROM run_row JOIN run ON run.name = run_row.run
     LEFT JOIN payment ON payment.seq = ${PAYMENT_OF_ROW}
     WHERE run_row.run = ? AND is_left_out = 0 GROUP BY payment.state`,
    run,
  )
  for (const row of rows) {
    counts[stateOf(textOrNull(row, 'state')) ?? 'none'] = {
      rows: integerOf(row, 'rows'),
      cents: integerOf(row, 'cents'),
    }
  }
  return counts
}

/** The newest payment of the run's account with the id, target and amount of a row. */
const PAYMENT_OF_ROW = `(SELECT max(same.seq) FROM payment same WHERE same.row_id = run_row.row_id AND same.account = run.account
  AND same.kind = run.kind AND same.comparable_key = run_row.comparable_key AND same.amount_cents IS run_row.amount_cents)`

function runRowsOf(database: Database, condition: string, ...values: string[]): Run[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS}, run.columns FROM run JOIN record ON record.seq = run.seq
     WHERE run.state = 'accepted' AND ${condition} ORDER BY run.seq DESC`,
    ...values,
  )
  return rows.flatMap((row) => {
    const record = readRecord(row)
    return record.type === 'run' ? [{ record, columns: stringsOf(textOf(row, 'columns')) }] : []
  })
}

function storedColumns({ facts, cells }: RunRow): { facts: string; cells: string } {
  return { facts: JSON.stringify(facts), cells: JSON.stringify(cells) }
}

/** A damaged row must be noticed before it is sent. */
function rowDigest(
  run: string,
  { line, rowId, isTypedId, originalCents, isLeftOut }: Omit<RunRow, 'facts' | 'cells'>,
  { facts, cells }: { facts: string; cells: string },
): string {
  return createHash('sha256')
    .update(JSON.stringify([run, line, rowId, isTypedId, facts, cells, originalCents, isLeftOut]))
    .digest('hex')
}

/** Reads a row of the table `run_row`. Throws DamagedRow if it does not match its checksum. */
export function readRunRow(row: Row): RunRow {
  const run = textOf(row, 'run')
  const stored = { facts: textOf(row, 'facts'), cells: textOf(row, 'cells') }
  const read = {
    line: integerOf(row, 'line'),
    rowId: textOf(row, 'row_id'),
    isTypedId: integerOf(row, 'is_typed_id') === 1,
    originalCents: integerOrNull(row, 'original_cents'),
    isLeftOut: integerOf(row, 'is_left_out') === 1,
  }
  if (rowDigest(run, read, stored) !== textOf(row, 'digest')) throw new DamagedRow(run, read.line)
  const facts: unknown = JSON.parse(stored.facts)
  if (!isPayment(facts)) throw new DamagedRow(run, read.line)
  const isIndexed = row.comparable_key === comparableTarget(facts) && row.amount_cents === facts.amountCents
  if (!isIndexed) throw new DamagedRow(run, read.line)
  return { ...read, facts, cells: stringsOf(stored.cells) }
}

/** The checksum was made by pixgate over what pixgate wrote, so a known kind means a matching shape. */
function isPayment(value: unknown): value is MoneyPayment {
  return isObject(value) && (value.kind === 'transfer' || value.kind === 'refund')
}

function stringsOf(json: string): string[] {
  const parsed: unknown = JSON.parse(json)
  return Array.isArray(parsed) ? parsed.map(String) : []
}

function stateOf(text: string | null): PaymentState | null {
  switch (text) {
    case 'not-sent':
    case 'refused':
    case 'accepted':
    case 'unknown':
    case 'paid':
    case 'not-paid':
    case 'returned':
      return text
    default:
      return null
  }
}
