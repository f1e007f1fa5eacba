import { readText, wholeNumber } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'

const CONCURRENCY = 4
const CONCURRENCY_MAX = 64
const STOP_AFTER = 5
const ROWS_MAX = 1_000_000_000
const RATE_MAX = 10_000

/** The options of everything that sends the rows of a run. */
export const RUN_OPTIONS = defineOptions(
  {
    flags: '--limit <n>',
    description: 'send at most this many rows now; resume continues with the rest',
    parse: wholeNumber(1, ROWS_MAX),
  },
  {
    flags: '--concurrency <n>',
    description: `requests at once, up to ${CONCURRENCY_MAX}`,
    default: `${CONCURRENCY}`,
    parse: wholeNumber(1, CONCURRENCY_MAX),
  },
  { flags: '--rate <rate>', description: 'maximum rate: 10/s or 300/m', parse: readRate },
  {
    flags: '--stop-after <n>',
    description: 'stop after this many consecutive rows that were not accepted',
    default: `${STOP_AFTER}`,
    parse: wholeNumber(1, ROWS_MAX),
  },
  { flags: '--results <file>', description: 'write the result of every row to a CSV file', parse: readText },
  {
    flags: '--excel',
    description: 'write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times',
    requires: {
      option: '--results',
      message: t`\`--excel\` requires \`--results\``,
      hint: t`Add \`--results results.csv\`, or omit \`--excel\``,
    },
  },
  {
    flags: '--again',
    description: 'allow repeats of payments made within six days outside this reference, in a sandbox',
  },
  {
    flags: '--in-addition-to <id>',
    description: 'allow a repeat of this earlier payment (repeatable)',
    repeatable: true,
  },
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
  ...RUN_OPTIONS,
)

export type RunOptions = OptionsOf<typeof RUN_OPTIONS>
export type ResumeOptions = OptionsOf<typeof RESUME_OPTIONS>

/** Reads a rate, per second. Throws UsageError. */
function readRate(typed: string, name: string): number {
  const [, count = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/([sm]))?$/.exec(typed.trim()) ?? []
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1)
  if (count !== '' && perSecond > 0 && perSecond <= RATE_MAX) return perSecond
  throw new UsageError(t`\`${typed}\` is not a valid value for \`${name}\``, {
    hint: t`Write a number per second or per minute, such as \`10/s\` or \`300/m\``,
  })
}
