import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { foldTransactions } from '../../timeline/transactions.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { valueAt } from '../../views/fields.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { readPaymentState } from '../../wire/answers.ts'
import { examples } from '../examples.ts'

const COLUMNS = [
  { path: 'pixgate.at', text: (document: Document) => instantText(atMs(document)) },
  { path: 'pixgate.kind' },
  { path: 'pixgate.state' },
  { path: 'amount', text: (document: Document) => amountText(readPaymentState(document).amountCents) },
  { path: 'pixgate.name' },
  { path: 'idTransaction' },
]

/** Of a terminal that shows the whole list without a break. */
const COLUMNS_NEEDED = 132

/** `pixgate history list`, which is also the bare `pixgate history`. */
export function historyList(run: Run): Command {
  return listing(new Command('list').summary('everything that was asked for from this machine'), run)
}

/** Gives a command the action of `history list`. */
export function listing(command: Command, run: Run): Command {
  return command
    .addHelpText(
      'after',
      examples(['pixgate history', 'what was sent from here'], ['pixgate history -o csv', 'for a spreadsheet']),
    )
    .action(run(list))
}

async function list(context: Context): Promise<number> {
  const timeline = await context.timeline()
  const documents = foldTransactions(await timeline.read()).map(transactionDocument)
  if (documents.length === 0 && context.print.format === 'text') {
    context.terminal.note(t`Nothing was asked for from this machine yet`)
    return 0
  }
  context.print.list(documents, isNarrow(context) ? COLUMNS.filter(({ path }) => path !== 'idTransaction') : COLUMNS)
  return 0
}

/** Two long ids do not fit side by side; the name is enough to go on with. */
function isNarrow({ terminal, print }: Context): boolean {
  return print.format === 'text' && terminal.outIsTerminal && terminal.columns < COLUMNS_NEEDED
}

function atMs(document: Document): number | null {
  const at = valueAt(document, 'pixgate.at')
  return typeof at === 'string' ? (parseInstant(at) ?? null) : null
}
