import { reaisFromCents } from '../pix/amount.ts'
import { refundDocument } from './paymentDocument.ts'
import type { Payment } from './payments.ts'

/** What was refunded of a payment from this machine. */
export interface RefundSums {
  refunds: readonly Payment[]
  /** By refunds that the gateway accepted, in cents; null if the amount of one of them is unknown. */
  refundedCents: number | null
  /** How much of that no event or person has confirmed yet. */
  unconfirmedCents: number | null
  /** By refunds with an unknown outcome. */
  unknownCents: number | null
}

/** Adds up the refunds of one payment. */
export function sumRefunds(refunds: readonly Payment[]): RefundSums {
  const inState = (...states: string[]) => refunds.filter(({ summary }) => states.includes(summary.state))
  return {
    refunds,
    refundedCents: sumOf(inState('paid', 'accepted')),
    unconfirmedCents: sumOf(inState('accepted')),
    unknownCents: sumOf(inState('unknown')),
  }
}

/** The refunds of a payment as its JSON has them under `pixgate`; nothing if there are none. Amounts in reais. */
export function refundsDocument({ refunds, refundedCents }: RefundSums): Record<string, unknown> {
  if (refunds.length === 0) return {}
  return {
    refundedAmount: refundedCents === null ? null : reaisFromCents(refundedCents),
    refunds: refunds.map(refundDocument),
  }
}

function sumOf(refunds: readonly Payment[]): number | null {
  if (refunds.some(({ amountCents }) => amountCents === null)) return null
  return refunds.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
}
