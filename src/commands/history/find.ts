import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { addFilterOptions, readFilter, readLimit } from './filterOptions.ts'
import { addListOptions, type TypedList } from './list.ts'
import { showPayments } from './paymentPages.ts'
import { readWords } from './searchWords.ts'

/** `pixgate history find`: searches payments by words, amounts and days. */
export function historyFind(run: Run): Command {
  const command = new Command('find')
    .description(
      'Search payments by names, keys, ids, references, reasons, events and cells of batches; amounts and days among the words narrow the search',
    )
    .argument('<words...>', 'beginnings of words in any order, amounts and days')
  return addListOptions(addFilterOptions(command))
    .addHelpText(
      'after',
      examples(
        ['pixgate history find maria', 'every payment with this name or key'],
        ["pixgate history find 'R$ 25, yesterday, Maria'", 'an amount, a day and a name'],
        ['pixgate history find 529.982.247-25 --month 11/2026', 'a CPF, with or without its punctuation'],
      ),
    )
    .action(run(find))
}

async function find(context: Context, words: string[], options: TypedList): Promise<number> {
  const filter = readFilter(context, options, readWords(words, context.now()))
  return showPayments(context, filter, {
    isAll: options.all === true,
    showsAttempts: options.attempts === true,
    limit: readLimit(options),
    unmask: options.unmask,
  })
}
