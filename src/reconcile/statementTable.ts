import { bytesOf, type NamedInput, readContent } from '../spreadsheet/fileContent.ts'
import type { Mapping } from '../spreadsheet/header.ts'
import { padded, RowCells } from '../spreadsheet/rowCells.ts'
import type { BrokenRecord, CellFault, TableRecord } from '../spreadsheet/table.ts'
import type { StatementFile, StatementLine } from './externalLine.ts'
import { LINES_MAX, STATEMENT_TEXT_MAX, tooManyLines } from './statementLimits.ts'
import { descriptionOf, isBalanceRow, isContinuation, isNoPayment, readStatementRow } from './statementRow.ts'
import { isHeader, isKnownColumn, type TableColumns, type TableSpec, tableColumns } from './tableColumns.ts'

/** A bank's or the gateway's statement as a table. */
export const STATEMENT: TableSpec = {
  all: ['id', 'date', 'debit', 'credit', 'balance', 'direction', 'amount', 'status', 'description', 'details', 'name'],
  required: ['amount'],
  needed: [
    ['amount', 'debit', 'credit'],
    ['date', 'id'],
  ],
}

/** Banks write their name, the account and the period above the table. */
const HEADER_RECORDS_MAX = 40

/**
 * Reads a statement as a CSV in any encoding and with any separator that spreadsheets write, or as the first visible sheet of a workbook. `typed`
 * names columns, as `--map` does. Throws UsageError for a file that is neither, has too many lines or no header with the columns that are needed.
 */
export async function readStatementTable({ bytes, ...input }: NamedInput, typed: Mapping): Promise<StatementFile> {
  const isKnown = (name: string) => isKnownColumn(name, STATEMENT, typed)
  const content = await readContent(bytesOf(bytes), { ...input, isKnown })
  const reader = new StatementReader(typed)
  for await (const record of content.records()) reader.read(record)
  return { ...reader.end(), remarks: content.remarks }
}

/** Collects the lines of a table. */
class StatementReader {
  readonly #typed: Mapping
  readonly #above: TableRecord[] = []
  #columns: TableColumns | undefined
  readonly #lines: StatementLine[] = []
  readonly #faults: CellFault[] = []
  readonly #balanceLines: number[] = []
  readonly #otherLines: number[] = []
  /** False after a line that is no payment or has faults: what continues it is not about the last payment. */
  #isLineBefore = false

  constructor(typed: Mapping) {
    this.#typed = typed
  }

  read(record: TableRecord | BrokenRecord): void {
    if ('message' in record) {
      const { row, line, place, message } = record
      this.#faults.push({ row, line, column: this.#columns?.names[place] ?? `#${place + 1}`, message })
      return
    }
    if (this.#columns === undefined) this.#seekHeader(record)
    else this.#readRow(record, this.#columns)
  }

  /** What was read. Throws UsageError if there was no header. */
  end(): Omit<StatementFile, 'remarks'> {
    if (this.#columns === undefined && this.#above.length > 0) this.#failWithoutHeader()
    return {
      lines: this.#lines,
      faults: this.#faults,
      balanceLines: this.#balanceLines,
      otherLines: this.#otherLines,
      recognised: this.#columns?.recognised ?? [],
      period: null,
    }
  }

  #seekHeader(record: TableRecord): void {
    if (isHeader(record.cells, STATEMENT, this.#typed)) {
      this.#columns = tableColumns(record.cells, STATEMENT, this.#typed)
      this.#otherLines.push(...this.#above.map(({ line }) => line))
      return
    }
    this.#above.push(record)
    if (this.#above.length >= HEADER_RECORDS_MAX) this.#failWithoutHeader()
  }

  /** Throws UsageError about the record that has the most columns with known names. */
  #failWithoutHeader(): never {
    const known = ({ cells }: TableRecord) => cells.filter((cell) => isKnownColumn(cell, STATEMENT, this.#typed)).length
    const [likeliest] = this.#above.toSorted((one, other) => known(other) - known(one))
    tableColumns(likeliest?.cells ?? [], STATEMENT, this.#typed)
    throw new Error('a header was not recognised')
  }

  #readRow(record: TableRecord, columns: TableColumns): void {
    const cells = new RowCells(trimmed(record, columns.names.length), columns)
    const texts = record.cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
    if (isBalanceRow(cells, texts[0] ?? '')) this.#skip(this.#balanceLines, cells)
    else if (isContinuation(cells)) this.#continue(cells)
    else if (isNoPayment(cells, texts, columns)) this.#skip(this.#otherLines, cells)
    else this.#add(cells, columns)
    if (this.#lines.length + this.#balanceLines.length + this.#otherLines.length > LINES_MAX) throw tooManyLines()
  }

  #skip(numbers: number[], { line }: RowCells): void {
    this.#isLineBefore = false
    numbers.push(line)
  }

  #add(cells: RowCells, columns: TableColumns): void {
    const line = readStatementRow(cells, columns)
    this.#isLineBefore = line !== undefined
    if (line !== undefined) this.#lines.push(line)
    else this.#faults.push(...cells.faults)
    if (this.#faults.length > LINES_MAX) throw tooManyLines()
  }

  /** A line may continue the description of the one before it. */
  #continue(cells: RowCells): void {
    const before = this.#lines.at(-1)
    if (before === undefined || !this.#isLineBefore) this.#skip(this.#otherLines, cells)
    else before.description = `${before.description} - ${descriptionOf(cells)}`.slice(0, STATEMENT_TEXT_MAX)
  }
}

/** A record that is as wide as the header, without empty cells behind it. */
function trimmed(record: TableRecord, width: number): TableRecord {
  const filled = record.cells.findLastIndex((cell) => cell.trim() !== '') + 1
  return padded({ ...record, cells: record.cells.slice(0, Math.max(width, filled)) }, width)
}
