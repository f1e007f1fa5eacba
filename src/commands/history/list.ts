import type { Context } from '../../context.ts'
import { defineCommand } from '../command.ts'
import { FILTER_OPTIONS, LIST_OPTIONS, readFilter, readLimit, type TypedList } from './filterOptions.ts'
import { showPayments } from './paymentPages.ts'

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
