import { csvRecord } from '../../views/csv.ts'
import type { Outcome } from '../../wire/errors.ts'

/** What became of one row; null where there is nothing to tell. */
export interface RowResult {
  line: number
  /** The row's own cells, in the order of the file's columns. */
  cells: readonly string[]
  externalId: string
  idTransaction: string | null
  outcome: Outcome
  status: string | null
  errorCode: string | null
  message: string | null
  /** RFC 3339, UTC. */
  sentAt: string | null
}

/** `lossless` is a CSV that gives every cell back as it was; `excel` is one that Excel may open. */
export type ResultsMode = 'lossless' | 'excel'

/** Excel takes no longer text inside a formula. */
const FORMULA_TEXT_MAX = 255
const FIRST_COLUMN = 'line'
const LAST_COLUMNS = ['externalId', 'idTransaction', 'outcome', 'status', 'errorCode', 'message', 'sentAt'] as const

/**
 * The first line of a results file, with its line end. A column of the input that has the name of one of the results is
 * called `input.…`, so that no name stands there twice and the file can be read again.
 */
export function resultsHeader(columns: readonly string[], mode: ResultsMode): string {
  const taken = new Set([FIRST_COLUMN, ...LAST_COLUMNS].map((name) => name.toLowerCase()))
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && taken.has(name.toLowerCase())) name = `input.${name}`
    taken.add(name.toLowerCase())
    return name
  })
  const line = recordLine([FIRST_COLUMN, ...names, ...LAST_COLUMNS], mode)
  return mode === 'excel' ? `\ufeff${line}` : line
}

/** The line of one row in a results file, with its line end. */
export function resultLine(result: RowResult, mode: ResultsMode): string {
  const last = LAST_COLUMNS.map((column) => result[column] ?? '')
  return recordLine([String(result.line), ...result.cells, ...last], mode)
}

function recordLine(cells: readonly string[], mode: ResultsMode): string {
  return mode === 'excel' ? `${cells.map(excelCell).join(';')}\r\n` : `${csvRecord(cells)}\n`
}

/** A cell that Excel shows as it is: no formula runs, and no digits become a number, a date or an exponent. */
function excelCell(cell: string): string {
  const shown = needsText(cell) ? `="${cell}"` : guarded(cell)
  return `"${shown.replaceAll('"', '""')}"`
}

/**
 * True for digits that Excel would rewrite: all but whole numbers of up to 11 digits and amounts with a decimal comma.
 * What passes holds no quote, so it cannot leave the quotes of `="…"`.
 */
function needsText(cell: string): boolean {
  if (cell.length > FORMULA_TEXT_MAX || /^(?:0|[1-9]\d{0,10})(?:,\d{1,2})?$/.test(cell)) return false
  return /^\+?\d[\d.,:/e-]*$/i.test(cell)
}

function guarded(cell: string): string {
  return /^[=+\-@\t\r\n]|^\d{12}/.test(cell) ? `'${cell}` : cell
}
