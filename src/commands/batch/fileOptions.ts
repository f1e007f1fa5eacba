import { basename } from 'node:path'
import type { BatchFileOptions } from '../../batch/batchFile.ts'
import { t } from '../../text/translate.ts'
import { CALLBACK_URL_OPTION } from '../callbackUrl.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { RUN_OPTIONS } from './runOptions.ts'

/** The options that `batch transfer` and `batch refund` share. */
export const FILE_OPTIONS = defineOptions(
  {
    flags: '--map <field=column>',
    description: 'column that holds a field (repeatable, or separated by commas)',
    repeatable: true,
  },
  {
    flags: '--ignore-column <name>',
    description: 'column of amounts to ignore (repeatable)',
    repeatable: true,
  },
  { flags: '--sheet <name>', description: 'the sheet of a workbook (default: the first that is not hidden)' },
  {
    flags: '--include-hidden',
    description: 'send hidden and filtered rows and hidden columns of a workbook too',
    conflicts: {
      options: ['--skip-hidden'],
      message: () => t`\`--include-hidden\` and \`--skip-hidden\` cannot be combined`,
      hint: () => t`Omit \`--include-hidden\` or \`--skip-hidden\``,
    },
  },
  { flags: '--skip-hidden', description: 'leave out hidden and filtered rows of a workbook' },
  {
    flags: '--reference <text>',
    description: 'what these payments are for; the ids depend on it (default: the name of the file)',
  },
  {
    ...CALLBACK_URL_OPTION,
    description: 'where events are sent; the word listen selects the running listener (default: from the profile)',
  },
  {
    flags: '--file-changed',
    description: 'send although rows that were sent under this reference are missing from the file',
  },
  { flags: '--dry-run', description: 'check the file, apply every rule, print the totals, and send nothing' },
  ...RUN_OPTIONS,
)

/** The file of `batch transfer` and `batch refund`. */
export const FILE_ARGUMENT = {
  name: '<file>',
  description: 'a CSV file or an .xlsx workbook with a header, - for standard input',
} as const

/** The options of `batch transfer` and `batch refund`; those of refunds only are optional. */
export type FileOptions = OptionsOf<typeof FILE_OPTIONS> & {
  full?: boolean
  reason?: string
  skipQuery?: boolean
  despiteChargeback?: boolean
}

/** How the file at a path, `-` for standard input, is to be read. */
export function howToRead(options: FileOptions, path: string): BatchFileOptions {
  const { map, ignoreColumn, sheet, includeHidden, skipHidden, full, reference, reason } = options
  return {
    map,
    ignoreColumns: ignoreColumn,
    sheet,
    hidden: includeHidden ? 'include' : skipHidden ? 'skip' : 'stop',
    isFull: full,
    reference,
    refundReason: reason,
    fileName: path === '-' ? null : basename(path),
  }
}
