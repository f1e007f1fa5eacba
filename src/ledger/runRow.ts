import { hash } from 'node:crypto'
import { type Database, integerOf, integerOrNull, type Row, textOf } from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import { DamagedRow } from './chain.ts'
import type { MoneyPayment } from './facts.ts'
import type { RunRow, RunRowsRecord } from './records.ts'
import { comparableTarget } from './samePayment.ts'

/** The table of the rows of batches, as they were read. */
export const RUN_ROW_TABLE = `-- A row of a batch's file. facts is the payment as JSON (see MoneyPayment), cells the row's own cells as JSON. original_cents: the amount of
-- the payment that a refund returns, NULL if it was not asked for. is_left_out: 1 if the payment had been sent before this run, so that it is
-- only shown. digest is the hex SHA-256 over what was read from the file.
CREATE TABLE run_row (
  run TEXT NOT NULL REFERENCES run (name),
  line INTEGER NOT NULL,
  row_id TEXT NOT NULL COLLATE NOCASE,
  is_typed_id INTEGER NOT NULL,
  comparable_key TEXT NOT NULL,
  amount_cents INTEGER,
  facts TEXT NOT NULL,
  cells TEXT NOT NULL,
  original_cents INTEGER,
  is_left_out INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (run, line)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX run_row_id ON run_row (row_id, run);
CREATE INDEX run_row_key ON run_row (run, comparable_key, amount_cents);`

/** Adds a row to a run. Throws SQLite's error if the run has a row with this line or id. */
export function addRunRow(database: Database, run: string, row: RunRow): void {
  const stored = { facts: JSON.stringify(row.facts), cells: JSON.stringify(row.cells) }
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

/** How many rows of a run one record holds. */
const PAGE_ROWS = 500

/** The rows of a run as they were read, in pages for one record each. Throws DamagedRow. */
export function* runRowPages(database: Database, run: string): Generator<RunRow[]> {
  const query = 'SELECT * FROM run_row WHERE run = ? AND line > ? ORDER BY line LIMIT ?'
  for (let after = -1; ; ) {
    const rows = database.all(query, run, after, PAGE_ROWS).map(readRunRow)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.line
  }
}

/** Adds those of these rows that are not there yet: the machine that planned the run has them. */
export function addRunRows(database: Database, { run, rows }: Pick<RunRowsRecord, 'run' | 'rows'>): void {
  for (const row of rows) {
    const known = database.get('SELECT 1 FROM run_row WHERE run = ? AND line = ?', run, row.line)
    if (known === undefined) addRunRow(database, run, row)
  }
}

/** A damaged row must be noticed before it is sent. */
function rowDigest(
  run: string,
  { line, rowId, isTypedId, originalCents }: Pick<RunRow, 'line' | 'rowId' | 'isTypedId' | 'originalCents'>,
  { facts, cells }: { facts: string; cells: string },
): string {
  return hash('sha256', JSON.stringify([run, line, rowId, isTypedId, facts, cells, originalCents]))
}

/** Reads a row of the table `run_row`. Throws DamagedRow if it does not match its checksum. */
export function readRunRow(row: Row): RunRow {
  const run = textOf(row, 'run')
  const stored = { facts: textOf(row, 'facts'), cells: textOf(row, 'cells') }
  const line = integerOf(row, 'line')
  const rowId = textOf(row, 'row_id')
  const isTypedId = integerOf(row, 'is_typed_id') === 1
  const originalCents = integerOrNull(row, 'original_cents')
  const digest = rowDigest(run, { line, rowId, isTypedId, originalCents }, stored)
  if (digest !== textOf(row, 'digest')) throw new DamagedRow(run, line)
  const facts: unknown = JSON.parse(stored.facts)
  if (!isPayment(facts)) throw new DamagedRow(run, line)
  const isIndexed = row.comparable_key === comparableTarget(facts) && row.amount_cents === facts.amountCents
  if (!isIndexed) throw new DamagedRow(run, line)
  const isLeftOut = integerOf(row, 'is_left_out') === 1
  return { line, rowId, isTypedId, facts, cells: stringsOf(stored.cells), originalCents, isLeftOut }
}

/** The checksum was made by pixgate over what pixgate wrote, so a known kind means a matching shape. */
function isPayment(value: unknown): value is MoneyPayment {
  return isObject(value) && (value.kind === 'transfer' || value.kind === 'refund')
}

/** The texts of a JSON array. */
export function stringsOf(json: string): string[] {
  const parsed: unknown = JSON.parse(json)
  return Array.isArray(parsed) ? parsed.map(String) : []
}
