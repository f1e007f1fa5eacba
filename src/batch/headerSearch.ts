import { tryParseAmount } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { AmbiguousKey, readPixKey } from '../pix/pixKey.ts'
import { columnNames, type FieldNames, hasField, type Mapping, placeOf, targetFields } from '../spreadsheet/header.ts'
import type { HeaderPlace, TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type EarlierReading, fileColumns } from './earlierReading.ts'
import { recogniseColumns } from './knownHeadings.ts'
import { resultsHeaderInEnglish } from './resultColumns.ts'

/** What the header of a file must have, and what was typed about it. */
export interface HeaderQuery {
  fields: FieldNames
  mapping: Mapping
  /** The values of `--ignore-column`. */
  ignored: readonly string[]
  /** The value of `--header-row`: its row, as a spreadsheet counts it; null if the header is to be found. */
  row: number | null
  /** How files that were sent before were read, if nothing was typed about the columns; the best first. */
  earlier: readonly EarlierReading[]
}

/** A header is sought among this many records. */
const SOUGHT_RECORDS = 50
/** How much of the lines above a header is shown. */
const SHOWN_LINES = 5
const SHOWN_CHARACTERS = 60

/** How many records must be read to find the header: all up to the row that was typed. */
export function soughtRecords({ row }: Pick<HeaderQuery, 'row'>): number {
  return Math.max(SOUGHT_RECORDS, row ?? 0)
}

/**
 * Finds the header among the first records of a table: the row that was typed, else the first that has the columns of every required field
 * and of `--map`. If none has them, the one that has most of them, for the error.
 */
export function findHeaderPlace(records: readonly TableRecord[], query: HeaderQuery): HeaderPlace {
  const sought = records
    .slice(0, soughtRecords(query))
    .map((record) => ({ ...record, cells: resultsHeaderInEnglish(record.cells) }))
  if (query.row !== null) {
    const index = sought.findIndex(({ row }) => row === query.row)
    return { index, isComplete: index !== -1 }
  }
  let best: { index: number; likeness: number } = { index: 0, likeness: 0 }
  for (const [index, { cells }] of sought.entries()) {
    const { likeness, isComplete } = judgeHeader(cells, query)
    if (isComplete) return { index, isComplete }
    if (likeness > best.likeness) best = { index, likeness }
  }
  const known = query.earlier.length === 0 ? -1 : sought.findIndex((record) => isKnownHeader(record, query))
  return known === -1 ? { index: best.index, isComplete: false } : { index: known, isComplete: true }
}

/** True for the header of a file that was sent before. */
function isKnownHeader(record: TableRecord, { earlier }: HeaderQuery): boolean {
  return earlier.some((reading) => fileColumns(record, reading) !== null)
}

/** Whether the cells are a complete header, and how much they look like one: by fields, then by words, then by the number of names. */
function judgeHeader(cells: readonly string[], { fields, mapping, ignored }: HeaderQuery) {
  const names = cells.map((cell) => cell.trim())
  const shown = columnNames(names)
  const isThere = (column: string) => placeOf(column, shown) !== -1
  const recognised = recogniseColumns(names, fields, mapping, ignored).mapping
  const found = fields.all.filter((field) => isThere(recognised.get(field) ?? field))
  const words = Object.values(fields.otherNames ?? {}).filter((pattern) => names.some((name) => pattern.test(name)))
  const filled = names.filter((name) => name !== '')
  const isFound = (field: string) => found.includes(field)
  const isComplete =
    [...mapping.values()].every(isThere) && fields.required.every((field) => hasField(fields, field, isFound))
  return { likeness: found.length * 1e8 + words.length * 1e6 + filled.length, isComplete }
}

/**
 * Throws UsageError if a record above the header may be a payment, which would not be sent. In a header that was found that is any record
 * with a key and an amount; in one that was typed, one that has them in the columns of these fields.
 */
export function assertNoPaymentAbove(
  above: readonly TableRecord[],
  places: ReadonlyMap<string, number>,
  { fields, row }: HeaderQuery,
): void {
  const [target = '', inItsPlace = ''] = targetFields(fields)
  const isInColumns = ({ cells }: TableRecord) =>
    (isTarget(cellAt(cells, places.get(target)), fields) || cellAt(cells, places.get(inItsPlace)).trim() !== '') &&
    isAmount(cellAt(cells, places.get(fields.amount ?? '')))
  const isAnywhere = ({ cells }: TableRecord) =>
    cells.some((cell, place) => isTarget(cell, fields) && cells.some((other, at) => at !== place && isAmount(other)))
  const payment = above.find((record) => isInColumns(record) || (row === null && isAnywhere(record)))
  if (payment === undefined) return
  const isSure = isInColumns(payment)
  throw new UsageError(t`Line ${payment.line} is above the header, but it holds what a payment has`, {
    details: [t`Line ${payment.line}: ${recordText(payment)}`, t`Nothing was sent`],
    hint: isSure
      ? t`Move line ${payment.line} below the header if it is a payment, or delete it, then save the file`
      : t`Move line ${payment.line} below the header if it is a payment; if it is not, name the header's line with \`--header-row\``,
  })
}

/** A sentence about the lines above the header, which are not read; none if there are none. */
export function skippedLinesRemark(above: readonly TableRecord[]): string[] {
  return above.length === 0 ? [] : [t`The lines above the header are not read: ${linesText(above)}`]
}

/** The first of some lines, and how many more there are. */
export function linesText(lines: readonly TableRecord[]): string {
  const shown = lines.slice(0, SHOWN_LINES).map((record) => t`line ${record.line} \`${recordText(record)}\``)
  const unshown = lines.length - shown.length
  return [...shown, ...(unshown > 0 ? [t`${unshown} more`] : [])].join(', ')
}

/** The beginning of a record, on one line. */
export function recordText({ cells }: Pick<TableRecord, 'cells'>): string {
  const text = cells
    .map((cell) => cell.trim().replace(/\s+/g, ' '))
    .filter((cell) => cell !== '')
    .join(' | ')
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}

function cellAt(cells: readonly string[], place: number | undefined): string {
  return place === undefined ? '' : (cells[place] ?? '')
}

function isAmount(cell: string): boolean {
  return tryParseAmount(cell.trim()) !== null
}

/** True for text that a payment of this kind can go to: a PIX key, or the id of a payment. */
export function isTarget(cell: string, { required }: FieldNames): boolean {
  const text = cell.trim()
  if (!required.includes('key')) return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)
  try {
    readPixKey(text)
    return true
  } catch (error) {
    if (error instanceof AmbiguousKey) return true
    if (error instanceof Malformed) return false
    throw error
  }
}
