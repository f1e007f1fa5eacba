import { t } from '../text/translate.ts'
import { CellStyles } from './cellStyles.ts'
import type { CellFormats } from './cellText.ts'
import { placeOf } from './header.ts'
import { SharedStrings } from './sharedStrings.ts'
import { SheetRows } from './sheetRows.ts'
import type { HeaderFinder, TableRecord } from './table.ts'
import { Relationships, SheetList, type WorkbookSheet } from './workbookSheets.ts'
import { readXml, UnsafeXml, type XmlHandler } from './xmlReader.ts'
import { partsOf, type ZipPart } from './zipParts.ts'

/** The largest total size of the parts of a workbook when they are unpacked. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
/** A header is sought among this many rows of each sheet, empty ones included. */
const ROWS_SEEN_MAX = 200
const BOOK_PART = 'xl/workbook.xml'
const RELATIONSHIPS_PART = 'xl/_rels/workbook.xml.rels'

/** One sheet of a workbook. */
export interface SheetContent {
  name: string
  /** The rows that are not empty; they are read again on each call. Throws what `openWorkbook` throws. */
  records(): AsyncGenerator<TableRecord>
  /** True if the spreadsheet does not show the column at a place, from 0. */
  isColumnHidden(place: number): boolean
  /** The other sheets of the workbook, in their order; `isFirst` if the sheet that was read is before all of them. */
  others: OtherSheet[]
  isFirst: boolean
}

/** A sheet that is not read. */
export interface OtherSheet extends Pick<WorkbookSheet, 'name' | 'isHidden'> {
  /** True if its header has the columns that are sought; false for hidden sheets, which are not looked at. */
  hasHeader: boolean
}

/** Thrown for a ZIP archive that is not a workbook. */
export class NotAWorkbook extends Error {}

/** Thrown if a workbook has no sheet that is to be read: `sheets` are those that it has. */
export class SheetMissing extends Error {
  readonly sheets: readonly WorkbookSheet[]

  constructor(sheets: readonly WorkbookSheet[]) {
    super()
    this.sheets = sheets
  }
}

/** What is wanted of a workbook. */
export interface WorkbookOptions {
  /** The name of a sheet; undefined for the first that `findHeader` finds complete, of those that are not hidden, or the first of all. */
  sheet?: string | undefined
  findHeader?: HeaderFinder | undefined
  /** Called before each chunk is read. */
  onChunk?: () => void
}

/**
 * Opens a sheet of a workbook. The rows are unpacked and read while they are iterated over, so memory does not grow with the sheet, and other work of the process, such as an
 * interrupt, goes on meanwhile. Throws NotAWorkbook, SheetMissing, BrokenArchive, ArchiveTooLarge, UnsafeXml, MissingResult, and what `onChunk` throws.
 */
export async function openWorkbook(
  archive: Uint8Array,
  { sheet: name, findHeader, onChunk = () => undefined }: WorkbookOptions,
): Promise<SheetContent> {
  const parts = partsOf(archive, (part) => /\.(?:xml|rels)$/.test(part), UNPACKED_BYTES_MAX, onChunk)
  if (!parts.has(BOOK_PART)) throw new NotAWorkbook()
  const relationships = await filled(parts.get(RELATIONSHIPS_PART), new Relationships())
  const list = await filled(parts.get(BOOK_PART), new SheetList(relationships))
  const { sheets } = list
  const formats = await readFormats(parts, relationships, list)
  const withHeader =
    name === undefined && findHeader !== undefined ? await findSheets(parts, sheets, formats, findHeader) : []
  const sheet = withHeader[0] ?? selectSheet(sheets, name)
  const part = partOf(parts, sheet)
  if (part === undefined) throw new UnsafeXml(t`the sheet ${sheet.name} has no cells`)
  const beginning = new SheetRows(formats)
  for await (const _ of readXml(part.chunks(), beginning)) if (beginning.hasData) break
  const first = await beginningOf(part, formats, findHeader)
  return {
    name: sheet.name,
    records: () => sheetRecords(part, formats, first),
    isColumnHidden: (place) => beginning.isColumnHidden(place),
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

async function readFormats(
  parts: ReadonlyMap<string, ZipPart>,
  { sharedStrings, styles }: Relationships,
  { countsFrom1904 }: SheetList,
): Promise<CellFormats> {
  return {
    strings: await filled(parts.get(sharedStrings ?? ''), new SharedStrings()),
    styles: await filled(parts.get(styles ?? ''), new CellStyles()),
    countsFrom1904,
  }
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
    const records = await firstRecords(part, formats, (_, ended) => ended >= ROWS_SEEN_MAX)
    if (findHeader.place(records).isComplete) found.push(sheet)
  }
  return found
}

/** The first rows of a sheet that are not empty, until `isEnough` says so; `ended` counts empty rows too. */
async function firstRecords(
  part: ZipPart,
  formats: CellFormats,
  isEnough: (records: readonly TableRecord[], ended: number) => boolean,
): Promise<TableRecord[]> {
  const rows = new SheetRows(formats)
  const records: TableRecord[] = []
  for await (const _ of readXml(part.chunks(), rows)) {
    records.push(...rows.take())
    if (isEnough(records, rows.ended)) break
  }
  return records
}

function partOf(parts: ReadonlyMap<string, ZipPart>, { part }: WorkbookSheet): ZipPart | undefined {
  return part === null ? undefined : parts.get(part)
}

/** The sheet with a name, in any case unless two differ only in it; else the first one that is not hidden. Throws SheetMissing. */
function selectSheet(sheets: readonly WorkbookSheet[], name: string | undefined): WorkbookSheet {
  const place =
    name === undefined
      ? sheets.findIndex(({ isHidden }) => !isHidden)
      : placeOf(
          name.trim(),
          sheets.map((sheet) => sheet.name.trim()),
        )
  const found = sheets[place]
  if (found === undefined) throw new SheetMissing(sheets)
  return found
}

/** The first rows of a sheet, which are kept, so that a sheet of few rows and many empty cells is read once. */
interface Beginning {
  records: readonly TableRecord[]
  /** True if they are all rows of the sheet. */
  isWhole: boolean
  /** How many cells the header has; it is the first row unless it is sought. */
  width: number
}

async function beginningOf(
  part: ZipPart,
  formats: CellFormats,
  findHeader: HeaderFinder | undefined,
): Promise<Beginning> {
  const sought = findHeader?.records ?? 1
  let isWhole = true
  const records = await firstRecords(part, formats, ({ length }) => {
    isWhole = length < sought
    return !isWhole
  })
  const place = findHeader === undefined ? 0 : Math.max(0, findHeader.place(records).index)
  return { records, isWhole, width: filledCells(records[place]?.cells ?? []) }
}

/** The rows of a sheet. None is wider than the header unless it has more cells, and none is narrower. */
async function* sheetRecords(
  part: ZipPart,
  formats: CellFormats,
  { records, isWhole, width }: Beginning,
): AsyncGenerator<TableRecord> {
  for (const record of records) yield asWideAs(width, record)
  if (isWhole) return
  const last = records.at(-1)?.line ?? 0
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
