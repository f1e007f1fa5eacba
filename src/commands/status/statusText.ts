import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { cellText, valueAt } from '../../views/fields.ts'
import { amountText, instantText, statusColour } from '../../views/payment.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { PAYMENT_COLUMNS, verdictColour } from '../paymentColumns.ts'
import { paymentLines, refundRows } from '../paymentText.ts'
import type { LookUpResult } from './lookUp.ts'

const STATUS: Column = {
  path: 'status',
  header: 'status',
  drop: 3,
  isProse: true,
  text: (document) => String(document.status ?? errorCodeIn(document)),
  colour: (document, style) => ('error' in document ? style.red : statusColour(cellText(document.status), style)),
}
/** The columns of a list of states. */
export const STATUS_COLUMNS: readonly Column[] = [
  { path: 'idTransaction', header: 'idTransaction', text: idText },
  STATUS,
  PAYMENT_COLUMNS.amount,
  { path: 'paidAt', header: 'paidAt', drop: 2, text: (document) => instantText(readPaymentStatus(document).paidAtMs) },
]
/** The columns of a comparison with what was expected. */
export const EXPECTED_COLUMNS: readonly Column[] = [
  { path: 'idTransaction', header: 'idTransaction', text: idText },
  { path: 'pixgate.verdict', header: 'verdict', colour: verdictColour },
  PAYMENT_COLUMNS.amount,
  { path: 'pixgate.expected.amount', header: 'expected', align: 'right', text: expectedAmountText },
  STATUS,
  { path: 'pixgate.expected.status', header: 'expected status', drop: 4 },
  { path: 'paidAt', header: 'paidAt', drop: 5, text: (document) => instantText(readPaymentStatus(document).paidAtMs) },
]

/** What is known under one id, for people. */
export function statusLines(
  { terminal }: Context,
  { document, payment, refunds }: LookUpResult,
  unmask: boolean,
): string[] {
  const { out } = terminal
  const knownBy = cellText(valueAt(document, 'pixgate.knownBy'))
  const { status, amountCents, paidAtMs } = readPaymentStatus(document)
  if (payment !== null && knownBy !== 'gateway') {
    return paymentLines(payment, refunds, out, unmask, [[t`known by`, knownBy]])
  }
  const rows: LabelledRow[] = [
    [t`id`, idText(document)],
    [t`status`, status ?? '—', statusColour(status, out)],
    [t`amount`, amountText(amountCents)],
  ]
  if (knownBy === 'gateway') {
    const charge = payment === null ? [] : [[t`name`, payment.name] as const]
    rows.push([t`paid at`, instantText(paidAtMs)], ...charge, ...refundRows(refunds, amountCents, out, unmask))
    return labelled(rows, out)
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
  return labelled(rows, out)
}

function errorCodeIn(document: Document): string {
  const { error } = document
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '—'
}

function idText(document: Document): string {
  const { idTransaction, run } = document
  return cellText(idTransaction) || cellText(run) || cellText(valueAt(document, 'pixgate.name'))
}

function expectedAmountText(document: Document): string {
  const amount = valueAt(document, 'pixgate.expected.amount')
  return typeof amount === 'number' ? formatReais(Math.round(amount * 100)) : '—'
}
