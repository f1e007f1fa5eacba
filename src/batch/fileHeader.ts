import {
  columnNames,
  type FieldNames,
  type FileHeader,
  findFields,
  type Mapping,
  placeOf,
  quotedList,
  unknownColumn,
} from '../spreadsheet/header.ts'
import type { CellFault } from '../spreadsheet/table.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { REFUND_FIELDS, TRANSFER_FIELDS } from './paymentRows.ts'

/** What people call the fields, so that a hint can name the column. */
const OTHER_NAMES: Readonly<Record<string, RegExp>> = { ...TRANSFER_FIELDS.otherNames, ...REFUND_FIELDS.otherNames }

/**
 * Finds the fields in a file's header. `amountColumns` are the columns whose cells are amounts, for the hint. Throws
 * UsageError with a fault for each name that occurs twice, and for a column that is required or that `--map` names and
 * that is missing.
 */
export function readHeader(
  cells: readonly string[],
  line: number,
  fields: FieldNames,
  mapping: Mapping,
  amountColumns: readonly string[] = [],
  row = line,
): FileHeader {
  const header = findFields(cells, fields, mapping)
  const faults = [...repeatedNames(header.names, line, row), ...missingFields(header, line, row, fields)]
  if (faults.length === 0) return header
  const [first] = faults
  throw new UsageError(
    faults.length === 1 && first !== undefined ? first.message : t`The header of the file has ${faults.length} faults`,
    { faults, hint: mappingHint(header, fields, amountColumns) },
  )
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
function mistakenColumns({ names, places }: FileHeader, fields: FieldNames): { column: string; field: string }[] {
  const taken = new Set(places.values())
  const missing = fields.all.filter((field) => !places.has(field))
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
  { names, places }: FileHeader,
  field: string,
  except: ReadonlySet<number> = new Set(),
): string | undefined {
  const taken = new Set([...places.values(), ...except])
  const free = names.filter((name, place) => name !== '' && !taken.has(place))
  const lower = new Map(free.map((name) => [name.toLowerCase(), name]))
  const [near] = nearest(field.toLowerCase(), [...lower.keys()])
  if (near !== undefined) return lower.get(near)
  return free.find((name) => OTHER_NAMES[field]?.test(name))
}

function repeatedNames(names: readonly string[], line: number, row: number): CellFault[] {
  const lower = names.map((name) => name.toLowerCase())
  const repeated = names.filter((name, place) => name !== '' && lower.indexOf(name.toLowerCase()) < place)
  return repeated.map((column) => ({
    row,
    line,
    column,
    message: t`The header has the column \`${column}\` more than once`,
  }))
}

function missingFields({ names, places }: FileHeader, line: number, row: number, fields: FieldNames): CellFault[] {
  return fields.required
    .filter((field) => !places.has(field))
    .map((column) => ({
      row,
      line,
      column,
      message: t`The header has no column \`${column}\`: its columns are ${quotedList(names)}`,
    }))
}

function mappingHint(header: FileHeader, fields: FieldNames, amountColumns: readonly string[]): string {
  const missing = fields.all.filter((field) => !header.places.has(field))
  if (!missing.some((field) => fields.required.includes(field))) return t`Give each column a unique name`
  const [amountColumn] = amountColumns.length === 1 ? amountColumns : []
  const pairs = missing.flatMap((field) => {
    const likely = likelyColumn(header, field)
    const column = field === fields.amount ? (likely ?? amountColumn) : likely
    // Without its column of amounts a file of refunds would return every payment in full.
    const isNeeded = fields.required.includes(field) || (field === fields.amount && (likely ?? amountColumns[0]))
    return isNeeded ? [`${field}=${column ?? '…'}`] : []
  })
  return t`Say which columns these are: \`--map ${shellWord(pairs.join(','))}\``
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
export function headerRemarks(header: FileHeader, fields: FieldNames, kind: 'transfer' | 'refund'): string[] {
  const remarks = mistakenColumns(header, fields).map(
    ({ column, field }) =>
      t`The column \`${column}\` is not sent. If it is meant to be \`${field}\`, add \`--map ${shellWord(`${field}=${column}`)}\``,
  )
  if (kind === 'refund' && !header.places.has('amount')) {
    remarks.push(t`The file has no column \`amount\`, so all that is left of each payment is refunded`)
  }
  return remarks
}
