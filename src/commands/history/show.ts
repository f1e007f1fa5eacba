import type { Context } from '../../context.ts'
import { wholeDocument } from '../../ledger/paymentDocument.ts'
import { ALL_PAYMENTS } from '../../ledger/paymentList.ts'
import { type Payment, refundsOf } from '../../ledger/payments.ts'
import { possibleEvents } from '../../ledger/possibleEvents.ts'
import type { EventRecord, LedgerRecord } from '../../ledger/records.ts'
import { type RefundSums, refundsDocument, sumRefunds } from '../../ledger/refundSums.ts'
import { findRun } from '../../ledger/runs.ts'
import type { Database } from '../../storage/sqlite.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { RECEIPT_LANGUAGES } from '../../views/receiptWords.ts'
import { isObject } from '../../wire/answers.ts'
import { defineCommand } from '../command.ts'
import { PAYMENT_PATHS } from '../listColumns.ts'
import { notBlank, refuseCsv } from '../optionValues.ts'
import { paymentLines } from '../paymentText.ts'
import { findNamed } from './named.ts'
import { showPayments } from './paymentPages.ts'
import { receiptOf } from './receipt.ts'
import { type ReceiptOptions, readReceiptOptions, showReceipt } from './receiptFiles.ts'

interface ShowOptions extends ReceiptOptions {
  receipt?: boolean
}

/** A payment with what else is known about it. */
interface ShownPayment {
  payment: Payment
  refunds: RefundSums
  possible: readonly LedgerRecord<EventRecord>[]
}

/** `pixgate history show`: everything that is known of one payment, in the order of time. */
export const historyShow = defineCommand({
  description: 'Everything that is known of one payment: all attempts, answers, events and findings, oldest first',
  arguments: [
    {
      name: '<id>',
      description:
        'idTransaction, external id of any attempt, request number, id of the payment or the beginning of one of these UUIDs, or a run',
      completes: 'ids',
    },
  ],
  options: [
    { flags: '--receipt', description: 'the slip of a transfer or refund that was paid' },
    { flags: '--png <file>', description: 'with --receipt: write it as an image too' },
    { flags: '--pdf <file>', description: 'with --receipt: write it as a PDF too' },
    {
      flags: '--lang <language>',
      description: 'of the receipt: pt or en (default: pt)',
      completes: RECEIPT_LANGUAGES,
    },
    { flags: '--unmask', description: 'show keys, names and tax documents of people whole' },
  ],
  examples: [
    ['pixgate history show invoice-17', 'what was sent, what was answered, what people found out'],
    ['pixgate history show invoice-17 --receipt --pdf invoice-17.pdf', 'the slip for the supplier'],
  ],
  run: show,
})

async function show(context: Context, { id: typedId, ...options }: ShowOptions & { id: string }): Promise<number> {
  const id = notBlank(typedId, '<id>')
  const drawing = await readReceiptOptions(options, options.receipt === true)
  const ledger = await context.ledger()
  const isRun = await ledger.read((database) => findRun(database, id) !== undefined)
  if (isRun && options.receipt !== true) {
    const view = { isAll: true, showsAttempts: false, limit: null, unmask: options.unmask, showsLines: true }
    return showPayments(context, { ...ALL_PAYMENTS, run: id }, view)
  }
  refuseCsv(context)
  const found = await ledger.read((database) =>
    findNamed(database, id).map((payment) => shownPayment(database, payment)),
  )
  if (options.receipt === true) {
    return showReceipt(
      context,
      receiptOf(
        found.map(({ payment }) => payment),
        id,
      ),
      drawing,
    )
  }
  const [only, another] = found
  const lines = (each: ShownPayment) =>
    paymentLines(each.payment, each.refunds, context.terminal, options.unmask === true)
  if (only !== undefined && another === undefined) {
    const document = fullDocument(only)
    context.print.checkFields({ columns: [], paths: PAYMENT_PATHS }, [document])
    context.print.one(document, () => lines(only))
  } else if (context.print.format === 'json') await context.print.list(found.map(fullDocument), [])
  else context.terminal.data(found.flatMap((each) => [...lines(each), '']).join('\n'))
  for (const each of found) hintAtEvents(context, each)
  return 0
}

function shownPayment(database: Database, payment: Payment): ShownPayment {
  const { idTransaction } = payment.summary
  const isCharge = payment.facts.kind === 'qr' && idTransaction !== null
  return {
    payment,
    refunds: sumRefunds(isCharge ? refundsOf(database, idTransaction) : []),
    possible: possibleEvents(database, payment),
  }
}

function fullDocument({ payment, refunds, possible }: ShownPayment): Document {
  const document = wholeDocument(payment)
  const pixgate = isObject(document.pixgate) ? document.pixgate : {}
  return {
    ...document,
    pixgate: { ...pixgate, ...refundsDocument(refunds) },
    possibleEvents: possible.map(({ n }) => n),
  }
}

/** If an event may be about a payment with an unknown outcome but need not be, only a person can tell; no verdict is suggested. */
function hintAtEvents({ terminal }: Context, { payment, possible }: ShownPayment): void {
  for (const { n, event, status, idTransaction } of possible) {
    terminal.note(
      t`Event ${n} (${event ?? '—'}, ${status ?? '—'}) is of the same amount and may be about it: it names only ${idTransaction ?? '—'}`,
    )
  }
  if (possible.length === 0) return
  terminal.next(
    t`Run \`pixgate webhook events show ${possible[0]?.n ?? ''}\` to see it; record what you find out with \`pixgate history settle ${payment.id}\``,
  )
}
