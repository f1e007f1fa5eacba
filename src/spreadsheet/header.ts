import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { CellFault } from './table.ts'

/** The names under which a row of a kind is read; all are matched without regard to case. */
export interface FieldNames {
  all: readonly string[]
  required: readonly string[]
  /** The one that holds what a row pays or returns. */
  amount?: string
}

/** A file's header: its names, trimmed, and the place of each field. */
export interface FileHeader {
  names: readonly string[]
  places: ReadonlyMap<string, number>
}

/** Which column of the file holds which field, as `--map key=chave,value=valor` says. */
export type Mapping = ReadonlyMap<string, string>

/** What people call the fields, so that a hint can name the column. */
const OTHER_NAMES: Readonly<Record<string, RegExp>> = {
  key: /chave|pix|favorecido/i,
  value: /valor|amount|quantia|montante|total/i,
  amount: /valor|value|quantia|montante|total/i,
  typeKey: /tipo/i,
  originalTransactionId: /transa|transfer|original|e2e|\bid\b/i,
  refundReason: /motivo|reason|raz[aã]o/i,
  documentValidation: /documento?|cpf|cnpj/i,
  callbackUrl: /callback|webhook/i,
}

/** Reads `--map key=chave,value=valor`, given once or more often. Throws UsageError for text of another form, and for an unknown field. */
export function readMapping(typed: readonly string[], fields: FieldNames): Mapping {
  const mapping = new Map<string, string>()
  // A column's name may hold a comma, but hardly one with a word and `=` behind it.
  for (const pair of typed.flatMap((text) => text.split(/,(?=\s*\w+\s*=)/))) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(pair) ?? []
    if (column.trim() === '') {
      throw new UsageError(t`\`--map ${pair.trim()}\` is not a field and a column`, {
        hint: t`Write it like \`--map ${fields.required[0] ?? ''}=name of the column\``,
      })
    }
    const field = fields.all.find((each) => each.toLowerCase() === name.toLowerCase())
    if (field === undefined) throw unknownField(name, fields)
    if (mapping.has(field)) {
      throw new UsageError(t`\`--map\` names two columns for \`${field}\``, { hint: t`Name only one column` })
    }
    mapping.set(field, column.trim())
  }
  return mapping
}

function unknownField(name: string, fields: FieldNames): UsageError {
  const [near] = nearest(name, fields.all)
  const fieldList = fields.all.map((field) => `\`${field}\``).join(', ')
  return new UsageError(t`\`--map\`: there is no field \`${name}\``, {
    hint:
      near === undefined
        ? t`Choose from the fields ${fieldList}`
        : t`Did you mean \`${near}\`? The fields are ${fieldList}`,
  })
}

/** The names of a header and the places of the fields in it. Throws UsageError for a column of `--map` that is missing. */
export function findFields(cells: readonly string[], fields: FieldNames, mapping: Mapping): FileHeader {
  const names = cells.map((cell) => cell.trim())
  const places = new Map<string, number>()
  for (const field of fields.all) {
    const column = mapping.get(field)
    const place = column === undefined ? placeOf(field, names) : placeOf(column, columnNames(names))
    if (place !== -1) places.set(field, place)
    else if (column !== undefined) throw unknownColumn(`--map ${field}=${column}`, column, names)
  }
  return { names, places }
}

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

/** What the columns are called in messages, `--map` and `--ignore-column`: by their number if they have no name. */
export function columnNames(names: readonly string[]): string[] {
  return names.map((name, place) => (name === '' ? `#${place + 1}` : name))
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

function placeOf(column: string, names: readonly string[]): number {
  const exact = names.indexOf(column)
  return exact === -1 ? names.findIndex((name) => name.toLowerCase() === column.toLowerCase()) : exact
}

function unknownColumn(option: string, column: string, names: readonly string[]): UsageError {
  const near = nearest(column, names)
  return new UsageError(t`\`${option}\`: the file has no column \`${column}\``, {
    hint: near.length > 0 ? t`Did you mean ${quotedList(near)}?` : t`Choose from its columns ${quotedList(names)}`,
  })
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

/** Names of columns in backticks, with commas. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
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
