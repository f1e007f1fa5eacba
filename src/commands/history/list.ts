import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { addFilterOptions, readFilter, readLimit, type TypedFilter } from './filterOptions.ts'
import { showPayments } from './paymentPages.ts'

/** The options of a list of payments, as commander gives them. */
export interface TypedList extends TypedFilter {
  all?: boolean
  attempts?: boolean
  unmask?: boolean
}

/** `pixgate history list`, which is also the bare `pixgate history`. */
export function historyList(run: Run): Command {
  return listing(new Command('list'), run)
}

/** Gives a command the options and the action of `history list`. */
export function listing(command: Command, run: Run): Command {
  return addListOptions(addFilterOptions(command))
    .addHelpText(
      'after',
      examples(
        ['pixgate history', 'the payments of the active account, each once'],
        ['pixgate history --month 11/2026 --kind transfer -o csv', 'a month for a spreadsheet'],
        ['pixgate history --state unknown', 'payments with an unknown outcome'],
        ['pixgate history --day yesterday --min 1000', 'large payments of yesterday'],
        ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
      ),
    )
    .action(run(list))
}

/** Adds the options that say how payments are listed. */
export function addListOptions(command: Command): Command {
  return command
    .option('--all', 'of all accounts and environments, with separate sums')
    .option('--attempts', 'each attempt, not each payment in its last state')
    .option('--unmask', 'show keys, names and tax documents of people whole')
}

async function list(context: Context, options: TypedList): Promise<number> {
  return showPayments(context, readFilter(context, options), {
    isAll: options.all === true,
    showsAttempts: options.attempts === true,
    limit: readLimit(options),
    unmask: options.unmask,
  })
}
