import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import type { TimelineRecord } from '../../timeline/records.ts'
import { foldTransactions, nameOf, type Transaction } from '../../timeline/transactions.ts'
import { recordDocument, statusOfTransaction, transactionDocument } from '../../timeline/transactionView.ts'
import { amountText, instantText, statusColour } from '../../views/payment.ts'
import { examples } from '../examples.ts'
import { refuseCsv } from '../optionValues.ts'
import { findNamed } from './named.ts'

/** `pixgate history show`: everything that is known of one transaction, in the order of time. */
export function historyShow(run: Run): Command {
  return new Command('show')
    .summary('everything that is known of one transaction')
    .description('Everything that is known on this machine of one transaction, in the order of time')
    .argument('<id>', 'idTransaction, external id, request number, or the id of a refunded payment')
    .addHelpText(
      'after',
      examples(['pixgate history show invoice-17', 'what was asked, what was said, what people know']),
    )
    .action(run(show))
}

async function show(context: Context, id: string): Promise<number> {
  refuseCsv(context)
  const timeline = await context.timeline()
  const found = findNamed(foldTransactions(await timeline.read()), id)
  const [first] = found
  const documents = found.map((transaction) => ({
    ...transactionDocument(transaction),
    timeline: transaction.records.map(recordDocument),
  }))
  if (found.length === 1 && first !== undefined) context.print.one(documents[0] ?? {}, () => lines(context, first))
  else if (context.print.format === 'json') context.print.list(documents, [])
  else context.terminal.data(found.flatMap((transaction) => [...lines(context, transaction), '']).join('\n'))
  return 0
}

function lines(context: Context, transaction: Transaction): string[] {
  const { out } = context.terminal
  const { intent, idTransaction, outcome, state } = transaction
  const status = statusOfTransaction(transaction)
  const rows = labelled(
    [
      [t`kind`, intent.kind],
      [t`name`, nameOf(transaction)],
      [t`id`, idTransaction ?? '—'],
      [t`state`, state],
      [t`status`, status ?? '—', statusColour(status, out)],
      [t`amount`, amountText(intent.amountCents ?? outcome?.amountCents ?? null)],
      ...(intent.kind === 'transfer' ? [[t`to`, intent.key] as const] : []),
      [t`address`, intent.baseUrl],
      [t`by`, t`${intent.user} on ${intent.machine}`],
    ],
    out,
  )
  const history = labelled(
    transaction.records.map((record) => [instantText(parseInstant(record.at) ?? null), recordText(record)] as const),
    out,
  )
  return [...rows, '', ...history]
}

function recordText(record: TimelineRecord): string {
  switch (record.type) {
    case 'intent':
      return t`about to be sent`
    case 'attempt':
      return t`about to be sent again`
    case 'outcome':
      return record.code === null ? t`outcome: ${record.outcome}` : t`outcome: ${record.outcome}, ${record.code}`
    case 'finding':
      return t`${record.user} found: ${record.as}, because ${record.because}`
  }
}
