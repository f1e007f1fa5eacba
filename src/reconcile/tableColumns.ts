import { type FieldNames, type FileHeader, findFields, type Mapping, quotedList } from '../spreadsheet/header.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The fields of a table of payments that another program wrote. */
type TableField = 'id' | 'amount' | 'status' | 'date'

/** What of a table is read, and what it must have. */
export interface TableSpec extends FieldNames {
  all: readonly TableField[]
  /** The columns that the table must have; their cells must not be empty. */
  required: readonly TableField[]
  /** True if one id a line without a header is enough, and cells may be missing at the end of a line. */
  isList: boolean
}

/** What the columns are called in English and in Portuguese, the best name first. */
const NAMES: Readonly<Record<TableField, readonly RegExp[]>> = {
  id: [
    /^idtransaction$|^id_transaction$/,
    /^id$|^e2e|^endtoend/,
    /^(id|codigo|numero|identificador) (da |do |de )?(transacao|pagamento|operacao|pix)$|^identificador$|^txid$/,
    /^externalid$|^id externo$|^external id$|^requestnumber$/,
    /^codigo$|^transacao$|^documento$/,
  ],
  amount: [/^amount$/, /^value$|^valor$/, /^valor\b|^montante$|^quantia$/, /\b(r\$|brl)/],
  status: [/^status$/, /^situacao$|^estado$/, /^status\b|^situacao\b/],
  date: [/^date$/, /^data$|^dia$/, /^data\b|^dia\b|^date\b/],
}
/** The columns by which the results of a batch are recognised. */
const RESULTS_COLUMNS = ['outcome', 'externalId', 'sentAt'] as const

/** The columns of a table: where its fields are, and what is said of them. */
export interface TableColumns extends FileHeader {
  places: ReadonlyMap<string, number>
  /** True for the results of a batch, which have more fields: `externalId` and `outcome`. */
  isResults: boolean
  recognised: readonly string[]
  unused: readonly string[]
}

/** A list of ids without a header. */
export const PLAIN_LIST: TableColumns = {
  names: ['id'],
  places: new Map([['id', 0]]),
  isResults: false,
  recognised: [],
  unused: [],
}

/**
 * Finds the fields in the first record of a table: the columns that were typed, and for every other field the one with a matching name.
 * Undefined if it is not a header but the first of a list of ids. Throws UsageError for a column that is missing or not clear.
 */
export function tableColumns(cells: readonly string[], spec: TableSpec, typed: Mapping): TableColumns | undefined {
  const names = cells.map((cell) => cell.trim())
  // A missing column of `--map` is reported before others are guessed.
  findFields(names, spec, typed)
  const mapping = completeMapping(names, spec.all, typed)
  if (spec.isList && !mapping.has('id') && names.length === 1) return undefined
  const missing = spec.required.find((field) => !mapping.has(field))
  if (missing !== undefined) throw missingColumn(missing, names, spec, mapping)
  const repeated = [...mapping].find(([, column]) => names.filter((name) => isSameName(name, column)).length > 1)
  if (repeated !== undefined) throw repeatedColumn(repeated[1])
  const lower = names.map((name) => name.toLowerCase())
  const resultsPlaces = RESULTS_COLUMNS.map((name) => [name, lower.indexOf(name.toLowerCase())] as const)
  const isResults = spec.isList && resultsPlaces.every(([, place]) => place !== -1)
  const { places } = findFields(names, spec, mapping)
  const used = new Set(places.values())
  return {
    names,
    places: new Map([...places, ...(isResults ? resultsPlaces : [])]),
    isResults,
    recognised: isResults ? [] : recognisedColumns(mapping, typed),
    unused: isResults ? [] : names.filter((_, place) => !used.has(place)),
  }
}

/** True for a name that a column of one of these fields may have. */
export function isKnownColumn(name: string, spec: TableSpec, typed: Mapping): boolean {
  return (
    [...typed.values()].some((column) => isSameName(column, name)) ||
    spec.all.some((field) => columnFor(field, [name]) !== undefined)
  )
}

export function withoutAccents(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

function completeMapping(names: readonly string[], fields: readonly TableField[], typed: Mapping): Mapping {
  const mapping = new Map(typed)
  for (const field of fields) {
    if (mapping.has(field)) continue
    const column = columnFor(field, names)
    if (column !== undefined && ![...mapping.values()].includes(column)) mapping.set(field, column)
  }
  return mapping
}

function columnFor(field: TableField, names: readonly string[]): string | undefined {
  for (const pattern of NAMES[field]) {
    const found = names.find((name) => pattern.test(withoutAccents(name)))
    if (found !== undefined) return found.trim()
  }
  return undefined
}

/** The columns whose names say more than that they are the fields. */
function recognisedColumns(mapping: Mapping, typed: Mapping): string[] {
  return [...mapping].flatMap(([field, column]) => {
    const isPlain = isSameName(column, field) || isSameName(column, 'idTransaction')
    return isPlain || typed.has(field) ? [] : [`${field}=${column}`]
  })
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function missingColumn(field: TableField, names: readonly string[], spec: TableSpec, found: Mapping): UsageError {
  const taken = [...found.values()]
  const free = names.filter((name) => name !== '' && !taken.includes(name))
  const missing = spec.required.filter((each) => !found.has(each))
  const pairs = missing.map((each, index) => `${each}=${free[index] ?? '…'}`).join(',')
  return new UsageError(
    t`The header has no column \`${field === 'id' ? 'idTransaction' : field}\`: its columns are ${quotedList(names)}`,
    { hint: t`Give the column that name, or say which it is, such as \`--map "${pairs}"\`` },
  )
}

function repeatedColumn(column: string): UsageError {
  return new UsageError(t`The header has the column \`${column}\` more than once`, {
    hint: t`Give each of these columns a unique name, then run the command again`,
  })
}
