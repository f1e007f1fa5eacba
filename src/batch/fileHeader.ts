import {
  columnNames,
  type FieldNames,
  type FileHeader,
  findFields,
  hasField,
  placeOf,
  quotedList,
  unknownColumn,
} from '../spreadsheet/header.ts'
import type { CellFault, TableRecord } from '../spreadsheet/table.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { assertNoPaymentAbove, type HeaderQuery } from './headerSearch.ts'
import { type RecognisedColumns, recogniseColumns } from './knownHeadings.ts'
import { REFUND_FIELDS, TRANSFER_FIELDS } from './paymentRows.ts'
import { type ResultPlaces, resultPlaces } from './resultColumns.ts'

/** What people call the fields, so that a hint can name the column. */
const OTHER_NAMES: Readonly<Record<string, RegExp>> = { ...TRANSFER_FIELDS.otherNames, ...REFUND_FIELDS.otherNames }

/** The header of a batch file: where it is, and how its columns were found. */
export interface BatchHeader extends FileHeader {
  /** The record that it was read from. */
  record: TableRecord
  /** The records above it, which are not read. */
  above: readonly TableRecord[]
  /** Where the columns are that pixgate added; null unless the file is one of results. */
  results: ResultPlaces | null
}

/** A header of which it is known whether the file is one of results. */
type FoundHeader = FileHeader & Pick<BatchHeader, 'results'>

/**
 * Reads the header at a place among the first records of a file. `amountColumns` are the columns whose cells are amounts, for the hint. Throws
 * UsageError with a fault for each name that occurs twice, for each field that several columns could be, and for a column that is required or
 * that `--map` names and that is missing; also if a record above the header may be a payment.
 */
export function readHeader(
  record: TableRecord,
  above: readonly TableRecord[],
  query: HeaderQuery,
  amountColumns: readonly string[] = [],
): BatchHeader {
  const { fields, ignored } = query
  const names = record.cells.map((cell) => cell.trim())
  const { mapping, unclear } = recogniseColumns(names, fields, query.mapping, ignored)
  const header = { ...findFields(names, fields, mapping), results: resultPlaces(names, query.mapping) }
  const faults = [
    ...repeatedNames(header.names, record),
    ...unclearFields(unclear, record),
    ...missingFields(header, record, fields),
  ]
  const [first] = faults
  if (first === undefined) {
    assertNoPaymentAbove(above, header.places, query)
    return { ...header, record, above }
  }
  const details =
    above.length === 0 ? [] : [t`Line ${record.line} was taken for the header: \`--header-row\` names another one`]
  throw new UsageError(faults.length === 1 ? first.message : t`The header of the file has ${faults.length} faults`, {
    details,
    faults,
    hint: unclear.size > 0 ? unclearHint(unclear) : mappingHint(header, fields, amountColumns),
  })
}

/** The places of the columns that `--ignore-column` names. Throws UsageError for one that is missing or that is used. */
export function ignoredColumns(ignored: readonly string[], { names, places }: FileHeader): ReadonlySet<number> {
  return new Set(
    ignored.map((column) => {
      const place = placeOf(column.trim(), columnNames(names))
      if (place === -1) throw unknownColumn(`--ignore-column ${column}`, column.trim(), columnNames(names))
      const [field] = [...places].find(([, each]) => each === place) ?? []
      if (field === undefined) return place
      throw new UsageError(t`\`--ignore-column ${column}\`: this column is used as \`${field}\``, {
        hint: t`Omit \`--ignore-column ${column}\`, or rename the column in the file`,
      })
    }),
  )
}

/** The columns that are carried along though their names look like fields that the file does not have. */
function mistakenColumns(
  { names, places, results }: FoundHeader,
  fields: FieldNames,
): { column: string; field: string }[] {
  const taken = new Set([...places.values(), ...(results?.added ?? [])])
  const missing = fields.all.filter((field) => !places.has(field) && fields.shownOnly?.includes(field) !== true)
  return names.flatMap((column, place) => {
    if (taken.has(place) || column === '') return []
    const lower = column.toLowerCase()
    const field = missing.find((each) => nearest(lower, [each.toLowerCase()]).length > 0)
    return field === undefined ? [] : [{ column, field }]
  })
}

/**
 * The column that seems to hold a field that the header does not name; undefined if there is none. Columns at the places
 * `except` do not count.
 */
