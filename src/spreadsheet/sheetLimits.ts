import { t } from '../text/translate.ts'

/** Thrown for the XML of a workbook that is damaged or made to harm, with the reason. */
export class UnsafeXml extends Error {}

/** Longer than any tag of a spreadsheet, with room for namespaces. */
const TAG_CHARACTERS_MAX = 16 * 1024
const DEPTH_MAX = 100
/** What spreadsheets have: XFD1048576 is the last cell. */
const ROWS_MAX = 1_048_576
const COLUMNS_MAX = 16_384
/** Of the rectangle from A1 to the last row and the last column: the reader makes a place in memory for each. */
const CELLS_MAX = 5_000_000
const ROW_OR_CELL = /^<(?:\w+:)?(row|c)[\s/>]/
const REFERENCE = /\sr\s*=\s*["']([^"']*)["']/
const CELL_NAME = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i
/** Markup that has no tags inside, and its end. */
const NO_TAGS = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const

/** Checks that a text is XML that is read in a time in proportion to it. Throws UnsafeXml. */
export function assertSoundXml(xml: string): void {
  for (const tag of tagsOf(xml)) void tag
}

/** Checks that a sheet is sound, that its rows and cells are in order, and that it fits into memory. Throws UnsafeXml. */
export function assertSoundSheet(xml: string): void {
  let [row, column, width] = [0, 0, 0]
  /** True until the first cell of a row without a number tells it. */
  let isNumberMissing = false
  for (const tag of tagsOf(xml)) {
    const [, kind] = ROW_OR_CELL.exec(tag) ?? []
    if (kind === undefined) continue
    const [, reference] = REFERENCE.exec(tag) ?? []
    if (kind === 'row') {
      const number = reference === undefined ? row + 1 : Number(reference)
      if (!isRow(number)) throw new UnsafeXml(t`it has a row ${reference ?? ''}`)
      if (number <= row) throw new UnsafeXml(t`row ${number} comes after row ${row}`)
      row = number
      column = 0
      isNumberMissing = reference === undefined
    } else {
      // The reader tells cells by their names.
      if (reference === undefined) throw new UnsafeXml(t`row ${row} has a cell without a name`)
      const cell = cellAt(reference)
      if (cell === undefined) throw new UnsafeXml(t`it has a cell \`${reference}\`, which no spreadsheet has`)
      if (isNumberMissing && cell.row > row) row = cell.row
      isNumberMissing = false
      if (cell.row !== row) throw new UnsafeXml(t`the cell \`${reference}\` is in row ${row}`)
      if (cell.column <= column) throw new UnsafeXml(t`the cell \`${reference}\` is given twice, or is not in order`)
      column = cell.column
    }
    width = Math.max(width, column)
    if (row * width > CELLS_MAX) {
      throw new UnsafeXml(
        t`its cells reach to row ${row} and column ${width}; delete the rows and columns that are formatted but empty`,
      )
    }
  }
}

/** The row and the column of a cell such as `B7`, from 1; undefined if no spreadsheet has such a cell. */
function cellAt(reference: string): { row: number; column: number } | undefined {
  const [, letters = '', digits = ''] = CELL_NAME.exec(reference) ?? []
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  const row = Number(digits)
  return column >= 1 && column <= COLUMNS_MAX && isRow(row) ? { row, column } : undefined
}

function isRow(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= ROWS_MAX
}

/** The tags of a text, closing ones too, as they are written. Takes time in proportion to the text. Throws UnsafeXml. */
function* tagsOf(xml: string): Generator<string> {
  let depth = 0
  for (let start = xml.indexOf('<'); start !== -1; ) {
    const special = NO_TAGS.find(([beginning]) => xml.startsWith(beginning, start))
    let end: number
    if (special !== undefined) end = xml.indexOf(special[1], start)
    else {
      // No spreadsheet writes either, and the reader would leave out text that is quoted like this.
      if (xml.startsWith('<![CDATA[', start)) throw new UnsafeXml(t`it has text in CDATA sections`)
      if (xml.startsWith('<!', start)) throw new UnsafeXml(t`it declares entities or types of its own`)
      end = xml.indexOf('>', start)
      if (end - start > TAG_CHARACTERS_MAX)
        throw new UnsafeXml(t`it has a tag of more than ${TAG_CHARACTERS_MAX} characters`)
      const tag = xml.slice(start, end + 1)
      if (end === -1 || tag.lastIndexOf('<') > 0) throw new UnsafeXml(t`it has a tag without an end`)
      if (tag.startsWith('</')) depth -= 1
      else if (!tag.endsWith('/>')) depth += 1
      if (depth > DEPTH_MAX) throw new UnsafeXml(t`it has more than ${DEPTH_MAX} tags inside each other`)
      yield tag
    }
    if (end === -1) throw new UnsafeXml(t`it was cut off`)
    start = xml.indexOf('<', end)
  }
}
