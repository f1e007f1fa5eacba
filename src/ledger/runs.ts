import {
  bestColumn,
  fitsAny,
  HEADINGS,
  headingForms,
  headingsOf,
  type OwnReference,
  type ReferenceColumns,
  referenceColumns,
  referenceIn,
} from '../pix/tableWords.ts'
import { type Database, textOf, textOrNull } from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { livingProcess, type ProcessHolder, type SenderProcess } from './processes.ts'
import type { LedgerRecord, RunPlace, RunRecord } from './records.ts'
import { readRunRow, runRowPages, stringsOf } from './runRows.ts'
import type { Writer } from './writer.ts'

/** A batch before its question is accepted. */
export interface UnacceptedRun
  extends Pick<RunRecord, 'run' | 'kind' | 'owner' | 'file' | 'reference' | 'columns' | 'fields'> {
  /** True if nothing will be sent, so that it keeps no other process from working on the reference. */
  isDryRun: boolean
}

/** A batch whose question was accepted. */
export interface Run extends Pick<UnacceptedRun, 'columns' | 'fields'> {
  record: LedgerRecord<RunRecord>
}

/** Adds an unaccepted run without rows. One of a process that ended is removed first. */
export function addUnacceptedRun(
  writer: Writer,
  { id, open }: SenderProcess,
  folder: string,
  run: UnacceptedRun,
): void {
  const { database } = writer
  for (const row of database.all("SELECT name, worker FROM run WHERE state <> 'accepted'")) {
    const worker = textOrNull(row, 'worker')
    if (worker === id) continue
    if (worker === null || livingProcess(database, open, folder, worker) === undefined)
      dropUnacceptedRun(database, textOf(row, 'name'))
  }
  database.run(
    `INSERT INTO run (name, account, kind, file, reference, columns, fields, state, rows, total_cents, fingerprint, worker)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '', ?)`,
    run.run,
    addAccount(database, { url: run.owner.baseUrl, clientId: run.owner.clientId }),
    run.kind,
    run.file,
    run.reference,
    JSON.stringify(run.columns),
    JSON.stringify(run.fields),
    run.isDryRun ? 'dry-run' : 'planned',
    id,
  )
}

/** Removes a run and its rows unless its question was accepted. */
export function dropUnacceptedRun(database: Database, run: string): void {
  for (const table of ['run_row', 'held_row']) {
    database.run(`DELETE FROM ${table} WHERE run = (SELECT name FROM run WHERE name = ? AND state <> 'accepted')`, run)
  }
  database.run("DELETE FROM run WHERE name = ? AND state <> 'accepted'", run)
}

/** Records that the question of a run was accepted. In a shared ledger its rows are recorded, too, before what confirms them. */
export function acceptRun(writer: Writer, record: Omit<RunRecord, 'type'>): LedgerRecord<RunRecord> {
  const { run } = record
  if (writer.isShared) {
    for (const rows of runRowPages(writer.database, run)) writer.append({ type: 'run-rows', run, rows })
  }
  return writer.append({ type: 'run', ...record })
}

/** An accepted run by its name; undefined if there is none. Throws DamagedRecord. */
export function findRun(database: Database, name: string): Run | undefined {
  const [row] = runRowsOf(database, 'run.name = ?', name)
  return row
}

/** The accepted runs whose names, which are ASCII, begin like this, newest first. Throws DamagedRecord. */
export function runsBeginningWith(database: Database, beginning: string, limit: number): Run[] {
  return runRowsOf(database, 'run.name >= ? AND run.name < ?', beginning, `${beginning}~`).slice(0, limit)
}

/** The accepted runs of an account and a kind, newest first. Throws DamagedRecord. */
export function runsOfAccount(database: Database, account: AccountKey, kind: UnacceptedRun['kind']): Run[] {
  return runRowsOf(database, 'run.account = ? AND run.kind = ?', accountId(database, account), kind)
}

/** All accepted runs, newest first. */
export function listRuns(database: Database): Run[] {
  return runRowsOf(database, '1 = 1')
}

/**
 * Takes a run, or a reference before its rows are read, for this process. Returns the process that holds it already, undefined if this
 * one holds it now. To be called in a write transaction.
 */
