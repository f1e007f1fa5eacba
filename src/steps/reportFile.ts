import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { readText } from '../optionParsers.ts'
import { openWholeFile } from '../storage/wholeFile.ts'
import { writeFailure } from '../terminal/outputFile.ts'
import { t } from '../text/translate.ts'
import { writtenFor } from '../text/writtenFor.ts'
import type { Report } from '../views/report/reportTable.ts'
import { UsageError } from '../wire/errors.ts'

/** Where a report is written. */
export const OUT_OPTION = {
  flags: '--out <file>',
  description: 'a new file that ends in .xlsx, for a workbook',
  parse: readText,
} as const

/**
 * The file that `--out` names. Throws UsageError if there is none, if its name has another ending, or if the file exists; hints suggest a file of this
 * name, and the command that lists the same payments.
 */
export function reportFile(path: string | undefined, name: string, list: string): string {
  if (path === undefined) {
    throw new UsageError(t`\`--out\` is missing`, { hint: t`Add \`--out ${name}.xlsx\`` })
  }
  if (extname(path).toLowerCase() !== '.xlsx') {
    throw new UsageError(t`\`--out\` takes a file that ends in .xlsx, not \`${path}\``, {
      hint: t`Use a name such as \`${name}.xlsx\`; for a CSV, run \`${list} -o csv\``,
    })
  }
  if (existsSync(path)) {
    throw new UsageError(t`\`${path}\` already exists, and a report never overwrites a file`, {
      hint: t`Use another name with \`--out\`, or remove the file first`,
    })
  }
  return path
}

/**
 * Writes a report to its file, which appears under its name when it is complete, in the language of people. A hint suggests the command that lists the
 * same payments. Throws UsageError.
 */
export async function writeReport(path: string, makeReport: () => Report, list: string): Promise<void> {
  const { TooManyRows, workbookReport } = await import('../views/report/reportWorkbook.ts')
  try {
    const opened = await openWholeFile(path)
    try {
      await writtenFor('people', async () => {
        for await (const piece of workbookReport(makeReport())) await opened.append(piece)
      })
      await opened.finish()
    } finally {
      await opened.discard()
    }
  } catch (error) {
    if (!(error instanceof TooManyRows)) throw writeFailure('--out', path, error)
    throw new UsageError(t`The report has more rows than the sheet of a workbook can hold`, {
      hint: t`Run \`${list} -o csv\``,
    })
  }
}
