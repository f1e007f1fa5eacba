import type { Context } from '../context.ts'
import { PAYMENT_FIELDS } from '../payments/fields.ts'
import type { PaymentItem } from '../payments/paymentCells.ts'
import { columnOf, listColumns, maskedDocument, pathsOf } from '../terminal/fields.ts'
import type { Column, Document } from '../terminal/printer.ts'

/** What all lists of payments have in common: what `--fields` may name besides their columns. */
export const PAYMENT_LIST = {
  more: listColumns(PAYMENT_FIELDS),
  paths: ['pixgate', ...pathsOf(PAYMENT_FIELDS)],
  documentOf: ({ document }: PaymentItem) => document,
}

/** The option that shows people's data of payments. */
export const UNMASK_OPTION = {
  flags: '--unmask',
  description: 'show keys, names and tax documents of people unmasked',
} as const

/** The column of a field of payments. */
export function paymentColumn(name: (typeof PAYMENT_FIELDS)[number]['name']): Column<PaymentItem> {
  return columnOf(PAYMENT_FIELDS, name)
}

/** JSON of a payment as it is shown: keys, names and tax documents of people masked, except with `-o json` and with `unmask`. */
export function shownDocument({ print }: Context, document: Document, unmask: boolean): Document {
  return unmask || print.format === 'json' ? document : maskedDocument(PAYMENT_FIELDS, document)
}
