import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { paperLanguage } from '../../language.ts'
import { eventNumber, possibleEvents } from '../../ledger/events.ts'
import type { Named } from '../../ledger/namedByIds.ts'
import { paymentNames } from '../../ledger/payeeNames.ts'
import { type Payment, refundSumsOf, refundsOf, withSender } from '../../ledger/payments.ts'
import { type PaymentsBeingSent, paymentsBeingSent } from '../../ledger/processes.ts'
import { readText } from '../../optionParsers.ts'
import { companyOf } from '../../profiles/company.ts'
import { hintAtOutcome } from '../../steps/finalEvent.ts'
import { verifyWithSecret } from '../../steps/integrityCheck.ts'
import { pickAnyPayment, resolveId, unknownId } from '../../steps/namedPayment.ts'
import { UNMASK_ACCEPTED } from '../../steps/optionSets.ts'
import { showPayments } from '../../steps/paymentPages.ts'
import type { Database } from '../../storage/sqlite.ts'
import { writeWholeFile } from '../../storage/wholeFile.ts'
import { assertOutputPath, writeFailure } from '../../terminal/outputFile.ts'
import { csvNotSupported, withPixgate } from '../../terminal/printer.ts'
import { currentLanguage, t } from '../../text/translate.ts'
import { writtenIn } from '../../text/writtenFor.ts'
import { wholeId } from '../../views/payments/paymentChoices.ts'
import { fullPaymentDocument, refundsDocument } from '../../views/payments/paymentFields.ts'
import { paymentLines } from '../../views/payments/paymentText.ts'
import { framedSlip, PAYMENT_RECEIPT, type Receipt, receiptOf, receiptSlip } from '../../views/receipts/receipt.ts'

const RECEIPT = { option: '--receipt', hint: () => t`Add \`--receipt\` to show the receipt` }

const RECEIPT_OPTIONS = defineOptions(
  { flags: '--receipt', description: 'show the receipt of a paid transfer or refund' },
  {
    flags: '--pdf <file>',
    description: 'with --receipt: also write it as a PDF',
    parse: readText,
    requires: RECEIPT,
  },
  {
    flags: '--on-my-word',
    description: 'with --receipt: also for a payment that only a person says was made, which its first line says',
    requires: RECEIPT,
  },
  UNMASK_ACCEPTED,
)

type ReceiptOptions = OptionsOf<typeof RECEIPT_OPTIONS>

/** The most columns of the slip on a screen. */
const SLIP_COLUMNS = 72

/** Makes sure that the file of a receipt can be written. Throws UsageError. */
async function assertReceiptFile({ pdf }: ReceiptOptions): Promise<void> {
  if (pdf !== undefined) await assertOutputPath('--pdf', pdf)
}

/**
 * Prints a receipt, and writes it as the PDF that was asked for. Returns the exit code; throws UsageError if the file cannot be
 * written.
 */
async function showReceipt(context: Context, receipt: Receipt, { pdf }: ReceiptOptions): Promise<number> {
  const { terminal, print, settings, runtime } = context
  const payer = await companyOf(context.configFolder(), receipt.payment.owner, (line) => terminal.warn(line))
  if (pdf !== undefined) {
    const { receiptPdf } = await import('../../views/receipts/receiptPdf.ts')
    const { lang, profile } = settings
    const content = writtenIn(paperLanguage({ lang, profile, env: runtime.env }), () =>
      receiptPdf(receiptSlip(receipt, payer), currentLanguage()),
    )
    await writeWholeFile(pdf, content).catch((error: unknown) => {
      throw writeFailure('--pdf', pdf, error)
    })
  }
  const columns = terminal.outIsTerminal ? Math.min(terminal.columns, SLIP_COLUMNS) : SLIP_COLUMNS
  print.one(PAYMENT_RECEIPT.documentOf({ ...receipt, payer }), () => framedSlip(receiptSlip(receipt, payer), columns))
  if (pdf !== undefined) terminal.note(t`Written to ${pdf}`)
  return 0
}

const COMMAND = 'pixgate history show'

type ShownPayment = ReturnType<typeof shownPayment>

export const historyShow = defineCommand({
  arguments: [
    {
      name: '<id>',
      description:
        'idTransaction, external id of any attempt, request number, id of the payment or the beginning of one of these UUIDs, or a run; without it, pick from a list',
      parse: readText,
      completes: 'ids',
      isPicked: true,
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

async function show(
  context: Context,
  { id: typed, ...options }: ReceiptOptions & { id: string | undefined },
): Promise<number> {
  await assertReceiptFile(options)
  const ledger = await context.ledger()
  const named = await namedOrPicked(context, typed)
  const id = typed ?? (named === undefined ? '' : wholeId(named))
  if (named?.is === 'run' && !options.receipt) {
    const view = { isAll: true, showsAttempts: false, limit: null, unmask: true, showsLines: true }
    return showPayments(context, { run: named.run.record.run }, view)
  }
  if (context.print.format === 'csv') throw csvNotSupported()
  if (options.receipt) await verifyWithSecret(context)
  const sending = await paymentsBeingSent(ledger)
  const found = await ledger.read((database) =>
    paymentsOf(database, named, id).map((payment) => shownPayment(database, payment, sending)),
  )
  if (options.receipt) {
    return showReceipt(
      context,
      receiptOf(
        found.map(({ payment }) => payment),
        id,
        options.onMyWord,
      ),
      options,
    )
  }
  const [only, another] = found
  const lines = (each: ShownPayment) => paymentLines(each.payment, each.refunds, context.terminal)
  if (only !== undefined && another === undefined) {
    const document = fullDocument(only)
    context.print.one(document, () => lines(only))
  } else if (context.print.format === 'json') await context.print.list(found.map(fullDocument), { columns: [] })
  else context.terminal.data(found.flatMap((each) => [...lines(each), '']).join('\n'))
  for (const each of found) hintAtOutcome(context, each.payment, each.possible)
  return 0
}

function shownPayment(database: Database, payment: Payment, sending: PaymentsBeingSent) {
  return {
    payment: withSender(payment, sending),
    names: paymentNames(payment),
    refunds: refundSumsOf(database, payment, sending),
    possible: possibleEvents(database, payment),
  }
}

function fullDocument({ payment, names, refunds, possible }: ShownPayment) {
  const { inFile, inEvent, differ } = names
  const own = { ...refundsDocument(refunds), nameInFile: inFile, nameInEvent: inEvent, namesDiffer: differ }
  const document = withPixgate(fullPaymentDocument(payment), own)
  return { ...document, possibleEvents: possible.map(eventNumber) }
}

/** What a typed id names, or what a person picks; undefined for an id that names nothing. Throws UsageError; Cancelled. */
async function namedOrPicked(context: Context, typed: string | undefined): Promise<Named | undefined> {
  if (typed !== undefined) return (await resolveId(context, typed, { command: COMMAND, account: null }))?.named
  return pickAnyPayment(context, COMMAND)
}

/** The payment, or the refunds of one that this ledger did not create, by its id. Throws NotFound if there are none. */
function paymentsOf(database: Database, named: Named | undefined, id: string): Payment[] {
  if (named?.is === 'payment') return [named.payment]
  const refunds = refundsOf(database, named?.is === 'external' ? named.charge.id : id)
  if (refunds.length === 0) throw unknownId(id)
  return refunds
}
