import { DAY_MS } from '../pix/calendar.ts'
import { workbookTooLarge } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type NumberFormat, numberFormat } from './numberFormat.ts'
import { type CellNote, type HeaderFinder, holdsOther, placeOf, type TableRecord } from './tableRecords.ts'
import { readXml, UnsafeXml, type XmlHandler, xmlText } from './xml.ts'
import { ArchiveTooLarge, BrokenArchive, partsOf, type ZipPart } from './zipParts.ts'

/** The largest total size of the parts of a workbook when they are unpacked. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
/** A header is sought among this many rows of each sheet, empty ones included. */
const ROWS_SEEN_MAX = 200
/** Where the list of sheets is unless the archive says where. */
const BOOK_PART = 'xl/workbook.xml'

/** A sheet that is not read. */
export interface OtherSheet extends Pick<WorkbookSheet, 'name' | 'isHidden'> {
  /** True if its header has the columns that are sought; false for hidden sheets, which are not looked at. */
  hasHeader: boolean
}

interface WorkbookOptions {
  /** The name of the file for messages; null for standard input. */
  file: string | null
  /** The name of a sheet; undefined for the first that `findHeader` finds complete, of those that are not hidden, or the first of all. */
  sheet?: string | undefined
  findHeader?: HeaderFinder | undefined
  /** Called before each chunk is read. */
  onChunk?: () => void
}

/**
 * Opens a sheet of a workbook. The rows are unpacked and read while they are iterated over, so memory does not grow with the sheet, and other work of the process, such as an
 * interrupt, goes on meanwhile. Throws UsageError for an archive that is no workbook and a sheet that is missing, BrokenArchive, ArchiveTooLarge, UnsafeXml,
 * MissingResult, and what `onChunk` throws.
 */
export async function openWorkbook(
  archive: Uint8Array,
  { file, sheet: name, findHeader, onChunk = () => undefined }: WorkbookOptions,
) {
  const parts = partsOf(
    archive,
    (part) => /\.(?:xml|rels)$|^xl\/workbook\.bin$/.test(part),
    UNPACKED_BYTES_MAX,
    onChunk,
  )
  const root = await relationshipsOf(parts, '')
  const book = parts.get(root.officeDocument ?? BOOK_PART)
  if (book === undefined || book.name.endsWith('.bin')) throw notAWorkbook(file, book !== undefined)
  const relationships = await relationshipsOf(parts, book.name)
  const { sheets, countsFrom1904 } = await filled(book, new SheetList(relationships))
  const strings = await filled(parts.get(relationships.sharedStrings ?? ''), new SharedStrings())
  const styles = await filled(parts.get(relationships.styles ?? ''), new CellStyles())
  const formats = { strings, styles, countsFrom1904, merged: [], conditional: [], comments: new Map() }
  const withHeader =
    name === undefined && findHeader !== undefined ? await findSheets(parts, sheets, formats, findHeader) : []
  const sheet = withHeader[0] ?? selectSheet(sheets, name)
  const part = partOf(parts, sheet)
  if (part === undefined) throw new UnsafeXml(t`the sheet ${sheet.name} has no cells`)
  const ownParts = await relationshipsOf(parts, part.name)
  const { comments } = await filled(parts.get(ownParts.comments ?? ''), new Comments())
  const shown = { ...formats, ...(await formatsOfRanges(part, styles)), comments }
  const beginning = new SheetRows(shown)
  const first = await firstRecords(part, beginning, ({ length }) => length >= (findHeader?.records ?? 1))
  const header = findHeader === undefined ? first[0] : first[Math.max(0, findHeader.place(first).index)]
  const width = filledCells(header?.cells ?? [])
  return {
    name: sheet.name,
    /** The rows that are not empty; they are read again on each call. Throws what `openWorkbook` throws. */
    records: () => sheetRecords(part, shown, width, first),
    /** True if the spreadsheet does not show the column at a place, from 0. */
    isColumnHidden: (place: number) => beginning.isColumnHidden(place),
    /** The other sheets of the workbook, in their order; `isFirst` if the sheet that was read is before all of them. */
    others: sheets
      .filter((each) => each !== sheet)
      .map((each) => ({ name: each.name, isHidden: each.isHidden, hasHeader: withHeader.includes(each) })),
    isFirst: sheet === sheets[0],
  }
}

/** A handler that has taken a whole part; as it is if there is no such part. */
async function filled<Handler extends XmlHandler>(part: ZipPart | undefined, handler: Handler): Promise<Handler> {
  if (part !== undefined) for await (const _ of readXml(part.chunks(), handler));
  return handler
}

/** What a part refers to; for an empty path what the archive does. */
function relationshipsOf(parts: ReadonlyMap<string, ZipPart>, path: string): Promise<Relationships> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return filled(parts.get(`${folder}_rels/${path.slice(folder.length)}.rels`), new Relationships(folder))
}

/** The visible sheets whose headers are complete, if there are several to choose from. */
async function findSheets(
  parts: ReadonlyMap<string, ZipPart>,
  sheets: readonly WorkbookSheet[],
  formats: CellFormats,
  findHeader: HeaderFinder,
): Promise<WorkbookSheet[]> {
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  if (visible.length < 2) return []
  const found: WorkbookSheet[] = []
  for (const sheet of visible) {
    const part = partOf(parts, sheet)
    if (part === undefined) continue
    const rows = new SheetRows(formats)
    const records = await firstRecords(part, rows, () => rows.ended >= ROWS_SEEN_MAX)
    if (findHeader.place(records).isComplete) found.push(sheet)
  }
  return found
}

