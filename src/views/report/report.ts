import { formatReais } from '../../pix/amount.ts'
import { formatDay, formatPaymentDate } from '../../pix/calendar.ts'

/**
 * A value of a report: text; a whole number; cents in an amount; milliseconds since the epoch in a time; `2026-11-30` in a day. Null if there is
 * none.
 */
export type ReportValue = string | number | null

/** A column of a report. */
export interface ReportColumn {
  /** The name in a CSV file for programs. */
  name: string
  /** The heading for people. */
  title: string
  /** An `id` is text that is never broken into two lines. In a workbook ids and keys are text, also if they consist of digits. */
  kind: 'text' | 'id' | 'integer' | 'amount' | 'time' | 'day'
  /** The width in a workbook, in characters. */
  width: number
  /** On a page the value is below that of the column before it, in the same cell. */
  isBelow?: boolean
}

/** A row of a table. */
export interface ReportRow {
  cells: readonly ReportValue[]
  /** The places of cells that a reader must not overlook. */
  marked?: readonly number[]
  /** True of a row that is a result of those above it. */
  isSum?: boolean
}

/** A table of a report: a sheet of a workbook, a part of a page or of a CSV file. */
export interface ReportTable {
  title: string
  /** Sentences that are read before the table. */
  notes: readonly string[]
  columns: readonly ReportColumn[]
  /** True of a list, which a workbook can filter; false of sums, which belong together. */
  isList: boolean
  /** The rows, page by page. They are read once. */
  pages(): AsyncIterable<readonly ReportRow[]> | Iterable<readonly ReportRow[]>
  /** The total rows of a list, asked for after its rows. A CSV file lacks them, so that its columns can be added up. */
  totals(): readonly (readonly ReportValue[])[]
  /** What is said of the whole report, below this table. */
  about: readonly (readonly [label: string, value: string])[]
}

/** A report for people, which is written as a workbook, a page or a CSV file. */
export interface Report {
  title: string
  /** Whose payments it shows, below the title. */
  lines: readonly string[]
  tables: readonly ReportTable[]
}

/** True of a column whose values are at the right of their cells. */
export function isNumeric({ kind }: ReportColumn): boolean {
  return kind === 'integer' || kind === 'amount'
}

/** A value as people read it; empty if there is none. Amounts have `R$`, times are São Paulo time. */
export function valueText({ kind }: ReportColumn, value: ReportValue): string {
  if (value === null) return ''
  if (typeof value === 'number') {
    if (kind === 'amount') return formatReais(value)
    return kind === 'time' ? formatPaymentDate(value) : String(value)
  }
  return kind === 'day' && isDay(value) ? formatDay(value) : value
}

/** True of a day, false of what else its column has, such as the name of a total. */
export function isDay(value: ReportValue): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}
