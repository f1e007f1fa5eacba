import type { Context } from '../../context.ts'
import { defineCommand, defineOptions } from '../command.ts'
import { FILTER_OPTIONS, readFilter, readLimit, type TypedFilter } from './filterOptions.ts'
import { showPayments } from './paymentPages.ts'

/** The options of a list of payments, as commander gives them. */
export interface TypedList extends TypedFilter {
  all?: boolean
  attempts?: boolean
  unmask?: boolean
}

/** Options that say how payments are listed. */
export const LIST_OPTIONS = defineOptions(
  { flags: '--all', description: 'of all accounts and environments, with separate sums' },
  { flags: '--attempts', description: 'each attempt, not each payment in its last state' },
  { flags: '--unmask', description: 'show keys, names and tax documents of people whole' },
)

/** `pixgate history list`, which is also the bare `pixgate history`. */
export const historyList = defineCommand({
  description: 'The payments of the active account, each once in its last state, oldest first',
  options: [...FILTER_OPTIONS, ...LIST_OPTIONS],
  examples: [
    ['pixgate history', 'the payments of the active account, each once'],
    ['pixgate history --month 11/2026 --kind transfer -o csv', 'a month for a spreadsheet'],
    ['pixgate history --state unknown', 'payments with an unknown outcome'],
    ['pixgate history --day yesterday --min 1000', 'large payments of yesterday'],
    ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
  ],
  run: list,
})

async function list(context: Context, options: TypedList): Promise<number> {
  return showPayments(context, readFilter(context, options), {
    isAll: options.all === true,
    showsAttempts: options.attempts === true,
    limit: readLimit(options),
    unmask: options.unmask,
  })
}
