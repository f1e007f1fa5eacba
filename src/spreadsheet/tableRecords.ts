import { CsvError, Parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { safeText } from '../text/safeText.ts'
import { nearest } from '../text/suggest.ts'
import { declared, t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** What may separate the cells of a file. */
export type Delimiter = ',' | ';' | '\t' | '|'

/** The names of the delimiters in English. */
export const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': declared`comma`,
  ';': declared`semicolon`,
  '|': declared`vertical bar`,
  '\t': declared`tab`,
}

/** If several delimiters are possible, the first of these is used. */
const DELIMITERS: readonly Delimiter[] = [';', '\t', '|', ',']

/**
 * One record of a file: the line of the file on which it begins, and the row under which a spreadsheet shows it. Both count from 1; they
 * differ below cells with line breaks.
 */
export interface TableRecord {
  line: number
  row: number
  cells: string[]
  /** True if the spreadsheet does not show the row. */
  isHidden?: boolean
  /** What a workbook says of cells beside their texts, by their places; undefined if it says nothing. */
  notes?: ReadonlyMap<number, CellNote> | undefined
  /** The comments of its cells, each without line breaks; undefined for none. */
  comments?: readonly string[] | undefined
}

/** What a workbook says of a cell beside its text. */
export interface CellNote {
  isStruck?: boolean
  /** True if a conditional format may strike it through. */
  isPerhapsStruck?: boolean
  /** What it holds, if it shows something else, or a number with more than two decimals. */
  held?: string
  /** The merged cells below which it is, so that the spreadsheet does not show it. */
  coveredBy?: string
  /** What merged cells that begin in a row above show in it. */
  fromAbove?: string
}

/** True if a cell of the row holds something that it does not show. */
export function holdsOther({ notes }: Pick<TableRecord, 'notes'>): boolean {
  return [...(notes?.values() ?? [])].some(({ held }) => held !== undefined)
}

/** The name of a cell in a spreadsheet, such as `B7`: its place from 0, and its row from 1. */
export function cellName(place: number, row: number): string {
  let letters = ''
  for (let left = place; left >= 0; left = Math.floor(left / 26) - 1)
    letters = String.fromCharCode(65 + (left % 26)) + letters
  return `${letters}${row}`
}

/** Where the header is among the first records of a table; `index` is -1 if it is not there. */
export interface HeaderPlace {
  index: number
  /** False if it lacks columns that the file must have. */
  isComplete: boolean
}

/** Finds the header of a table. */
export interface HeaderFinder {
  /** Among how many of the first records it is. */
  records: number
  place(records: readonly TableRecord[]): HeaderPlace
}

/** What is wrong in a file and where: the row as a spreadsheet counts it, the line, and the column by the file's own name for it. */
export interface CellFault {
  /** Not known of rows that were looked up later. */
  row?: number
  line: number
  column: string
  message: string
}

/** That only the first of these faults are listed; none if all are. */
export function unlisted(count: number, listed: number): string[] {
  return count > listed ? [t`The first ${listed} are listed`] : []
}

/** The file cannot be read beyond the record that begins on `line`; `place` is the index of the broken cell. */
export interface BrokenRecord {
  line: number
  row: number
  place: number
  message: string
}

/** What cannot be read of a file, as a fault in the column that `names` have at its place. */
export function brokenFault({ row, line, place, message }: BrokenRecord, names: readonly string[] = []): CellFault {
  return { row, line, column: names[place] ?? `#${place + 1}`, message }
}

const LINE_RULES = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
const RECORD_CHARACTERS_MAX = 1_000_000
/** The number of records in which the header of a file with titles is looked for. */
const HEADER_RECORDS_MAX = 1000
/** The line above the header by which Excel names the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?$/i

/**
 * The delimiter of a file whose text begins with `beginning`: the one that a line `sep=;` names, else the one that splits a line, most likely
 * the header, into the most names that are known, else the one that splits the first line into the most cells.
 */
export function detectDelimiter(beginning: string, isKnown: (name: string) => boolean): Delimiter {
  const [firstLine = ''] = beginning.trimStart().split(/[\r\n]/, 1)
  const named = DELIMITERS.find((delimiter) => delimiter === SEPARATOR_LINE.exec(firstLine)?.[1])
  if (named !== undefined) return named
  let best: { delimiter: Delimiter; known: number; cells: number } = { delimiter: ',', known: 0, cells: 1 }
  for (const delimiter of DELIMITERS.filter((each) => beginning.includes(each))) {
    const records = firstRecords(beginning, delimiter).filter((record) => record.length > 1)
    const known = mostKnown(records, isKnown)
    const cells = records[0]?.length ?? 1
    if (known > best.known || (known === best.known && cells > best.cells)) best = { delimiter, known, cells }
  }
  return best.delimiter
}

/** How many cells of the record with the most known ones are known. One that cannot have more than those before it is not looked at further. */
function mostKnown(records: readonly (readonly string[])[], isKnown: (name: string) => boolean): number {
  let most = 0
  for (const record of records) {
    let [known, left] = [0, record.length]
    for (const cell of record) {
      if (known + left <= most) break
      if (isKnown(cell)) known += 1
      left -= 1
    }
    most = Math.max(most, known)
  }
  return most
}

/** True for the record of a line `sep=;`, which is not a row of the table. */
export function isSeparatorLine({ line, cells }: Pick<TableRecord, 'line' | 'cells'>, delimiter: Delimiter): boolean {
  return line === 1 && SEPARATOR_LINE.test(cells.join(delimiter))
}

/**
 * Puts records into an array at once: those in the buffer of a stream are lost when it fails, and `on_record` takes
 * a third of the time of the parser.
 */
class RecordParser extends Parser {
  readonly #delimiter: Delimiter
  readonly #arrived: string[][]

  constructor(delimiter: Delimiter, arrived: string[][]) {
    super({ ...LINE_RULES, delimiter, relax_quotes: true, max_record_size: RECORD_CHARACTERS_MAX })
    this.#delimiter = delimiter
    this.#arrived = arrived
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null)
    this.#arrived.push(unwrapped(record, this.#delimiter))
    return true
  }
}

