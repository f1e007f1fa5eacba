import writeExcelFile, { type Cell } from 'write-excel-file/node'
import { t } from '../../text/translate.ts'
import type { RowResult } from '../rowResults.ts'
import type { ReportColumn, ReportTotals, RowSum } from './reportContent.ts'

const AMOUNT_FORMAT = '#,##0.00'

/** The cells of a report's row in a workbook: amounts are numbers; a string is a text cell, also if it consists of digits. */
export function workbookRow(columns: readonly ReportColumn[], result: RowResult): Cell[] {
  return columns.map(({ kind, cellOf, isMarked }) => {
    const value = cellOf(result)
    if (value === null || value === '') return null
    if (typeof value === 'number') return kind === 'amount' ? amountCell(value) : value
    return isMarked?.(result) === true ? { ...headingCell(value), textColor: '#B00020' } : value
  })
}

/** A report as an `.xlsx` workbook: a sheet with the rows under their header, and one with the totals and the run. */
export function workbookReport(
  title: string,
  columns: readonly ReportColumn[],
  rows: readonly Cell[][],
  about: readonly (readonly [string, string])[],
  totals: ReportTotals,
): Promise<Buffer> {
  const sum = (label: string, meaning: string, { rows: count, cents }: RowSum): Cell[] => [
    headingCell(label),
    count,
    amountCell(cents),
    meaning,
  ]
  return writeExcelFile([
    {
      sheet: t`Payments`,
      data: [columns.map(({ title: heading }) => headingCell(heading)), ...rows],
      columns: columns.map(({ width }) => ({ width })),
      stickyRowsCount: 1,
      orientation: 'landscape',
    },
    {
      sheet: t`Summary`,
      data: [
        [headingCell(title)],
        [],
        [t`State`, t`Rows`, t`Sum (R$)`, t`Meaning`].map(headingCell),
        ...totals.states().map((each) => sum(each.state, each.meaning, each)),
        sum(t`all rows`, '', totals.all),
        sum(t`of these`, t`sent before this run`, totals.leftOut),
        sum(t`of these`, t`with another name in the event`, totals.namesDiffer),
        [],
        ...about.map(([label, value]) => [headingCell(label), value]),
      ],
      columns: [{ width: 26 }, { width: 20 }, { width: 18 }, { width: 70 }],
    },
  ]).toBuffer()
}

function headingCell(value: string) {
  return { value, type: String, fontWeight: 'bold' } as const
}

function amountCell(cents: number): Cell {
  return { value: cents / 100, type: Number, format: AMOUNT_FORMAT }
}
