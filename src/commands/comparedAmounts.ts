import { formatReais } from '../pix/amount.ts'
import { directionOf, signedCents } from '../reconcile/externalLine.ts'
import type { Column, Document } from '../terminal/printer.ts'
import { cellText, valueAt } from '../views/documentFields.ts'
import { amountText } from '../views/valueText.ts'
import { readPaymentStatus } from '../wire/answers.ts'

/** The column of the amount that another program has for a payment. */
export function otherAmountColumn(path: string, header: string): Column {
  return {
    path,
    header,
    align: 'right',
    text: (document) => {
      const amount = valueAt(document, path)
      return typeof amount === 'number' ? formatReais(Math.round(amount * 100)) : '—'
    },
  }
}

/** The amount of the payment that it is compared with; with the sign of its direction if the other one has a sign. */
export function ownAmountText(document: Document, isSigned: boolean): string {
  const { amountCents } = readPaymentStatus(document)
  const direction = isSigned ? directionOf(cellText(valueAt(document, 'pixgate.kind')) || 'qr') : null
  return amountText(amountCents === null ? null : signedCents(amountCents, direction))
}
