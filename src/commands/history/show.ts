import type { Context } from '../../context.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { maskTaxDocument } from '../../pix/taxDocument.ts'
import type { Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelled, type Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { possibleEvents } from '../../timeline/eventLinks.ts'
import { contradicts } from '../../timeline/eventMoves.ts'
import type { LedgerRecord, TimelineRecord, TransferIntent } from '../../timeline/records.ts'
import { foldLedger, type Ledger, nameOf, type Transaction } from '../../timeline/transactions.ts'
import { recordDocument, statusOfTransaction, transactionDocument } from '../../timeline/transactionView.ts'
import { amountText, instantText, statusColour } from '../../views/payment.ts'
import { maskKey, maskText } from '../../views/personalData.ts'
import { framedSlip, slipLines } from '../../views/slip.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { checkPngPath, writePng } from '../qr/returnedCode.ts'
import { listColumns, noteSums } from './listTable.ts'
import { shownDocument } from './maskedDocument.ts'
import { findNamed } from './named.ts'
import { type Receipt, receiptDocument, receiptOf, receiptRows, receiptTitle } from './receipt.ts'

interface ShowOptions {
  receipt?: boolean
  png?: string
  unmask?: boolean
}

/** Columns of the slip on paper, and the most on a screen. */
const SLIP_COLUMNS = 72

/** `pixgate history show`: everything that is known of one transaction, in the order of time. */
export const historyShow = defineCommand({
  description: 'Everything that is known on this machine of one transaction, in the order of time',
  arguments: [
    {
      name: '<id>',
      description: 'idTransaction, external id, request number, the id of a refunded payment, or a run',
      completes: 'ids',
    },
  ],
  options: [
    { flags: '--receipt', description: 'the slip of a completed transfer, as a supplier asks for it' },
    { flags: '--png <file>', description: 'with --receipt: write it as an image too' },
    { flags: '--unmask', description: 'show keys and tax documents of people whole' },
  ],
  examples: [
    ['pixgate history show invoice-17', 'what was asked, what was said, what people know'],
    ['pixgate history show invoice-17 --receipt --png invoice-17.png', 'the slip for the supplier'],
  ],
  run: show,
})

async function show(context: Context, { id, ...options }: ShowOptions & { id: string }): Promise<number> {
  if (options.png !== undefined) await checkReceiptPng(options)
  const timeline = await context.timeline()
  const ledger = foldLedger(await timeline.read({ names: [id] }))
  const rows = ledger.transactions.filter(({ intent }) => intent.kind !== 'qr' && intent.run === id)
  if (rows.length > 0 && options.receipt !== true) return showRun(context, rows, options.unmask)
  refuseCsv(context)
  const found = rows.length > 0 ? rows : findNamed(ledger.transactions, id)
  if (options.receipt === true) return showReceipt(context, receiptOf(found, id), options)
  const [first] = found
  const documents = found.map((transaction) => fullDocument(transaction, ledger))
  if (found.length === 1 && first !== undefined) {
    context.print.one(documents[0] ?? {}, () => lines(context, first, options.unmask))
  } else if (context.print.format === 'json') await context.print.list(documents, [])
  else {
    const parts = found.flatMap((transaction) => [...lines(context, transaction, options.unmask), ''])
    context.terminal.data(parts.join('\n'))
  }
  for (const transaction of found) hintAtEvents(context, transaction, ledger)
  return 0
}

async function showRun(context: Context, rows: readonly Transaction[], unmask: boolean | undefined): Promise<number> {
  const documents = rows.map((each) => shownDocument(context, transactionDocument(each), unmask))
  const columns = listColumns(context)
  await context.print.list(documents, context.print.format === 'csv' ? columns : [{ path: 'pixgate.line' }, ...columns])
  noteSums(context, rows)
  return 0
}

async function checkReceiptPng({ receipt, png }: ShowOptions): Promise<void> {
  if (receipt !== true) {
    throw new UsageError(t`\`--png\` stands without \`--receipt\``, { hint: t`Add \`--receipt\` to draw the slip` })
  }
  await checkPngPath(png ?? '')
}

async function showReceipt(context: Context, receipt: Receipt, { png, unmask }: ShowOptions): Promise<number> {
  const { terminal, print } = context
  const rows = receiptRows(receipt, unmask === true)
  const title = receiptTitle(receipt)
  if (png !== undefined) {
    const { drawText } = await import('../../terminal/textImage.ts')
    const [problem] = await writePng(png, drawText(slipLines(title, rows, SLIP_COLUMNS)).toString('base64'))
    if (problem !== undefined) throw new UsageError(problem, { hint: t`Name a file that you may write to` })
  }
  const columns = terminal.outIsTerminal ? Math.min(terminal.columns, SLIP_COLUMNS) : SLIP_COLUMNS
  print.one(receiptDocument(receipt), () => framedSlip(title, rows, columns))
  if (png !== undefined) terminal.note(t`Written to ${png}`)
  return 0
}

function fullDocument(transaction: Transaction, { unlinked }: Ledger): Document {
  return {
    ...transactionDocument(transaction),
    timeline: transaction.records.map((record) => recordDocument(record, transaction)),
    possibleEvents: possibleEvents(transaction, unlinked).map(({ n }) => n),
  }
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

function lines(context: Context, transaction: Transaction, unmask = false): string[] {
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
      ...(intent.kind === 'transfer' ? transferRows(intent, unmask) : []),
      [t`address`, intent.baseUrl],
      [t`by`, t`${intent.user} on ${intent.machine}`],
    ],
    out,
  )
  const history = labelled(
    transaction.records.map((record) => rowOf(record, transaction, out, unmask)),
    out,
  )
  return [...rows, '', ...history]
}

function transferRows({ key, typeKey, documentValidation: owner }: TransferIntent, unmask: boolean): LabelledRow[] {
  const to = [t`to`, unmask ? key : maskKey(key, typeKey)] as const
  return owner === null ? [to] : [to, [t`owner`, unmask ? owner : maskTaxDocument(owner)]]
}

function rowOf(record: LedgerRecord, transaction: Transaction, out: Terminal['out'], unmask: boolean): LabelledRow {
  const at = instantText(parseInstant(record.at) ?? null)
  if (record.type !== 'event') return [at, recordText(record, unmask)]
  const { n, event, status, amountCents } = record
  const said = t`${event ?? '—'}, ${status ?? '—'}, ${amountText(amountCents)}`
  if (contradicts(record, transaction)) return [at, t`event ${n} contradicts: ${said}`, out.red.bold]
  return [at, t`event ${n}: ${said}`, statusColour(status, out)]
}

function recordText(record: TimelineRecord, unmask: boolean): string {
  switch (record.type) {
    case 'intent':
      return t`about to be sent`
    case 'attempt':
      return t`about to be sent again`
    case 'outcome':
      return record.code === null ? t`outcome: ${record.outcome}` : t`outcome: ${record.outcome}, ${record.code}`
    case 'finding':
      return t`${record.user} found: ${record.as}, because ${unmask ? record.because : maskText(record.because)}`
  }
}
