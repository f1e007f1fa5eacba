import { assertReais } from '../pix/amount.ts'
import type { NamedInput } from '../spreadsheet/fileContent.ts'
import {
  findHeader,
  isSameHeading,
  type Mapping,
  readTable,
  SOUGHT_RECORDS,
  type TableSpec,
} from '../spreadsheet/tableHeader.ts'
import { type BrokenRecord, brokenFault, padded, RowCells, type TableRecord } from '../spreadsheet/tableRecords.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { isOfx, readOfx } from './ofx.ts'
import {
  AMOUNTS,
  amountPlaces,
  directionIn,
  isFutureText,
  type StatementColumns,
  statementParts,
} from './statementTables.ts'
import {
  type Direction,
  isBalanceText,
  isTotalAlone,
  isTotalText,
  LINES_MAX,
  mentionsBalance,
  readDay,
  readSignedAmount,
  type SignedAmount,
  STATEMENT_TEXT_MAX,
  type StatementFile,
  type StatementLine,
  tooManyLines,
  tryRead,
  withYear,
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
    amount: ['netAmount', 'amount'],
    status: ['status'],
    description: ['description'],
    details: ['details'],
    name: ['party'],
    receiver: ['receiver'],
    sender: ['sender'],
    currency: ['currency'],
  },
  needed: [
    ['amount', 'debit', 'credit'],
    ['date', 'id'],
  ],
  choice: 'best',
}

/**
 * Reads a statement as a CSV in any encoding and with any separator that spreadsheets write, or as the first visible sheet of a workbook that has the
 * columns. `typed` names columns, as `--map` does. Throws UsageError for a file that is neither, has too many lines or no table with the columns that are needed.
 */
export async function readStatementTable(input: NamedInput, typed: Mapping): Promise<StatementFile> {
  const spec = { ...STATEMENT, typed }
  const content = await readTable(input, spec, { records: SOUGHT_RECORDS, place: (first) => findHeader(first, spec) })
  const records: TableRecord[] = []
  const broken: BrokenRecord[] = []
  for await (const record of content.records()) {
    if ('message' in record) broken.push(record)
    else if (records.push(record) > LINES_MAX + 1) throw tooManyLines()
  }
  const { tables, columns, skipped, period, remarks } = statementParts(records, content.format.kind, spec)
  const faults = broken.map((record) => brokenFault(record, columns.names))
  const lines: StatementLine[] = []
  const balanceLines: number[] = []
  const otherLines = skipped.map(({ line }) => line)
  const futureLines = new Map<string, number>()
  for (const table of tables) {
    // What continues a line that is no payment, or has faults, is not about the last payment.
    let before: StatementLine | undefined
    let day: string | null = null
    for (const record of table) {
      const { line, cells: all } = record
      const row = trimmed(record, columns.names.length)
      const cells = new RowCells({ ...row, cells: withWholeDay(row.cells, columns, period) }, columns)
      const kind = kindOfRow(cells, all, columns)
      day = tryRead(textOf(cells, 'date'), readDay) ?? day
      if (kind === 'continuation' && before !== undefined) {
        const description = `${before.description} - ${descriptionOf(all, columns)}`
        before.description = description.slice(0, STATEMENT_TEXT_MAX)
        continue
      }
      if (kind === 'future') {
        const status = futureTextOf(cells) ?? ''
        futureLines.set(status, futureLines.get(status) ?? line)
      }
      before = kind === 'payment' ? readStatementRow(cells, all, columns) : undefined
      // Banks write the day only beside its first payment; a sum, which says nothing, is of no day.
      if (before !== undefined && before.description !== '') before.day ??= day
      if (before !== undefined && before.amountCents > 0) lines.push(before)
      else if (kind === 'payment' && before === undefined) faults.push(...cells.faults)
      else (kind === 'balance' ? balanceLines : otherLines).push(line)
    }
  }
  return {
    lines,
    faults,
    balanceLines,
    otherLines,
    recognised: recognisedColumns(columns, typed),
    remarks: [...content.remarks, ...remarks, ...[...futureLines].map(futureRemark)],
    period: null,
  }
}

function futureRemark([status, line]: readonly [string, number]): string {
  return t`Not read, because it has not happened yet: what has the status \`${status}\`, from line ${line}`
}

