import type { PayeeNames } from '../ledger/payeeNames.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { formatPaymentDate } from '../pix/calendar.ts'
import { csvRecord } from '../views/csv.ts'
import type { Outcome } from '../wire/errors.ts'

/** The result of one row; a field without a value is null. */
export interface RowResult {
  line: number
  /** The row's own cells, in the order of the file's columns. */
  cells: readonly string[]
  names: PayeeNames
  facts: MoneyPayment
  amountCents: number | null
  externalId: string
  idTransaction: string | null
  state: PaymentState
  /** True if it was sent before this run. */
  isLeftOut: boolean
  outcome: Outcome
  status: string | null
  errorCode: string | null
  message: string | null
  sentMs: number | null
}

/** `lossless` is a CSV that gives every cell back as it was; `excel` is one that a Brazilian spreadsheet opens correctly. */
export type ResultsMode = 'lossless' | 'excel'

/** A spreadsheet takes no longer text inside a formula. */
const FORMULA_TEXT_MAX = 255
const FIRST_COLUMN = 'line'
const LAST_COLUMNS = ['externalId', 'idTransaction', 'outcome', 'status', 'errorCode', 'message', 'sentAt'] as const
/** Fields that hold ids, keys and documents, whose digits are no number. */
const TEXT_FIELDS = ['key', 'externalId', 'documentValidation', 'originalTransactionId']
/** What a spreadsheet would rewrite in a column that pixgate does not know: leading zeros, long numbers, exponents, and parts of dates. */
const WOULD_CHANGE = /^(?:0\d+|\d{12,}|\+\d+|\d[\d.]*e[\d.-]+|\d{1,2}[-/]\d{1,2})$/i
const AMOUNT_FIELDS = ['value', 'amount']

/**
 * The first line of a results file, with its line end. A column of the input that has the name of one of the results is called `input.…`, so
 * that no name occurs twice and the file can be read again.
 */
export function resultsHeader(columns: readonly string[], mode: ResultsMode): string {
  const taken = new Set([FIRST_COLUMN, ...LAST_COLUMNS].map((name) => name.toLowerCase()))
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && taken.has(name.toLowerCase())) name = `input.${name}`
    taken.add(name.toLowerCase())
    return name
  })
  const cells = [FIRST_COLUMN, ...names, ...LAST_COLUMNS]
  return mode === 'excel' ? `\ufeff${excelRecord(cells.map(plainCell))}` : `${csvRecord(cells)}\n`
}

/** The line of one row in a results file, with its line end. `fields` are the places of the request's fields among its cells. */
export function resultLine(result: RowResult, fields: Readonly<Record<string, number>>, mode: ResultsMode): string {
  const { line, cells, externalId, idTransaction, outcome, status, errorCode, message, sentMs } = result
  if (mode === 'lossless') {
    const sentAt = sentMs === null ? '' : new Date(sentMs).toISOString()
    const known = [externalId, idTransaction ?? '', outcome, status ?? '', errorCode ?? '', message ?? '', sentAt]
    return `${csvRecord([String(line), ...cells, ...known])}\n`
  }
  const sentAt = sentMs === null ? '' : formatPaymentDate(sentMs)
  return excelRecord([
    plainCell(String(line)),
    ...excelCells(result, fields),
    textCell(externalId),
    textCell(idTransaction ?? ''),
    ...[outcome, status ?? '', errorCode ?? '', message ?? '', sentAt].map(plainCell),
  ])
}

function excelCells({ cells, facts }: RowResult, fields: Readonly<Record<string, number>>): string[] {
  const texts = placesOf(TEXT_FIELDS, fields)
  const amounts = placesOf(AMOUNT_FIELDS, fields)
  return cells.map((cell, place) => {
    if (texts.has(place)) return textCell(cell)
    if (amounts.has(place)) return cell.trim() === '' ? '' : decimalComma(facts.amountCents ?? 0)
    return otherCell(cell)
  })
}

function placesOf(names: readonly string[], fields: Readonly<Record<string, number>>): Set<number> {
  return new Set(names.flatMap((name) => fields[name] ?? []))
}

function excelRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** A cell whose text a spreadsheet shows as it is, also if it consists of digits. */
function textCell(cell: string): string {
  const isDigits = /^\+?\d[\d.,:/e-]*$/i.test(cell) && cell.length <= FORMULA_TEXT_MAX
  return isDigits ? `="${cell}"` : plainCell(cell)
}

/** A cell of a column that pixgate does not know: an amount becomes a number, digits that would be lost stay text. */
function otherCell(cell: string): string {
  const text = cell.trim()
  if (/^(?:R\$\s?)?\d[\d.,]*[.,]\d{1,2}$/.test(text)) {
    const cents = tryParseAmount(text, { zeroAllowed: true })
    if (cents !== null) return decimalComma(cents)
  }
  return WOULD_CHANGE.test(text) ? textCell(text) : plainCell(cell)
}

function decimalComma(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** No formula runs when the file is opened. */
function plainCell(cell: string): string {
  return /^[=+\-@\t\r\n]|^\d{12}/.test(cell) ? `'${cell}` : cell
}
