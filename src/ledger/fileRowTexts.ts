import { isOwnReference } from '../pix/columnHeading.ts'
import { payeeNameColumn } from '../pix/payeeName.ts'
import { type Database, textOf } from '../storage/sqlite.ts'
import type { RunPlace } from './records.ts'
import { readRunRow, stringsOf } from './runRow.ts'
import { placesOf, type Run } from './runs.ts'

/** The place of the column that holds names, by what the run recorded or by its heading; undefined if there is none. */
export function nameColumn({ columns, fields }: Pick<Run, 'columns' | 'fields'>): number | undefined {
  if (fields.name !== undefined) return fields.name
  const place = payeeNameColumn(columns, new Set(Object.values(fields)))
  return place === -1 ? undefined : place
}

/** What the row of a file says of a payment for people; null for what it does not say. */
export interface FileRowTexts {
  name: string | null
  /** The number by which the office finds it, such as that of its invoice. */
  reference: string | null
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
  const { name, references } = textColumns(textOf(row, 'run_columns'), textOf(row, 'run_fields'))
  const { cells } = readRunRow(row)
  const reference = references.map((place) => cells[place]?.trim() ?? '').find((cell) => cell !== '')
  return { name: name === undefined ? null : nameOf(cells[name] ?? ''), reference: reference ?? null }
}

/** The places of the columns with texts for people. */
interface TextColumns {
  name: number | undefined
  references: readonly number[]
}

/** The columns of the run that was asked for last: lists ask for one row of a run after another. */
let lastColumns: { key: string; found: TextColumns } | undefined

function textColumns(columnsJson: string, fieldsJson: string): TextColumns {
  const key = columnsJson + fieldsJson
  if (lastColumns?.key !== key) {
    const columns = stringsOf(columnsJson)
    const references = columns.flatMap((column, place) => (isOwnReference(column) ? [place] : []))
    lastColumns = { key, found: { name: nameColumn({ columns, fields: placesOf(fieldsJson) }), references } }
  }
  return lastColumns.found
}

/** The name in a cell, in which a dash is no name. */
export function nameOf(cell: string): string | null {
  return /[\p{L}\p{N}]/u.test(cell) ? cell.trim() : null
}
