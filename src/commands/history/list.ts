import type { Context } from '../../context.ts'
import { defineCommand } from '../command.ts'
import { FILTER_OPTIONS, LIST_OPTIONS, type ListOptions, paymentFilter } from './filterOptions.ts'
import { type ListView, showPayments } from './paymentPages.ts'
import { parseSearchTerms } from './searchTerms.ts'

export const historyList = defineCommand({
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  examples: [
    ['pixgate history', 'the payments of the active account, each once'],
    ['pixgate history --month 11/2026 --kind transfer -o csv', 'a month for a spreadsheet'],
    ['pixgate history --state unknown', 'payments with an unknown outcome'],
    ['pixgate history --day yesterday --min 1000', 'large payments of yesterday'],
    ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
  ],
  acceptsCsv: true,
  run: list,
})

export const historyFind = defineCommand({
  arguments: [{ name: '<words...>', description: 'beginnings of words in any order, amounts and days' }],
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  examples: [
    ['pixgate history find maria', 'every payment with this name or key'],
    ["pixgate history find 'R$ 25, yesterday, Maria'", 'an amount, a day and a name'],
    ['pixgate history find 529.982.247-25 --month 11/2026', 'a CPF, with or without its punctuation'],
  ],
  acceptsCsv: true,
  run: find,
})

async function list(context: Context, options: ListOptions): Promise<number> {
  return showPayments(context, paymentFilter(options), viewOf(options))
}

async function find(context: Context, { words, ...options }: ListOptions & { words: string[] }): Promise<number> {
  const filter = paymentFilter(options, parseSearchTerms(words, context.now()))
  return showPayments(context, filter, viewOf(options))
}

function viewOf({ all: isAll, attempts: showsAttempts, limit, unmask }: ListOptions): ListView {
  return { isAll, showsAttempts, limit: limit ?? null, unmask }
}
