import { basename } from 'node:path'
import type { BatchFileOptions } from '../../batch/batchFile.ts'
import { wholeNumber } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { CALLBACK_URL_OPTION } from '../callbackUrl.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { PLAN_OPTIONS } from '../plan/planOptions.ts'
import { RUN_OPTIONS } from './runOptions.ts'

/** So many rows are read to find the header. */
const HEADER_ROW_MAX = 1000

/** The options that `batch transfer` and `batch refund` share. */
export const FILE_OPTIONS = defineOptions(
  {
    flags: '--map <field=column>',
    description: 'column of a field, such as value=valor (repeatable)',
    repeatable: true,
  },
  {
    flags: '--ignore-column <name>',
    description: 'column of amounts, or of a known heading, not to use (repeatable)',
    repeatable: true,
  },
  { flags: '--sheet <name>', description: 'sheet of a workbook (default: first with the columns)' },
  {
    flags: '--header-row <n>',
    description: 'row of the header (default: it is found)',
    parse: wholeNumber(1, HEADER_ROW_MAX),
  },
  {
    flags: '--include-hidden',
    description: 'send hidden rows and columns of a workbook too',
    conflicts: {
      options: ['--skip-hidden'],
      message: () => t`\`--include-hidden\` and \`--skip-hidden\` cannot be combined`,
      hint: () => t`Omit \`--include-hidden\` or \`--skip-hidden\``,
    },
  },
  { flags: '--skip-hidden', description: 'leave out hidden and filtered rows of a workbook' },
  {
    flags: '--reference <text>',
    description: 'what the payments are for; their ids depend on it (default: the file name)',
  },
  {
    ...CALLBACK_URL_OPTION,
    description: 'where events are sent; listen: the running listener (default: from the profile)',
  },
  {
    flags: '--file-changed',
    description: 'send although sent rows are no longer in the file',
  },
  { flags: '--dry-run', description: 'apply every rule, print the totals, send nothing' },
  ...RUN_OPTIONS,
  ...PLAN_OPTIONS,
)

/** The file of `batch transfer` and `batch refund`. */
export const FILE_ARGUMENT = {
  name: '<file>',
  description: 'a CSV file or an .xlsx workbook, - for stdin',
} as const

/** The options of `batch transfer` and `batch refund`; those of refunds only are optional. */
export type FileOptions = OptionsOf<typeof FILE_OPTIONS> & {
  full?: boolean
  reason?: string
  skipQuery?: boolean
  despiteChargeback?: boolean
}

/** How the file at a path, `-` for standard input, is to be read. */
export function howToRead(options: FileOptions, path: string, interrupt: AbortSignal): BatchFileOptions {
  const { map, ignoreColumn, sheet, headerRow, includeHidden, skipHidden, full, reference, reason } = options
  return {
    map,
    ignoreColumns: ignoreColumn,
    sheet,
    headerRow,
    hidden: includeHidden ? 'include' : skipHidden ? 'skip' : 'stop',
    isFull: full,
    reference,
    refundReason: reason,
    interrupt,
    fileName: path === '-' ? null : basename(path),
  }
}
