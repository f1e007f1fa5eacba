import { hash } from 'node:crypto'
import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import { IS_SENT_ELSEWHERE } from './acceptedBefore.ts'
import { DamagedRow, RECORD_COLUMNS, recordsOf } from './chain.ts'
import type { MoneyPayment } from './facts.ts'
import { IS_OWN_RECORD } from './ledgerNotes.ts'
import { type PaymentState, parsePaymentState, STATE_OR_BEING_SENT } from './paymentState.ts'
import type { LedgerRecord, RunRecord, RunRow, RunRowsRecord } from './records.ts'
import { type HeldRows, heldRunRows, releaseRunRows } from './refusedRecords.ts'
import { isSameSums, RunSum } from './runFingerprint.ts'
import { comparableTarget, PAYMENT_OF_ROW } from './samePayment.ts'

/** A row with its payment; the fields of the payment are null if it has none. */
export type RunRowState = ReturnType<typeof statesOf>[number]

/** How many rows of a run are in each state, or are being sent; without those that were left out. */
export type RunCounts = Readonly<Record<PaymentState | 'being-sent' | 'none', { rows: number; cents: number }>>

/** Changes a row of an unaccepted run, such as after its original was looked up. */
export function replaceRunRow(database: Database, run: string, row: RunRow): void {
  database.run('DELETE FROM run_row WHERE run = ? AND line = ?', run, row.line)
  addRunRow(database, run, row)
}

/** Marks the rows of an unaccepted run from a line on whose payments have an answer or an unknown outcome. */
export function leaveOutAnswered(database: Database, run: string, fromLine: number): void {
  database.run(
    `UPDATE run_row SET is_left_out = 1 FROM run
     WHERE run.name = run_row.run AND run_row.run = ? AND run_row.line >= ? AND is_left_out = 0
       AND EXISTS (SELECT 1 FROM payment WHERE payment.seq = ${PAYMENT_OF_ROW} AND payment.state <> 'not-sent')`,
    run,
    fromLine,
  )
}

/** Up to `limit` rows of a run after a line, with their payments. Throws DamagedRecord for a row that was changed. */
export function runRows(database: Database, run: string, afterLine: number, limit: number): RunRowState[] {
  return statesOf(
    database.all(
      `${SELECT_ROWS} WHERE run_row.run = ? AND run_row.line > ? ORDER BY run_row.line LIMIT ?`,
      run,
      afterLine,
      limit,
    ),
  )
}

/** In SQL, the states of payments that were sent, and of which nothing was paid as far as it is known. */
const UNPAID = "('refused', 'unknown', 'not-paid', 'returned')"

/** {@link runRows}, of those alone whose payments were refused, failed, came back or have an outcome that is unknown as far as this machine can verify. */
export function unpaidRunRows(database: Database, run: string, afterLine: number, limit: number): RunRowState[] {
  return statesOf(
    database.all(
      `${SELECT_ROWS} WHERE run_row.run = ? AND run_row.line > ? AND (payment.state IN ${UNPAID} OR payment.is_unknown = 1)
       ORDER BY run_row.line LIMIT ?`,
      run,
      afterLine,
      limit,
    ),
  )
}

/** What sent the rows of a run that were left out and are not paid: the names of runs, and of single payments; a few of them. */
export function unpaidElsewhere(database: Database, run: string): string[] {
  return database.texts(
    `SELECT DISTINCT coalesce(payment.run, payment.name) FROM run_row JOIN run ON run.name = run_row.run JOIN payment ON payment.seq = ${PAYMENT_OF_ROW}
     WHERE run_row.run = ? AND is_left_out = 1 AND payment.state IN ${UNPAID} ORDER BY payment.seq LIMIT 3`,
    run,
  )
}

/** The rows of a run with a target: the comparable key of a transfer, or the original of a refund. Throws DamagedRecord. */
export function runRowsTo(database: Database, run: string, target: string): RunRowState[] {
  return statesOf(
    database.all(
      `${SELECT_ROWS} WHERE run_row.run = ? AND run_row.comparable_key = ? ORDER BY run_row.line`,
      run,
      target,
    ),
  )
}

/** Up to `limit` targets of the rows of a run to send, after another target, in their order; see {@link runRowsTo}. */
export function runTargets(database: Database, run: string, after: string, limit: number): string[] {
  return database.texts(
    `SELECT DISTINCT comparable_key FROM run_row WHERE run = ? AND comparable_key > ? AND is_left_out = 0
     ORDER BY comparable_key LIMIT ?`,
    run,
    after,
    limit,
  )
}

