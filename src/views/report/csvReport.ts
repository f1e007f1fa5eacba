import { plainAmount } from '../../pix/amount.ts'
import { csvLine } from '../../text/csv.ts'
import { decimalComma, EXCEL_START, excelRecord, plainCell, textCell, withoutFormulas } from '../../text/excelCsv.ts'
import { safeText } from '../../text/safeText.ts'
import { type Report, type ReportColumn, type ReportTable, type ReportValue, valueText } from './report.ts'

/** `plain` is a CSV for other programs; `excel` is one that a Brazilian spreadsheet opens correctly. */
export type CsvDialect = 'plain' | 'excel'

/**
 * A report as CSV, in pieces: its tables with their headers, one below the other, each but the first under a record with its title. Every
 * record has as many cells as the widest table has columns.
 */
export async function* csvReport({ tables }: Report, dialect: CsvDialect): AsyncGenerator<string> {
  const width = Math.max(...tables.map(({ columns }) => columns.length))
  const record = (cells: readonly string[]) => {
    const all = [...cells, ...Array<string>(width - cells.length).fill('')]
    return dialect === 'excel' ? excelRecord(all) : `${csvLine(all)}\n`
  }
  const label = (text: string) => (dialect === 'excel' ? plainCell(safeText(text)) : withoutFormulas(safeText(text)))
  if (dialect === 'excel') yield EXCEL_START
  for (const [place, table] of tables.entries()) {
    if (place > 0) yield record([]) + record([label(table.title)])
    yield record(headings(table, dialect))
    for await (const rows of table.pages()) {
      yield rows
        .map(({ cells }) => record(table.columns.map((column, at) => cell(column, cells[at] ?? null, dialect))))
        .join('')
    }
    const about = [...table.notes.map((note) => [note]), ...table.about]
    if (about.length > 0) yield record([]) + about.map((cells) => record(cells.map(label))).join('')
  }
}

function headings({ columns }: ReportTable, dialect: CsvDialect): string[] {
  return columns.map(({ name, title }) => (dialect === 'excel' ? title : name))
}

function cell(column: ReportColumn, value: ReportValue, dialect: CsvDialect): string {
  if (typeof value === 'number' && column.kind === 'amount') {
    return dialect === 'excel' ? decimalComma(value) : plainAmount(value)
  }
  if (typeof value === 'number') return valueText(column, value)
  if (column.kind === 'day' && dialect === 'plain') return value ?? ''
  const text = safeText(valueText(column, value))
  if (column.kind === 'day') return text
  return dialect === 'excel' ? textCell(text) : withoutFormulas(text)
}
