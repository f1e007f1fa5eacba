/** Whether money came in or left. */
export type Direction = 'credit' | 'debit'

/** A line of a file that another program wrote: one payment as that program has it. */
export interface ExternalLine {
  line: number
  /** An idTransaction, external id or request number; null if the line has none. */
  id: string | null
  /** Always positive; the direction tells whether it came or went. Null if the line has none. */
  amountCents: number | null
  /** Null if the amount has no sign. */
  direction: Direction | null
  /** As it came; null if there is none. */
  status: string | null
  /** In São Paulo, as `2026-11-21`; null if there is none. */
  day: string | null
  /** What the results of a batch say of the row besides, the outcome in lower case; null in any other file. */
  batchRow: { externalId: string; outcome: string } | null
}

/** What a file says. Another format is another function from the bytes of a file to this. */
export interface ExternalFile {
  lines: readonly ExternalLine[]
  /** The fields that the file has. */
  fields: readonly string[]
  /** The columns that were recognised by their names, as `id=Código`. */
  recognised: readonly string[]
  /** Columns that hold none of the fields. */
  unused: readonly string[]
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
  { amountCents, direction }: Pick<ExternalLine, 'amountCents' | 'direction'>,
  payment: { kind: string; amountCents: number | null },
): Difference[] {
  return [
    ...(amountCents !== null && amountCents !== payment.amountCents ? (['amount'] as const) : []),
    ...(direction !== null && direction !== directionOf(payment.kind) ? (['sign'] as const) : []),
  ]
}
