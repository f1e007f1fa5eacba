import { strFromU8, strToU8, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { workbookTooLarge } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { placeOf } from './header.ts'
import { assertSoundSheet, assertSoundXml, UnsafeXml } from './sheetLimits.ts'
import type { HeaderFinder, TableRecord } from './table.ts'
import { findHiddenParts, type WorkbookSheet, workbookSheets } from './workbookSheets.ts'
import { ArchiveTooLarge, BrokenArchive, unpackParts } from './zipParts.ts'

/** The largest total size of the parts of a workbook when they are unpacked. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
/** The digits of a number that a spreadsheet keeps. */
const NUMBER_DIGITS = 15
/** A number as the file format has it; `Number` reads more than that, such as `0x10`. */
const STORED_NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?\s*$/i
/** A header is sought among this many rows of each sheet, empty ones included. */
const ROWS_SEEN_MAX = 200
const BOOK_PART = 'xl/workbook.xml'
const RELATIONSHIPS_PART = 'xl/_rels/workbook.xml.rels'
/** A cell whose formula has no result, as some programs write it; empty text is the result of a formula only in a cell of the type `str`. */
const NO_RESULT =
  /<(?:\w+:)?c\b(?![^>]*\bt=["']str["'])[^>]*>\s*<(?:\w+:)?f\b(?:[^>]*\/>|[^>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*\/>\s*|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>\s*)?<\/(?:\w+:)?c>/
/** The beginning of a cell that holds an error, up to its type. */
const ERROR_CELL = /(<(?:\w+:)?c\b[^>]*?\s)t=(["'])e\2/g

/** What one sheet of a workbook holds: plain values, which another process could send. */
export interface SheetContent {
  name: string
  /** The rows that are not empty. */
  rows: TableRecord[]
  /** The places of the columns that the spreadsheet does not show, from 0. */
  hiddenColumns: number[]
  /** The other sheets of the workbook, in their order; `isFirst` if the sheet that was read is before all of them. */
  others: OtherSheet[]
  isFirst: boolean
}

/** A sheet that is not read. */
export interface OtherSheet extends Pick<WorkbookSheet, 'name' | 'isHidden'> {
  /** True if its header has the columns that are sought; false for hidden sheets, which are not looked at. */
  hasHeader: boolean
}

/**
 * Reads the named sheet of a workbook; else, of those that are not hidden, the first whose header `findHeader` finds complete, or the first
 * of all. Throws UsageError if that cannot be done.
 */
export async function readWorkbook(
  archive: Uint8Array,
  name: string | undefined,
  findHeader: HeaderFinder | undefined,
): Promise<SheetContent> {
  const parts = unpack(archive)
  const [book, relationships] = [parts[BOOK_PART], parts[RELATIONSHIPS_PART]]
  if (book === undefined) throw notAWorkbook()
  const sheets = workbookSheets(strFromU8(book), relationships === undefined ? '' : strFromU8(relationships))
  assertSound(parts, sheets)
  const withHeader = name === undefined && findHeader !== undefined ? await findSheets(parts, sheets, findHeader) : []
  const sheet = withHeader[0] ?? selectSheet(sheets, name)
  const content = contentOf(parts, sheet)
  if (content === undefined) throw unreadableWorkbook(t`the sheet ${sheet.name} has no cells`)
  const cells = await sheetCells(withErrorsAsText(parts, sheet), sheets.indexOf(sheet) + 1)
  const width = cells[0]?.length ?? 0
  const hidden = findHiddenParts(strFromU8(content), width)
  return {
    name: sheet.name,
    rows: tableRecords(cells, hidden.rows, findHeader),
    hiddenColumns: [...hidden.columns],
    others: sheets
      .filter((each) => each !== sheet)
      .map((each) => ({ name: each.name, isHidden: each.isHidden, hasHeader: withHeader.includes(each) })),
    isFirst: sheet === sheets[0],
  }
}

/** The visible sheets whose headers are complete, if there are several to choose from. */
async function findSheets(
  parts: Record<string, Uint8Array>,
  sheets: readonly WorkbookSheet[],
  findHeader: HeaderFinder,
): Promise<WorkbookSheet[]> {
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  if (visible.length < 2) return []
  const found: WorkbookSheet[] = []
  for (const sheet of visible) {
    const content = contentOf(parts, sheet)
    if (sheet.part === null || content === undefined) continue
    const beginning = { ...parts, [sheet.part]: strToU8(firstRows(strFromU8(content), ROWS_SEEN_MAX)) }
    const cells = await sheetCells(beginning, sheets.indexOf(sheet) + 1)
    if (findHeader(tableRecords(cells, new Set(), undefined)).isComplete) found.push(sheet)
  }
  return found
}

/** The XML of a sheet with its first rows only. */
function firstRows(xml: string, rowsMax: number): string {
  const ends = /<\/(\w+:)?row>/g
  for (let row = 1; ; row += 1) {
    const end = ends.exec(xml)
    if (end === null) return xml
    const prefix = end[1] ?? ''
    if (row === rowsMax) return `${xml.slice(0, ends.lastIndex)}</${prefix}sheetData></${prefix}worksheet>`
  }
}

function contentOf(parts: Record<string, Uint8Array>, { part }: WorkbookSheet): Uint8Array | undefined {
  return part === null ? undefined : parts[part]
}

/** The sheet with a name, in any case unless two differ only in it; else the first one that is not hidden. Throws UsageError if there is none. */
function selectSheet(sheets: readonly WorkbookSheet[], name: string | undefined): WorkbookSheet {
  const place =
    name === undefined
      ? -1
      : placeOf(
          name.trim(),
          sheets.map((sheet) => sheet.name.trim()),
        )
  const found = name === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets[place]
  if (found !== undefined) return found
  throw new UsageError(
    name === undefined ? t`All sheets of the workbook are hidden` : t`The workbook has no sheet \`${name}\``,
    {
      details: sheets.map((sheet) =>
        sheet.isHidden ? t`It has the hidden sheet \`${sheet.name}\`` : t`It has the sheet \`${sheet.name}\``,
      ),
      hint: t`Use one of these names with \`--sheet\``,
    },
  )
}

/** The parts that hold tables. Throws UsageError if they are too large or damaged. */
function unpack(archive: Uint8Array): Record<string, Uint8Array> {
  try {
    return unpackParts(archive, (name) => /\.(?:xml|rels)$/.test(name), UNPACKED_BYTES_MAX)
  } catch (error) {
    if (error instanceof ArchiveTooLarge) throw workbookTooLarge(UNPACKED_BYTES_MAX)
    if (error instanceof BrokenArchive) throw unreadableWorkbook(error.message)
    throw error
  }
}

/** Checks that all parts can be read in a short time and in little memory. Throws UsageError. */
function assertSound(parts: Record<string, Uint8Array>, sheets: readonly WorkbookSheet[]): void {
  try {
    for (const [name, content] of Object.entries(parts)) {
      const sheet = sheets.find(({ part }) => part === name)
      if (sheet === undefined) assertSoundXml(strFromU8(content))
      else assertSoundSheet(strFromU8(content))
    }
  } catch (error) {
    if (error instanceof UnsafeXml) throw unreadableWorkbook(error.message)
    throw error
  }
}

/** The cells of the sheet at a place, counted from 1; all rows are as wide as the widest. */
async function sheetCells(parts: Record<string, Uint8Array>, place: number): Promise<string[][]> {
  // The parts are packed again without compression, because the reader unpacks large ones in threads, without a limit.
  const archive = zipSync(parts, { level: 0 })
  const input = new Uint8Array(archive).buffer
  try {
    const rows = await readSheet<string>(input, place, { trim: false, parseNumber: numberText })
    return rows.map((cells) => cells.map(cellText))
  } catch (error) {
    throw unreadableWorkbook(error instanceof Error ? error.message : String(error))
  }
}

/** The rows that are not empty; none is wider than the header, by default the first row, unless it has more cells. */
function tableRecords(
  rows: readonly string[][],
  hiddenRows: ReadonlySet<number>,
  findHeader: HeaderFinder | undefined,
): TableRecord[] {
  const records = rows.flatMap((cells, index): TableRecord[] => {
    const row = index + 1
    return filledCells(cells) === 0 ? [] : [{ line: row, row, cells, isHidden: hiddenRows.has(row) }]
  })
  const header = findHeader === undefined ? records[0] : records[Math.max(0, findHeader(records).index)]
  const width = filledCells(header?.cells ?? [])
  return records.map((record) => ({
    ...record,
    cells: record.cells.slice(0, Math.max(width, filledCells(record.cells))),
  }))
}

/** How many cells a row has up to the last one that is not empty. */
function filledCells(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

/**
 * The parts of a workbook with the error values of a sheet as text, so that they are faults of their rows: the reader takes them for empty cells, and a
 * missing amount could be taken for a refund of everything. Throws UsageError if results of formulas are missing, for the same reason.
 */
function withErrorsAsText(parts: Record<string, Uint8Array>, sheet: WorkbookSheet): Record<string, Uint8Array> {
  const content = contentOf(parts, sheet)
  if (sheet.part === null || content === undefined) return parts
  const xml = strFromU8(content)
  if (NO_RESULT.test(xml)) {
    throw new UsageError(t`The workbook has formulas whose results were not saved`, {
      hint: t`Open it in a spreadsheet and save it again, so that the results are saved too`,
    })
  }
  const changed = xml.replace(ERROR_CELL, '$1t="str"')
  return changed === xml ? parts : { ...parts, [sheet.part]: strToU8(changed) }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  // Times are fractions of a day, which are not exact.
  const text = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

/**
 * A number as the spreadsheet shows it, without the noise of binary fractions. One with more digits than a spreadsheet keeps is written with
 * an exponent, so that it is not a valid id; text that is no number stays as it is, so that it is no amount.
 */
function numberText(stored: string): string {
  if (!STORED_NUMBER.test(stored)) return stored
  const rounded = Number(Number(stored).toPrecision(NUMBER_DIGITS))
  if (!Number.isFinite(rounded)) return stored
  return Math.abs(rounded) >= 10 ** NUMBER_DIGITS ? rounded.toExponential().replace('e', 'E') : String(rounded)
}

function notAWorkbook(): UsageError {
  return new UsageError(t`The file is a ZIP archive, not an .xlsx workbook`, {
    hint: t`Open it in a spreadsheet and save it as .xlsx or as "CSV UTF-8"`,
  })
}

function unreadableWorkbook(reason: string): UsageError {
  return new UsageError(t`The workbook cannot be read: ${reason}`, {
    hint: t`Open it in a spreadsheet, correct it and save it again as .xlsx or as "CSV UTF-8"`,
  })
}
