import { wallClockMs } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'
import { isDay, isNumeric, type ReportColumn, type ReportRow, type ReportTable, type ReportValue } from './report.ts'
import { type CellStyle, styleNumber } from './sheetStyles.ts'

/** The rows that a sheet can have. */
const SHEET_ROWS_MAX = 1_048_576
const CELL_CHARACTERS_MAX = 32_767
const DAY_MS = 86_400_000
/** The number of 1 January 1970 in a spreadsheet. */
const EPOCH_DAY = 25_569
const TITLE_HEIGHT_POINTS = 20
const LINE_HEIGHT_POINTS = 12
const SPACE_WIDTH = 0.5
/** How much of the width of a column bold text can use, compared with other text. */
const BOLD = 0.85
/** The space at the left of a text in its cell, in characters. */
const INDENT = 2
/** All space beside a text. */
const CELL_MARGIN = 3

/** Where the parts of a sheet are to which names of the workbook refer. */
export interface SheetLayout {
  headerRow: number
  /** The cells of a list that can be filtered, its header included. */
  filter: { from: string; to: string } | null
}

/** Thrown for more rows than a sheet can have. */
export class TooManyRows extends Error {}

/**
 * The XML of a sheet, in pieces: the title and what is said of the list, its header, its rows with a filter, and its total row, which the filter
 * does not hide. Printed it is one page wide, and the header is on every page. Returns where the list is. Throws TooManyRows.
 */
export async function* sheetXml(
  table: ReportTable,
  { title, lines, isFirst }: { title: string; lines: readonly string[]; isFirst: boolean },
): AsyncGenerator<string, SheetLayout> {
  const pages = pageIterator(table)
  // The widths follow from the first page, because the format has them before the rows; what is longer later is broken into lines.
  const first = await pages.next()
  const columns = table.columns.map((column, place) => {
    const labels = place === 0 ? table.about.map(([label]) => label) : []
    const values = first.done === true ? [] : first.value.map(({ cells }) => String(cells[place] ?? ''))
    return fitted(column, [...labels, ...values])
  })
  const last = columnName(columns.length - 1)
  const sentences = [...lines, ...table.notes]
  const headerRow = sentences.length + 3
  const merged: string[] = []
  let next = 1
  const across = (text: string, style: CellStyle) => {
    merged.push(`A${next}:${last}${next}`)
    return row(next++, [cell(text, style)], linesOf(text, widthOf(columns)) * LINE_HEIGHT_POINTS)
  }
  yield `${head(isFirst, headerRow)}<cols>${columns.map(columnXml).join('')}</cols><sheetData>`
  yield row(next++, [cell(`${title} – ${table.title}`, 'title')], TITLE_HEIGHT_POINTS)
  yield sentences.map((sentence) => across(sentence, 'sentence')).join('')
  next = headerRow
  yield row(
    next++,
    columns.map((column) => cell(column.title, isNumeric(column) ? 'numberHeader' : 'header')),
    Math.max(...columns.map((column) => linesOf(column.title, column.width * BOLD))) * LINE_HEIGHT_POINTS,
  )
  for (let page = first; page.done !== true; page = await pages.next()) {
    if (next + page.value.length > SHEET_ROWS_MAX) throw new TooManyRows()
    yield page.value.map((each) => rowXml(columns, each, next++)).join('')
  }
  const lastRow = next - 1
  const totals = table.totals()
  // A spreadsheet takes what follows a filtered list at once for a part of it.
  if (totals.length > 0) next += 1
  for (const cells of totals) yield rowXml(columns, { cells, isSum: true }, next++)
  if (table.about.length > 0) next += 1
  for (const [label, value] of table.about) {
    merged.push(`B${next}:${last}${next}`)
    const lines = linesOf(value, widthOf(columns.slice(1)))
    yield row(next++, [cell(label, 'label'), cell(value, 'text')], lines * LINE_HEIGHT_POINTS)
  }
  const filter = table.isList ? { from: `A${headerRow}`, to: `${last}${lastRow}` } : null
  yield foot(filter, merged, title)
  return { headerRow, filter }
}

/** The name of a column by its place from 0. */
function columnName(place: number): string {
  const rest = Math.floor(place / 26)
  return (rest === 0 ? '' : columnName(rest - 1)) + String.fromCharCode(65 + (place % 26))
}

/** Text in XML. What a spreadsheet would read as a character's number, such as `_x0041_`, stays what it is. */
export function xmlText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
}

