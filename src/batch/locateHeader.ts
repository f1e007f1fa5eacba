import type { FileContent } from '../spreadsheet/fileContent.ts'
import { columnNames, placeOf } from '../spreadsheet/header.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { AmountColumnScan } from './amountColumns.ts'
import { type EarlierReading, fileColumns, isReadAs, readingWords } from './earlierReading.ts'
import { type BatchHeader, readHeader } from './fileHeader.ts'
import { findHeaderPlace, type HeaderQuery, soughtRecords } from './headerSearch.ts'
import { resultsHeaderInEnglish } from './resultColumns.ts'

/** What is needed to read the records of a file. */
export interface Table {
  records: FileContent['records']
  query: HeaderQuery
}

/** A header, and the names of the columns that are not to be used. */
export interface LocatedHeader {
  header: BatchHeader
  ignored: readonly string[]
}

/**
 * Finds and reads the header of a file. If an earlier file with these headings was read in another way than this one would be, `acceptEarlier`
 * is asked whether this one is read like it. Throws UsageError if the header has faults.
 */
export async function locateHeader(
  table: Table,
  acceptEarlier: (reading: EarlierReading) => Promise<boolean>,
): Promise<LocatedHeader> {
  const { query } = table
  const records = await firstRecords(table)
  const { index } = findHeaderPlace(records, query)
  const record = records[index]
  if (record === undefined) throw missingHeaderRow(query.row ?? 0)
  const above = records.slice(0, index)
  const plain = headerOrFault(() => readHeader(record, above, query))
  const earlier = query.earlier.find((reading) => fileColumns(record, reading) !== null)
  if (earlier !== undefined && !('header' in plain && isReadAs(plain.header, earlier))) {
    if (await acceptEarlier(earlier)) {
      const like = { ...query, ...fileColumns(record, earlier) }
      return { header: readHeader(record, above, like), ignored: like.ignored }
    }
    if ('fault' in plain) throw asEarlier(plain.fault, record, earlier)
  }
  if ('header' in plain) return { header: plain.header, ignored: query.ignored }
  // Only now is the rest of the file read, because its columns of amounts make a better hint.
  return { header: readHeader(record, above, query, await amountColumnsOf(table, record)), ignored: query.ignored }
}

function headerOrFault(read: () => BatchHeader): { header: BatchHeader } | { fault: UsageError } {
  try {
    return { header: read() }
  } catch (error) {
    if (error instanceof UsageError) return { fault: error }
    throw error
  }
}

/** The fault of a header with a hint to read it like an earlier one. */
function asEarlier({ message, details, faults }: UsageError, record: TableRecord, earlier: EarlierReading): UsageError {
  const words = readingWords(record, earlier).join(' ')
  return new UsageError(message, {
    details: [...details, t`The file ${earlier.file ?? '-'} of the run ${earlier.run} had the same headings`],
    faults,
    hint: t`Add \`${words}\` to read the columns as in that run`,
  })
}

/** The names of the columns below a header that hold amounts and that `--map` does not name. */
async function amountColumnsOf(
  { records, query: { mapping } }: Table,
  header: TableRecord,
): Promise<readonly string[]> {
  const names = header.cells.map((cell) => cell.trim())
  const mapped = new Set([...mapping.values()].map((column) => placeOf(column, columnNames(names))))
  const scan = new AmountColumnScan(
    names,
    [...names.keys()].filter((place) => !mapped.has(place)),
  )
  for await (const record of records()) {
    if ('cells' in record && record.line > header.line) scan.add(record.cells)
    if (scan.isDone) break
  }
  return scan.found().money
}

/** The records among which the header is. Throws UsageError if there are none. */
async function firstRecords({ records, query }: Table): Promise<TableRecord[]> {
  const first: TableRecord[] = []
  for await (const record of records()) {
    if ('message' in record) {
      if (findHeaderPlace(first, query).isComplete) break
      const { line, row, place, message } = record
      throw new UsageError(t`The header cannot be read: ${message}`, {
        faults: [{ row, line, column: `#${place + 1}`, message }],
        hint: t`Correct line ${line}`,
      })
    }
    first.push({ ...record, cells: resultsHeaderInEnglish(record.cells) })
    if (first.length === soughtRecords(query)) break
  }
  if (first.length > 0) return first
  throw new UsageError(t`The file is empty`, {
    hint: t`Begin it with a line of names, such as \`${query.fields.all.join(',')}\``,
  })
}

function missingHeaderRow(row: number): UsageError {
  return new UsageError(t`\`--header-row ${row}\`: the file has nothing in this row`, {
    hint: t`Give the number that the spreadsheet shows beside the header, or omit \`--header-row\``,
  })
}
