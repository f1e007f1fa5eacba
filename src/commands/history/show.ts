import type { Context } from '../../context.ts'
import { type PayeeNames, paymentNames } from '../../ledger/payeeNames.ts'
import { ALL_PAYMENTS } from '../../ledger/paymentList.ts'
import {
  findByShortId,
  findPayments,
  type Payment,
  type RefundSums,
  refundSumsOf,
  refundsOf,
} from '../../ledger/payments.ts'
import type { EventRecord, LedgerRecord } from '../../ledger/records.ts'
import { findRun } from '../../ledger/runs.ts'
import { possibleEvents } from '../../ledger/unlinkedEvents.ts'
import { readText } from '../../optionParsers.ts'
import { fullPaymentDocument, refundsDocument } from '../../payments/paymentDocument.ts'
import type { Database } from '../../storage/sqlite.ts'
import { csvNotSupported, type Document } from '../../terminal/printer.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { withPixgate } from '../../views/documentFields.ts'
import { NotFound } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { PAYMENT_LIST } from '../paymentLists.ts'
import { nameRows, paymentLines } from '../paymentText.ts'
import { showPayments } from './paymentPages.ts'
import { receiptOf } from './receipt.ts'
import { assertReceiptFiles, RECEIPT_OPTIONS, type ReceiptOptions, showReceipt } from './receiptFiles.ts'

/** A payment with what else is known about it. */
interface ShownPayment {
  payment: Payment
  names: PayeeNames
  refunds: RefundSums
  possible: readonly LedgerRecord<EventRecord>[]
}

export const historyShow = defineCommand({
  arguments: [
    {
      name: '<id>',
      description:
        'idTransaction, external id of any attempt, request number, id of the payment or the beginning of one of these UUIDs, or a run',
      parse: readText,
      completes: 'ids',
    },
  ],
  options: RECEIPT_OPTIONS,
  examples: [
    ['pixgate history show invoice-17', 'what was sent, what was answered, what people found out'],
    ['pixgate history show invoice-17 --receipt --pdf invoice-17.pdf', 'the receipt for the supplier'],
  ],
  acceptsCsv: true,
  run: show,
})

async function show(context: Context, { id, ...options }: ReceiptOptions & { id: string }): Promise<number> {
  await assertReceiptFiles(options)
  const ledger = await context.ledger()
  const isRun = await ledger.read((database) => findRun(database, id) !== undefined)
  if (isRun && !options.receipt) {
    const view = { isAll: true, showsAttempts: false, limit: null, unmask: options.unmask, showsLines: true }
    return showPayments(context, { ...ALL_PAYMENTS, run: id }, view)
  }
  if (context.print.format === 'csv') throw csvNotSupported()
  const found = await ledger.read((database) =>
    findNamed(database, id).map((payment) => shownPayment(database, payment)),
  )
  if (options.receipt) {
    return showReceipt(
      context,
      receiptOf(
        found.map(({ payment }) => payment),
        id,
      ),
      options,
    )
  }
  const [only, another] = found
  const lines = (each: ShownPayment) =>
    paymentLines(
      each.payment,
      each.refunds,
      context.terminal,
      options.unmask,
      nameRows(each.names, context.terminal.out, options.unmask),
    )
  if (only !== undefined && another === undefined) {
    const document = fullDocument(only)
    context.print.checkFields({ columns: [], paths: PAYMENT_LIST.paths }, [document])
    context.print.one(document, () => lines(only))
  } else if (context.print.format === 'json') await context.print.list(found.map(fullDocument), [])
  else context.terminal.data(found.flatMap((each) => [...lines(each), '']).join('\n'))
  for (const each of found) hintAtOutcome(context, each)
  return 0
}

function shownPayment(database: Database, payment: Payment): ShownPayment {
  return {
    payment,
    names: paymentNames(database, payment),
    refunds: refundSumsOf(database, payment),
    possible: possibleEvents(database, payment),
  }
}

function fullDocument({ payment, names, refunds, possible }: ShownPayment): Document {
  const { inFile, inEvent, differ } = names
  const own = { ...refundsDocument(refunds), nameInFile: inFile, nameInEvent: inEvent, namesDiffer: differ }
  const document = withPixgate(fullPaymentDocument(payment), own)
  return { ...document, possibleEvents: possible.map(({ n }) => n) }
}

/** What tells an unknown outcome. If an event may be about a payment with an unknown outcome but need not be, only a person can tell; no verdict is suggested. */
function hintAtOutcome({ terminal }: Context, { payment, possible }: ShownPayment): void {
  for (const { n, event, status, idTransaction } of possible) {
    terminal.note(
      t`Event ${n} (${event ?? '—'}, ${status ?? '—'}) has the same amount and may be about this payment, but it names only ${idTransaction ?? '—'}`,
    )
  }
  if (possible.length === 0) {
    if (payment.summary.state === 'unknown') {
      terminal.next(
        t`Wait until an event, the dashboard or the receiver tells its outcome, then record it with \`pixgate history settle ${payment.id}\``,
      )
    }
    return
  }
  terminal.next(
    t`Run \`pixgate webhook events show ${possible[0]?.n ?? ''}\` to see it; record what you find out with \`pixgate history settle ${payment.id}\``,
  )
}

/**
 * The payments that an id names, whole or as the unique beginning of a UUID; if it names a payment of which only refunds are known, these.
 * Throws NotFound if there is none, UsageError if the beginning is not unique.
 */
export function findNamed(database: Database, id: string): Payment[] {
  const named = findPayments(database, id)
  if (named.length > 0) return named
  const refunds = refundsOf(database, id)
  if (refunds.length > 0) return refunds
  const short = findByShortId(database, id)
  if (short !== undefined) return [short]
  throw new NotFound(t`No payment on this machine has the id ${id}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history --all\` to list the payments, or \`pixgate status ${commandArgument(id)}\` to ask the gateway`,
  })
}
