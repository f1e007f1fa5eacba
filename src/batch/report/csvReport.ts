import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { csvLine } from '../../views/csv.ts'
import type { RowResult } from '../rowResults.ts'
import type { ReportColumn, ReportTotals, ReportValue, RowSum, TextReport } from './reportContent.ts'

/**
 * A report as CSV: the rows under their header, then the totals and the run. Every record has as many cells as the header. The sums are not in the
 * column of the amounts, so that this column can be added up.
 */
export function csvReport(columns: readonly ReportColumn[], about: readonly (readonly [string, string])[]): TextReport {
  const record = (cells: readonly string[]) =>
    `${csvLine([...cells, ...Array<string>(Math.max(0, columns.length - cells.length)).fill('')])}\n`
  const sum = (label: string, { rows, cents }: RowSum) => record([label, String(rows), decimal(cents)])
  return {
    head: () => record(columns.map(({ name }) => name)),
    row: (result: RowResult) => record(columns.map((column) => cellText(column, column.cellOf(result)))),
    foot: (totals: ReportTotals) =>
      [
        record([]),
        record([t`total of`, t`rows`, t`sum`]),
        ...totals.states().map((each) => sum(each.state, each)),
        sum(t`all rows`, totals.all),
        sum(t`of these sent before this run`, totals.leftOut),
        sum(t`of these with another name in the event`, totals.namesDiffer),
        record([]),
        ...about.map(([label, value]) => record([safeText(label), noFormula(value)])),
      ].join(''),
  }
}

function cellText({ kind }: ReportColumn, value: ReportValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return noFormula(value)
  return kind === 'amount' ? decimal(value) : String(value)
}

function decimal(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Text that no spreadsheet takes for a formula. A phone number keeps its plus sign. */
function noFormula(text: string): string {
  return /^[=+\-@]/.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text
}
