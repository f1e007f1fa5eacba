import { bytesOf, type NamedInput, readContent } from '../spreadsheet/fileContent.ts'
import {
  type BrokenRecord,
  type CellFault,
  type Mapping,
  padded,
  RowCells,
  type TableRecord,
} from '../spreadsheet/tableRecords.ts'
import { withoutAccents } from '../text/foldedText.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { isOfx, readOfx } from './ofx.ts'
import {
  type Direction,
  isBalanceText,
  isHeader,
  isKnownColumn,
  isTotalText,
  LINES_MAX,
  readDay,
  readSignedAmount,
  type SignedAmount,
  STATEMENT_TEXT_MAX,
  type StatementFile,
  type StatementLine,
  type TableColumns,
  type TableSpec,
  tableColumns,
  tooManyLines,
  tryRead,
} from './tableFile.ts'

/** Reads a statement as CSV, workbook or OFX. `typed` names columns, as `--map` does. Throws UsageError for what is none of them. */
export async function readStatementFile(input: NamedInput, typed: Mapping): Promise<StatementFile> {
  if (!isOfx(input.bytes)) return readStatementTable(input, typed)
  if (typed.size === 0) return readOfx(input.bytes)
  throw new UsageError(t`\`--map\` names columns, but the statement is an OFX file, which has none`, {
    hint: t`Omit \`--map\``,
  })
}

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

const AMOUNTS = ['amount', 'debit', 'credit']
const DEBIT_WORD = /^(d|deb|debito|debit|saida|s|-)$/
const CREDIT_WORD = /^(c|cred|credito|credit|entrada|e|\+)$/

/** The line of a statement that a row of a table is; undefined if the row has faults. */
function readStatementRow(cells: RowCells, { places }: TableColumns): StatementLine | undefined {
  const id = textOf(cells, 'id')
  if (hasControlCharacter(id)) cells.fault('id', t`The id has a control character in it`)
  const amount = places.has('amount') ? readAmount(cells) : readSides(cells)
  const day = cells.readOptional('date', readDay) ?? null
  if (amount === undefined || cells.faults.length > 0) return undefined
  return {
    line: cells.line,
    id: id || null,
    ...amount,
    status: textOf(cells, 'status') || null,
    day,
    description: descriptionOf(cells),
    name: textOf(cells, 'name').slice(0, STATEMENT_TEXT_MAX) || null,
  }
}

/** What a row says about a payment; a bank may write it into two columns. */
function descriptionOf(cells: RowCells): string {
  const texts = [textOf(cells, 'description'), textOf(cells, 'details')].filter((text) => text !== '')
  return texts.join(' - ').slice(0, STATEMENT_TEXT_MAX)
}

/** True for a row that holds a balance. */
function isBalanceRow(cells: RowCells, first: string): boolean {
  if ([first, textOf(cells, 'description'), textOf(cells, 'details')].some(isBalanceText)) return true
  return textOf(cells, 'balance') !== '' && hasNoAmount(cells) && textOf(cells, 'description') === ''
}

/** True for a row that has more to say about the payment above it. */
function isContinuation(cells: RowCells): boolean {
  return textOf(cells, 'date') === '' && textOf(cells, 'id') === '' && hasNoAmount(cells) && descriptionOf(cells) !== ''
}

/** True for a row that is neither a payment nor a faulty one: a sum, a note, or the header again. */
function isNoPayment(cells: RowCells, texts: readonly string[], { names, places }: TableColumns): boolean {
  if (places.has('date') && hasDay(cells)) return false
  if (isTotalText(texts[0] ?? '')) return true
  if (texts.join('\n') === names.filter((name) => name !== '').join('\n')) return true
  return textOf(cells, 'id') === '' && hasNoAmount(cells)
}

function hasDay(cells: RowCells): boolean {
  return tryRead(textOf(cells, 'date'), readDay) !== undefined
}

function hasNoAmount(cells: RowCells): boolean {
  return AMOUNTS.every((field) => textOf(cells, field) === '')
}

/** The amount of the one column, and its direction by its sign or by a column of its own. */
function readAmount(cells: RowCells): SignedAmount | undefined {
  const amount = cells.read('amount', readSignedAmount)
  const word = withoutAccents(cells.raw('direction').trim())
  const stated: Direction | null = DEBIT_WORD.test(word) ? 'debit' : CREDIT_WORD.test(word) ? 'credit' : null
  if (amount === undefined || stated === null) return amount
  if (amount.direction !== null && amount.direction !== stated) {
    cells.fault(
      'direction',
      t`\`${cells.raw('direction').trim()}\` contradicts the sign of \`${cells.raw('amount').trim()}\``,
    )
  }
  return { ...amount, direction: stated }
}

/** The amount of the one of two columns that has one. */
function readSides(cells: RowCells): SignedAmount | undefined {
  const debit = readSide(cells, 'debit')
  const credit = readSide(cells, 'credit')
  if (debit !== null && credit !== null) {
    cells.fault('credit', t`The line has a debit and a credit, but a payment is only one of them`)
    return undefined
  }
  if (debit === null && credit === null && cells.faults.length === 0) {
    cells.fault('debit', t`The line has neither a debit nor a credit`)
  }
  return debit ?? credit ?? undefined
}

/** The amount in a column for one direction; null if it is empty or zero, or has a fault. */
function readSide(cells: RowCells, direction: Direction): SignedAmount | null {
  const amount = cells.readOptional(direction, readSignedAmount) ?? null
  if (amount === null || amount.amountCents === 0) return null
  // A minus in a column of debits only repeats what the column says.
  if (amount.direction !== null && amount.direction !== direction) {
    cells.fault(direction, t`\`${cells.raw(direction).trim()}\` contradicts its column`)
  }
  return { amountCents: amount.amountCents, direction }
}

function textOf(cells: RowCells, field: string): string {
  return cells.raw(field).trim()
}
