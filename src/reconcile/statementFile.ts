import type { NamedInput } from '../spreadsheet/fileContent.ts'
import {
  assertHeader,
  isSameHeading,
  type Mapping,
  openTable,
  type TableColumns,
  type TableSpec,
} from '../spreadsheet/tableHeader.ts'
import { type CellFault, padded, RowCells, type TableRecord } from '../spreadsheet/tableRecords.ts'
import { withoutAccents } from '../text/foldedText.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { isOfx, readOfx } from './ofx.ts'
import {
  type Direction,
  isBalanceText,
  isTotalText,
  LINES_MAX,
  readDay,
  readSignedAmount,
  type SignedAmount,
  STATEMENT_TEXT_MAX,
  type StatementFile,
  type StatementLine,
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

/** A bank's or the gateway's statement as a table. Nothing is sent of it, and `--map` corrects a guess, so guesses will do. */
export const STATEMENT: TableSpec = {
  fields: {
    id: ['id'],
    date: ['date'],
    debit: ['debit'],
    credit: ['credit'],
    balance: ['balance'],
    direction: ['direction'],
    amount: ['amount'],
    status: ['status'],
    description: ['description'],
    details: ['details'],
    name: ['party'],
  },
  needed: [
    ['amount', 'debit', 'credit'],
    ['date', 'id'],
  ],
  choice: 'best',
}

/**
 * Reads a statement as a CSV in any encoding and with any separator that spreadsheets write, or as the first visible sheet of a workbook. `typed`
 * names columns, as `--map` does. Throws UsageError for a file that is neither, has too many lines or no header with the columns that are needed.
 */
export async function readStatementTable(input: NamedInput, typed: Mapping): Promise<StatementFile> {
  const spec = { ...STATEMENT, typed }
  const { table, remarks } = await openTable(input, spec)
  const lines: StatementLine[] = []
  const faults: CellFault[] = []
  const balanceLines: number[] = []
  const otherLines = table?.above.map(({ line }) => line) ?? []
  const file = { lines, faults, balanceLines, otherLines, recognised: [], remarks, period: null }
  if (table === undefined) return file
  const columns = withOneAmount(table.columns, typed)
  assertHeader(columns, spec, table.record)
  // What continues a line that is no payment, or has faults, is not about the last payment.
  let before: StatementLine | undefined
  for await (const record of table.rows(faults)) {
    const cells = new RowCells(trimmed(record, columns.names.length), columns)
    const kind = kindOfRow(cells, record.cells, columns)
    if (kind === 'continuation' && before !== undefined) {
      before.description = `${before.description} - ${descriptionOf(cells)}`.slice(0, STATEMENT_TEXT_MAX)
      continue
    }
    before = kind === 'payment' ? readStatementRow(cells, columns) : undefined
    if (before !== undefined) lines.push(before)
    else if (kind === 'payment') faults.push(...cells.faults)
    else (kind === 'balance' ? balanceLines : otherLines).push(record.line)
    if (lines.length + balanceLines.length + otherLines.length > LINES_MAX) throw tooManyLines()
    if (faults.length > LINES_MAX) throw tooManyLines()
  }
  return { ...file, recognised: recognisedColumns(columns, typed) }
}

/** A table has one column of amounts, or one for each direction: what was typed, else one for each direction if it has both. */
function withOneAmount(columns: TableColumns, typed: Mapping): TableColumns {
  const places = new Map(columns.places)
  if (!places.has('amount')) return columns
  const hasBothSides = places.has('debit') && places.has('credit')
  const areSidesRead = typed.has('debit') || typed.has('credit') || (hasBothSides && !typed.has('amount'))
  for (const field of areSidesRead ? ['amount'] : ['debit', 'credit']) if (!typed.has(field)) places.delete(field)
  return { ...columns, places }
}

/** The columns whose headings say more than that they are the fields, as `amount=Valor`. */
function recognisedColumns({ names, places }: TableColumns, typed: Mapping): string[] {
  return [...places].flatMap(([field, place]) => {
    const column = names[place] ?? ''
    const isPlain = isSameHeading(column, field) || isSameHeading(column, 'idTransaction')
    return isPlain || typed.has(field) ? [] : [`${field}=${column}`]
  })
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

/** What a row is: a payment or a fault, a balance, more about the payment above it, or none of them: a sum, a note, or the header again. */
function kindOfRow(
  cells: RowCells,
  all: readonly string[],
  { names, places }: TableColumns,
): 'payment' | 'balance' | 'continuation' | 'other' {
  const texts = all.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const [first = ''] = texts
  const has = (field: string) => textOf(cells, field) !== ''
  const hasNoAmount = !AMOUNTS.some(has)
  if ([first, textOf(cells, 'description'), textOf(cells, 'details')].some(isBalanceText)) return 'balance'
  if (has('balance') && hasNoAmount && !has('description')) return 'balance'
  if (!has('date') && !has('id') && hasNoAmount && descriptionOf(cells) !== '') return 'continuation'
  if (places.has('date') && tryRead(textOf(cells, 'date'), readDay) !== undefined) return 'payment'
  const isHeader = texts.join('\n') === names.filter((name) => name !== '').join('\n')
  return isTotalText(first) || isHeader || (!has('id') && hasNoAmount) ? 'other' : 'payment'
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
