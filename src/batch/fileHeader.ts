import type { Run } from '../ledger/runs.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { AmbiguousKey, readPixKey } from '../pix/pixKey.ts'
import type { FileContent } from '../spreadsheet/fileContent.ts'
import {
  type CellFault,
  columnNames,
  type FieldNames,
  type FileHeader,
  findFields,
  type HeaderPlace,
  hasField,
  type Mapping,
  placeOf,
  quotedList,
  type TableRecord,
  targetFields,
  unknownColumn,
} from '../spreadsheet/tableRecords.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { REFUND_FIELDS, type RecognisedColumns, recogniseColumns, TRANSFER_FIELDS } from './paymentRows.ts'
import { carriedColumns, type ResultPlaces, resultPlaces, resultsHeaderInEnglish } from './rowResults.ts'

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
function readHeader(
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
function likelyColumn(
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

/** What is needed to read the records of a file. */
export interface Table {
  records: FileContent['records']
  query: HeaderQuery
}

/** A header, and the names of the columns that are not to be used. */
interface LocatedHeader {
  header: BatchHeader
  ignored: readonly string[]
}

/**
 * Finds and reads the header of a file. If an earlier file with these headings was read in another way than this one would be, `acceptEarlier`
 * is asked whether this one is read like it. Throws UsageError if the header has faults.
 */
export async function locateHeader(
  table: Table,
  acceptEarlier: (reading: EarlierReading) => Promise<boolean>,
): Promise<LocatedHeader> {
  const { query } = table
  const records = await firstRecords(table)
  const { index } = findHeaderPlace(records, query)
  const record = records[index]
  if (record === undefined) throw missingHeaderRow(query.row ?? 0)
  const above = records.slice(0, index)
  const plain = headerOrFault(() => readHeader(record, above, query))
  const earlier = query.earlier.find((reading) => fileColumns(record, reading) !== null)
  if (earlier !== undefined && !('header' in plain && isReadAs(plain.header, earlier))) {
    if (await acceptEarlier(earlier)) {
      const like = { ...query, ...fileColumns(record, earlier) }
      return { header: readHeader(record, above, like), ignored: like.ignored }
    }
    if ('fault' in plain) throw asEarlier(plain.fault, record, earlier)
  }
  if ('header' in plain) return { header: plain.header, ignored: query.ignored }
  // Only now is the rest of the file read, because its columns of amounts make a better hint.
  return { header: readHeader(record, above, query, await amountColumnsOf(table, record)), ignored: query.ignored }
}

function headerOrFault(read: () => BatchHeader): { header: BatchHeader } | { fault: UsageError } {
  try {
    return { header: read() }
  } catch (error) {
    if (error instanceof UsageError) return { fault: error }
    throw error
  }
}

/** The fault of a header with a hint to read it like an earlier one. */
function asEarlier({ message, details, faults }: UsageError, record: TableRecord, earlier: EarlierReading): UsageError {
  const words = readingWords(record, earlier).join(' ')
  return new UsageError(message, {
    details: [...details, t`The file ${earlier.file ?? '-'} of the run ${earlier.run} had the same headings`],
    faults,
    hint: t`Add \`${words}\` to read the columns as in that run`,
  })
}

/** The names of the columns below a header that hold amounts and that `--map` does not name. */
async function amountColumnsOf(
  { records, query: { mapping } }: Table,
  header: TableRecord,
): Promise<readonly string[]> {
  const names = header.cells.map((cell) => cell.trim())
  const mapped = new Set([...mapping.values()].map((column) => placeOf(column, columnNames(names))))
  const scan = new AmountColumnScan(
    names,
    [...names.keys()].filter((place) => !mapped.has(place)),
  )
  for await (const record of records()) {
    if ('cells' in record && record.line > header.line) scan.add(record.cells)
    if (scan.isDone) break
  }
  return scan.found().money
}

/** The records among which the header is. Throws UsageError if there are none. */
async function firstRecords({ records, query }: Table): Promise<TableRecord[]> {
  const first: TableRecord[] = []
  for await (const record of records()) {
    if ('message' in record) {
      if (findHeaderPlace(first, query).isComplete) break
      const { line, row, place, message } = record
      throw new UsageError(t`The header cannot be read: ${message}`, {
        faults: [{ row, line, column: `#${place + 1}`, message }],
        hint: t`Correct line ${line}`,
      })
    }
    first.push({ ...record, cells: resultsHeaderInEnglish(record.cells) })
    if (first.length === soughtRecords(query)) break
  }
  if (first.length > 0) return first
  throw new UsageError(t`The file is empty`, {
    hint: t`Begin it with a line of names, such as \`${query.fields.all.join(',')}\``,
  })
}

function missingHeaderRow(row: number): UsageError {
  return new UsageError(t`\`--header-row ${row}\`: the file has nothing in this row`, {
    hint: t`Give the number that the spreadsheet shows beside the header, or omit \`--header-row\``,
  })
}

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
function assertNoPaymentAbove(
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

/** Columns of a file of which every cell that is not empty is an amount. */
interface AmountColumns {
  /** Those with decimals or `R$` in at least one cell. */
  money: readonly string[]
  /** Those with whole numbers only, which may as well be counts or codes. */
  wholeNumbers: readonly string[]
}

interface Column {
  hasCells: boolean
  isMoney: boolean
}

/** Finds the columns of amounts among those at the given places, from the rows that are added. */
export class AmountColumnScan {
  readonly #names: readonly string[]
  readonly #columns: Map<number, Column>

  constructor(names: readonly string[], places: readonly number[]) {
    this.#names = names
    this.#columns = new Map(places.map((place) => [place, { hasCells: false, isMoney: false }]))
  }

  /** True if no column can hold amounts any more, which mostly is known after the first row. */
  get isDone(): boolean {
    return this.#columns.size === 0
  }

  add(cells: readonly string[]): void {
    if (cells.length === this.#names.length) judgeCells(this.#columns, cells)
  }

  found(): AmountColumns {
    const shown = columnNames(this.#names)
    const listOf = (isMoney: boolean) =>
      [...this.#columns]
        .filter(([, column]) => column.hasCells && column.isMoney === isMoney)
        .map(([place]) => shown[place] ?? '')
    return { money: listOf(true), wholeNumbers: listOf(false) }
  }
}

/**
 * Rejects a file with amounts that would not be used, because a column under an unexpected name is the likeliest way to
 * pay or return another amount than meant. Throws UsageError.
 */
export function assertAmountsUsed(header: FileHeader, { money }: AmountColumns, fields: FieldNames): void {
  if (money.length === 0) return
  const message =
    money.length === 1
      ? t`The column ${quotedList(money)} holds amounts, but it is not used`
      : t`The columns ${quotedList(money)} hold amounts, but they are not used`
  throw new UsageError(message, { hint: unusedHint(header, money, fields.amount ?? '') })
}

/** Rejects a refund file without amounts unless `isFull`. Columns at the places `ignored` are not asked about. Throws UsageError. */
export function assertAmountsPresent(
  header: BatchHeader,
  { wholeNumbers }: AmountColumns,
  { isFull, ignored }: { isFull: boolean; ignored: ReadonlySet<number> },
): void {
  if (header.places.has('amount')) return
  const likely = likelyColumn(header, 'amount', ignored)
  if (likely !== undefined) {
    throw new UsageError(t`The header has no column \`amount\`, but \`${likely}\` looks like one`, {
      hint: t`Add \`--map ${shellWord(`amount=${likely}`)}\` if it holds the amounts to return, or \`--ignore-column ${shellWord(likely)}\` if it does not`,
    })
  }
  if (isFull) return
  const [column] = wholeNumbers
  throw new UsageError(t`The file has no column \`amount\``, {
    hint:
      column === undefined
        ? t`Add a column \`amount\`, or add \`--full\` to refund all that is left of each payment`
        : t`Add \`--map ${shellWord(`amount=${column}`)}\` if it holds the amounts; add \`--full\` only to refund all that is left of each payment`,
  })
}

function unusedHint(header: FileHeader, money: readonly string[], field: string): string {
  const options = money.map((column) => `--ignore-column ${shellWord(column)}`).join(' ')
  const place = header.places.get(field)
  if (place !== undefined) {
    return t`Check that \`${header.names[place] ?? field}\` holds the right amounts, then add \`${options}\``
  }
  const [column = ''] = money
  if (money.length === 1) {
    return t`Add \`--map ${shellWord(`${field}=${column}`)}\` if it holds the amounts to return, or \`${options}\` if it does not`
  }
  return t`Add \`--map ${shellWord(`${field}=${column}`)}\` for the one that holds the amounts to return, and \`--ignore-column\` for the others`
}

function judgeCells(columns: Map<number, Column>, cells: readonly string[]): void {
  for (const [place, column] of columns) {
    const text = (cells[place] ?? '').trim()
    if (text === '') continue
    if (!isAmountOrZero(text)) {
      columns.delete(place)
      continue
    }
    column.hasCells = true
    column.isMoney ||= /^R\$|[.,]\d{1,2}$/.test(text)
  }
}

function isAmountOrZero(text: string): boolean {
  return /^(?:R\$\s?)?\d[\d.,]*$/.test(text) && tryParseAmount(text, { zeroAllowed: true }) !== null
}

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
function fileColumns(
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
function isReadAs(
  { names, places, results }: FileHeader & { results: ResultPlaces | null },
  { map, ignored }: EarlierReading,
): boolean {
  const { columns, fields } = carriedColumns(names, places, results)
  const read = Object.entries(columnMap(columns, fields))
  const isSame = read.length === Object.keys(map).length && read.every(([field, column]) => map[field] === column)
  return isSame && ignored.length === 0
}

/** The options that read a record like the header of an earlier file. */
function readingWords(record: TableRecord, earlier: EarlierReading): string[] {
  const { mapping, ignored } = fileColumns(record, earlier) ?? { mapping: new Map<string, string>(), ignored: [] }
  const pairs = [...mapping].flatMap(([field, column]) =>
    column.toLowerCase() === field.toLowerCase() ? [] : [`${field}=${column}`],
  )
  return [
    ...(pairs.length === 0 ? [] : [`--map ${shellWord(pairs.join(','))}`]),
    ...ignored.map((column) => `--ignore-column ${shellWord(column)}`),
  ]
}
