import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { readText } from '../optionParsers.ts'
import { openWholeFile } from '../storage/wholeFile.ts'
import { writeFailure } from '../terminal/outputFile.ts'
import { t } from '../text/translate.ts'
import { writtenFor } from '../text/writtenFor.ts'
import { csvReport } from '../views/report/csvReport.ts'
import { htmlReport } from '../views/report/htmlReport.ts'
import type { Report } from '../views/report/report.ts'
import { TooManyRows } from '../views/report/sheetXml.ts'
import { UsageError } from '../wire/errors.ts'
import { defineOptions, type OptionsOf } from './command.ts'

const FORMATS = ['csv', 'xlsx', 'html'] as const

type ReportFormat = (typeof FORMATS)[number]

/** Where a report is written, and how. */
export const REPORT_OPTIONS = defineOptions(
  {
    flags: '--out <file>',
    description: 'a new file: .xlsx is a workbook, .html a page to read or print, .csv is for other programs',
    parse: readText,
  },
  { flags: '--excel', description: 'with --out <file.csv>: a CSV that opens correctly in a Brazilian spreadsheet' },
)

/** A file that a report is written to. */
export interface ReportFile {
  path: string
  format: ReportFormat
  isExcel: boolean
}

/**
 * The file that the options name. Throws UsageError if there is none, if its name has another ending, or if the file exists; a hint suggests a file of
 * this name.
 */
export function reportFile(
  { out: path, excel: isExcel }: OptionsOf<typeof REPORT_OPTIONS>,
  name = t`report`,
): ReportFile {
  if (path === undefined) {
    throw new UsageError(t`\`--out\` is missing`, {
      hint: t`Add \`--out ${name}.xlsx\`; .csv and .html are also supported`,
    })
  }
  const format = FORMATS.find((each) => extname(path).toLowerCase() === `.${each}`)
  if (format === undefined) {
    throw new UsageError(t`\`--out\` takes a file that ends in .csv, .xlsx or .html, not \`${path}\``, {
      hint: t`Use a name such as \`${name}.xlsx\``,
    })
  }
  if (isExcel && format !== 'csv') {
    throw new UsageError(t`\`--excel\` is for a file that ends in .csv, not for \`${path}\``, {
      hint: t`Omit \`--excel\`, or use a name such as \`${name}.csv\` with \`--out\``,
    })
  }
  if (existsSync(path)) {
    throw new UsageError(t`\`${path}\` already exists, and a report never overwrites a file`, {
      hint: t`Use another name with \`--out\`, or remove the file first`,
    })
  }
  return { path, format, isExcel }
}

/**
 * Writes a report to its file, which appears under its name when it is complete: for people in their language, for programs in English. Throws
 * UsageError.
 */
export async function writeReport(file: ReportFile, makeReport: () => Report): Promise<void> {
  const { path, format, isExcel } = file
  const readers = format === 'csv' && !isExcel ? 'programs' : 'people'
  try {
    const opened = await openWholeFile(path)
    try {
      await writtenFor(readers, async () => {
        for await (const piece of await pieces(file, makeReport())) await opened.append(piece)
      })
      await opened.finish()
    } finally {
      await opened.discard()
    }
  } catch (error) {
    throw error instanceof TooManyRows ? tooManyRows() : writeFailure('--out', path, error)
  }
}

async function pieces({ format, isExcel }: ReportFile, report: Report): Promise<AsyncIterable<string | Uint8Array>> {
  if (format === 'csv') return csvReport(report, isExcel ? 'excel' : 'plain')
  if (format === 'html') return htmlReport(report)
  const { workbookReport } = await import('../views/report/workbookReport.ts')
  return workbookReport(report)
}

function tooManyRows(): UsageError {
  return new UsageError(t`The report has more rows than the sheet of a workbook can hold`, {
    hint: t`Use a name that ends in .csv with \`--out\``,
  })
}
