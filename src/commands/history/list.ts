import type { Context } from '../../context.ts'
import { t } from '../../text/words.ts'
import { scanLedger } from '../../timeline/ledgerScan.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { defineCommand } from '../command.ts'
import { FILTER_OPTIONS, readFilter, type TypedFilter } from './filterOptions.ts'
import { listColumns, noteSums } from './listTable.ts'
import { shownDocument } from './maskedDocument.ts'

/** `pixgate history list`, which is also the bare `pixgate history`. */
export const historyList = defineCommand({
  description: 'What was asked for from this machine, what the gateway said, and what people found out',
  options: [...FILTER_OPTIONS, { flags: '--unmask', description: 'show keys and tax documents of people whole' }],
  examples: [
    ['pixgate history', 'what was sent from here'],
    ['pixgate history --month 2026-11 --kind transfer -o csv', 'a month for a spreadsheet'],
    ['pixgate history --state unknown', 'what is in doubt'],
    ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
  ],
  run: list,
})

async function list(context: Context, options: TypedFilter & { unmask?: boolean }): Promise<number> {
  const filter = readFilter(context, options)
  const folder = context.dataFolder()
  const transactions = await scanLedger({ folder, notice: (line) => context.terminal.alarm(line) }, filter)
  if (transactions.length === 0 && context.print.format === 'text') {
    const isFiltered = Object.values(filter).some((wish) => wish !== null)
    context.terminal.note(
      isFiltered
        ? t`Nothing that was asked for from this machine is like that`
        : t`Nothing was asked for from this machine yet`,
    )
    return 0
  }
  const documents = transactions.map((each) => shownDocument(context, transactionDocument(each), options.unmask))
  await context.print.list(documents, listColumns(context))
  noteSums(context, transactions)
  return 0
}
