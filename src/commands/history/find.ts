import type { Context } from '../../context.ts'
import { defineCommand } from '../command.ts'
import { FILTER_OPTIONS, LIST_OPTIONS, readFilter, readLimit, type TypedList } from './filterOptions.ts'
import { showPayments } from './paymentPages.ts'
import { readWords } from './searchWords.ts'

/** `pixgate history find`: searches payments by words, amounts and days. */
export const historyFind = defineCommand({
  description:
    'Search payments by names, keys, ids, references, reasons, events and cells of batches; amounts and days among the words narrow the search',
  arguments: [{ name: '<words...>', description: 'beginnings of words in any order, amounts and days' }],
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  examples: [
    ['pixgate history find maria', 'every payment with this name or key'],
    ["pixgate history find 'R$ 25, yesterday, Maria'", 'an amount, a day and a name'],
    ['pixgate history find 529.982.247-25 --month 11/2026', 'a CPF, with or without its punctuation'],
  ],
  run: find,
})

async function find(context: Context, { words, ...options }: TypedList & { words: string[] }): Promise<number> {
  const filter = readFilter(context, options, readWords(words, context.now()))
  return showPayments(context, filter, {
    isAll: options.all === true,
    showsAttempts: options.attempts === true,
    limit: readLimit(options),
    unmask: options.unmask,
  })
}
