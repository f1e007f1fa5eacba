import type { ChalkInstance } from 'chalk'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'

/** An amount for people, a dash where none is known. */
export function amountText(amountCents: number | null): string {
  return amountCents === null ? '—' : formatReais(amountCents)
}

/** A time for people in São Paulo, a dash where none is known. */
export function instantText(atMs: number | null): string {
  return atMs === null ? '—' : formatInstant(atMs)
}

const GOOD: readonly string[] = ['PAID', 'PAID_OUT', 'COMPLETED']
const BAD: readonly string[] = ['EXPIRED', 'CANCELLED', 'CANCELED', 'FAILED', 'ERROR', 'CHARGEBACK', 'RETURNED']

/** The colour that a status is written in. */
export function statusColour(status: string | null, style: ChalkInstance): ChalkInstance {
  const known = status?.toUpperCase() ?? ''
  if (GOOD.includes(known)) return style.green
  if (BAD.includes(known)) return style.red
  return style.yellow
}