/**
 * The records of a text, as in RFC 4180: any of the three line ends, quoted line breaks, `""` for a quote. Empty
 * lines and lines of empty cells are skipped, but counted. A quote inside a cell that does not begin with one is a character, as spreadsheets read it. Reading
 * ends at any other misplaced quote, because where the next record begins would be a guess.
 */
export async function* readRecords(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<TableRecord | BrokenRecord> {
  const arrived: string[][] = []
  let line = 1
  let row = 1
  const parser = new RecordParser(delimiter, arrived)
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure = error
  })
  // Nothing is pushed to the readable side; it is read so that the stream can end.
  parser.resume()

  let recent: readonly string[][] = []
  let lastCharacter = ''
  // The text of the records that arrive next.
  let source = ''
  let searchedTo = 0
  let isMisquoted = false

  /** True if a cell begins with a quote that is not a doubled one in a quoted cell. */
  function isMisplaced(cell: string): boolean {
    if (!cell.trimStart().startsWith('"')) return false
    const found = source.indexOf(`"${cell.replaceAll('"', '""')}"`, searchedTo)
    searchedTo = found + 1
    return found === -1
  }

  function* arrivedRecords(): Generator<TableRecord | BrokenRecord> {
    const all = arrived.splice(0)
    recent = [...recent.slice(-RECENT_RECORDS), ...all]
    for (const cells of all) {
      const place = cells.findIndex(isMisplaced)
      isMisquoted = place !== -1
      if (isMisquoted) return yield { line, row, place, message: quoteFault('') }
      if (cells.some((cell) => cell.trim() !== '')) yield { line, row, cells }
      // A spreadsheet obeys the line `sep=;` and does not show it.
      if (line > 1 || !SEPARATOR_LINE.test(cells.join(delimiter))) row += 1
      line += 1 + lineBreaks(cells)
    }
  }

  for await (const text of texts) {
    lastCharacter = text.at(-1) ?? lastCharacter
    source += text
    await new Promise<void>((resolve) => parser.write(text, () => resolve()))
    const hasArrived = arrived.length > 0
    yield* arrivedRecords()
    if (parser.errored || isMisquoted) break
    if (hasArrived) [source, searchedTo] = [source.slice(-text.length - LOOKAHEAD), 0]
  }
  if (isMisquoted) return
  if (!parser.errored) await new Promise<void>((resolve) => parser.end(() => resolve()))
  const [torn] = arrived
  if (torn !== undefined && !/[\r\n]/.test(lastCharacter) && isTorn(torn, recent)) {
    yield { line, row, place: torn.length - 1, message: tornFault() }
    return
  }
  yield* arrivedRecords()
  const error = failure ?? parser.errored
  if (error) yield brokenRecord(error, line, row)
}

