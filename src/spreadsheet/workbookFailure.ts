import { workbookTooLarge } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { MissingResult } from './cellText.ts'
import { NotAWorkbook, SheetMissing, UNPACKED_BYTES_MAX } from './workbook.ts'
import { UnsafeXml } from './xmlReader.ts'
import { ArchiveTooLarge, BrokenArchive } from './zipParts.ts'

/**
 * Turns what reading a workbook throws into a UsageError that names the file, null for standard input, and the reason; returns any other error
 * unchanged. `sheet` is the one that was asked for.
 */
export function workbookFailure(error: unknown, file: string | null, sheet: string | undefined): unknown {
  if (error instanceof ArchiveTooLarge) return workbookTooLarge(file, UNPACKED_BYTES_MAX)
  if (error instanceof NotAWorkbook) {
    return new UsageError(
      file === null
        ? t`The file is a ZIP archive, not an .xlsx workbook`
        : t`\`${file}\` is a ZIP archive, not an .xlsx workbook`,
      { hint: t`Open it in a spreadsheet and save it as .xlsx or as "CSV UTF-8"` },
    )
  }
  if (error instanceof MissingResult) {
    return new UsageError(
      file === null
        ? t`The workbook has formulas whose results were not saved`
        : t`The workbook \`${file}\` has formulas whose results were not saved`,
      { hint: t`Open it in a spreadsheet and save it again, so that the results are saved too` },
    )
  }
  if (error instanceof SheetMissing) return sheetMissingFailure(error, sheet)
  if (!(error instanceof UnsafeXml || error instanceof BrokenArchive)) return error
  return new UsageError(
    file === null
      ? t`The workbook cannot be read: ${error.message}`
      : t`The workbook \`${file}\` cannot be read: ${error.message}`,
    { hint: t`Open it in a spreadsheet, correct it and save it again as .xlsx or as "CSV UTF-8"` },
  )
}

function sheetMissingFailure({ sheets }: SheetMissing, sheet: string | undefined): UsageError {
  return new UsageError(
    sheet === undefined ? t`All sheets of the workbook are hidden` : t`The workbook has no sheet \`${sheet}\``,
    {
      details: sheets.map(({ name, isHidden }) =>
        isHidden ? t`It has the hidden sheet \`${name}\`` : t`It has the sheet \`${name}\``,
      ),
      hint: t`Use one of these names with \`--sheet\``,
    },
  )
}
