import { REFUND_FIELDS, TRANSFER_FIELDS } from '../../batch/paymentRows.ts'
import { RESULT_COLUMNS, resultsHeaderNames } from '../../batch/resultColumns.ts'
import type { RowResult } from '../../batch/rowResults.ts'
import { tryParseAmount } from '../../pix/amount.ts'
import { csvLine } from '../../text/csv.ts'
import { decimalComma, EXCEL_START, excelRecord, plainCell, textCell } from '../../text/excelCsv.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import type { RowField } from './rowField.ts'
import { ROW_FIELDS } from './rowFields.ts'

/** `lossless` is a CSV that gives every cell back as it was; `excel` is one that a Brazilian spreadsheet opens correctly. */
export type ResultsMode = 'lossless' | 'excel'

/** A spreadsheet is read by people, the other form by programs. */
const READERS = { lossless: 'programs', excel: 'people' } as const satisfies Record<ResultsMode, unknown>
/** What follows the columns of the file, in its order. */
const RESULT_FIELDS = RESULT_COLUMNS.flatMap((column) =>
  ROW_FIELDS.flatMap((field: RowField) => (field.path === column ? [{ ...field, ...field.results }] : [])),
)
/** What a spreadsheet would rewrite in a column that pixgate does not know: leading zeros, long numbers, exponents, and parts of dates. */
const WOULD_CHANGE = /^(?:0\d+|\d{12,}|\+\d+|\d[\d.]*e[\d.-]+|\d{1,2}[-/]\d{1,2})$/i

/** The first line of a results file, with its line end. */
export function resultsHeader(columns: readonly string[], mode: ResultsMode): string {
  const cells = writtenFor(READERS[mode], () => resultsHeaderNames(columns))
  return mode === 'excel' ? EXCEL_START + excelRecord(cells.map(plainCell)) : `${csvLine(cells)}\n`
}

/** The lines of some rows in a results file, in the language of those who read it. `fields` are the places of the request's fields among the cells. */
export function resultLines(
  results: readonly RowResult[],
  fields: Readonly<Record<string, number>>,
  mode: ResultsMode,
): string {
  return writtenFor(READERS[mode], () => results.map((result) => resultLine(result, fields, mode)).join(''))
}

/** The line of one row, with its line end. */
function resultLine(result: RowResult, fields: Readonly<Record<string, number>>, mode: ResultsMode): string {
  if (mode === 'lossless') {
    const known = RESULT_FIELDS.map(({ json, value }) => String((value ?? json)?.(result) ?? ''))
    return `${csvLine([String(result.line), ...result.cells, ...known])}\n`
  }
  const known = RESULT_FIELDS.map(({ json, value, excel, isId }) => {
    const text = String((excel ?? value ?? json)?.(result) ?? '')
    return isId === true ? textCell(text) : plainCell(text)
  })
  return excelRecord([plainCell(String(result.line)), ...excelCells(result, fields), ...known])
}

function excelCells({ cells, facts }: RowResult, fields: Readonly<Record<string, number>>): string[] {
  const read = facts.kind === 'transfer' ? TRANSFER_FIELDS : REFUND_FIELDS
  const texts = placesOf(read.texts, fields)
  const amounts = placesOf([read.amount], fields)
  return cells.map((cell, place) => {
    if (texts.has(place)) return textCell(cell)
    if (amounts.has(place)) return cell.trim() === '' ? '' : decimalComma(facts.amountCents ?? 0)
    return otherCell(cell)
  })
}

function placesOf(names: readonly string[], fields: Readonly<Record<string, number>>): Set<number> {
  return new Set(names.flatMap((name) => fields[name] ?? []))
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