/** At least as many characters as the parser keeps back until it sees more. */
const LOOKAHEAD = 16
/** How many records are compared with the last one. */
const RECENT_RECORDS = 50
const SUM = /^\W*(?:sub)?(?:tota|soma|saldo)/i
const DAY_LIKE = /^\d{1,4}[/.-]\d|^\d{8}$|^\d{1,2} \p{L}{3}/u

/**
 * True if the last record of a file, which has no line end, has fewer cells than those that begin like it, or less of a number in its last cell: the file is cut off
 * there, and what is left of an amount is another amount.
 */
function isTorn(cells: readonly string[], before: readonly (readonly string[])[]): boolean {
  const [first = ''] = cells.map((cell) => cell.trim())
  const rows = before.filter((row) => row.some((cell) => cell.trim() !== ''))
  const alike = rows.filter(([cell = '']) => beginsAlike(cell.trim(), first))
  const filled = cells.filter((cell) => cell.trim() !== '').length
  const isRow = DAY_LIKE.test(first) || (filled > 2 && !SUM.test(first))
  const others = alike.length > 0 ? alike : isRow ? rows.slice(-1) : []
  if (others.length === 0 || filled === 0) return false
  const equallyLong = rows.filter((row) => row.length === cells.length).length
  const isUsual = cells.length > 2 && equallyLong > rows.filter((row) => row.length > cells.length).length
  if (!isUsual && others.every((row) => row.length > cells.length)) return true
  const end = endOf(cells.at(-1))
  const ends = others.flatMap((row) => (row.length === cells.length ? (endOf(row.at(-1)) ?? []) : []))
  return end !== undefined && ends.length > 0 && ends.every((other) => isShorterEnd(end, other))
}

/** True if a cell begins like another one as far as this goes: with digits in the same places, or with the same word. */
function beginsAlike(cell: string, first: string): boolean {
  if (/^\d/.test(first)) return cell.replace(/\d/g, '0').startsWith(first.replace(/\d/g, '0'))
  const [word = ''] = /^\P{L}*\p{L}+/u.exec(first) ?? []
  if (word === '') return first === '' && cell === ''
  return word === first ? cell.startsWith(word) : cell.split(/(?<=\p{L})(?!\p{L})/u)[0] === word
}

/** True if a number may be what is left of one that ends like another: `1,4` of `1,45-`, and `1.45` of `1.450,00`. */
function isShorterEnd(end: NumberEnd, other: NumberEnd): boolean {
  const isOtherMark = other.mark !== '' && other.mark !== end.mark
  return other.decimals > end.decimals || isOtherMark || (other.isSigned && !end.isSigned)
}

/** How a number ends: `,00-`. */
interface NumberEnd {
  decimals: number
  mark: string
  isSigned: boolean
}

/** The end of a number in a cell; undefined if the cell ends in none. */
function endOf(cell = ''): NumberEnd | undefined {
  const [number, mark = '', decimals = '', sign = ''] =
    /\d(?:([.,])(\d*))?\s?(\(?(?:[-+]|CR?|DB?)\)?)?$/i.exec(cell.trim()) ?? []
  return number === undefined ? undefined : { decimals: decimals.length, mark, isSigned: sign !== '' }
}

function tornFault(): string {
  return t`The file ends inside this line, so it may be cut off. Save or download it again; if the line is whole, end it with a line break`
}

function lineBreaks(cells: readonly string[]): number {
  let breaks = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0
  }
  return breaks
}

function brokenRecord(error: Error, line: number, row: number): BrokenRecord {
  if (!(error instanceof CsvError)) throw error
  const place = typeof error.column === 'number' ? error.column : 0
  return { line, row, place, message: quoteFault(error.code) }
}

function quoteFault(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return t`A quote \`"\` is opened here and never closed. The lines after it were not read`
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return t`The record is longer than ${RECORD_CHARACTERS_MAX} characters; its closing quote \`"\` may be missing. The lines after it were not read`
  }
  return t`There is a quote \`"\` inside a cell. Put the cell in quotes and double the quotes in it; the lines after it were not read`
}

/** The cells of a line that is in quotes as a whole, as spreadsheets write it that part cells otherwise than the file that they opened. */
function unwrapped(cells: string[], delimiter: Delimiter): string[] {
  const [only = ''] = cells
  if (cells.length !== 1 || !only.includes(delimiter)) return cells
  const [inner = [], ...more] = parse(only, { ...LINE_RULES, delimiter, relax_quotes: true })
  // A title may hold the separator, too.
  return inner.length > 2 && more.length === 0 ? inner : cells
}

