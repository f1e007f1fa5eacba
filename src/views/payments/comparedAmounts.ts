import { directionOf, signedCents } from '../../reconcile/externalLine.ts'
import { cellText, valueAt } from '../../terminal/documentFields.ts'
import type { Column } from '../../terminal/printer.ts'
import { amountText } from '../valueText.ts'
import type { PaymentItem } from './paymentCells.ts'

/** A payment in a list that compares it with what another program has. */
export interface ComparedItem extends PaymentItem {
  /** What the other program has, with its sign if it has one; null if it has no amount. */
  otherCents: number | null
}

/** The column of the amount that another program has for a payment. */
export function otherAmountColumn(path: string, header: string): Column<ComparedItem> {
  return { path, header, align: 'right', text: ({ otherCents }) => amountText(otherCents) }
}

/** The amount of the payment that it is compared with; with the sign of its direction if the other one has a sign. */
export function ownAmountText({ document, amountCents }: PaymentItem, isSigned: boolean): string {
  const direction = isSigned ? directionOf(cellText(valueAt(document, 'pixgate.kind')) || 'qr') : null
  return amountText(amountCents === null ? null : signedCents(amountCents, direction))
}