export function claimReference(
  { database }: Writer,
  { id, open }: SenderProcess,
  folder: string,
  { owner, kind, reference }: Pick<UnacceptedRun, 'owner' | 'kind' | 'reference'>,
): ProcessHolder | undefined {
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  const workers = database.texts(
    `SELECT DISTINCT worker FROM run
     WHERE reference = ? AND account = ? AND kind = ? AND worker IS NOT NULL AND worker <> ? AND state <> 'dry-run'`,
    reference,
    account,
    kind,
    id,
  )
  for (const worker of workers) {
    const holder = livingProcess(database, open, folder, worker)
    if (holder !== undefined) return holder
  }
  database.run(
    "UPDATE run SET worker = NULL WHERE reference = ? AND account = ? AND kind = ? AND state <> 'dry-run'",
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

/** The accepted runs that a process of this machine works on, unless it has ended. */
export function workersOfRuns(database: Database): { run: string; worker: string }[] {
  const rows = database.all("SELECT name, worker FROM run WHERE state = 'accepted' AND worker IS NOT NULL")
  return rows.map((row) => ({ run: textOf(row, 'name'), worker: textOf(row, 'worker') }))
}

function runRowsOf(database: Database, condition: string, ...values: (string | number)[]): Run[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS}, run.columns, run.fields FROM run JOIN record ON record.seq = run.seq
     WHERE run.state = 'accepted' AND ${condition} ORDER BY run.seq DESC`,
    ...values,
  )
  return rows.flatMap((row) => {
    const record = readRecord(row)
    return record.type === 'run'
      ? [{ record, columns: stringsOf(textOf(row, 'columns')), fields: placesOf(textOf(row, 'fields')) }]
      : []
  })
}

function placesOf(json: string): Record<string, number> {
  const parsed: unknown = JSON.parse(json)
  return isObject(parsed)
    ? Object.fromEntries(Object.entries(parsed).map(([name, place]) => [name, Number(place)]))
    : {}
}

/** The place of the column that holds names, by what the run recorded or by its heading; undefined if there is none. */
export function nameColumn({ columns, fields }: Pick<Run, 'columns' | 'fields'>): number | undefined {
  if (fields.name !== undefined) return fields.name
  const place = bestColumn(columns.map(headingForms), HEADINGS.name.words, new Set(Object.values(fields)))
  return place === -1 ? undefined : place
}

/** What the row of a file says of a payment for people; null for what it does not say. */
export interface FileRowTexts {
  name: string | null
  /** The number by which the office finds it, such as that of its invoice. */
  reference: OwnReference | null
}

/** The texts of the row that a payment comes from. Throws DamagedRow for a row that was changed. */
export function fileRowTexts(database: Database, { run, line }: Pick<RunPlace, 'run' | 'line'>): FileRowTexts {
  const row = database.get(
    `SELECT run_row.*, run.columns AS run_columns, run.fields AS run_fields FROM run_row JOIN run ON run.name = run_row.run
     WHERE run_row.run = ? AND run_row.line = ?`,
    run,
    line,
  )
  if (row === undefined) return { name: null, reference: null }
  return textsIn(readRunRow(row).cells, textColumns(textOf(row, 'run_columns'), textOf(row, 'run_fields')))
}

/** The texts of a row of a run. */
export function rowTexts({ columns, fields }: Pick<Run, 'columns' | 'fields'>, cells: readonly string[]): FileRowTexts {
  return textsIn(cells, textColumns(JSON.stringify(columns), JSON.stringify(fields)))
}

/** The columns of the file of a run, accepted or not, that say something for people. */
export function textColumnsOf(database: Database, run: string): TextColumns {
  const row = database.get('SELECT columns, fields FROM run WHERE name = ?', run)
  return textColumns(
    row === undefined ? '[]' : textOf(row, 'columns'),
    row === undefined ? '{}' : textOf(row, 'fields'),
  )
}

/** What the cells of a row say for people. */
export function textsIn(cells: readonly string[], { name, references }: TextColumns): FileRowTexts {
  return {
    name: name === undefined ? null : nameOf(cells[name] ?? ''),
    reference: referenceIn(cells, references, null),
  }
}

/** The places of columns that are not sent. */
export interface TextColumns {
  name: number | undefined
  references: ReferenceColumns
  /** That of the day until which a row is to be paid; -1 if there is none. */
  due: number
  /** Those of all days on which a row may be to be paid. */
  daysToPay: readonly number[]
}

/** A plain `Data` is the day of payment if it is yet to come. */
const DAYS_TO_PAY = [...headingsOf(['due'], true), ...headingsOf(['date'], false)]

/** The columns of the run that was asked for last: lists ask for one row of a run after another. */
let lastColumns: { key: string; found: TextColumns } | undefined

function textColumns(columnsJson: string, fieldsJson: string): TextColumns {
  const key = columnsJson + fieldsJson
  if (lastColumns?.key !== key) {
    const columns = stringsOf(columnsJson)
    const fields = placesOf(fieldsJson)
    const name = nameColumn({ columns, fields })
    const headings = columns.map(headingForms)
    const due = bestColumn(headings, headingsOf(['due'], true), new Set())
    const daysToPay = [...headings.keys()].filter((place) => fitsAny(headings[place] ?? [], DAYS_TO_PAY))
    lastColumns = {
      key,
      found: { name, references: referenceColumns(columns, fields), due, daysToPay },
    }
  }
  return lastColumns.found
}

/** The name in a cell, in which a dash is no name. */
export function nameOf(cell: string): string | null {
  return /[\p{L}\p{N}]/u.test(cell) ? cell.trim() : null
}
