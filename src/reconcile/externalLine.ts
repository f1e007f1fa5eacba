import type { CellFault } from '../spreadsheet/table.ts'

/** Whether money came in or left. */
export type Direction = 'credit' | 'debit'

/** A line of a bank's statement. */
export interface StatementLine {
  line: number
  /** An idTransaction, external id or request number; null if the line has none. */
  id: string | null
  /** Always positive; the direction tells whether it came or went. */
  amountCents: number
  /** Null if the amount has no sign. */
  direction: Direction | null
  /** As it came; null if there is none. */
  status: string | null
  /** In São Paulo, as `2026-11-21`; null if there is none. */
  day: string | null
  /** What the bank says about it, such as `PIX ENVIADO MARIA`; empty if it says nothing. */
  description: string
  /** The other party, if the statement names it apart from the description; null if not. */
  name: string | null
}

/** What a statement says, and what of it cannot be read. */
export interface StatementFile {
  lines: readonly StatementLine[]
  faults: readonly CellFault[]
  /** The numbers of lines that hold a balance. */
  balanceLines: readonly number[]
  /** The numbers of lines that hold no payment: titles, totals and notes of the bank. */
  otherLines: readonly number[]
  /** The columns that were recognised by their names, as `amount=Valor`. */
  recognised: readonly string[]
  /** Sentences that a person should read. */
  remarks: readonly string[]
  /** The first and the last day that the file says it is about; null if it does not say. */
  period: readonly [first: string, last: string] | null
}

/** Only charges bring money in. */
export function directionOf(kind: string): Direction {
  return kind === 'qr' ? 'credit' : 'debit'
}

/** Cents with the sign of their direction; without a direction they are as they come. */
export function signedCents(cents: number, direction: Direction | null): number {
  return direction === 'debit' ? -cents : cents
}

/** In what a payment can differ from a line. */
export type Difference = 'amount' | 'sign' | 'status'

/** In what a payment differs from a line, apart from the status. What the line does not say is no difference. */
export function amountDifferences(
  { amountCents, direction }: { amountCents: number | null; direction: Direction | null },
  payment: { direction: Direction; amountCents: number | null },
): Difference[] {
  return [
    ...(amountCents !== null && amountCents !== payment.amountCents ? (['amount'] as const) : []),
    ...(direction !== null && direction !== payment.direction ? (['sign'] as const) : []),
  ]
}