/** The first records with anything in them; a misplaced quote is reported later, with its line. */
function firstRecords(beginning: string, delimiter: Delimiter): string[][] {
  const records = parse(beginning, {
    ...LINE_RULES,
    delimiter,
    relax_quotes: true,
    skip_records_with_error: true,
    skip_records_with_empty_values: true,
    to: HEADER_RECORDS_MAX,
  })
  return records.map((cells) => unwrapped(cells, delimiter))
}

/** A file's header: its names, trimmed, and the place of each field. */
export interface FileHeader {
  names: readonly string[]
  places: ReadonlyMap<string, number>
}

/** The cell of a field in a record, without outer spaces; empty if the table has no such column. */
export function cellOf({ places }: Pick<FileHeader, 'places'>, cells: readonly string[], field = ''): string {
  return (cells[places.get(field) ?? -1] ?? '').trim()
}

/** What the columns are called in messages, `--map` and `--ignore-column`: by their number if they have no name. */
export function columnNames(names: readonly string[]): string[] {
  return names.map((name, place) => (name === '' ? `#${place + 1}` : name))
}

/** The place of the column with a name, without regard to case unless two differ only in it; -1 if there is none. */
export function placeOf(column: string, names: readonly string[]): number {
  const exact = names.indexOf(column)
  return exact === -1 ? names.findIndex((name) => name.toLowerCase() === column.toLowerCase()) : exact
}

/** The error for an option that names a column which the file does not have. */
export function unknownColumn(option: string, column: string, names: readonly string[]): UsageError {
  const near = nearest(column, names)
  return new UsageError(t`\`${option}\`: the file has no column \`${column}\``, {
    hint: near.length > 0 ? t`Did you mean ${quotedList(near)}?` : t`Choose from its columns ${quotedList(names)}`,
  })
}

/** Names of columns in backticks, with commas. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** The cells of one record by field, and the faults that are found in them. */
export class RowCells {
  readonly faults: CellFault[] = []
  readonly line: number
  readonly row: number
  /** True if the record has more or fewer cells than the header, so that none can be trusted. */
  readonly isRagged: boolean
  readonly #cells: readonly string[]
  readonly #notes: TableRecord['notes']
  readonly #header: FileHeader

  constructor({ line, row, cells, notes }: TableRecord, header: FileHeader) {
    this.#notes = notes
    this.line = line
    this.row = row
    this.#cells = cells
    this.#header = header
    this.isRagged = cells.length !== header.names.length
    if (this.isRagged) this.#reportRagged(cells.length, header.names)
  }

  /** True if the file has a column of a field. */
  has(field: string): boolean {
    return this.#header.places.has(field)
  }

  /** The cell of a field as it is in the file; empty if the file has no such column. */
  raw(field: string): string {
    return this.#cells[this.#header.places.get(field) ?? -1] ?? ''
  }

  /** The file's own name for the column of a field; the field's name if there is no such column. */
  columnOf(field: string): string {
    return columnNames(this.#header.names)[this.#header.places.get(field) ?? -1] ?? field
  }

  fault(field: string, message: string): void {
    this.faults.push({ row: this.row, line: this.line, column: this.columnOf(field), message })
  }

  /**
   * What a reader makes of a cell without outer spaces. Undefined if the cell is damaged or the reader throws
   * Malformed; either becomes a fault.
   */
  read<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    return this.readText(field, (text) => {
      assertPlainCell(text)
      return reader(text)
    })
  }

  /** Like {@link read} for free text, whose form is not checked. */
  readText<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    const held = this.#heldIn(field)
    if (held !== undefined) {
      this.fault(field, this.#heldFault(field, held))
      return undefined
    }
    const value = valueOrError(Malformed, () => reader(this.raw(field).trim()))
    if (!(value instanceof Malformed)) return value
    const { message, hint } = value
    this.fault(field, `${message}${message.endsWith('?') ? '' : '.'} ${hint}`)
    return undefined
  }

  /** Like {@link read}; null if the cell is empty. */
  readOptional<Value>(field: string, reader: (text: string) => Value): Value | null | undefined {
    return this.raw(field).trim() === '' && this.#heldIn(field) === undefined ? null : this.read(field, reader)
  }