/** The columns whose headings say more than that they are the fields, as `amount=Valor`. */
function recognisedColumns({ names, places, hasHeader }: StatementColumns, typed: Mapping): string[] {
  if (!hasHeader) return []
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

/** The cells of a row, its day with the year of the period and on one line with its time, which banks write below it. */
function withWholeDay(
  cells: readonly string[],
  { places }: StatementColumns,
  period: readonly [string, string] | undefined,
): string[] {
  return cells.map((cell, place) => {
    if (place !== places.get('date')) return cell
    const day = cell.trim().replace(/[\r\n]+(?=\d{1,2}[:h]\d{2})/, ' ')
    return period === undefined ? day : withYear(day, period)
  })
}

/** The line of a statement that a row of a table is; undefined if the row has faults. */
function readStatementRow(
  cells: RowCells,
  all: readonly string[],
  columns: StatementColumns,
): StatementLine | undefined {
  const { places } = columns
  const id = textOf(cells, 'id')
  if (hasControlCharacter(id)) cells.fault('id', t`The id has a control character in it`)
  if (!columns.hasHeader) assertOneAmount(cells, all, columns)
  cells.readOptional('currency', assertReais)
  const amount = places.has('amount') ? readAmount(cells) : readSides(cells)
  const day = cells.readOptional('date', readDay) ?? null
  if (amount === undefined || cells.faults.length > 0) return undefined
  const name = textOf(cells, 'name') || partyOf(cells, amount.direction)
  return {
    line: cells.line,
    id: id || null,
    ...amount,
    status: textOf(cells, 'status') || null,
    day,
    description: descriptionOf(all, columns),
    name: name.slice(0, STATEMENT_TEXT_MAX) || null,
  }
}

/** In a file without a header only a single amount of a row is surely that of a payment. */
function assertOneAmount(cells: RowCells, all: readonly string[], { places }: StatementColumns): void {
  const found = amountPlaces(all)
  if (found.length === 1 && found[0] === places.get('amount')) return
  const message =
    found.length > 1
      ? t`The file has no header, and the line has ${found.length} amounts, of which one may be a balance. Write a line with the names of the columns above it, such as \`Data;Histórico;Valor;Saldo\``
      : t`The file has no header, and the line does not have its amount where the first one has it`
  cells.fault('amount', message)
}

/** Of two names, that of whom the money went to or came from; both, one of which is the own one, if the direction is not known. */
function partyOf(cells: RowCells, direction: Direction | null): string {
  const [receiver, sender] = [textOf(cells, 'receiver'), textOf(cells, 'sender')]
  if (direction === null) return [...new Set([receiver, sender])].filter((name) => name !== '').join(' - ')
  return direction === 'credit' ? sender || receiver : receiver || sender
}

/** What a row says about a payment; a bank may write it into several columns. */
function descriptionOf(cells: readonly string[], { texts }: StatementColumns): string {
  const found = texts.map((place) => (cells[place] ?? '').trim()).filter((text) => text !== '')
  return found.join(' - ').slice(0, STATEMENT_TEXT_MAX)
}

/** What a row is: a payment or a fault, one that is still to come, a balance, more about the payment above it, or none of them: a sum, a note, or the day of those below. */
function kindOfRow(
  cells: RowCells,
  all: readonly string[],
  columns: StatementColumns,
): 'payment' | 'future' | 'balance' | 'continuation' | 'other' {
  const first = all.find((cell) => cell.trim() !== '') ?? ''
  const has = (field: string) => textOf(cells, field) !== ''
  const hasNoAmount = !AMOUNTS.some(has)
  const description = descriptionOf(all, columns)
  const texts = columns.texts.map((place) => all[place] ?? '')
  if ([first, textOf(cells, 'direction'), ...texts].some(isBalanceText)) return 'balance'
  if (has('balance') && hasNoAmount && (description === '' || mentionsBalance(description))) return 'balance'
  const isBelowText = (all[0] ?? '').trim() === ''
  if (isBelowText && !has('date') && !has('id') && hasNoAmount && description !== '') return 'continuation'
  if (futureTextOf(cells) !== undefined) return 'future'
  if (isTotalAlone(description)) return 'other'
  // Where other rows say what they are about, a day alone is that of the payments below it.
  const filled = all.filter((cell) => cell.trim() !== '').length
  if (has('date') && filled === 1 && columns.texts.length > 0) return 'other'
  if (columns.places.has('date') && tryRead(textOf(cells, 'date'), readDay) !== undefined) return 'payment'
  // A line below the table such as `LIMITE (+):`, or a text whose only other cell is an amount in the column of the dates.
  const isLabel = /^\D*\p{L}\D*$/u.test(first.trim()) && (first.trim().endsWith(':') || (has('date') && filled <= 2))
  return isTotalText(first) || isLabel || (!has('id') && hasNoAmount) ? 'other' : 'payment'
}

/** What a row says of itself if it has not happened yet, by its status or, as some write it, in place of the direction. */
function futureTextOf(cells: RowCells): string | undefined {
  return ['status', 'direction'].map((field) => textOf(cells, field)).find(isFutureText)
}

/** The amount of the one column, and its direction by its sign or by a column of its own. */
function readAmount(cells: RowCells): SignedAmount | undefined {
  const amount = cells.read('amount', readSignedAmount)
  if (amount === undefined || amount.amountCents === 0 || !cells.has('direction')) return amount
  const stated = directionIn(cells.raw('direction'))
  // Beside debits an amount without a sign would be a credit.
  if (stated === undefined && amount.direction === null) {
    cells.fault('direction', t`It does not say whether the line is a debit or a credit`)
  }
  if (stated !== undefined && amount.direction !== null && amount.direction !== stated) {
    cells.fault(
      'direction',
      t`\`${cells.raw('direction').trim()}\` contradicts the sign of \`${cells.raw('amount').trim()}\``,
    )
  }
  return { ...amount, direction: stated ?? amount.direction }
}

function readSides(cells: RowCells): SignedAmount | undefined {
  const debit = readSide(cells, 'debit')
  const credit = readSide(cells, 'credit')
  const sides = [debit, credit].flatMap((side) => side ?? [])
  const moved = sides.filter(({ amountCents }) => amountCents > 0)
  if (moved.length > 1) {
    cells.fault('credit', t`The line has a debit and a credit, but a payment is only one of them`)
  } else if (sides.length === 0 && cells.faults.length === 0) {
    cells.fault('debit', t`The line has neither a debit nor a credit`)
  }
  return moved[0] ?? sides[0]
}

/** The amount in a column for one direction; null if it is empty, or has a fault. */
function readSide(cells: RowCells, direction: Direction): SignedAmount | null {
  const amount = cells.readOptional(direction, readSignedAmount) ?? null
  // A minus in a column of debits only repeats what the column says.
  if (amount !== null && amount.amountCents > 0 && amount.direction !== null && amount.direction !== direction) {
    cells.fault(direction, t`\`${cells.raw(direction).trim()}\` contradicts its column`)
  }
  return amount === null ? null : { amountCents: amount.amountCents, direction }
}

function textOf(cells: RowCells, field: string): string {
  return cells.raw(field).trim()
}
