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

/** Whether a status is what a person hopes for. */
export function statusTone(status: string | null): 'good' | 'bad' | 'warn' {
  const known = status?.toUpperCase() ?? ''
  if (GOOD.includes(known)) return 'good'
  return BAD.includes(known) ? 'bad' : 'warn'
}

/** The colour for a status. */
export function statusColour(status: string | null, style: ChalkInstance): ChalkInstance {
  return { good: style.green, bad: style.red, warn: style.yellow }[statusTone(status)]
}