/** The first rows of a sheet that are not empty, until `isEnough` says so. */
async function firstRecords(
  part: ZipPart,
  rows: SheetRows,
  isEnough: (records: readonly TableRecord[]) => boolean,
): Promise<TableRecord[]> {
  const records: TableRecord[] = []
  for await (const _ of readXml(part.chunks(), rows)) {
    records.push(...rows.take())
    if (isEnough(records)) break
  }
  return records
}

function partOf(parts: ReadonlyMap<string, ZipPart>, { part }: WorkbookSheet): ZipPart | undefined {
  return part === null ? undefined : parts.get(part)
}

/** The sheet with a name, in any case unless two differ only in it; else the first one that is not hidden. Throws UsageError. */
function selectSheet(sheets: readonly WorkbookSheet[], name: string | undefined): WorkbookSheet {
  const place =
    name === undefined
      ? sheets.findIndex(({ isHidden }) => !isHidden)
      : placeOf(
          name.trim(),
          sheets.map((sheet) => sheet.name.trim()),
        )
  const found = sheets[place]
  if (found === undefined) throw sheetMissing(sheets, name)
  return found
}

/** The rows of a sheet, whose first ones are known. None is wider than the header unless it has more cells, and none is narrower. */
async function* sheetRecords(
  part: ZipPart,
  formats: CellFormats,
  width: number,
  first: readonly TableRecord[],
): AsyncGenerator<TableRecord> {
  // Looking for a header takes only these, which in a sheet of many empty cells are far apart.
  for (const record of first) yield asWideAs(width, record)
  const last = first.at(-1)?.line ?? 0
  const rows = new SheetRows(formats)
  for await (const _ of readXml(part.chunks(), rows)) {
    for (const record of rows.take()) if (record.line > last) yield asWideAs(width, record)
  }
}

function asWideAs(width: number, record: TableRecord): TableRecord {
  const cells = record.cells.slice(0, Math.max(width, filledCells(record.cells)))
  while (cells.length < width) cells.push('')
  return { ...record, cells }
}

