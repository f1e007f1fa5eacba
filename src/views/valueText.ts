import type { ChalkInstance } from 'chalk'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'

/** An amount as text; a dash if unknown. */
export function amountText(amountCents: number | null): string {
  return amountCents === null ? '—' : formatReais(amountCents)
}

/** An instant in São Paulo time; a dash if unknown. */
export function instantText(atMs: number | null): string {
  return atMs === null ? '—' : formatInstant(atMs)
}

const GOOD: readonly string[] = ['PAID', 'PAID_OUT', 'COMPLETED']
const BAD: readonly string[] = ['EXPIRED', 'CANCELLED', 'CANCELED', 'FAILED', 'ERROR', 'CHARGEBACK', 'RETURNED']

/** The colour for a status. */
export function statusColour(status: string | null, style: ChalkInstance): ChalkInstance {
  const known = status?.toUpperCase() ?? ''
  if (GOOD.includes(known)) return style.green
  if (BAD.includes(known)) return style.red
  return style.yellow
}
