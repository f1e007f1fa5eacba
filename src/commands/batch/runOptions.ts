import { resolve } from 'node:path'
import { readText, wholeNumber } from '../../optionParsers.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions } from '../command.ts'

/** The options of everything that sends the rows of a run, as they are typed. */
export interface TypedRunOptions {
  limit?: string
  concurrency: string
  rate?: string
  stopAfter: string
  results?: string
  excel?: boolean
  again?: boolean
  inAdditionTo?: string[]
  despiteChargeback?: boolean
}

/** The options of everything that sends the rows of a run. */
export interface RunOptions {
  repeats: RepeatOptions
  limit: number | null
  concurrency: number
  perSecond: number | null
  stopAfter: number
  results: string | null
  excel: boolean
}

const CONCURRENCY = 4
const CONCURRENCY_MAX = 64
const STOP_AFTER = 5
const ROWS_MAX = 1_000_000_000
const RATE_MAX = 10_000

/** Adds the options to a command. */
export const RUN_OPTIONS = defineOptions(
  { flags: '--limit <n>', description: 'send at most this many rows now; resume continues with the rest' },
  { flags: '--concurrency <n>', description: `requests at once, up to ${CONCURRENCY_MAX}`, default: `${CONCURRENCY}` },
  { flags: '--rate <rate>', description: 'maximum rate: 10/s or 300/m' },
  {
    flags: '--stop-after <n>',
    description: 'stop after this many consecutive rows that were not accepted',
    default: `${STOP_AFTER}`,
  },
  { flags: '--results <file>', description: 'write the result of every row to a CSV file' },
  {
    flags: '--excel',
    description: 'write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times',
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

/** Reads the options that were typed. Throws UsageError. */
export function readRunOptions(typed: TypedRunOptions, inputPath?: string): RunOptions {
  const { limit, results, excel = false } = typed
  if (excel && results === undefined) {
    throw new UsageError(t`\`--excel\` requires \`--results\``, {
      hint: t`Add \`--results results.csv\`, or omit \`--excel\``,
    })
  }
  if (results !== undefined && inputPath !== undefined && resolve(results) === resolve(inputPath)) {
    throw new UsageError(t`\`--results\` would overwrite the input file`, { hint: t`Name another file` })
  }
  return {
    repeats: readRepeatOptions(typed),
    limit: limit === undefined ? null : wholeNumber(1, ROWS_MAX)(limit, '--limit'),
    concurrency: wholeNumber(1, CONCURRENCY_MAX)(typed.concurrency, '--concurrency'),
    perSecond: typed.rate === undefined ? null : readRate(typed.rate),
    stopAfter: wholeNumber(1, ROWS_MAX)(typed.stopAfter, '--stop-after'),
    results: results === undefined ? null : readText(results, '--results'),
    excel,
  }
}

/** What the user accepts to be paid or returned once more. */
export function readRepeatOptions(
  typed: Pick<TypedRunOptions, 'again' | 'inAdditionTo' | 'despiteChargeback'>,
): RepeatOptions {
  return {
    again: typed.again === true,
    inAdditionTo: typed.inAdditionTo ?? [],
    despiteChargeback: typed.despiteChargeback === true,
  }
}

function readRate(typed: string): number {
  const [, count = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/([sm]))?$/.exec(typed.trim()) ?? []
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1)
  if (count !== '' && perSecond > 0 && perSecond <= RATE_MAX) return perSecond
  throw new UsageError(t`\`${typed}\` is not a valid value for \`--rate\``, {
    hint: t`Write a number per second or per minute, such as \`10/s\` or \`300/m\``,
  })
}
