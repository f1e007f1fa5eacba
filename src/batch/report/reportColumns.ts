import type { Run } from '../../ledger/runs.ts'
import { safeText } from '../../text/safeText.ts'
import { ROW_FIELDS, type RowField, rowFile } from '../rowFields.ts'
import type { RowResult } from '../rowResults.ts'
import type { ReportTotals } from './reportTotals.ts'

/** A value of a report; the number in an amount is cents. */
export type ReportValue = string | number | null

/** A column of a report. */
export interface ReportColumn {
  /** The name in a CSV file, for programs. */
  name: string
  /** The heading for people. */
  title: string
  /** `integer` and `amount` are numbers in a workbook; ids and keys are text, also if they consist of digits. */
  kind: 'text' | 'integer' | 'amount'
  /** The width in a workbook, in characters. */
  width: number
  cellOf(result: RowResult): ReportValue
  /** True of a cell that a reader must not overlook. */
  isMarked?(result: RowResult): boolean
}

/** A report that is written while its rows are read. */
export interface TextReport {
  head(): string
  row(result: RowResult): string
  foot(totals: ReportTotals): string
}

/** The columns of the report of a run. Text from outside is made harmless: one line, without control characters. */
export function reportColumns(run: Run): ReportColumn[] {
  const file = rowFile(run)
  const fields: readonly RowField[] = ROW_FIELDS
  const placed: { place: number; column: ReportColumn }[] = []
  for (const { path, json, isIn, report } of fields) {
    if (report === undefined || isIn?.(file) === false || report.isIn?.(file) === false) continue
    const { place, title, kind = 'text', width, isMarked } = report
    const cellOf = (result: RowResult) => {
      const value = report.value?.(result) ?? json?.(result) ?? null
      if (kind === 'text') return safeText(value === null ? '' : String(value))
      return typeof value === 'number' ? value : null
    }
    placed.push({ place, column: { name: path, title: title(), kind, width, cellOf, ...(isMarked && { isMarked }) } })
  }
  return placed.sort((one, other) => one.place - other.place).map(({ column }) => column)
}
