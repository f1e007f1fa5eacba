import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { type LabelledRow, labelled, type Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { possibleEvents } from '../../timeline/eventLinks.ts'
import { contradicts } from '../../timeline/eventMoves.ts'
import type { LedgerRecord, TimelineRecord } from '../../timeline/records.ts'
import { foldLedger, type Ledger, nameOf, type Transaction } from '../../timeline/transactions.ts'
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
  const ledger = foldLedger(await timeline.read())
  const found = findNamed(ledger.transactions, id)
  const [first] = found
  const documents = found.map((transaction) => ({
    ...transactionDocument(transaction),
    timeline: transaction.records.map((record) => recordDocument(record, transaction)),
    possibleEvents: possibleEvents(transaction, ledger.unlinked).map(({ n }) => n),
  }))
  if (found.length === 1 && first !== undefined) context.print.one(documents[0] ?? {}, () => lines(context, first))
  else if (context.print.format === 'json') context.print.list(documents, [])
  else context.terminal.data(found.flatMap((transaction) => [...lines(context, transaction), '']).join('\n'))
  for (const transaction of found) hintAtEvents(context, transaction, ledger)
  return 0
}

/** Where an event may be about a transaction in doubt but need not be, only a person can tell. */
function hintAtEvents({ terminal }: Context, transaction: Transaction, { unlinked }: Ledger): void {
  const { intent } = transaction
  const events = possibleEvents(transaction, unlinked)
  for (const { n, event, status, idTransaction } of events) {
    terminal.note(
      t`The event ${n}, ${event ?? '—'} ${status ?? '—'} of the same amount, may be about ${intent.id}: it names only ${idTransaction ?? '—'}`,
    )
  }
  if (events.length === 0) return
  terminal.next(
    t`If it is the one, say so: \`pixgate history settle ${intent.id} --as paid|not-paid|returned --because "event ${events[0]?.n ?? ''}"\``,
  )
}

function lines(context: Context, transaction: Transaction): string[] {
  const { out } = context.terminal
  const { intent, idTransaction, outcome, event, state } = transaction
  const status = statusOfTransaction(transaction)
  const rows = labelled(
    [
      [t`kind`, intent.kind],
      [t`name`, nameOf(transaction)],
      [t`id`, idTransaction ?? '—'],
      [t`state`, state],
      [t`status`, status ?? '—', statusColour(status, out)],
      [t`amount`, amountText(intent.amountCents ?? outcome?.amountCents ?? event?.amountCents ?? null)],
      ...(intent.kind === 'transfer' ? [[t`to`, intent.key] as const] : []),
      [t`address`, intent.baseUrl],
      [t`by`, t`${intent.user} on ${intent.machine}`],
    ],
    out,
  )
  const history = labelled(
    transaction.records.map((record) => rowOf(record, transaction, out)),
    out,
  )
  return [...rows, '', ...history]
}

function rowOf(record: LedgerRecord, transaction: Transaction, out: Terminal['out']): LabelledRow {
  const at = instantText(parseInstant(record.at) ?? null)
  if (record.type !== 'event') return [at, recordText(record)]
  const { n, event, status, amountCents } = record
  const said = t`${event ?? '—'}, ${status ?? '—'}, ${amountText(amountCents)}`
  if (contradicts(record, transaction)) return [at, t`event ${n} contradicts: ${said}`, out.red.bold]
  return [at, t`event ${n}: ${said}`, statusColour(status, out)]
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
