import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { valueOr } from '../../pix/expectedError.ts'
import {
  FILTER_OPTIONS,
  LIST_OPTIONS,
  type ListOptions,
  parseSearchTerms,
  paymentFilter,
} from '../../steps/historyFilters.ts'
import { listLimit } from '../../steps/optionSets.ts'
import { type ListView, showPayments } from '../../steps/paymentPages.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

export const historyList = defineCommand({
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  usualOptions: ['--since', '--day', '--month', '--kind', '--state', '--amount', '--name', '--all-rows'],
  examples: [
    ['pixgate history', 'the payments of the active account, each once'],
    ['pixgate history --month 11/2026 --kind transfer -o csv --excel', 'a month for a spreadsheet'],
    ['pixgate history --state unknown', 'payments with an unknown outcome'],
    ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
  ],
  acceptsCsv: true,
  run: list,
})

export const historyFind = defineCommand({
  arguments: [{ name: '<words...>', description: 'beginnings of words in any order, amounts and days' }],
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  describedBy: { options: [...FILTER_OPTIONS, ...LIST_OPTIONS], command: 'pixgate history list' },
  examples: [
    ['pixgate history find maria', 'every payment with this name or key'],
    ["pixgate history find 'R$ 25, yesterday, Maria'", 'an amount, a day and a name'],
    ['pixgate history find "22/11 25"', 'R$ 25,00, or an id with this number, on the newest 22 November'],
    ['pixgate history find 529.982.247-25 --month 11/2026', 'a CPF, with or without its punctuation'],
  ],
  acceptsCsv: true,
  run: find,
})

async function list(context: Context, options: ListOptions): Promise<number> {
  return showPayments(context, paymentFilter(options), viewOf(context, options))
}

async function find(context: Context, { words, ...options }: ListOptions & { words: string[] }): Promise<number> {
  const filterOf = (typed: readonly string[]) => paymentFilter(options, parseSearchTerms(typed, context.now()))
  const filter = filterOf(words)
  const each = words.flatMap((word) => word.split(/\s+/))
  const without = () =>
    each.flatMap((word, place) => valueOr([], UsageError, () => [{ word, filter: filterOf(each.toSpliced(place, 1)) }]))
  return showPayments(context, filter, { ...viewOf(context, options), without })
}

function viewOf(
  context: Context,
  { all: isAll, attempts: showsAttempts, limit, allRows, unmask, excel: isExcel }: ListOptions,
): ListView {
  if (isExcel && context.print.format !== 'csv') {
    throw new UsageError(t`\`--excel\` is for \`-o csv\``, { hint: t`Add \`-o csv\`, or omit \`--excel\`` })
  }
  return {
    isAll,
    showsAttempts,
    limit: limit ?? listLimit(context, allRows),
    isLimitTyped: limit !== undefined,
    unmask,
    isExcel,
  }
}
