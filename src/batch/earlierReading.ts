import type { Run } from '../ledger/runs.ts'
import { columnNames, type FileHeader, type Mapping } from '../spreadsheet/header.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { shellWord } from '../text/shellWord.ts'
import { carriedColumns, type ResultPlaces, resultPlaces } from './resultColumns.ts'

/** How the columns of a file were read that was sent before. */
export interface EarlierReading {
  run: string
  /** Null for standard input. */
  file: string | null
  confirmedAt: string
  columns: readonly string[]
  /** The column of each field, by its name. */
  map: Readonly<Record<string, string>>
  /** The columns that were not to be used. */
  ignored: readonly string[]
}

/** How the file of a run was read. */
export function earlierReading({ record, columns, fields }: Run): EarlierReading {
  const { run, file, at: confirmedAt, ignored } = record
  return { run, file, confirmedAt, columns, map: columnMap(columns, fields), ignored }
}

/** Which column is which field, by their names. */
function columnMap(
  columns: readonly string[],
  fields: Readonly<Record<string, number>>,
): Readonly<Record<string, string>> {
  const names = columnNames(columns)
  return Object.fromEntries(Object.entries(fields).map(([field, place]) => [field, names[place] ?? '']))
}

/**
 * How a record is read as the header of an earlier file, by its own names; null unless it has the same headings in the same order. A results
 * file has those of its input.
 */
export function fileColumns(
  { cells }: Pick<TableRecord, 'cells'>,
  { columns, map, ignored }: EarlierReading,
): { mapping: Mapping; ignored: readonly string[] } | null {
  const names = cells.map((cell) => cell.trim())
  const results = resultPlaces(names, new Map())
  const carried = carriedColumns(names, new Map(), results)
  const isSame = carried.columns.length === columns.length && columns.every((name, at) => name === carried.columns[at])
  if (!isSame) return null
  const known = columnNames(columns)
  const inFile = columnNames(names)
  const ownName = (name: string) => inFile[carried.places[known.indexOf(name)] ?? -1] ?? name
  // The ids of a results file are its own.
  const mapped = Object.entries(map).filter(([field]) => results === null || field !== 'externalId')
  return {
    mapping: new Map(mapped.map(([field, column]) => [field, ownName(column)])),
    ignored: ignored.map(ownName),
  }
}

/** True if a header is read as an earlier file was, of which no column was ignored. */
export function isReadAs(
  { names, places, results }: FileHeader & { results: ResultPlaces | null },
  { map, ignored }: EarlierReading,
): boolean {
  const { columns, fields } = carriedColumns(names, places, results)
  const read = Object.entries(columnMap(columns, fields))
  const isSame = read.length === Object.keys(map).length && read.every(([field, column]) => map[field] === column)
  return isSame && ignored.length === 0
}

/** The options that read a record like the header of an earlier file. */
export function readingWords(record: TableRecord, earlier: EarlierReading): string[] {
  const { mapping, ignored } = fileColumns(record, earlier) ?? { mapping: new Map<string, string>(), ignored: [] }
  const pairs = [...mapping].flatMap(([field, column]) =>
    column.toLowerCase() === field.toLowerCase() ? [] : [`${field}=${column}`],
  )
  return [
    ...(pairs.length === 0 ? [] : [`--map ${shellWord(pairs.join(','))}`]),
    ...ignored.map((column) => `--ignore-column ${shellWord(column)}`),
  ]
}