/** The targets of the transfers of a run about which events arrived after the record with this number, and that failed with a code. */
export function failedTargets(database: Database, run: string, errorCode: string, afterSeq: number): string[] {
  return database.texts(
    `SELECT DISTINCT payment.comparable_key FROM event JOIN payment ON payment.id = event.payment
     WHERE event.seq > ? AND payment.kind = 'transfer' AND payment.error_code = ?
       AND EXISTS (SELECT 1 FROM run_row WHERE run_row.row_id = payment.row_id AND run_row.run = ?)`,
    afterSeq,
    errorCode,
    run,
  )
}

/** Where the events of the rows of a run go, a few of them. */
export function callbackUrlsOfRun(database: Database, run: string): string[] {
  const query = "SELECT DISTINCT facts ->> '$.callbackUrl' FROM run_row WHERE run = ? AND is_left_out = 0 LIMIT 5"
  return database.texts(query, run)
}

/** The UUIDs of the payments of a run whose outcome is unknown although an answer had a code, in the order of the file. */
export function unknownWithCode(database: Database, run: string): string[] {
  const query = "SELECT id FROM payment WHERE run = ? AND state = 'unknown' AND error_code IS NOT NULL ORDER BY line"
  return database.texts(query, run)
}

/** Those of these payments, by their UUIDs, that a run sent. */
export function paymentsOfRun(database: Database, run: string, ids: Iterable<string>): string[] {
  const query = 'SELECT id FROM payment WHERE run = ? AND id IN (SELECT value FROM json_each(?))'
  return database.texts(query, run, JSON.stringify([...ids]))
}

/** Counts and sums of the rows of a run by the state of their payments, of which these, by their UUIDs, are being sent. */
export function countRun(database: Database, run: string, beingSent: Iterable<string>): RunCounts {
  return countRows(database, run, 0, beingSent)
}

/** Counts and sums of the rows that were left out, by the current state of their payments. */
export function countLeftOut(database: Database, run: string): RunCounts {
  return countRows(database, run, 1, [])
}

const SELECT_ROWS = `SELECT run_row.*, payment.id AS payment_id, payment.state AS payment_state, payment.may_have_moved, payment.is_unknown,
    payment.amount_cents AS payment_cents, payment.sent_ms, payment.first_sent_ms, payment.name AS payment_name, payment.status,
    payment.error_code, payment.id_transaction, (${IS_SENT_ELSEWHERE}) AS is_elsewhere
  FROM run_row JOIN run ON run.name = run_row.run LEFT JOIN payment ON payment.seq = ${PAYMENT_OF_ROW}`

function statesOf(rows: readonly Row[]) {
  return rows.map((row) => ({
    row: readRunRow(row),
    /** UUID of the payment. */
    payment: textOrNull(row, 'payment_id'),
    state: stateOrNull(row, 'payment_state'),
    /** True if its outcome is unknown as far as this machine can verify. */
    isUnknown: integerOrNull(row, 'is_unknown') === 1,
    mayHaveMoved: integerOrNull(row, 'may_have_moved') === 1,
    amountCents: integerOrNull(row, 'payment_cents') ?? integerOrNull(row, 'amount_cents'),
    /** When its last request may have left, in ms. */
    sentMs: integerOrNull(row, 'sent_ms'),
    /** When the first byte of the attempt with an unknown outcome may have left, in ms. */
    firstSentMs: integerOrNull(row, 'first_sent_ms'),
    /** The externalId of the attempt that counts; of a refund the id of the original. */
    name: textOrNull(row, 'payment_name'),
    status: textOrNull(row, 'status'),
    errorCode: textOrNull(row, 'error_code'),
    idTransaction: textOrNull(row, 'id_transaction'),
    /** True if another ledger had sent it before this one. */
    isFromElsewhere: integerOrNull(row, 'is_elsewhere') === 1,
  }))
}

function countRows(database: Database, run: string, isLeftOut: 0 | 1, beingSent: Iterable<string>): RunCounts {
  const counts = {
    none: { rows: 0, cents: 0 },
    'being-sent': { rows: 0, cents: 0 },
    'not-sent': { rows: 0, cents: 0 },
    refused: { rows: 0, cents: 0 },
    accepted: { rows: 0, cents: 0 },
    unknown: { rows: 0, cents: 0 },
    paid: { rows: 0, cents: 0 },
    'not-paid': { rows: 0, cents: 0 },
    pending: { rows: 0, cents: 0 },
    returned: { rows: 0, cents: 0 },
  }
  const rows = database.all(
    `SELECT ${STATE_OR_BEING_SENT} AS outcome, count(*) AS rows, sum(coalesce(payment.amount_cents, run_row.amount_cents, 0)) AS cents
     FROM run_row JOIN run ON run.name = run_row.run LEFT JOIN payment ON payment.seq = ${PAYMENT_OF_ROW}
     WHERE run_row.run = ? AND is_left_out = ? GROUP BY outcome`,
    JSON.stringify([...beingSent]),
    run,
    isLeftOut,
  )
  for (const row of rows) {
    const isBeingSent = row.outcome === 'being-sent'
    counts[isBeingSent ? 'being-sent' : (stateOrNull(row, 'outcome') ?? 'none')] = {
      rows: integerOf(row, 'rows'),
      cents: integerOf(row, 'cents'),
    }
  }
  return counts
}

