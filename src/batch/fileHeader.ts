import type { Run } from '../ledger/runs.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { valueOrError } from '../pix/expectedError.ts'
import { keyTypeOfHeader } from '../pix/keyTypeWords.ts'
import { keyTypeOf, mayBePixKey } from '../pix/pixKey.ts'
import { fitsAny, HEADINGS, headingForms, isMeasure, isMoneyHeading, isNoOwner } from '../pix/tableWords.ts'
import { comparableTaxDocument, isTaxDocument } from '../pix/taxDocument.ts'
import type { FileContent } from '../spreadsheet/fileContent.ts'
import {
  assertHeader,
  assertInReais,
  fieldOf,
  findHeader,
  forPrinter,
  type HeaderRecord,
  headerRecord,
  isCompleteHeader,
  isForPrinter,
  likelyColumns,
  type Mapping,
  mappingHint,
  readColumns,
  SOUGHT_RECORDS,
  severalAmountsHint,
  type TableColumns,
} from '../spreadsheet/tableHeader.ts'
import {
  cellOf,
  columnNames,
  type FileHeader,
  type HeaderFinder,
  placeOf,
  quotedList,
  type TableRecord,
  unknownColumn,
} from '../spreadsheet/tableRecords.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { PAYMENT_TABLES, type PaymentSpec } from './paymentRows.ts'
import { carriedColumns, type ResultPlaces, resultPlaces, resultsHeaderInEnglish } from './rowResults.ts'

/** The header of a batch file: where it is, and how its columns were found. */
export interface BatchHeader extends TableColumns, HeaderRecord {
  /** Where the columns are that pixgate added; null unless the file is one of results. */
  results: ResultPlaces | null
}

/**
 * Reads the header of a file. `amountColumns` are the columns whose cells are amounts, for the hint. Throws UsageError if it has faults; also if a
 * record above it may be a payment.
 */
function readHeader(place: HeaderRecord, query: HeaderQuery, amountColumns: readonly string[] = []): BatchHeader {
  const { record, above } = place
  const columns = readColumns(record.cells, query)
  const results = resultPlaces(columns.names, query.typed)
  if (!isCompleteHeader(columns, query) && isForPrinter(record)) throw forPrinter()
  assertHeader(columns, query, record, {
    missing: severalKeysHint(columns, query) ?? mappingHint(columns, query, amountColumns, results?.added),
    repeated: t`Give each column a unique name`,
    details:
      above.length === 0 ? [] : [t`Line ${record.line} was taken for the header: \`--header-row\` names another one`],
  })
  assertInReais(columns, [query.amount])
  assertNoPaymentAbove(above, columns, query)
  return { ...columns, ...place, results }
}

