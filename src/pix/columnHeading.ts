import { foldedText } from '../text/foldedText.ts'

/** Headings of numbers by which an office finds a payment. They are carried, never sent. */
const OWN_REFERENCE =
  /^(?:(?:n[o.º°]*|num\.?|numero) ?(?:d[oa] )?)?(?:nota(?: fiscal)?|nf(?:-?e)?|pedido|fatura|titulo|boleto|os|referencia)$/

/** True for the heading of a number by which an office finds a payment, such as that of its invoice. */
export function isOwnReference(name: string): boolean {
  return OWN_REFERENCE.test(headingOf(name))
}

/** A heading without what people add to it: a mark at its end, and the currency of an amount. */
export function headingOf(name: string): string {
  return foldedText(name)
    .replace(/[:*\s]+$/, '')
    .replace(/ ?(?:\(r\$\)|r\$)$/, '')
    .trim()
}
