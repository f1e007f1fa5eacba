import type { Context } from '../../context.ts'
import { signedCents } from '../../reconcile/externalLine.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { cellText, valueAt } from '../../views/documentFields.ts'
import { amountText, instantText, statusColour } from '../../views/valueText.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { type ComparedItem, otherAmountColumn, ownAmountText } from '../comparedAmounts.ts'
import { paymentColumn, shownDocument } from '../paymentLists.ts'
import { paymentLines, refundRows } from '../paymentText.ts'
import type { LookUpResult } from './lookUp.ts'

const { path, header } = paymentColumn('idTransaction')
const ID: Column<ComparedItem> = { path, header, text: ({ document }) => idText(document) }
const [STATUS, AMOUNT, PAID_AT] = [paymentColumn('status'), paymentColumn('amount'), paymentColumn('paidAt')]
/** The columns of a list of states. */
export const STATUS_COLUMNS: readonly Column<ComparedItem>[] = [ID, STATUS, AMOUNT, PAID_AT]
const COMPARED_COLUMNS: readonly Column<ComparedItem>[] = [
  { ...AMOUNT, text: foundAmountText },
  otherAmountColumn('pixgate.expected.amount', 'expected'),
  { ...STATUS, drop: 3 },
  { path: 'pixgate.expected.status', header: 'expected status', drop: 4 },
  { ...PAID_AT, drop: 5 },
]
/** The columns of a comparison with what was expected. */
export const EXPECTED_COLUMNS: readonly Column<ComparedItem>[] = [ID, paymentColumn('verdict'), ...COMPARED_COLUMNS]
/** The columns of such a comparison in text output. */
export const EXPECTED_TEXT_COLUMNS: readonly Column<ComparedItem>[] = [
  ID,
  paymentColumn('verdict'),
  paymentColumn('in'),
  ...COMPARED_COLUMNS,
]

/** A result as a line of a list. */
export function statusItem(context: Context, result: LookUpResult, unmask: boolean): ComparedItem {
  const { document, amountCents, expectation: expected } = result
  const otherCents = expected.amountCents === null ? null : signedCents(expected.amountCents, expected.direction)
  return { document: shownDocument(context, document, unmask), amountCents, otherCents }
}

/** What is known under one id, for people. */
export function statusLines(
  { terminal }: Context,
  { document, amountCents, payment, refunds }: LookUpResult,
  unmask: boolean,
): string[] {
  const { out } = terminal
  const knownBy = cellText(valueAt(document, 'pixgate.knownBy'))
  const { status, paidAtMs } = readPaymentStatus(document)
  if (payment !== null && knownBy !== 'gateway') {
    return paymentLines(payment, refunds, terminal, unmask, [[t`known by`, knownBy]])
  }
  const rows: LabelledRow[] = [
    [t`id`, idText(document)],
    [t`status`, status ?? '—', statusColour(status, out)],
    [t`amount`, amountText(amountCents)],
  ]
  if (knownBy === 'gateway') {
    const charge = payment === null ? [] : [[t`name`, payment.name] as const]
    rows.push([t`paid at`, instantText(paidAtMs)], ...charge, ...refundRows(refunds, amountCents, out, unmask))
    return labelledLines(rows, out, terminal.textColumns)
  }
  const counts = ['rows', 'accepted', 'refused', 'unknown', 'notSent', 'paid', 'failed', 'returned', 'pending']
  for (const name of counts) if (name in document) rows.push([name, cellText(document[name])])
  rows.push(
    [
      t`account`,
      t`${cellText(valueAt(document, 'pixgate.environment'))}, ${cellText(valueAt(document, 'pixgate.baseUrl'))}`,
    ],
    [t`known by`, knownBy],
  )
  return labelledLines(rows, out, terminal.textColumns)
}

function idText(document: Document): string {
  const { idTransaction, run } = document
  return cellText(idTransaction) || cellText(run) || cellText(valueAt(document, 'pixgate.name'))
}

function foundAmountText(item: ComparedItem): string {
  return ownAmountText(item, typeof valueAt(item.document, 'pixgate.expected.direction') === 'string')
}