/** How many cells a row has up to the last one that is not empty. */
function filledCells(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

interface WorkbookSheet {
  name: string
  /** The part of the archive that holds its cells; null if it has none, such as a chart. */
  part: string | null
  /** True if the spreadsheet does not show it. */
  isHidden: boolean
}

const SHEETS_MAX = 1000

/** The parts to which those of a folder refer. */
class Relationships implements XmlHandler {
  /** The parts of sheets by the ids of their relationships. */
  readonly sheets = new Map<string, string>()
  officeDocument: string | undefined
  sharedStrings: string | undefined
  styles: string | undefined
  comments: string | undefined
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  open(name: string, attributes: () => ReadonlyMap<string, string>): void {
    if (name !== 'Relationship') return
    const read = attributes()
    const [id, target, type = ''] = [read.get('Id'), read.get('Target'), read.get('Type')]
    if (id === undefined || target === undefined) return
    const kind = type.slice(type.lastIndexOf('/relationships/') + '/relationships/'.length)
    const path = partPath(target, this.#folder)
    if (kind === 'worksheet') this.sheets.set(id, path)
    else if (kind === 'officeDocument' || kind === 'sharedStrings' || kind === 'styles' || kind === 'comments') {
      if (this[kind] !== undefined && this[kind] !== path) throw new UnsafeXml(t`it has two parts for the same thing`)
      this[kind] = path
    }
    if (this.sheets.size > SHEETS_MAX) throw tooManySheets()
  }
}

/** The sheets of a workbook in their order, from the part `xl/workbook.xml`. */
class SheetList implements XmlHandler {
  readonly sheets: WorkbookSheet[] = []
  /** True if its dates count from 1904 instead of 1900. */
  countsFrom1904 = false
  readonly #parts: ReadonlyMap<string, string>

  constructor({ sheets }: Relationships) {
    this.#parts = sheets
  }

  open(tag: string, attributes: () => ReadonlyMap<string, string>): void {
    if (tag === 'workbookPr') this.countsFrom1904 = isTrue(attributes().get('date1904'))
    if (tag !== 'sheet') return
    const read = attributes()
    const name = unescaped(read.get('name') ?? '')
    if (name === '') return
    const part = this.#parts.get(read.get(':id') ?? '') ?? null
    if (part !== null && this.sheets.some((sheet) => sheet.part === part)) {
      throw new UnsafeXml(t`two of its sheets have the same cells`)
    }
    this.sheets.push({ name, part, isHidden: (read.get('state') ?? 'visible') !== 'visible' })
    if (this.sheets.length > SHEETS_MAX) throw tooManySheets()
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function tooManySheets(): UnsafeXml {
  return new UnsafeXml(t`it has more than ${SHEETS_MAX} sheets`)
}

/** The path of a part in the archive; targets are relative to a folder unless they begin with a slash. */
function partPath(target: string, folder: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

const BYTES_MAX = 64 * 1024 * 1024
const COUNT_MAX = 5_000_000

/** The texts of a workbook to which its cells refer. They are kept as bytes, because each string of its own would take a multiple of that. */
export class SharedStrings implements XmlHandler {
  #bytes = Buffer.alloc(64 * 1024)
  /** Where each text ends. */
  #ends = new Uint32Array(1024)
  #count = 0
  #length = 0
  readonly #struck = new Set<number>()
  readonly #text = new TextParts()

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === ALTERNATIVES) throw twoReadings()
    if (name === 'si') this.#text.begin()
    else this.#text.open(name, attributes, parent)
  }

  close(name: string): void {
    if (name === 'si') this.#add(this.#text.end())
    else this.#text.close(name)
  }

  text(text: string): void {
    this.#text.add(text)
  }

  /** The text with a number, counted from 0; undefined if there is none. */
  get(number: number): string | undefined {
    if (!Number.isInteger(number) || number < 0 || number >= this.#count) return undefined
    return this.#bytes.toString('utf8', number === 0 ? 0 : this.#ends[number - 1], this.#ends[number])
  }

  /** True if all of the text with a number is struck through. */
  isStruck(number: number): boolean {
    return this.#struck.has(number)
  }

  #add(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (this.#text.isStruck) this.#struck.add(this.#count)
    if (this.#count === COUNT_MAX || this.#length + bytes > BYTES_MAX) throw new UnsafeXml(t`it has too many texts`)
    while (this.#length + bytes > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    }
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#length += this.#bytes.write(text, this.#length)
    this.#ends[this.#count] = this.#length
    this.#count += 1
  }
}

/** What programs read that know an extension, and the others. */
const ALTERNATIVES = ':AlternateContent'
const IN_ROWS: ReadonlySet<string> = new Set(['sheetData', 'row', 'c', 'is', 'r'])

function twoReadings(): UnsafeXml {
  return new UnsafeXml(t`it has a cell that programs read in two ways`)
}

/** The longest text of a cell or of a row; a spreadsheet has 32,767 in a cell. */
const TEXT_CHARACTERS_MAX = 1_000_000

/** The text of a cell in the file format: one piece, or several of different formats. How Japanese is pronounced is not part of it. */
class TextParts {
  #text: string | undefined
  #isText = false
  #isPronunciation = false
  #isRunStruck = false
  #struckCharacters = 0
  /** True if the text that ended last has its own format, by which all of it is struck through. */
  isStruck = false

  begin(): void {
    this.#text = ''
    this.#isText = false
    this.#isPronunciation = false
    this.#isRunStruck = false
    this.#struckCharacters = 0
  }

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === 'rPh') this.#isPronunciation = true
    else if (name === 't') this.#isText = parent !== 'rPh'
    else if (name === 'r') this.#isRunStruck = false
    else if (parent === 'rPr' && isStrike(name, attributes)) this.#isRunStruck = true
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPronunciation = false
    else if (name === 't') this.#isText = false
  }

  add(text: string): void {
    if (this.#text === undefined || !this.#isText || this.#isPronunciation) return
    if (this.#text.length + text.length > TEXT_CHARACTERS_MAX) throw longText()
    this.#text += text
    if (this.#isRunStruck || text.trim() === '') this.#struckCharacters += text.length
  }

  end(): string {
    const text = unescaped(this.#text ?? '')
    this.isStruck = text.trim() !== '' && this.#struckCharacters === this.#text?.length
    this.#text = undefined
    return text
  }
}

/** True for the element by which a font strikes text through. */
function isStrike(name: string, attributes: () => ReadonlyMap<string, string>): boolean {
  return name === 'strike' && isTrue(attributes().get('val') ?? 'true')
}

function longText(): UnsafeXml {
  return new UnsafeXml(t`it has a row or a cell of more than ${TEXT_CHARACTERS_MAX} characters`)
}

/** Text with the characters that XML cannot hold, which the file format writes as `_x000D_`. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** What spreadsheets have: XFD1048576 is the last cell. */
const ROWS_MAX = 1_048_576
const COLUMNS_MAX = 16_384
/** Of all rows up to their last cells that are not empty: each is a place in memory for a while. */
const CELLS_MAX = 8_000_000
/** Of a sheet: they have a border or a colour, and no text. */
const EMPTY_CELLS_MAX = 2_000_000
const CELL_NAME = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i
/** In points: a row that is lower shows nothing of its cells. */
const HEIGHT_MIN = 1
/** In characters: a column that is narrower shows nothing of its cells. */
const WIDTH_MIN = 0.2

/**
 * Takes the XML of a sheet and collects its rows that are not empty. Every row and every cell must be in order, and none given twice. What the
 * spreadsheet does not show is marked: hidden, filtered out, in a collapsed group, or too small to be seen.
 */
export class SheetRows implements XmlHandler {
  readonly #formats: CellFormats
  #complete: TableRecord[] = []
  readonly #columns: { first: number; last: number; isHidden: boolean }[] = []
  #defaultHeight: string | undefined
  #defaultWidth: string | undefined
  #hasData = false
  /** How many rows have ended, empty ones included. */
  ended = 0

  #row = 0
  #column = 0
  #isInRow = false
  #isRowHidden = false
  /** True until the first cell of a row without a number tells it. */
  #isNumberMissing = false
  #cells: string[] = []
  #notes: Map<number, CellNote> | undefined
  readonly #merged: MergedRows
  #characters = 0
  #cellCount = 0
  #emptyCells = 0

  #cell: StoredCell = { type: 'n', style: undefined, hasFormula: false }
  #isInValue = false
  readonly #text = new TextParts()

  constructor(formats: CellFormats) {
    this.#formats = formats
    this.#merged = new MergedRows(formats.merged)
  }

  /** The rows that are complete since the last call. */
  take(): TableRecord[] {
    const rows = this.#complete
    if (rows.length > 0) this.#complete = []
    return rows
  }

  /** True if the spreadsheet does not show the column at a place, from 0. */
  isColumnHidden(place: number): boolean {
    const column = this.#columns.find(({ first, last }) => first <= place + 1 && place + 1 <= last)
    return column?.isHidden ?? isBelow(this.#defaultWidth, WIDTH_MIN)
  }

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === ALTERNATIVES && IN_ROWS.has(parent)) throw twoReadings()
    if (parent === 'c') this.#openInCell(name)
    else if (parent === 'row') {
      if (name === 'c' && this.#isInRow) this.#openCell(attributes())
    } else if (parent === 'sheetData') {
      if (name === 'row') this.#openRow(attributes())
    } else if (name === 'row' || name === 'c') throw new UnsafeXml(t`it has a row or a cell in another place`)
    else if (name === 'sheetData') {
      if (this.#hasData) throw new UnsafeXml(t`it has rows in two places`)
      this.#hasData = true
    } else if (name === 'col' || name === 'sheetFormatPr') this.#readSizes(name, attributes())
    else this.#text.open(name, attributes, parent)
  }

  close(name: string, parent: string): void {
    if (parent === 'c') this.#closeInCell(name)
    else if (parent === 'row') {
      if (name === 'c' && this.#isInRow) this.#closeCell()
    } else if (parent === 'sheetData') {
      if (name === 'row') this.#closeRow()
    } else this.#text.close(name)
  }

  text(text: string): void {
    if (!this.#isInValue) {
      this.#text.add(text)
      return
    }
    this.#cell.value += text
    if ((this.#cell.value ?? '').length > TEXT_CHARACTERS_MAX) throw longText()
  }

  #readSizes(name: string, attributes: ReadonlyMap<string, string>): void {
    // Rows that were read before would be judged without it.
    if (this.#hasData) throw new UnsafeXml(t`it describes its columns after its rows`)
    if (name === 'sheetFormatPr') {
      this.#defaultHeight = attributes.get('defaultRowHeight')
      this.#defaultWidth = attributes.get('defaultColWidth')
      return
    }
    const isHidden =
      isTrue(attributes.get('hidden')) || isBelow(attributes.get('width') ?? this.#defaultWidth, WIDTH_MIN)
    this.#columns.push({ first: Number(attributes.get('min')), last: Number(attributes.get('max')), isHidden })
    if (this.#columns.length > COLUMNS_MAX) throw new UnsafeXml(t`it describes more than ${COLUMNS_MAX} columns`)
  }

  #openRow(attributes: ReadonlyMap<string, string>): void {
    const reference = attributes.get('r')
    const number = reference === undefined ? this.#row + 1 : wholeNumber(reference)
    if (!isRow(number)) throw new UnsafeXml(t`it has a row ${reference ?? ''}`)
    if (number <= this.#row) throw new UnsafeXml(t`row ${number} comes after row ${this.#row}`)
    this.#isInRow = true
    this.#row = number
    this.#column = 0
    this.#isNumberMissing = reference === undefined
    this.#isRowHidden =
      isTrue(attributes.get('hidden')) || isBelow(attributes.get('ht') ?? this.#defaultHeight, HEIGHT_MIN)
    this.#cells = []
    this.#notes = undefined
    this.#characters = 0
  }

  #closeRow(): void {
    this.#isInRow = false
    this.ended += 1
    const [line, cells, notes] = [this.#row, this.#cells, this.#notes]
    const isEmpty = (cell: string) => cell.trim() === ''
    const isBlank = cells.every(isEmpty)
    if (isBlank && !holdsOther({ notes })) return
    // What is left of a row whose cells are all below merged ones is an empty line.
    const isCovered =
      !isBlank && cells.every((cell, place) => isEmpty(cell) || notes?.get(place)?.coveredBy !== undefined)
    for (const [place, { text, isStruck }] of this.#merged.above(line)) {
      this.#note(place, { fromAbove: text, ...(isStruck ? { isStruck } : {}) })
    }
    this.#complete.push({
      ...{ line, row: line, cells, isHidden: this.#isRowHidden || isCovered },
      ...{ notes: this.#notes, comments: this.#formats.comments.get(line) },
    })
  }

  #openCell(attributes: ReadonlyMap<string, string>): void {
    const reference = attributes.get('r')
    const cell = reference === undefined ? { row: this.#row, column: this.#column + 1 } : cellAt(reference)
    if (cell === undefined || cell.column > COLUMNS_MAX)
      throw new UnsafeXml(t`it has a cell \`${reference ?? ''}\`, which no spreadsheet has`)
    if (this.#isNumberMissing && cell.row > this.#row) this.#row = cell.row
    this.#isNumberMissing = false
    if (cell.row !== this.#row) throw new UnsafeXml(t`the cell \`${reference ?? ''}\` is in row ${this.#row}`)
    if (cell.column <= this.#column) {
      throw new UnsafeXml(t`the cell \`${reference ?? ''}\` is given twice, or is not in order`)
    }
    this.#column = cell.column
    this.#cell = { type: attributes.get('t') ?? 'n', style: attributes.get('s'), hasFormula: false }
  }

  #openInCell(name: string): void {
    if (name === 'f') this.#cell.hasFormula = true
    if (name !== 'v' && name !== 'is') return
    if ((name === 'v' ? this.#cell.value : this.#cell.inline) !== undefined) {
      throw new UnsafeXml(t`a cell in row ${this.#row} has two values`)
    }
    if (name === 'is') this.#text.begin()
    else {
      this.#cell.value = ''
      this.#isInValue = true
    }
  }

  #closeInCell(name: string): void {
    if (name === 'v') this.#isInValue = false
    else if (name === 'is') this.#cell.inline = this.#text.end()
  }

  #closeCell(): void {
    const conditional = this.#formats.conditional.filter((range) => isWithin(range, this.#row, this.#column))
    const { text, held } = cellContent(this.#cell, conditional, this.#formats)
    if (text.trim() === '') {
      this.#emptyCells += 1
      if (this.#emptyCells > EMPTY_CELLS_MAX) throw new UnsafeXml(t`it has more than ${EMPTY_CELLS_MAX} empty cells`)
    }
    const place = this.#column - 1
    if (held !== undefined) this.#note(place, { held })
    if (text === '') return
    const isStruck = this.#isStruck()
    this.#merged.begin(this.#row, this.#column, { text, isStruck })
    const coveredBy = this.#merged.covering(this.#row, this.#column)
    if (coveredBy !== undefined) this.#note(place, { coveredBy })
    if (isStruck) this.#note(place, { isStruck })
    if (conditional.some((each) => each.isStruck)) this.#note(place, { isPerhapsStruck: true })
    this.#characters += text.length
    if (this.#characters > TEXT_CHARACTERS_MAX) throw longText()
    this.#cellCount += this.#column - this.#cells.length
    if (this.#cellCount > CELLS_MAX) throw new UnsafeXml(t`it has more than ${CELLS_MAX} cells`)
    while (this.#cells.length < place) this.#cells.push('')
    this.#cells.push(text)
  }

  #note(place: number, note: CellNote): void {
    this.#notes ??= new Map()
    this.#notes.set(place, { ...this.#notes.get(place), ...note })
  }

  #isStruck(): boolean {
    const { strings, styles } = this.#formats
    const { type, style, value } = this.#cell
    if (style !== undefined && styles.isStruck(style)) return true
    if (type === 'inlineStr') return this.#text.isStruck
    return type === 's' && strings.isStruck(Number(value))
  }
}

/** The row and the column of a cell such as `B7`, from 1; undefined if no spreadsheet has such a cell. */
function cellAt(reference: string): { row: number; column: number } | undefined {
  const [, letters = '', digits = ''] = CELL_NAME.exec(reference) ?? []
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(digits)
  return column >= 1 && column <= COLUMNS_MAX && isRow(row) ? { row, column } : undefined
}

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function isRow(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= ROWS_MAX
}

function isBelow(size: string | undefined, least: number): boolean {
  return size !== undefined && size.trim() !== '' && Number(size) < least
}

interface StoredCell {
  /** The attribute `t`. */
  type: string
  /** The attribute `s`. */
  style: string | undefined
  value?: string
  inline?: string
  hasFormula: boolean
}

interface CellFormats {
  strings: SharedStrings
  styles: CellStyles
  countsFrom1904: boolean
  merged: readonly MergedRange[]
  conditional: readonly ConditionalRange[]
  /** The comments of the rows that have some, by their numbers. */
  comments: ReadonlyMap<number, readonly string[]>
}

/** Thrown for a formula without its result, as some programs write it: a missing amount could be taken for a refund of everything. */
export class MissingResult extends Error {}

/** The digits of a number that a spreadsheet keeps. */
const NUMBER_DIGITS = 15
/** A number as the file format has it; `Number` reads more than that, such as `0x10`. */
const STORED_NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?\s*$/i

/** A number in digits, as nearly all are. */
const DIGITS = /^-?\d+(?:\.\d+)?$/
/** More decimals than these are no amount of money. */
const DECIMALS_MAX = 2

interface CellContent {
  /** What the spreadsheet shows; a number is written in its own way, without its number format. */
  text: string
  /** What the cell holds, if it must not be taken for money: it is not what is shown, or has more than two decimals. */
  held?: string
}

/** What is shown of a cell, by its own format and the conditional ones: whether these apply is not judged, so none may show another number. */
function cellContent(cell: StoredCell, conditional: readonly ConditionalFormat[], formats: CellFormats): CellContent {
  const { type, style, value = '', inline = '' } = cell
  const format = style === undefined || (value === '' && inline === '') ? undefined : formats.styles.format(style)
  const text = cellText(cell, format, formats)
  if (TEXT_TYPES.has(type)) return contentOf(text, text === '' ? undefined : format?.ofText(text))
  if (type !== 'n' || format?.isDate === true || !DIGITS.test(text)) return { text }
  const shown = format?.ofNumber(text)
  if (shown !== undefined) return contentOf(text, shown)
  const point = text.indexOf('.')
  if (point !== -1 && text.length - point - 1 > DECIMALS_MAX) return { text, held: text }
  for (const { format: other } of conditional) {
    if (other?.isDate === true) return { text: dateText(Number(text), formats.countsFrom1904) ?? '', held: text }
    const shownThen = other?.ofNumber(text)
    if (shownThen?.isOther === true) return contentOf(text, shownThen)
  }
  return { text }
}

function contentOf(text: string, shown: ReturnType<NumberFormat['ofText']>): CellContent {
  if (shown === undefined) return { text }
  return shown.isOther ? { text: shown.text, held: text } : { text: shown.text }
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['s', 'str', 'inlineStr'])

/**
 * The text of a cell; empty if the cell is. An error value is text, so that it is a fault of its row. Throws UnsafeXml for a cell that no spreadsheet
 * writes, and MissingResult.
 */
function cellText(
  { type, value = '', inline = '', hasFormula }: StoredCell,
  format: NumberFormat | undefined,
  { strings, countsFrom1904 }: CellFormats,
): string {
  // Empty text is the result of a formula only in a cell of the type `str`.
  if (hasFormula && type !== 'str' && type !== 'inlineStr' && value.trim() === '') throw new MissingResult()
  switch (type) {
    case 'inlineStr':
      return inline
    case 'str':
      return unescaped(value)
    case 'e':
      return value
    case 's': {
      const text = value === '' ? '' : /^\s*\d+\s*$/.test(value) ? strings.get(Number(value)) : undefined
      if (text === undefined) throw new UnsafeXml(t`a cell has a text that is missing`)
      return text
    }
    case 'b':
      if (value !== '' && value !== '0' && value !== '1') {
        throw new UnsafeXml(t`it has a cell that is neither true nor false`)
      }
      return value === '' ? '' : String(value === '1')
    case 'd':
      return timeText(Date.parse(value)) ?? value
    case 'n':
      if (format?.isDate !== true || !STORED_NUMBER.test(value)) return numberText(value)
      return dateText(Number(value), countsFrom1904) ?? value
    default:
      throw new UnsafeXml(t`it has a cell of the type ${type}`)
  }
}

/**
 * A number as the spreadsheet shows it, without the noise of binary fractions. One with more digits than a spreadsheet keeps is written with
 * an exponent, so that it is not a valid id; text that is no number stays as it is, so that it is no amount.
 */
function numberText(stored: string): string {
  // Rounding takes longer than all the rest of reading a cell, and most numbers of a file need none.
  if (stored.length <= NUMBER_DIGITS && /^[1-9]\d*(?:\.\d*[1-9])?$/.test(stored)) return stored
  if (!STORED_NUMBER.test(stored)) return stored
  const rounded = Number(Number(stored).toPrecision(NUMBER_DIGITS))
  if (!Number.isFinite(rounded)) return stored
  return Math.abs(rounded) >= 10 ** NUMBER_DIGITS ? rounded.toExponential().replace('e', 'E') : String(rounded)
}

/** The most formats of cells that Excel opens. */
const STYLES_MAX = 65_490
/** Days from the day 0 of a spreadsheet, which takes 1900 for a leap year, to 1970; and from 1900 to 1904, from which some workbooks count. */
const DAYS_TO_1970 = 25_569
const DAYS_TO_1904 = 1462

/** The formats of cells: how they show numbers, and whether they strike text through; from the part `xl/styles.xml`. */
export class CellStyles implements XmlHandler {
  readonly #codes = new Map<number, string>()
  /** Number formats by their numbers, read when a cell has them. */
  readonly #formats = new Map<number, NumberFormat>()
  /** The number formats of the styles that others are based on, and of those of cells with their bases. */
  readonly #bases: (number | undefined)[] = []
  readonly #styles: { format: number | undefined; base: number; font: number }[] = []
  #fonts = 0
  #isListedFont = false
  readonly #struckFonts = new Set<number>()
  readonly conditional = new ConditionalFormats()

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === 'numFmt' && parent === 'numFmts') {
      this.#codes.set(Number(attributes().get('numFmtId')), attributes().get('formatCode') ?? '')
    } else if (name === 'xf' && (parent === 'cellStyleXfs' || parent === 'cellXfs')) {
      const own = attributes().get('numFmtId')
      const format = own === undefined ? undefined : Number(own)
      if (parent === 'cellStyleXfs') this.#bases.push(format)
      else {
        const [base, font] = [Number(attributes().get('xfId') ?? -1), Number(attributes().get('fontId') ?? -1)]
        this.#styles.push({ format, base, font })
      }
    } else if (parent === 'fonts') {
      this.#fonts += 1
      // The fonts of conditional formats, which are not listed here, come after these.
      this.#isListedFont = true
    } else if (name === 'dxfs') this.#isListedFont = false
    else if (this.#isListedFont && parent === 'font' && isStrike(name, attributes)) {
      this.#struckFonts.add(this.#fonts - 1)
    }
    if (!this.#isListedFont) this.conditional.open(name, attributes, parent)
    if (Math.max(this.#codes.size, this.#bases.length, this.#styles.length, this.#fonts) > STYLES_MAX) {
      throw new UnsafeXml(t`it has more than ${STYLES_MAX} formats of cells`)
    }
  }

  /** True if a cell of this style is struck through. */
  isStruck(style: string): boolean {
    return this.#struckFonts.has(this.#styles[Number(style)]?.font ?? -1)
  }

  /** The number format of a style. Throws UnsafeXml if there is no such style. */
  format(style: string): NumberFormat {
    const found = this.#styles[Number(style)]
    if (found === undefined) throw new UnsafeXml(t`a cell has a format that is missing`)
    const id = found.format ?? this.#bases[found.base] ?? 0
    const known = this.#formats.get(id)
    if (known !== undefined) return known
    const format = numberFormat(id, this.#codes.get(id))
    this.#formats.set(id, format)
    return format
  }
}

interface CellRange {
  rows: readonly [first: number, last: number]
  columns: readonly [first: number, last: number]
}

/** Cells that a spreadsheet shows as one: the first of them. */
interface MergedRange extends CellRange {
  /** As the workbook has it, such as `B2:B3`. */
  name: string
}

/** What a conditional format does to what is read of a cell. */
interface ConditionalFormat {
  isStruck: boolean
  format: NumberFormat | undefined
}

interface ConditionalRange extends CellRange, ConditionalFormat {}

/** The formats that rules give to cells, in their order. */
class ConditionalFormats {
  readonly list: ConditionalFormat[] = []

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === 'dxf') this.list.push({ isStruck: false, format: undefined })
    const last = this.list.at(-1)
    if (last === undefined) return
    if (parent === 'font' && isStrike(name, attributes)) last.isStruck = true
    if (name === 'numFmt' && parent === 'dxf') {
      last.format = numberFormat(Number(attributes().get('numFmtId')), attributes().get('formatCode'))
    }
    if (this.list.length > STYLES_MAX) throw new UnsafeXml(t`it has more than ${STYLES_MAX} formats of cells`)
  }
}

const MERGED_MAX = 200_000
/** Every cell is compared with each of them. */
const CONDITIONAL_MAX = 1000
const MERGED_TAG = 'mergeCell'
const CONDITIONAL_TAG = 'conditionalFormatting'

/** The merged cells of a sheet, in the order of their rows, and those with conditional formats that matter; the file names both after its rows. */
async function formatsOfRanges(
  part: ZipPart,
  styles: CellStyles,
): Promise<Pick<CellFormats, 'merged' | 'conditional'>> {
  // Looking for the words takes a tenth of the time of reading the sheet, and few sheets have them.
  let end = ''
  let hasTag = false
  for await (const text of xmlText(part.chunks())) {
    const joined = `${end}${text}`
    hasTag ||= joined.includes(MERGED_TAG) || joined.includes(CONDITIONAL_TAG)
    end = text.slice(-CONDITIONAL_TAG.length)
  }
  if (!hasTag) return { merged: [], conditional: [] }
  const { merged, conditional } = await filled(part, new RangeList(styles))
  return { merged: merged.toSorted((one, other) => one.rows[0] - other.rows[0]), conditional }
}

/** Where a rule may apply whose cells are written in another form, such as whole columns. */
const WHOLE_SHEET: CellRange = { rows: [1, ROWS_MAX], columns: [1, COLUMNS_MAX] }

class RangeList implements XmlHandler {
  readonly merged: MergedRange[] = []
  readonly conditional: ConditionalRange[] = []
  readonly #styles: CellStyles
  /** The places of the rules that are being read, and their formats; newer rules have both in themselves. */
  #places = ''
  #formats: ConditionalFormat[] = []
  #own = new ConditionalFormats()
  #isPlaces = false

  constructor(styles: CellStyles) {
    this.#styles = styles
  }

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    const tag = withoutColon(name)
    if (tag === MERGED_TAG) this.#addMerged(attributes().get('ref') ?? '')
    else if (tag === CONDITIONAL_TAG) {
      this.#places = attributes().get('sqref') ?? ''
      this.#formats = []
      this.#own = new ConditionalFormats()
    } else if (tag === 'cfRule') {
      const format = this.#styles.conditional.list[Number(attributes().get('dxfId') ?? Number.NaN)]
      if (format !== undefined) this.#formats.push(format)
    } else if (tag === 'sqref') this.#isPlaces = true
    else this.#own.open(tag, attributes, withoutColon(parent))
  }

  text(text: string): void {
    if (this.#isPlaces) this.#places += text
  }

  close(name: string): void {
    const tag = withoutColon(name)
    if (tag === 'sqref') this.#isPlaces = false
    if (tag !== CONDITIONAL_TAG) return
    const formats = [...this.#formats, ...this.#own.list].filter(({ isStruck, format }) => isStruck || format)
    for (const place of this.#places.split(/\s+/)) {
      const range = rangeOf(place) ?? WHOLE_SHEET
      this.conditional.push(...formats.map((format) => ({ ...range, ...format })))
    }
    if (this.conditional.length > CONDITIONAL_MAX) {
      throw new UnsafeXml(
        t`it has more than ${CONDITIONAL_MAX} conditional formats that strike cells through or change numbers`,
      )
    }
  }

  #addMerged(name: string): void {
    const range = rangeOf(name)
    if (range === undefined) throw new UnsafeXml(t`it has merged cells \`${name}\`, which no spreadsheet has`)
    this.merged.push({ name, ...range })
    if (this.merged.length > MERGED_MAX) throw new UnsafeXml(t`it has more than ${MERGED_MAX} merged cells`)
  }
}

/** The name of a tag, without the sign that it is of another namespace, as those of newer rules are. */
function withoutColon(name: string): string {
  return name.replace(/^:/, '')
}

/** The cells of a name such as `B2:B3` or `B2`; undefined if no spreadsheet has them. */
function rangeOf(name: string): CellRange | undefined {
  const [from = '', to = from] = name.split(':')
  const [first, last] = [cellAt(from), cellAt(to)]
  if (first === undefined || last === undefined) return undefined
  const inOrder = (one: number, other: number) => [Math.min(one, other), Math.max(one, other)] as const
  return { rows: inOrder(first.row, last.row), columns: inOrder(first.column, last.column) }
}

function isWithin({ rows, columns }: CellRange, row: number, column: number): boolean {
  return rows[0] <= row && row <= rows[1] && columns[0] <= column && column <= columns[1]
}

/** The comments of a sheet by the rows of their cells. */
class Comments implements XmlHandler {
  readonly comments = new Map<number, string[]>()
  readonly #text = new TextParts()
  #row = 0
  #characters = 0

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === 'comment') this.#row = cellAt(attributes().get('ref') ?? '')?.row ?? 0
    else if (name === 'text' && parent === 'comment') this.#text.begin()
    else this.#text.open(name, attributes, parent)
  }

  close(name: string): void {
    if (name !== 'text') {
      this.#text.close(name)
      return
    }
    const text = this.#text
      .end()
      .trim()
      .replace(/\s*[\r\n]+\s*/g, ' | ')
    this.#characters += text.length
    if (this.#characters > BYTES_MAX) throw new UnsafeXml(t`it has too many texts`)
    const ofRow = this.comments.get(this.#row)
    if (ofRow === undefined) this.comments.set(this.#row, [text])
    else ofRow.push(text)
  }

  text(text: string): void {
    this.#text.add(text)
  }
}

/** What the first of merged cells shows. */
interface MergedText {
  text: string
  isStruck: boolean
}

/** Finds the merged cells around a cell, row by row. */
class MergedRows {
  readonly #ranges: readonly MergedRange[]
  readonly #shown = new Map<MergedRange, MergedText>()
  #next = 0
  #row = 0
  #here: readonly MergedRange[] = []

  constructor(ranges: readonly MergedRange[]) {
    this.#ranges = ranges
  }

  /** The name of the merged cells that cover a cell which is not the first of them. No row may come before that of an earlier call. */
  covering(row: number, column: number): string | undefined {
    return this.#at(row).find(
      (range) => isWithin(range, row, column) && (row !== range.rows[0] || column !== range.columns[0]),
    )?.name
  }

  /** Remembers what a cell shows if it is the first of merged cells. */
  begin(row: number, column: number, shown: MergedText): void {
    const range = this.#at(row).find(({ rows, columns }) => row === rows[0] && column === columns[0])
    if (range !== undefined) this.#shown.set(range, shown)
  }

  /** What merged cells that begin in an earlier row show in a row, by their first column, as a place from 0. */
  above(row: number): (readonly [place: number, MergedText])[] {
    return this.#at(row).flatMap((range) => {
      const shown = range.rows[0] < row ? this.#shown.get(range) : undefined
      return shown === undefined ? [] : [[range.columns[0] - 1, shown] as const]
    })
  }

  /** The merged cells that are in a row. */
  #at(row: number): readonly MergedRange[] {
    if (this.#ranges.length > 0 && row !== this.#row) this.#goTo(row)
    return this.#here
  }

  #goTo(row: number): void {
    const begun: MergedRange[] = []
    for (
      let range = this.#ranges[this.#next];
      range !== undefined && range.rows[0] <= row;
      range = this.#ranges[this.#next]
    ) {
      begun.push(range)
      this.#next += 1
    }
    this.#row = row
    this.#here = [...this.#here, ...begun].filter(({ rows }) => rows[1] >= row)
  }
}

/** The date or time that a number in a cell means, as text; undefined if no spreadsheet has such a date. */
function dateText(days: number, countsFrom1904: boolean): string | undefined {
  return timeText(Math.floor((days + (countsFrom1904 ? DAYS_TO_1904 : 0) - DAYS_TO_1970) * DAY_MS))
}

/** A time in ms as text, without `00:00:00`; undefined if there is no such time. */
function timeText(ms: number): string | undefined {
  // Times are fractions of a day, which are not exact.
  const time = new Date(Math.round(ms / 1000) * 1000)
  if (Number.isNaN(time.getTime())) return undefined
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

/** Turns what reading a workbook throws into a UsageError that names the file, null for standard input, and the reason; returns any other error unchanged. */
export function workbookFailure(error: unknown, file: string | null): unknown {
  if (error instanceof ArchiveTooLarge) return workbookTooLarge(file, UNPACKED_BYTES_MAX)
  const name = file ?? '-'
  if (error instanceof MissingResult) {
    return new UsageError(t`The workbook \`${name}\` has formulas whose results were not saved`, {
      hint: t`Open it in a spreadsheet and save it again, so that the results are saved too`,
    })
  }
  if (!(error instanceof UnsafeXml || error instanceof BrokenArchive)) return error
  return new UsageError(t`The workbook \`${name}\` cannot be read: ${error.message}`, {
    hint: t`Open it in a spreadsheet, correct it and save it again as .xlsx or as "CSV UTF-8"`,
  })
}

function notAWorkbook(file: string | null, isBinary: boolean): UsageError {
  return new UsageError(
    isBinary
      ? t`The file is a binary workbook of Excel (.xlsb), not a table that is read`
      : t`\`${file ?? '-'}\` is a ZIP archive, not an .xlsx workbook`,
    { hint: t`Open it in a spreadsheet and save it as .xlsx or as "CSV UTF-8"` },
  )
}

function sheetMissing(sheets: readonly WorkbookSheet[], sheet: string | undefined): UsageError {
  return new UsageError(
    sheet === undefined ? t`All sheets of the workbook are hidden` : t`The workbook has no sheet \`${sheet}\``,
    {
      details: sheets.map(({ name, isHidden }) =>
        isHidden ? t`It has the hidden sheet \`${name}\`` : t`It has the sheet \`${name}\``,
      ),
      hint: t`Use one of these names with \`--sheet\``,
    },
  )
}