/** What to do with a file that may have the keys of its rows in a column for each type; undefined for any other. */
function severalKeysHint(columns: TableColumns, spec: PaymentSpec): string | undefined {
  const { names, places } = columns
  if (spec.fields.key === undefined || spec.needed[0]?.some((field) => places.has(field))) return undefined
  // `Qual é a sua chave Pix?` beside `CPF` and `E-mail`, which only say who answered.
  const [first] = likelyColumns(columns, spec, 'key')
  if (first !== undefined && keyTypeOfHeader(first) === null) return undefined
  const likely = names.filter((name) => keyTypeOfHeader(name) !== null)
  const types = new Set(names.flatMap((name) => keyTypeOfHeader(name) ?? []).map(keyTypeOf))
  if (types.size < 2) return undefined
  return t`Put the key of each row into one column \`Chave Pix\`, and its type into a column \`Tipo\`; if all keys are in one of the columns ${quotedList(likely)}, name it with \`--map ${shellWord('key=…')}\``
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

/** Sentences about columns that are carried along though their names look like fields that the file does not have. */
export function headerRemarks(header: BatchHeader, { fields, shownOnly, amount }: PaymentSpec): string[] {
  const { names, places, results } = header
  const taken = new Set([...places.values(), ...(results?.added ?? [])])
  const missing = Object.keys(fields).filter((field) => !places.has(field) && field !== shownOnly)
  const remarks = names.flatMap((column, place) => {
    const lower = column.toLowerCase()
    const field = missing.find((each) => nearest(lower, [each.toLowerCase()]).length > 0)
    if (taken.has(place) || column === '' || field === undefined) return []
    return [
      t`The column \`${column}\` is not sent. If it is meant to be \`${field}\`, add \`--map ${shellWord(`${field}=${column}`)}\``,
    ]
  })
  if (!places.has(amount))
    remarks.push(t`The file has no column \`amount\`, so all that is left of each payment is refunded`)
  return remarks
}

/** What is needed to read the records of a file. */
interface Table {
  records: FileContent['records']
  query: HeaderQuery
}

/**
 * Finds and reads the header of a file, and the names of the columns that are not to be used. If an earlier file with these headings was read in
 * another way than this one would be, `acceptEarlier` is asked whether this one is read like it. Throws UsageError if the header has faults.
 */
export async function locateHeader(
  table: Table,
  acceptEarlier: (reading: EarlierReading) => Promise<boolean>,
): Promise<{ header: BatchHeader; ignored: readonly string[] }> {
  const { query: plainQuery } = table
  const found = await headerRecord(table, headerFinder(plainQuery))
  if (found === undefined) throw plainQuery.row === null ? emptyFile(plainQuery) : missingHeaderRow(plainQuery.row)
  const place = { ...found, record: inEnglish(found.record) }
  const query = { ...plainQuery, misnamed: await otherDocuments(table, place.record) }
  const plain = headerOrFault(() => readHeader(place, query))
  const earlier = query.earlier.find((reading) => fileColumns(place.record, reading) !== null)
  if (earlier !== undefined && !('header' in plain && isReadAs(plain.header, earlier))) {
    if (await acceptEarlier(earlier)) {
      const like = { ...query, ...fileColumns(place.record, earlier) }
      return { header: readHeader(place, like), ignored: like.ignored }
    }
    if ('fault' in plain) throw asEarlier(plain.fault, place.record, earlier)
  }
  if ('header' in plain) return { header: plain.header, ignored: query.ignored }
  // Only now is the rest of the file read, because its columns of amounts make a better hint.
  return { header: readHeader(place, query, await amountColumnsOf(table, place.record)), ignored: query.ignored }
}

/** The places of the columns `Documento` that are your reference: in a row with a key or a payee one of their cells is no CPF or CNPJ. */
async function otherDocuments({ records, query }: Table, header: TableRecord): Promise<ReadonlySet<number>> {
  if (query.orElse?.documentValidation !== 'document') return new Set()
  const { names, places } = readColumns(header.cells, query)
  const [targets = []] = query.needed
  const named = [...names.keys()].filter((place) => fitsAny(headingForms(names[place] ?? ''), HEADINGS.document.words))
  const others = new Set<number>()
  const owners = new Set<number>()
  for await (const record of records()) {
    if (others.size === named.length) break
    if (!('cells' in record) || record.line <= header.line) continue
    if (targets.every((field) => cellOf({ places }, record.cells, field) === '')) continue
    for (const place of named) {
      const cell = (record.cells[place] ?? '').trim()
      if (!isNoOwner(cell)) (isTaxDocument(comparableTaxDocument(cell)) ? owners : others).add(place)
    }
  }
  return new Set(named.filter((place) => others.has(place) || !owners.has(place)))
}

function headerOrFault(read: () => BatchHeader): { header: BatchHeader } | { fault: UsageError } {
  const header = valueOrError(UsageError, read)
  return header instanceof UsageError ? { fault: header } : { header }
}

function asEarlier({ message, details, faults }: UsageError, record: TableRecord, earlier: EarlierReading): UsageError {
  const words = readingWords(record, earlier).join(' ')
  return new UsageError(message, {
    details: [...details, t`The file ${earlier.file ?? '-'} of the run ${earlier.run} had the same headings`],
    faults,
    hint: t`Add \`${words}\` to read the columns as in that run`,
  })
}

/** The names of the columns below a header that hold amounts and that `--map` does not name. */
async function amountColumnsOf({ records, query: { typed } }: Table, header: TableRecord): Promise<readonly string[]> {
  const names = header.cells.map((cell) => cell.trim())
  const mapped = new Set([...typed.values()].map((column) => placeOf(column, columnNames(names))))
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

function emptyFile({ fields }: PaymentSpec): UsageError {
  return new UsageError(t`The file is empty`, {
    hint: t`Begin it with a line of names, such as \`${Object.keys(fields).join(',')}\``,
  })
}

function missingHeaderRow(row: number): UsageError {
  return new UsageError(t`\`--header-row ${row}\`: the file has nothing in this row`, {
    hint: t`Give the number that the spreadsheet shows beside the header, or omit \`--header-row\``,
  })
}

/** What the header of a file must have, and what was typed about it. */
export interface HeaderQuery extends PaymentSpec {
  typed: Mapping
  /** The values of `--ignore-column`. */
  ignored: readonly string[]
  /** The value of `--header-row`: its row, as a spreadsheet counts it; null if the header is to be found. */
  row: number | null
  /** How files that were sent before were read, if nothing was typed about the columns; the best first. */
  earlier: readonly EarlierReading[]
}

const SHOWN_LINES = 5
const SHOWN_CHARACTERS = 60

/** Finds the header among the first records of a file: the row that was typed, else one that has the columns, else that of a file that was sent before. */
export function headerFinder(query: HeaderQuery): HeaderFinder {
  const count = Math.max(SOUGHT_RECORDS, query.row ?? 0)
  const placeOfFirst = (records: readonly TableRecord[], isIt: (record: TableRecord) => boolean) => {
    const index = records.findIndex(isIt)
    return { index, isComplete: index !== -1 }
  }
  return {
    records: count,
    place(first) {
      const records = first.slice(0, count).map(inEnglish)
      if (query.row !== null) return placeOfFirst(records, ({ row }) => row === query.row)
      const found = findHeader(records, query)
      if (found.isComplete) return found
      const known = placeOfFirst(records, (record) => query.earlier.some((each) => fileColumns(record, each) !== null))
      return known.isComplete ? known : found
    },
  }
}

function inEnglish(record: TableRecord): TableRecord {
  return { ...record, cells: [...resultsHeaderInEnglish(record.cells)] }
}

/**
 * Throws UsageError if a record above the header may be a payment, which would not be sent. In a header that was found that is any record
 * with a key and an amount; in one that was typed, one that has them in the columns of these fields.
 */
function assertNoPaymentAbove(above: readonly TableRecord[], columns: FileHeader, query: HeaderQuery): void {
  const [target, inItsPlace] = query.needed[0] ?? []
  const isInColumns = ({ cells }: TableRecord) =>
    (isTarget(cellOf(columns, cells, target), query) || cellOf(columns, cells, inItsPlace) !== '') &&
    isAmount(cellOf(columns, cells, query.amount))
  const isAnywhere = ({ cells }: TableRecord) =>
    cells.some((cell, place) => isTarget(cell, query) && cells.some((other, at) => at !== place && isAmount(other)))
  const payment = above.find((record) => isInColumns(record) || (query.row === null && isAnywhere(record)))
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

function isAmount(cell: string): boolean {
  return tryParseAmount(cell.trim()) !== null
}

/** True for text that a payment of this kind can go to: a PIX key, or the id of a payment. */
export function isTarget(cell: string, { fields }: PaymentSpec): boolean {
  const text = cell.trim()
  if (fields.key === undefined) return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)
  return mayBePixKey(text)
}

/** Columns of a file of which every cell that is not empty is an amount. */
interface AmountColumns {
  /** Those whose heading says that they are money, or with decimals or `R$` in at least one cell. */
  money: readonly string[]
  /** Those with whole numbers only, which may as well be counts or codes. */
  wholeNumbers: readonly string[]
}

/** Finds the columns of amounts among those at the given places, from the rows that are added. */
export class AmountColumnScan {
  readonly #names: readonly string[]
  readonly #columns: Map<number, { hasCells: boolean; isMoney: boolean; isNamedMoney: boolean }>

  constructor(names: readonly string[], places: readonly number[]) {
    this.#names = names
    this.#columns = new Map(
      places.map((place) => {
        const isNamedMoney = isMoneyHeading(names[place] ?? '')
        return [place, { hasCells: false, isMoney: isNamedMoney, isNamedMoney }]
      }),
    )
  }

  /** True if no column can hold amounts any more, which mostly is known after the first row. */
  get isDone(): boolean {
    return this.#columns.size === 0
  }

  add(cells: readonly string[]): void {
    if (cells.length !== this.#names.length) return
    for (const [place, column] of this.#columns) {
      const text = (cells[place] ?? '').trim()
      if (NO_AMOUNT.test(text)) continue
      column.hasCells ||= /[1-9]/.test(text)
      column.isMoney ||= (isMeasure(this.#names[place] ?? '') ? /^R\$/ : /^R\$|[.,]\d{1,2}$/).test(text)
      if (!isAmountOrZero(text) && !(column.isNamedMoney && WRITTEN_MONEY.test(text))) this.#columns.delete(place)
    }
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
export function assertAmountsUsed(header: FileHeader, { money }: AmountColumns, query: HeaderQuery): void {
  if (money.length === 0) return
  const message =
    money.length === 1
      ? t`The column ${quotedList(money)} holds amounts, but it is not used`
      : t`The columns ${quotedList(money)} hold amounts, but they are not used`
  throw new UsageError(message, { hint: unusedHint(header, money, query) })
}

/** Rejects a refund file without amounts unless `isFull`. Columns at the places `ignored` are not asked about. Throws UsageError. */
export function assertAmountsPresent(
  header: BatchHeader,
  { wholeNumbers }: AmountColumns,
  { isFull, ignored }: { isFull: boolean; ignored: ReadonlySet<number> },
): void {
  if (header.places.has('amount')) return
  const unused = new Set([...(header.results?.added ?? []), ...ignored])
  const [likely, ...others] = likelyColumns(header, PAYMENT_TABLES.refund, 'amount', unused)
  if (likely !== undefined) {
    if (others.length > 0) {
      throw new UsageError(t`The header has no column \`amount\``, {
        hint: severalAmountsHint('amount', [likely, ...others]),
      })
    }
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

function unusedHint(header: FileHeader, money: readonly string[], { amount, typed }: HeaderQuery): string {
  const options = money.map((column) => `--ignore-column ${shellWord(column)}`).join(' ')
  const place = header.places.get(amount)
  if (place !== undefined) {
    const column = header.names[place] ?? amount
    return typed.has(amount) || !money.some(isMoneyHeading)
      ? t`Check that \`${column}\` holds the right amounts, then add \`${options}\``
      : severalAmountsHint(amount, [column, ...money])
  }
  const [column = ''] = money
  return money.length === 1
    ? t`Add \`--map ${shellWord(`${amount}=${column}`)}\` if it holds the amounts to return, or \`${options}\` if it does not`
    : severalAmountsHint(amount, money)
}

/** What people write where there is no amount. */
const NO_AMOUNT = /^(?:(?:R\$)?[^\p{L}\d]*|n\/?[ad]\.?)$/iu

/** What people write in a column of money beside plain amounts: thousands without decimals, a sign. */
const WRITTEN_MONEY = /^[(-]?\s?(?:R\$)?\s?-?\s?\d[\d.,]*\)?-?$/

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

/** The columns of a file by what they are read as. */
export function columnMap(
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
): { typed: Mapping; ignored: readonly string[] } | null {
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
    typed: new Map(mapped.map(([field, column]) => [field, ownName(column)])),
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
  const { typed, ignored } = fileColumns(record, earlier) ?? { typed: new Map<string, string>(), ignored: [] }
  const pairs = [...typed].flatMap(([field, column]) =>
    column.toLowerCase() === field.toLowerCase() || fieldOf(field) !== field ? [] : [`${field}=${column}`],
  )
  return [
    ...(pairs.length === 0 ? [] : [`--map ${shellWord(pairs.join(','))}`]),
    ...ignored.map((column) => `--ignore-column ${shellWord(column)}`),
  ]
}