export function likelyColumn(
  { names, places, results }: FoundHeader,
  field: string,
  except: ReadonlySet<number> = new Set(),
): string | undefined {
  const taken = new Set([...places.values(), ...(results?.added ?? []), ...except])
  const free = names.filter((name, place) => name !== '' && !taken.has(place))
  const lower = new Map(free.map((name) => [name.toLowerCase(), name]))
  const [near] = nearest(field.toLowerCase(), [...lower.keys()])
  if (near !== undefined) return lower.get(near)
  return free.find((name) => OTHER_NAMES[field]?.test(name))
}

function repeatedNames(names: readonly string[], { line, row }: TableRecord): CellFault[] {
  const lower = names.map((name) => name.toLowerCase())
  const repeated = names.filter((name, place) => name !== '' && lower.indexOf(name.toLowerCase()) < place)
  return repeated.map((column) => ({
    row,
    line,
    column,
    message: t`The header has the column \`${column}\` more than once`,
  }))
}

function unclearFields(unclear: RecognisedColumns['unclear'], { line, row }: TableRecord): CellFault[] {
  return [...unclear].map(([field, columns]) => ({
    row,
    line,
    column: columns[0] ?? '',
    message: t`Several columns could be \`${field}\`: ${quotedList(columns)}`,
  }))
}

function missingFields({ names, places }: FileHeader, { line, row }: TableRecord, fields: FieldNames): CellFault[] {
  return fields.required
    .filter((field) => !hasField(fields, field, (each) => places.has(each)))
    .map((column) => ({
      row,
      line,
      column,
      message: t`The header has no column \`${column}\`: its columns are ${quotedList(names)}`,
    }))
}

/** What to type so that each field has one column: one of them for `--map`, the others for `--ignore-column`. */
function unclearHint(unclear: RecognisedColumns['unclear']): string {
  const pairs = [...unclear].map(([field, columns]) => `${field}=${columns[0] ?? ''}`)
  const others = [...unclear.values()].flatMap((columns) => columns.slice(1))
  const ignored = others.map((column) => `--ignore-column ${shellWord(column)}`).join(' ')
  return t`Say which one it is, and ignore the others, such as \`--map ${shellWord(pairs.join(','))} ${ignored}\``
}

function mappingHint(header: FoundHeader, fields: FieldNames, amountColumns: readonly string[]): string {
  const missing = fields.all.filter((field) => !header.places.has(field))
  const isMissing = (field: string) =>
    fields.required.includes(field) && !hasField(fields, field, (each) => header.places.has(each))
  if (!missing.some(isMissing)) return t`Give each column a unique name`
  const [amountColumn] = amountColumns.length === 1 ? amountColumns : []
  const pairs = missing.flatMap((field) => {
    const likely = likelyColumn(header, field) ?? ownerColumn(header, field)
    const column = field === fields.amount ? (likely ?? amountColumn) : likely
    // Without its column of amounts a file of refunds would return every payment in full.
    const isNeeded = isMissing(field) || (field === fields.amount && (likely ?? amountColumns[0]))
    return isNeeded ? [`${field}=${column ?? '…'}`] : []
  })
  return t`Say which columns these are: \`--map ${shellWord(pairs.join(','))}\``
}

/** The column of owners, if the keys may be in it: many are paid to the CPF or CNPJ itself. */
function ownerColumn({ names, places }: FileHeader, field: string): string | undefined {
  const place = places.get('documentValidation')
  return field !== 'key' || place === undefined ? undefined : names[place]
}

/** Suffixes that systems append to the name of a file that was downloaded or copied again. */
const COPIED = /^(.+?)(?: ?\(\d+\)| - (?:copy|c[oó]pia)(?: ?\(\d+\))?| (?:copy|c[oó]pia)(?: \d+)?)$/i

/** A sentence if a file's name looks like that of a copy, whose rows would get other ids than those of the first file. */
export function copiedNameRemark(reference: string): string[] {
  const original = COPIED.exec(reference)?.[1]
  if (original === undefined) return []
  return [
    t`The reference is the name of the file, and \`${reference}\` looks like a copy: rows sent as \`${original}\` have different ids. If it is the same batch, add \`--reference ${shellWord(original)}\``,
  ]
}

/** Sentences about columns that are not used though they look as if they should be. */
export function headerRemarks(header: FoundHeader, fields: FieldNames, kind: 'transfer' | 'refund'): string[] {
  const remarks = mistakenColumns(header, fields).map(
    ({ column, field }) =>
      t`The column \`${column}\` is not sent. If it is meant to be \`${field}\`, add \`--map ${shellWord(`${field}=${column}`)}\``,
  )
  if (kind === 'refund' && !header.places.has('amount')) {
    remarks.push(t`The file has no column \`amount\`, so all that is left of each payment is refunded`)
  }
  return remarks
}
