import { defineOptions } from '../command.ts'
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
  { flags: '--sheet <name>', description: 'the sheet of a workbook (default: the first)' },
  {
    flags: '--reference <text>',
    description: 'what these payments are for; the ids depend on it (default: the name of the file)',
  },
  {
    flags: '--callback-url <url>',
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
