import { columnOf, listColumns, maskedDocument, pathsOf } from '../../terminal/fields.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { idText, type PaymentItem, shortTimeText } from './paymentCells.ts'
import { PAYMENT_FIELDS } from './paymentFields.ts'

/** What all lists of payments have in common: what `--fields` may name besides their columns. */
export const PAYMENT_LIST = {
  more: listColumns(PAYMENT_FIELDS),
  paths: ['pixgate', ...pathsOf(PAYMENT_FIELDS)],
  documentOf: ({ document }: PaymentItem) => document,
}

/** The column of a field of payments. */
export function paymentColumn(name: (typeof PAYMENT_FIELDS)[number]['name']): Column<PaymentItem> {
  return columnOf(PAYMENT_FIELDS, name)
}

/** JSON of a payment as lists show it in every format: keys and tax documents masked unless `unmask`. */
export function shownDocument(document: Document, unmask: boolean): Document {
  return unmask ? document : maskedDocument(PAYMENT_FIELDS, document)
}

/** The column of the id by which commands take a payment, for people. */
export const ID_COLUMN: Column<PaymentItem> = {
  ...paymentColumn('idTransaction'),
  text: idText,
  id: idText,
}

/** The column of the time at which a payment was recorded, for people. */
export function dateColumn(nowMs: number): Column<PaymentItem> {
  return { ...paymentColumn('date'), short: (item) => shortTimeText(item, 'pixgate.at', nowMs) }
}
