/** Whether money came in or left. */
export type Direction = 'credit' | 'debit'

const MINUS = '\\-\u2212'
const SIGNED = new RegExp(`^((?:R\\$\\s*)?)([${MINUS}+]?)\\s*((?:R\\$\\s*)?[\\d.,]+)\\s*([${MINUS}+]|[CD])?$`, 'i')

/** An amount without its sign, and what the sign says: `-10,00`, `R$ -10,00`, `10,00-`, `(10,00)` and `10,00 D` are debits. */
export function splitSign(text: string): { direction: Direction | null; unsigned: string } {
  const [, currency = '', before = '', number = '', after = ''] = SIGNED.exec(text.replace(/^\((.*)\)$/, '-$1')) ?? []
  if (number === '') return { direction: null, unsigned: text }
  const mark = before || after.toUpperCase()
  if (mark === '') return { direction: null, unsigned: currency + number }
  return { direction: mark === '+' || mark === 'C' ? 'credit' : 'debit', unsigned: currency + number }
}

/** Only charges bring money in. */
export function directionOf(kind: string): Direction {
  return kind === 'qr' ? 'credit' : 'debit'
}

/** Cents with the sign of their direction; without a direction they are as they come. */
export function signedCents(cents: number, direction: Direction | null): number {
  return direction === 'debit' ? -cents : cents
}
