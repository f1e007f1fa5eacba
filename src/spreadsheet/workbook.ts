import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { workbookTooLarge } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { TableRecord } from './table.ts'
import { findHiddenParts, type WorkbookSheet, workbookSheets } from './workbookSheets.ts'

/** The largest total size of the parts of a workbook when they are unpacked. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
/** The digits of a number that a spreadsheet keeps. */
const NUMBER_DIGITS = 15
/** A number as the file format has it; `Number` reads more than that, such as `0x10`. */
const STORED_NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?\s*$/i
const BOOK_PART = 'xl/workbook.xml'
const RELATIONSHIPS_PART = 'xl/_rels/workbook.xml.rels'
/** A cell whose formula has no result, as some programs write it; empty text is the result of a formula only in a cell of the type `str`. */
const NO_RESULT =
  /<(?:\w+:)?c\b(?![^>]*\bt=["']str["'])[^>]*>\s*<(?:\w+:)?f\b(?:[^>]*\/>|[^>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*\/>|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>)?\s*<\/(?:\w+:)?c>/
/** The beginning of a cell that holds an error, up to its type. */
const ERROR_CELL = /(<(?:\w+:)?c\b[^>]*?\s)t=(["'])e\2/g

/** What one sheet of a workbook holds: plain values, which another process could send. */
export interface SheetContent {
  name: string
  /** The rows that are not empty, the header first. */
  rows: TableRecord[]
  /** The places of the columns that the spreadsheet does not show, from 0. */
  hiddenColumns: number[]
  /** The other sheets of the workbook, in their order; `isFirst` if the sheet that was read is before all of them. */
  others: Pick<WorkbookSheet, 'name' | 'isHidden'>[]
  isFirst: boolean
}

/** Reads the named sheet of a workbook, or the first that is not hidden. Throws UsageError if that cannot be done. */
export async function readWorkbook(archive: Uint8Array, name: string | undefined): Promise<SheetContent> {
  const parts = unpack(archive)
  const [book, relationships] = [parts[BOOK_PART], parts[RELATIONSHIPS_PART]]
  if (book === undefined) throw notAWorkbook()
  const sheets = workbookSheets(strFromU8(book), relationships === undefined ? '' : strFromU8(relationships))
  const sheet = selectSheet(sheets, name)
  const content = sheet.part === null ? undefined : parts[sheet.part]
  if (content === undefined) throw unreadableWorkbook(t`the sheet ${sheet.name} has no cells`)
  const cells = await sheetCells(withErrorsAsText(parts), sheets.indexOf(sheet) + 1)
  const width = cells[0]?.length ?? 0
  const hidden = findHiddenParts(strFromU8(content), width)
  return {
    name: sheet.name,
    rows: tableRecords(cells, hidden.rows),
    hiddenColumns: [...hidden.columns],
    others: sheets.filter((each) => each !== sheet).map(({ name: other, isHidden }) => ({ name: other, isHidden })),
    isFirst: sheet === sheets[0],
  }
}

/** The sheet with a name, else the first one that is not hidden. Throws UsageError if there is none. */
function selectSheet(sheets: readonly WorkbookSheet[], name: string | undefined): WorkbookSheet {
  const found = sheets.find((sheet) => (name === undefined ? !sheet.isHidden : sheet.name === name))
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

/** The parts that hold tables. Their sizes are checked first, because a small archive can unpack to a huge size. */
function unpack(archive: Uint8Array): Record<string, Uint8Array> {
  let total = 0
  try {
    return unzipSync(archive, {
      filter({ name, originalSize }) {
        if (!/\.(?:xml|rels)$/.test(name)) return false
        total += originalSize
        if (total > UNPACKED_BYTES_MAX) throw workbookTooLarge(UNPACKED_BYTES_MAX)
        return true
      },
    })
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unreadableWorkbook(error instanceof Error ? error.message : String(error))
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

/** The rows that are not empty; none is wider than the header unless it has more cells. */
function tableRecords(rows: readonly string[][], hiddenRows: ReadonlySet<number>): TableRecord[] {
  let width = 0
  return rows.flatMap((texts, index) => {
    const filled = texts.findLastIndex((text) => text.trim() !== '') + 1
    if (filled === 0) return []
    if (width === 0) width = filled
    const row = index + 1
    return [{ line: row, row, cells: texts.slice(0, Math.max(width, filled)), isHidden: hiddenRows.has(row) }]
  })
}

/**
 * The parts of a workbook with its error values as text, so that they are faults of their rows: the reader takes them for empty cells, and a
 * missing amount could be taken for a refund of everything. Throws UsageError if results of formulas are missing, for the same reason.
 */
function withErrorsAsText(parts: Record<string, Uint8Array>): Record<string, Uint8Array> {
  const entries = Object.entries(parts).map(([name, content]): [string, Uint8Array] => {
    const xml = strFromU8(content)
    if (!xml.includes('sheetData')) return [name, content]
    if (NO_RESULT.test(xml)) {
      throw new UsageError(t`The workbook has formulas whose results were not saved`, {
        hint: t`Open it in a spreadsheet and save it again, so that the results are saved too`,
      })
    }
    const changed = xml.replace(ERROR_CELL, '$1t="str"')
    return [name, changed === xml ? content : strToU8(changed)]
  })
  return Object.fromEntries(entries)
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
