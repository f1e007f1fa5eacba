import { strToU8, Zip, ZipDeflate } from 'fflate'
import { DAY_MS, wallClockMs } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'
import type { Report, ReportColumn, ReportRow, ReportTable, ReportValue } from './reportTable.ts'

const START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const SHEET_NAME_CHARACTERS_MAX = 31

const SHEET_ROWS_MAX = 1_048_576
const CELL_CHARACTERS_MAX = 32_767
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

const FONT = 'Arial'
const FONT_POINTS = 9
const TITLE_POINTS = 14

/** The formats of numbers by their ids; the first 164 are a spreadsheet's own. */
const FORMATS = {
  general: [0, null],
  integer: [1, null],
  amount: [164, '#,##0.00;[Red]-#,##0.00'],
  time: [165, 'dd/mm/yyyy hh:mm:ss'],
  day: [166, 'dd/mm/yyyy'],
} as const

const FONTS = {
  plain: '',
  bold: '<b/>',
  marked: '<b/><color rgb="FFB00020"/>',
  quiet: '<color rgb="FF444444"/>',
  title: '<b/>',
} as const

const FILLS = {
  none: '<patternFill patternType="none"/>',
  // The format reserves the second fill.
  reserved: '<patternFill patternType="gray125"/>',
  header: '<patternFill patternType="solid"><fgColor rgb="FFE8E8E8"/></patternFill>',
} as const

const BORDERS = {
  none: '<left/><right/><top/><bottom/>',
  header: '<left/><right/><top/><bottom style="medium"><color rgb="FF333333"/></bottom>',
  sum: '<left/><right/><top style="medium"><color rgb="FF333333"/></top><bottom/>',
  row: '<left/><right/><top/><bottom style="hair"><color rgb="FF999999"/></bottom>',
} as const

interface StyleParts {
  font: keyof typeof FONTS
  format?: keyof typeof FORMATS
  fill?: keyof typeof FILLS
  border?: keyof typeof BORDERS
  align?: 'left' | 'right'
  wraps?: boolean
}

/** What a cell of a sheet looks like, by its meaning. The first is that of cells without a style. */
const STYLES = {
  empty: { font: 'plain' },
  text: { font: 'plain', border: 'row', wraps: true, align: 'left' },
  id: { font: 'plain', border: 'row', wraps: true, align: 'left' },
  integer: { font: 'plain', border: 'row', format: 'integer' },
  amount: { font: 'plain', border: 'row', format: 'amount' },
  time: { font: 'plain', border: 'row', format: 'time', align: 'left' },
  day: { font: 'plain', border: 'row', format: 'day', align: 'left' },
  marked: { font: 'marked', border: 'row', wraps: true, align: 'left' },
  textSum: { font: 'bold', border: 'sum', wraps: true, align: 'left' },
  integerSum: { font: 'bold', border: 'sum', format: 'integer' },
  amountSum: { font: 'bold', border: 'sum', format: 'amount' },
  header: { font: 'bold', fill: 'header', border: 'header', wraps: true, align: 'left' },
  numberHeader: { font: 'bold', fill: 'header', border: 'header', wraps: true, align: 'right' },
  title: { font: 'title', align: 'left' },
  sentence: { font: 'quiet', wraps: true, align: 'left' },
  label: { font: 'bold', align: 'left' },
} as const satisfies Record<string, StyleParts>

type CellStyle = keyof typeof STYLES

const NAMES = Object.keys(STYLES)

/** Thrown for more rows than a sheet can have. */
export class TooManyRows extends Error {}

/** A report as an `.xlsx` workbook with a sheet for each table, in pieces. Throws TooManyRows. */
export async function* workbookReport({ title, lines, tables }: Report): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const archive = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const part = (path: string) => {
    const entry = new ZipDeflate(path, { level: 6 })
    archive.add(entry)
    return entry
  }
  const layouts: SheetLayout[] = []
  for (const [place, table] of tables.entries()) {
    const entry = part(`xl/worksheets/sheet${place + 1}.xml`)
    const sheet = sheetXml(table, { title, lines, isFirst: place === 0 })
    for (;;) {
      const { done, value } = await sheet.next()
      if (done === true) {
        layouts.push(value)
        break
      }
      entry.push(strToU8(value))
      yield* pieces.splice(0)
    }
    entry.push(new Uint8Array(), true)
  }
  const names = tables.map((table) => sheetName(table.title))
  for (const [path, content] of Object.entries(bookParts(names, layouts))) part(path).push(strToU8(content), true)
  archive.end()
  yield* pieces
}

/** A title as the name of a sheet: some characters are not allowed in it. */
function sheetName(title: string): string {
  return title.replace(/[\\/?*:[\]]/g, ' ').slice(0, SHEET_NAME_CHARACTERS_MAX)
}