function head(isFirst: boolean, headerRow: number): string {
  const below = `A${headerRow + 1}`
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
    `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    `<pane ySplit="${headerRow}" topLeftCell="${below}" activePane="bottomLeft" state="frozen"/>` +
    `<selection pane="bottomLeft" activeCell="${below}" sqref="${below}"/></sheetView></sheetViews>` +
    '<sheetFormatPr defaultRowHeight="13"/>'
  )
}

function foot(filter: SheetLayout['filter'], merged: readonly string[], title: string): string {
  const footer = xmlText(`&L${title.replaceAll('&', '&&')}&R${t`Page ${'&P'} of ${'&N'}`}`)
  const cells = merged.map((range) => `<mergeCell ref="${range}"/>`).join('')
  return (
    `</sheetData>${filter === null ? '' : `<autoFilter ref="${filter.from}:${filter.to}"/>`}` +
    (merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${cells}</mergeCells>`) +
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
    '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
    `<headerFooter><oddFooter>${footer}</oddFooter></headerFooter></worksheet>`
  )
}

function columnXml({ width }: ReportColumn, place: number): string {
  return `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`
}

function widthOf(columns: readonly ReportColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0)
}

async function* pageIterator(table: ReportTable): AsyncGenerator<readonly ReportRow[]> {
  yield* table.pages()
}

/** A column no wider than its heading and its values need, and wide enough for the longest word of its heading. */
function fitted(column: ReportColumn, texts: readonly string[]): ReportColumn {
  const widest = (all: readonly string[]) => all.reduce((most, text) => Math.max(most, textWidth(text)), 0)
  const least = widest(column.title.split(' ')) / BOLD + CELL_MARGIN
  const isText = column.kind === 'text' || column.kind === 'id'
  return {
    ...column,
    width: Math.max(least, isText ? Math.min(column.width, widest(texts) + CELL_MARGIN) : column.width),
  }
}

/** How many lines a text needs in a cell; a spreadsheet does not measure it when it opens a file. */
function linesOf(text: string, cellWidth: number): number {
  const width = Math.max(1, cellWidth - INDENT)
  let lines = 1
  let used = 0
  for (const word of text.split(' ')) {
    const wordWidth = textWidth(word)
    if (used > 0 && used + wordWidth > width) {
      lines += 1
      used = 0
    }
    lines += Math.max(0, Math.ceil(wordWidth / width) - 1)
    used += wordWidth + SPACE_WIDTH
  }
  return lines
}

/** About the width of a text in digits, which are the unit of columns: capitals are wider, other letters narrower. */
function textWidth(text: string): number {
  const countOf = (characters: RegExp) => text.match(characters)?.length ?? 0
  return text.length + 0.3 * countOf(/[\p{Lu}_@]/gu) - 0.08 * countOf(/\p{Ll}/gu)
}

function rowXml(columns: readonly ReportColumn[], { cells, marked = [], isSum = false }: ReportRow, number: number) {
  const lines = columns.map(({ width }, place) => {
    const value = cells[place]
    const isBold = isSum || marked.includes(place)
    return typeof value === 'string' ? linesOf(value, isBold ? width * BOLD : width) : 1
  })
  return row(
    number,
    columns.map((column, place) => valueCell(column, cells[place] ?? null, marked.includes(place), isSum)),
    Math.max(...lines) * LINE_HEIGHT_POINTS,
  )
}

/** A cell as it is in a row, where its place is added. */
type PlacedCell = (reference: string) => string

function row(number: number, cells: readonly PlacedCell[], heightPoints?: number): string {
  const height = heightPoints === undefined ? '' : ` ht="${heightPoints}" customHeight="1"`
  return `<row r="${number}"${height}>${cells.map((each, place) => each(`${columnName(place)}${number}`)).join('')}</row>`
}

function cell(text: string, style: CellStyle): PlacedCell {
  const attributes = `s="${styleNumber(style)}"`
  if (text === '') return (reference) => `<c r="${reference}" ${attributes}/>`
  const shown = text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX - 1)}…` : text
  return (reference) =>
    `<c r="${reference}" ${attributes} t="inlineStr"><is><t xml:space="preserve">${xmlText(shown)}</t></is></c>`
}

function valueCell({ kind }: ReportColumn, value: ReportValue, isMarked: boolean, isSum: boolean): PlacedCell {
  const number = numberOf(kind, value)
  const style = styleOf(number === null && kind !== 'id' ? 'text' : kind, isMarked, isSum)
  if (number === null) return cell(typeof value === 'string' ? value : '', style)
  return (reference) => `<c r="${reference}" s="${styleNumber(style)}"><v>${number}</v></c>`
}

function styleOf(kind: ReportColumn['kind'], isMarked: boolean, isSum: boolean): CellStyle {
  if (isSum) return kind === 'amount' ? 'amountSum' : kind === 'integer' ? 'integerSum' : 'textSum'
  return isMarked && (kind === 'text' || kind === 'id') ? 'marked' : kind
}

/** The number that a spreadsheet keeps: reais, and days with their fraction; null for text. */
function numberOf(kind: ReportColumn['kind'], value: ReportValue): number | null {
  if (kind === 'day' && isDay(value)) return Date.parse(value) / DAY_MS + EPOCH_DAY
  if (typeof value !== 'number') return null
  if (kind === 'time') return wallClockMs(value) / DAY_MS + EPOCH_DAY
  return kind === 'amount' ? value / 100 : value
}
