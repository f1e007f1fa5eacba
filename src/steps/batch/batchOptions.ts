import { basename, resolve } from 'node:path'
import type { BatchFileOptions } from '../../batch/batchFile.ts'
import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { RunSending } from '../../ledger/records.ts'
import { readText, wholeNumber } from '../../optionParsers.ts'
import { saoPauloDay } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { CALLBACK_URL_OPTION } from '../callbackUrl.ts'
import { PLAN_OPTIONS } from '../optionSets.ts'

/** How rows are sent unless options say otherwise. */
export const DEFAULT_SENDING: RunSending = { concurrency: 4, perSecond: null, stopAfter: 5, results: null }
const CONCURRENCY_MAX = 64
const ROWS_MAX = 1_000_000_000
const RATE_MAX = 10_000

const LIMIT_OPTION = {
  flags: '--limit <n>',
  description: 'send at most n rows now; resume sends the rest',
  parse: wholeNumber(1, ROWS_MAX),
} as const
const CONCURRENCY_OPTION = {
  flags: '--concurrency <n>',
  description: `requests at once, up to ${CONCURRENCY_MAX}`,
  parse: wholeNumber(1, CONCURRENCY_MAX),
} as const
const RATE_OPTION = { flags: '--rate <rate>', description: 'maximum rate: 10/s or 300/m', parse: readRate } as const
const STOP_AFTER_OPTION = {
  flags: '--stop-after <n>',
  description: 'stop after n rows in a row that were not accepted',
  parse: wholeNumber(1, ROWS_MAX),
} as const
const RESULTS_OPTION = {
  flags: '--results <file>',
  description: 'write the result of every row to a CSV file',
  parse: readText,
} as const
const SHARED_OPTIONS = defineOptions(
  {
    flags: '--excel',
    description: 'with --results: as a Brazilian spreadsheet reads it',
    requires: {
      option: '--results',
      message: () => t`\`--excel\` requires \`--results\``,
      hint: () => t`Add \`--results results.csv\`, or omit \`--excel\``,
    },
  },
  {
    flags: '--again',
    description: 'allow repeats of earlier payments, in a sandbox',
  },
  {
    flags: '--in-addition-to <id>',
    description: 'allow a repeat of this earlier payment (repeatable)',
    parse: readText,
    repeatable: true,
  },
)

const RUN_OPTIONS = defineOptions(
  LIMIT_OPTION,
  { ...CONCURRENCY_OPTION, default: `${DEFAULT_SENDING.concurrency}` },
  RATE_OPTION,
  { ...STOP_AFTER_OPTION, default: `${DEFAULT_SENDING.stopAfter}` },
  RESULTS_OPTION,
  ...SHARED_OPTIONS,
)

/** The option by which payments with a known chargeback are refunded. */
export const DESPITE_CHARGEBACK_OPTION = {
  flags: '--despite-chargeback',
  description: 'refund payments although a chargeback of them is known',
} as const

/** The options of resuming a run. */
export const RESUME_OPTIONS = defineOptions(
  { flags: '--refused', description: 'for a run: also send refused and failed rows, each as a new attempt' },
  {
    flags: '--include-unknown',
    description: 'send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago',
  },
  DESPITE_CHARGEBACK_OPTION,
  LIMIT_OPTION,
  { ...CONCURRENCY_OPTION, description: `${CONCURRENCY_OPTION.description} (default: the run's own)` },
  { ...RATE_OPTION, description: `${RATE_OPTION.description} (default: the run's own)` },
  { ...STOP_AFTER_OPTION, description: `${STOP_AFTER_OPTION.description} (default: the run's own)` },
  { ...RESULTS_OPTION, description: `${RESULTS_OPTION.description} (default: the run's own)` },
  ...SHARED_OPTIONS,
  ...PLAN_OPTIONS,
)

type RunOptions = OptionsOf<typeof RUN_OPTIONS>
export type ResumeOptions = OptionsOf<typeof RESUME_OPTIONS>

/** How the rows of a run are to be sent: as its options say, else as it was started. */
export function sendingOf(
  options: Pick<RunOptions, 'rate' | 'results' | 'excel'> & Partial<Pick<RunOptions, 'concurrency' | 'stopAfter'>>,
  started: RunSending = DEFAULT_SENDING,
): RunSending {
  const { concurrency, rate, stopAfter, results, excel } = options
  return {
    concurrency: concurrency ?? started.concurrency,
    perSecond: rate ?? started.perSecond,
    stopAfter: stopAfter ?? started.stopAfter,
    results: results === undefined ? started.results : { path: resolve(results), isExcel: excel },
  }
}

/** Reads a rate, per second. Throws UsageError. */
function readRate(typed: string, name: string): number {
  const [, count = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/([sm]))?$/.exec(typed.trim()) ?? []
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1)
  if (count !== '' && perSecond > 0 && perSecond <= RATE_MAX) return perSecond
  throw new UsageError(t`\`${typed}\` is not a valid value for \`${name}\``, {
    hint: t`Write a number per second or per minute, such as \`10/s\` or \`300/m\``,
  })
}

/** The number of rows that are read to find the header. */
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
    description: 'column that means nothing, such as Status (repeatable)',
    repeatable: true,
  },
  {
    flags: '--only <column=value>',
    description: 'only rows like Status=OPEN|DUE; !=, <= too (repeatable)',
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
    conflicts: { options: ['--skip-hidden'] },
  },
  { flags: '--skip-hidden', description: 'leave out hidden and filtered rows of a workbook' },
  {
    flags: '--include-struck',
    description: 'send struck-through rows of a workbook too',
    conflicts: { options: ['--skip-struck'] },
  },
  { flags: '--skip-struck', description: 'leave out struck-through rows of a workbook' },
  {
    flags: '--repeat-reference',
    description: 'rows with the same reference, key and amount are meant',
  },
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
export function howToRead({ runtime, now }: Context, options: FileOptions, path: string): BatchFileOptions {
  const { map, ignoreColumn, sheet, headerRow, includeHidden, skipHidden, full, reference, reason } = options
  const struck = options.includeStruck ? 'include' : options.skipStruck ? 'skip' : 'stop'
  return {
    map,
    ignoreColumns: ignoreColumn,
    sheet,
    headerRow,
    hidden: includeHidden ? 'include' : skipHidden ? 'skip' : 'stop',
    marks: { only: options.only, struck, today: saoPauloDay(now()) },
    repeatsReferences: options.repeatReference,
    isFull: full,
    reference,
    refundReason: reason,
    interrupt: runtime.interrupt,
    fileName: path === '-' ? null : basename(path),
  }
}