  #heldIn(field: string): string | undefined {
    return this.#notes?.get(this.#header.places.get(field) ?? -1)?.held
  }

  #heldFault(field: string, held: string): string {
    const name = cellName(this.#header.places.get(field) ?? 0, this.row)
    const [shown, value] = [this.raw(field), held.replace(/^(-?\d+)\.(?=\d+$)/, '$1,')]
    if (shown === held)
      return t`The cell \`${name}\` holds \`${value}\`, which has more than two decimals. Round it in the spreadsheet`
    return shown.trim() === ''
      ? t`The cell \`${name}\` shows nothing, but holds \`${value}\`. Change its number format, or type what is meant`
      : t`The cell \`${name}\` shows \`${shown}\`, but holds \`${value}\`. Change its number format, or type what is meant`
  }

  #reportRagged(count: number, names: readonly string[]): void {
    const column = count < names.length ? (names[count] ?? '') : `#${names.length + 1}`
    const message =
      count < names.length
        ? count === 1
          ? t`The line has 1 cell, but the header has ${names.length}: cells are missing at its end`
          : t`The line has ${count} cells, but the header has ${names.length}: cells are missing at its end`
        : t`The line has ${count} cells, but the header has ${names.length}. Put a cell that holds the separator in quotes`
    this.faults.push({ row: this.row, line: this.line, column, message })
  }
}

/** A record with empty cells at its end, so that it is as wide as the header. */
export function padded(record: TableRecord, width: number): TableRecord {
  const missing = Math.max(0, width - record.cells.length)
  return { ...record, cells: [...record.cells, ...Array<string>(missing).fill('')] }
}

/** The errors that spreadsheets leave in a cell, in English and Portuguese, and a number too long for its column. */
const ERROR_VALUE =
  /^#(?:N\/A|N\/D|REF!|VALUE!|VALOR!|DIV\/0!|NAME\?|NOME\?|NULL!|NULO!|NUM!|NÚM!|SPILL!|DESPEJAR!|CALC!|#+)$/i
/** What programs write for a missing value. */
const NO_VALUE = /^(?:nan|null|none|undefined|n\/a|<na>)$/i
/** A long number as spreadsheets and programs shorten it, `5,5119E+12`; the beginning of an id such as `8356040e-9` or `8e123456` is none. */
const EXPONENT = /^[-+]?(?:\d(?:[.,]\d+)?E\d{1,3}|\d{1,3}(?:[.,]\d+)?E[-+]\d{1,3})$/i

/** Throws Malformed if a spreadsheet or a program changed a cell that should hold one plain value. */
function assertPlainCell(text: string): void {
  if (/[\r\n\u2028\u2029]/.test(text)) {
    throw new Malformed(t`\`${text}\` has a line break in it`, t`Remove it; check for a quote \`"\` closed too late`)
  }
  assertTextCell(text)
  if (/^['\u2018\u2019]/.test(text)) {
    throw new Malformed(t`\`${text}\` begins with an apostrophe`, t`Remove it, and format the column as text instead`)
  }
  if (NO_VALUE.test(text)) {
    throw new Malformed(t`\`${text}\` is what a program writes for an empty cell`, t`Leave it empty, or fill it in`)
  }
  if (EXPONENT.test(text)) {
    throw new Malformed(
      t`\`${text}\` was shortened by the spreadsheet, so its digits are lost`,
      t`Format the column as text and type all the digits again`,
    )
  }
}

/** Throws Malformed for a damaged cell of free text, which may have line breaks and look like a number. */
export function assertTextCell(text: string): void {
  if (text.includes('\ufffd')) {
    throw new Malformed(t`\`${text}\` has a character that could not be read`, t`Save the file again as "CSV UTF-8"`)
  }
  if (ERROR_VALUE.test(text)) {
    throw new Malformed(
      t`\`${text}\` is a spreadsheet error`,
      t`Correct the cell in the spreadsheet and save the file again`,
    )
  }
  if (text.startsWith('=')) {
    throw new Malformed(t`\`${text}\` is a formula`, t`Replace it with its value: paste the column as "values only"`)
  }
  const visible = text.replace(/[\r\n\t]/g, ' ')
  if (safeText(visible) !== visible) {
    throw new Malformed(t`\`${text}\` has an invisible character in it`, t`Type the cell again`)
  }
}

/** Throws Malformed for a space inside an identifier that is not an ordinary one, though it looks like one. */
export function assertOrdinarySpaces(text: string): void {
  if (!/[^\S ]/.test(text)) return
  throw new Malformed(t`\`${text}\` contains a special space character`, t`Type the cell again`)
}
