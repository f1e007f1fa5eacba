import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { t } from '../../text/words.ts'
import { scanLedger } from '../../timeline/ledgerScan.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { examples } from '../examples.ts'
import { addFilterOptions, readFilter, type TypedFilter } from './filterOptions.ts'
import { listColumns, noteSums } from './listTable.ts'
import { shownDocument } from './maskedDocument.ts'

/** `pixgate history list`, which is also the bare `pixgate history`. */
export function historyList(run: Run): Command {
  return listing(new Command('list'), run)
}

/** Gives a command the options and the action of `history list`. */
export function listing(command: Command, run: Run): Command {
  return addFilterOptions(command)
    .option('--unmask', 'show keys and tax documents of people whole')
    .addHelpText(
      'after',
      examples(
        ['pixgate history', 'what was sent from here'],
        ['pixgate history --month 2026-11 --kind transfer -o csv', 'a month for a spreadsheet'],
        ['pixgate history --state unknown', 'what is in doubt'],
        ['pixgate history --reference salaries-nov --by maria --since 7d', 'what she sent of a batch this week'],
      ),
    )
    .action(run(list))
}

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
