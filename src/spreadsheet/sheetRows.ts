import { t } from '../text/translate.ts'
import { type CellFormats, cellText } from './cellText.ts'
import { longText, TEXT_CHARACTERS_MAX, TextParts } from './sharedStrings.ts'
import type { TableRecord } from './table.ts'
import { isTrue } from './workbookSheets.ts'
import { UnsafeXml, type XmlHandler } from './xmlReader.ts'

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
  #characters = 0
  #cellCount = 0
  #emptyCells = 0

  #type = 'n'
  #style: string | undefined
  #value: string | undefined
  #hasFormula = false
  #isInValue = false
  #inline: string | undefined
  readonly #text = new TextParts()

  constructor(formats: CellFormats) {
    this.#formats = formats
  }

  /** True when what the sheet says about its columns has been read: it is before the rows. */
  get hasData(): boolean {
    return this.#hasData
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
    if (parent === 'c') this.#openInCell(name)
    else if (parent === 'row') {
      if (name === 'c' && this.#isInRow) this.#openCell(attributes())
    } else if (parent === 'sheetData') {
      if (name === 'row') this.#openRow(attributes())
    } else if (name === 'sheetData') {
      if (this.#hasData) throw new UnsafeXml(t`it has rows in two places`)
      this.#hasData = true
    } else if (name === 'col' || name === 'sheetFormatPr') this.#readSizes(name, attributes())
    else this.#text.open(name, parent)
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
    this.#value += text
    if ((this.#value ?? '').length > TEXT_CHARACTERS_MAX) throw longText()
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
    this.#characters = 0
  }

  #closeRow(): void {
    this.#isInRow = false
    this.ended += 1
    const cells = this.#cells
    if (cells.every((cell) => cell.trim() === '')) return
    this.#complete.push({ line: this.#row, row: this.#row, cells, isHidden: this.#isRowHidden })
  }

  #openCell(attributes: ReadonlyMap<string, string>): void {
    const reference = attributes.get('r')
    if (reference === undefined) throw new UnsafeXml(t`row ${this.#row} has a cell without a name`)
    const cell = cellAt(reference)
    if (cell === undefined) throw new UnsafeXml(t`it has a cell \`${reference}\`, which no spreadsheet has`)
    if (this.#isNumberMissing && cell.row > this.#row) this.#row = cell.row
    this.#isNumberMissing = false
    if (cell.row !== this.#row) throw new UnsafeXml(t`the cell \`${reference}\` is in row ${this.#row}`)
    if (cell.column <= this.#column) {
      throw new UnsafeXml(t`the cell \`${reference}\` is given twice, or is not in order`)
    }
    this.#column = cell.column
    this.#type = attributes.get('t') ?? 'n'
    this.#style = attributes.get('s')
    this.#value = undefined
    this.#inline = undefined
    this.#hasFormula = false
  }

  #openInCell(name: string): void {
    if (name === 'f') this.#hasFormula = true
    if (name !== 'v' && name !== 'is') return
    if ((name === 'v' ? this.#value : this.#inline) !== undefined) {
      throw new UnsafeXml(t`a cell in row ${this.#row} has two values`)
    }
    if (name === 'is') this.#text.begin()
    else {
      this.#value = ''
      this.#isInValue = true
    }
  }

  #closeInCell(name: string): void {
    if (name === 'v') this.#isInValue = false
    else if (name === 'is') this.#inline = this.#text.end()
  }

  #closeCell(): void {
    const text = cellText(
      {
        type: this.#type,
        style: this.#style,
        value: this.#value ?? '',
        inline: this.#inline ?? '',
        hasFormula: this.#hasFormula,
      },
      this.#formats,
    )
    if (text.trim() === '') {
      this.#emptyCells += 1
      if (this.#emptyCells > EMPTY_CELLS_MAX) throw new UnsafeXml(t`it has more than ${EMPTY_CELLS_MAX} empty cells`)
    }
    if (text === '') return
    this.#characters += text.length
    if (this.#characters > TEXT_CHARACTERS_MAX) throw longText()
    this.#cellCount += this.#column - this.#cells.length
    if (this.#cellCount > CELLS_MAX) throw new UnsafeXml(t`it has more than ${CELLS_MAX} cells`)
    while (this.#cells.length < this.#column - 1) this.#cells.push('')
    this.#cells.push(text)
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