/** The state of the payment of a row; null if it has none. */
function stateOrNull(row: Row, column: string): PaymentState | null {
  const text = textOrNull(row, column)
  return text === null ? null : parsePaymentState(text)
}

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
CREATE INDEX run_row_key ON run_row (run, comparable_key, amount_cents);
-- The id of a row of a batch's file that is not to be sent, because it was not selected, is hidden, or the like.
CREATE TABLE held_row (
  run TEXT NOT NULL REFERENCES run (name),
  row_id TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (row_id, run)
) STRICT, WITHOUT ROWID;`

const IS_RUN_OF_OTHER = `EXISTS (SELECT 1 FROM run JOIN record USING (seq) WHERE run.name = $run AND NOT ${IS_OWN_RECORD})`

/**
 * In SQL, that the file of the run `$run` holds the row with this id, to be sent or not. What another login says that its file holds hides no payment
 * that was made without it.
 */
export function isHeldByRun(rowId: string): string {
  return `((EXISTS (SELECT 1 FROM run_row WHERE run_row.run = $run AND run_row.row_id = ${rowId})
    OR EXISTS (SELECT 1 FROM held_row WHERE held_row.run = $run AND held_row.row_id = ${rowId})) AND NOT ${IS_RUN_OF_OTHER})`
}

/** Notes rows that the file of a run holds and that are not to be sent. */
export function addHeldRows(database: Database, run: string, rowIds: readonly string[]): void {
  for (const id of rowIds)
    database.run('INSERT INTO held_row (run, row_id) VALUES (?, ?) ON CONFLICT DO NOTHING', run, id)
}

/** Adds a row to a run. Throws SQLite's error if the run has a row with this line or id. */
export function addRunRow(database: Database, run: string, row: RunRow, verb = 'INSERT'): void {
  const stored = { facts: JSON.stringify(row.facts), cells: JSON.stringify(row.cells) }
  database.run(
    `${verb} INTO run_row (run, line, row_id, is_typed_id, comparable_key, amount_cents, facts, cells, original_cents, is_left_out, digest)
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

/** Adds those of these rows whose lines and ids are not there yet. */
export function addRunRows(database: Database, { run, rows }: Pick<RunRowsRecord, 'run' | 'rows'>): void {
  for (const row of rows) addRunRow(database, run, row, 'INSERT OR IGNORE')
}

/**
 * Lets those rows of a run count that its record confirms: of those that were written before it, those of its login. Somebody else's count only if the
 * server had lost them and all of the same first writer agree with the record, which those of its login alone do not. `hasRows` is true on the machine that
 * read them from a file.
 */
export function addConfirmedRows(database: Database, record: LedgerRecord<RunRecord>, hasRows: boolean): void {
  const held = heldRunRows(database, record.run)
  const own = held.filter(({ login }) => login === record.login)
  const brought = held.filter(({ firstLogin }) => firstLogin === (record.firstBy?.login ?? record.login))
  const isBrought =
    own.length < held.length && !areConfirmed(database, own, record) && areConfirmed(database, brought, record)
  for (const rows of isBrought ? brought : own) {
    if (!hasRows) addRunRows(database, { run: record.run, rows: readHeldRows(database, rows) })
    releaseRunRows(database, rows)
  }
}

function areConfirmed(database: Database, held: readonly HeldRows[], record: RunRecord): boolean {
  const sum = new RunSum()
  for (const each of held) {
    for (const { isLeftOut, rowId, facts } of readHeldRows(database, each)) if (!isLeftOut) sum.add(rowId, facts)
  }
  return isSameSums(sum.sums, record)
}

function readHeldRows(database: Database, { seq }: HeldRows): readonly RunRow[] {
  const held = database.all(`SELECT ${RECORD_COLUMNS} FROM record WHERE record.seq = ?`, seq)
  return recordsOf(held, 'run-rows').flatMap(({ rows }) => rows)
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
