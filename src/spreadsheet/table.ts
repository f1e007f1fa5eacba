import { CsvError, Parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { declared, t } from '../text/translate.ts'

/** What may separate the cells of a file. */
export type Delimiter = ',' | ';' | '\t'

/** The names of the delimiters in English. */
export const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': declared`comma`,
  ';': declared`semicolon`,
  '\t': declared`tab`,
}

/** If several delimiters are possible, the first of these is used. */
const DELIMITERS: readonly Delimiter[] = [';', '\t', ',']

/**
 * One record of a file: the line of the file on which it begins, and the row under which a spreadsheet shows it. Both count from 1; they
 * differ below cells with line breaks.
 */
export interface TableRecord {
  line: number
  row: number
  cells: string[]
  /** True if the spreadsheet does not show the row. */
  isHidden?: boolean
}

/** Where the header is among the first records of a table; `index` is -1 if it is not there. */
export interface HeaderPlace {
  index: number
  /** False if it lacks columns that the file must have. */
  isComplete: boolean
}

/** Finds the header of a table. */
export interface HeaderFinder {
  /** Among how many of the first records it is. */
  records: number
  place(records: readonly TableRecord[]): HeaderPlace
}

/** What is wrong in a file and where: the row as a spreadsheet counts it, the line, and the column by the file's own name for it. */
export interface CellFault {
  /** Not known of rows that were looked up later. */
  row?: number
  line: number
  column: string
  message: string
}

/** The file cannot be read beyond the record that begins on `line`; `place` is the index of the broken cell. */
export interface BrokenRecord {
  line: number
  row: number
  place: number
  message: string
}

const LINE_RULES = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
const RECORD_CHARACTERS_MAX = 1_000_000
/** Among so many records the header of a file with titles may be. */
const HEADER_RECORDS_MAX = 1000
/** The line above the header by which Excel names the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?$/i

/**
 * The delimiter of a file whose text begins with `beginning`: the one that a line `sep=;` names, else the one that splits a line, most likely
 * the header, into the most names that are known, else the one that splits the first line into the most cells.
 */
export function detectDelimiter(beginning: string, isKnown: (name: string) => boolean): Delimiter {
  const [firstLine = ''] = beginning.trimStart().split(/[\r\n]/, 1)
  const named = DELIMITERS.find((delimiter) => delimiter === SEPARATOR_LINE.exec(firstLine)?.[1])
  if (named !== undefined) return named
  let best: { delimiter: Delimiter; known: number; cells: number } = { delimiter: ',', known: 0, cells: 1 }
  for (const delimiter of DELIMITERS) {
    const records = firstRecords(beginning, delimiter).filter((record) => record.length > 1)
    const known = Math.max(0, ...records.map((record) => record.filter(isKnown).length))
    const cells = records[0]?.length ?? 1
    if (known > best.known || (known === best.known && cells > best.cells)) best = { delimiter, known, cells }
  }
  return best.delimiter
}

/** True for the record of a line `sep=;`, which is not a row of the table. */
export function isSeparatorLine({ line, cells }: Pick<TableRecord, 'line' | 'cells'>, delimiter: Delimiter): boolean {
  return line === 1 && SEPARATOR_LINE.test(cells.join(delimiter))
}

/**
 * Puts records into an array at once: those in the buffer of a stream are lost when it fails, and `on_record` takes
 * a third of the time of the parser.
 */
class RecordParser extends Parser {
  readonly #arrived: string[][]

  constructor(delimiter: Delimiter, arrived: string[][]) {
    super({ ...LINE_RULES, delimiter, max_record_size: RECORD_CHARACTERS_MAX })
    this.#arrived = arrived
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null)
    this.#arrived.push(record)
    return true
  }
}

/**
 * The records of a text, as in RFC 4180: any of the three line ends, quoted line breaks, `""` for a quote. Empty
 * lines and lines of empty cells are skipped, but counted. Reading ends at a misplaced quote, because where the next record
 * begins would be a guess.
 */
export async function* readRecords(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<TableRecord | BrokenRecord> {
  const arrived: string[][] = []
  let line = 1
  let row = 1
  const parser = new RecordParser(delimiter, arrived)
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure = error
  })
  // Nothing is pushed to the readable side; it is read so that the stream can end.
  parser.resume()

  function* arrivedRecords(): Generator<TableRecord> {
    for (const cells of arrived.splice(0)) {
      if (cells.some((cell) => cell.trim() !== '')) yield { line, row, cells }
      // A spreadsheet obeys the line `sep=;` and does not show it.
      if (line > 1 || !SEPARATOR_LINE.test(cells.join(delimiter))) row += 1
      line += 1 + lineBreaks(cells)
    }
  }

  for await (const text of texts) {
    await new Promise<void>((resolve) => parser.write(text, () => resolve()))
    yield* arrivedRecords()
    if (parser.errored) break
  }
  if (!parser.errored) await new Promise<void>((resolve) => parser.end(() => resolve()))
  yield* arrivedRecords()
  const error = failure ?? parser.errored
  if (error) yield brokenRecord(error, line, row)
}

function lineBreaks(cells: readonly string[]): number {
  let breaks = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0
  }
  return breaks
}

function brokenRecord(error: Error, line: number, row: number): BrokenRecord {
  if (!(error instanceof CsvError)) throw error
  const place = typeof error.column === 'number' ? error.column : 0
  return { line, row, place, message: quoteFault(error.code) }
}

function quoteFault(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return t`A quote \`"\` is opened here and never closed. The lines after it were not read`
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return t`The record is longer than ${RECORD_CHARACTERS_MAX} characters; its closing quote \`"\` may be missing. The lines after it were not read`
  }
  return t`There is a quote \`"\` inside a cell. Put the cell in quotes and double the quotes in it; the lines after it were not read`
}

/** The first records with anything in them; a misplaced quote is reported later, with its line. */
function firstRecords(beginning: string, delimiter: Delimiter): string[][] {
  return parse(beginning, {
    ...LINE_RULES,
    delimiter,
    relax_quotes: true,
    skip_records_with_error: true,
    skip_records_with_empty_values: true,
    to: HEADER_RECORDS_MAX,
  })
}