/** The parts of a workbook beside its sheets, by their paths. */
function bookParts(names: readonly string[], layouts: readonly SheetLayout[]): Record<string, string> {
  const numbers = names.map((_, place) => place + 1)
  const sheets = names.map(
    (name, place) => `<sheet name="${xmlText(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  )
  const types = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${MAIN}.worksheet+xml"/>`,
  )
  const relations = numbers.map((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`))
  return {
    '[Content_Types].xml':
      `${START}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/>${types.join('')}` +
      `<Override PartName="/xl/styles.xml" ContentType="${MAIN}.styles+xml"/></Types>`,
    '_rels/.rels': `${START}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `${START}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}">` +
      `<bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets>` +
      `<definedNames>${definedNames(names, layouts)}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${START}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}${relation(names.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': stylesXml(),
  }
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${OFFICE}/${type}" Target="${target}"/>`
}

/** What each sheet filters, and the row that is repeated on its printed pages. The format wants them in the order of their names. */
function definedNames(names: readonly string[], layouts: readonly SheetLayout[]): string {
  const sheets = layouts.map(({ headerRow, filter }, place) => ({
    place,
    name: xmlText(`'${(names[place] ?? '').replaceAll("'", "''")}'`),
    headerRow,
    filter,
  }))
  const filters = sheets.map(({ place, name, filter }) =>
    filter === null
      ? ''
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${name}!${absolute(filter.from)}:${absolute(filter.to)}</definedName>`,
  )
  const titles = sheets.map(
    ({ place, name, headerRow }) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${place}">${name}!$${headerRow}:$${headerRow}</definedName>`,
  )
  return filters.join('') + titles.join('')
}

/** A cell `B7` as `$B$7`. */
function absolute(reference: string): string {
  return reference.replace(/^([A-Z]+)(\d+)$/, '$$$1$$$2')
}

/** Where the parts of a sheet are to which names of the workbook refer. */
interface SheetLayout {
  headerRow: number
  /** The cells of a list that can be filtered, its header included. */
  filter: { from: string; to: string } | null
}

/**
 * The XML of a sheet, in pieces: the title and what is said of the list, its header, its rows with a filter, and its total row, which the filter
 * does not hide. Printed it is one page wide, and the header is on every page. Returns where the list is. Throws TooManyRows.
 */
async function* sheetXml(
  table: ReportTable,
  { title, lines, isFirst }: { title: string; lines: readonly string[]; isFirst: boolean },
): AsyncGenerator<string, SheetLayout> {
  const pages = table.pages[Symbol.asyncIterator]()
  const about = table.about ?? []
  // The widths follow from the first page, because the format has them before the rows; what is longer later is broken into lines.
  const first = await pages.next()
  const columns = table.columns.map((column, place) => {
    const labels = place === 0 ? about.map(([label]) => label) : []
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
    for (const each of page.value) yield rowXml(columns, each, next++)
  }
  const lastRow = next - 1
  const totals = table.totals?.() ?? []
  // A spreadsheet takes what follows a filtered list at once for a part of it.
  if (totals.length > 0) next += 1
  for (const cells of totals) yield rowXml(columns, { cells, isSum: true }, next++)
  if (about.length > 0) next += 1
  for (const [label, value] of about) {
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
function xmlText(text: string): string {
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

/** True of a column whose values are at the right of their cells. */
function isNumeric({ kind }: ReportColumn): boolean {
  return kind === 'integer' || kind === 'amount'
}

/** True of a day, false of what else its column has, such as the name of a total. */
function isDay(value: ReportValue): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function styleNumber(style: CellStyle): number {
  return NAMES.indexOf(style)
}

function stylesXml(): string {
  const own = Object.values(FORMATS).flatMap(([id, code]) => (code === null ? [] : [[id, code] as const]))
  const formats = own.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  const fonts = Object.entries(FONTS).map(([name, parts]) => {
    const points = name === 'title' ? TITLE_POINTS : FONT_POINTS
    const [weight, colour] = parts.startsWith('<b/>') ? ['<b/>', parts.slice(4)] : ['', parts]
    return `<font>${weight}<sz val="${points}"/>${colour}<name val="${FONT}"/><family val="2"/></font>`
  })
  const fills = Object.values(FILLS).map((fill) => `<fill>${fill}</fill>`)
  const borders = Object.values(BORDERS).map((border) => `<border>${border}<diagonal/></border>`)
  const cells = Object.values(STYLES).map(styleXml)
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    counted('numFmts', formats) +
    counted('fonts', fonts) +
    counted('fills', fills) +
    counted('borders', borders) +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    counted('cellXfs', cells) +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}

function counted(name: string, members: readonly string[]): string {
  return `<${name} count="${members.length}">${members.join('')}</${name}>`
}

function styleXml({ font, format = 'general', fill = 'none', border = 'none', align, wraps }: StyleParts): string {
  const [formatId] = FORMATS[format]
  const ids = [
    `numFmtId="${formatId}"`,
    `fontId="${Object.keys(FONTS).indexOf(font)}"`,
    `fillId="${Object.keys(FILLS).indexOf(fill)}"`,
    `borderId="${Object.keys(BORDERS).indexOf(border)}"`,
  ]
  // The indent keeps text apart from a number at its left.
  const side = { left: ' horizontal="left" indent="1"', right: ' horizontal="right"', none: '' }[align ?? 'none']
  const alignment = `<alignment vertical="top"${side}${wraps === true ? ' wrapText="1"' : ''}/>`
  return `<xf ${ids.join(' ')} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${alignment}</xf>`
}
