import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Run } from '../../ledger/runs.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type RowResult, resultPages } from '../rowResults.ts'
import { csvReport } from './csvReport.ts'
import { htmlReport } from './htmlReport.ts'
import { ReportTotals, reportAbout, reportColumns, reportTitle } from './reportContent.ts'

const FORMATS = ['csv', 'xlsx', 'html'] as const

export type ReportFormat = (typeof FORMATS)[number]

/** A workbook is made in memory, about 4 KB for a row: with more rows Node.js runs out of it on a small machine. A sheet could hold 1,048,576. */
const WORKBOOK_ROWS_MAX = 250_000

/** The format that the name of a report's file asks for. Throws UsageError if the name has another ending, or if the file exists. */
export function reportFormat(path: string): ReportFormat {
  const format = FORMATS.find((each) => extname(path).toLowerCase() === `.${each}`)
  if (format === undefined) {
    throw new UsageError(t`\`--out\` takes a file that ends in .csv, .xlsx or .html, not \`${path}\``, {
      hint: t`Use a name such as \`report.xlsx\``,
    })
  }
  if (existsSync(path)) {
    throw new UsageError(t`\`${path}\` already exists, and a report never overwrites a file`, {
      hint: t`Use another name with \`--out\`, or remove the file first`,
    })
  }
  return format
}

/** Writes the result of every row of a run to a new file, which appears under its name when it is complete. Throws UsageError. */
export async function writeReport(
  path: string,
  format: ReportFormat,
  ledger: Ledger,
  run: Run,
  writtenMs: number,
): Promise<ReportTotals> {
  const part = `${path}.part`
  try {
    const file = await open(part, 'w', 0o600)
    try {
      const totals =
        format === 'xlsx'
          ? await writeWorkbook(file, ledger, run, writtenMs)
          : await writeText(file, format, ledger, run, writtenMs)
      await file.close()
      await rename(part, path)
      return totals
    } catch (error) {
      await file.close()
      await rm(part, { force: true })
      throw error
    }
  } catch (error) {
    throw writeFailure('--out', path, error)
  }
}

async function writeText(
  file: FileHandle,
  format: 'csv' | 'html',
  ledger: Ledger,
  run: Run,
  writtenMs: number,
): Promise<ReportTotals> {
  const columns = reportColumns(run)
  const about = reportAbout(run, writtenMs)
  const report = format === 'csv' ? csvReport(columns, about) : htmlReport(reportTitle(run), columns, about)
  await file.writeFile(report.head())
  const totals = await eachPage(ledger, run, async (page) => {
    await file.writeFile(page.map((result) => report.row(result)).join(''))
  })
  await file.writeFile(report.foot(totals))
  return totals
}

async function writeWorkbook(file: FileHandle, ledger: Ledger, run: Run, writtenMs: number): Promise<ReportTotals> {
  const { workbookReport, workbookRow } = await import('./workbookReport.ts')
  const columns = reportColumns(run)
  const rows: ReturnType<typeof workbookRow>[] = []
  const totals = await eachPage(ledger, run, async (page) => {
    for (const result of page) {
      rows.push(workbookRow(columns, result))
    }
    if (rows.length > WORKBOOK_ROWS_MAX) {
      throw new UsageError(t`The run has more than the ${WORKBOOK_ROWS_MAX} rows that a workbook can hold`, {
        hint: t`Use a name that ends in .csv with \`--out\``,
      })
    }
  })
  await file.writeFile(await workbookReport(reportTitle(run), columns, rows, reportAbout(run, writtenMs), totals))
  return totals
}

async function eachPage(
  ledger: Ledger,
  run: Run,
  work: (page: readonly RowResult[]) => Promise<void>,
): Promise<ReportTotals> {
  const totals = new ReportTotals()
  for await (const page of resultPages(ledger, run)) {
    for (const result of page) totals.add(result)
    await work(page)
  }
  return totals
}
