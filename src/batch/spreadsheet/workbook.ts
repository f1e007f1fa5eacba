import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { INPUT_BYTES_MAX, workbookTooLarge } from '../../terminal/inputFile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { FileContent } from './fileContent.ts'
import type { TableRecord } from './table.ts'
import { findHiddenParts, type HiddenParts, type WorkbookSheet, workbookSheets } from './workbookSheets.ts'

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

/** Reads the named sheet of a workbook, or the first that is not hidden. Throws UsageError if that cannot be done. */
export async function readWorkbook(bytes: AsyncIterable<Uint8Array>, name: string | undefined): Promise<FileContent> {
  const parts = unpack(await wholeFile(bytes))
  const [book, relationships] = [parts[BOOK_PART], parts[RELATIONSHIPS_PART]]
  if (book === undefined) throw notAWorkbook()
  const sheets = workbookSheets(strFromU8(book), relationships === undefined ? '' : strFromU8(relationships))
  const sheet = selectSheet(sheets, name)
  const content = sheet.part === null ? undefined : parts[sheet.part]
  if (content === undefined) throw unreadableWorkbook(t`the sheet ${sheet.name} has no cells`)
  const hidden = findHiddenParts(strFromU8(content))
  const rows = await sheetRows(withErrorsAsText(parts), sheets.indexOf(sheet) + 1, hidden)
  return {
    format: { kind: 'xlsx', sheet: sheet.name },
    async *records() {
      yield* rows
    },
    isColumnHidden: hidden.isColumnHidden,
    remarks: name === undefined ? otherSheetsRemark(sheet, sheets) : [],
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

function otherSheetsRemark(read: WorkbookSheet, sheets: readonly WorkbookSheet[]): string[] {
  const others = sheets.filter((sheet) => sheet !== read)
  if (others.length === 0) return []
  const names = others.map((sheet) => (sheet.isHidden ? t`${sheet.name} (hidden)` : sheet.name)).join(', ')
  return read === sheets[0]
    ? [t`Only the first sheet ${read.name} is read; the workbook also has ${names}`]
    : [t`Only the first visible sheet ${read.name} is read; the workbook also has ${names}`]
}

async function wholeFile(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > INPUT_BYTES_MAX.workbook) throw workbookTooLarge(INPUT_BYTES_MAX.workbook)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
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

/** The rows of the sheet at a place, counted from 1. */
async function sheetRows(
  parts: Record<string, Uint8Array>,
  place: number,
  hidden: HiddenParts,
): Promise<TableRecord[]> {
  // The parts are packed again without compression, because the reader unpacks large ones in threads, without a limit.
  const archive = zipSync(parts, { level: 0 })
  const input = new Uint8Array(archive).buffer
  try {
    const rows = await readSheet<string>(input, place, { trim: false, parseNumber: numberText })
    return tableRecords(
      rows.map((cells) => cells.map(cellText)),
      hidden,
    )
  } catch (error) {
    throw unreadableWorkbook(error instanceof Error ? error.message : String(error))
  }
}

/** The rows that are not empty. All rows of a sheet are as wide as its widest; one is not wider than the header unless it has more cells. */
function tableRecords(rows: readonly string[][], hidden: HiddenParts): TableRecord[] {
  let width = 0
  return rows.flatMap((texts, index) => {
    const filled = texts.findLastIndex((text) => text.trim() !== '') + 1
    if (filled === 0) return []
    if (width === 0) width = filled
    const row = index + 1
    return [{ line: row, row, cells: texts.slice(0, Math.max(width, filled)), isHidden: hidden.rows.has(row) }]
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
