import type { MoneyPayment } from '../ledger/facts.ts'
import { DAY_MS } from '../pix/calendar.ts'

/** After so long it is not certain that the gateway still knows an externalId. */
const RESEND_WINDOW_MS = DAY_MS
const CLOCK_TOLERANCE_MS = 60 * 60 * 1000

/**
 * True if a payment with an unknown outcome can be sent again without a person's consent: a transfer whose first byte left less than 24
 * hours ago, so that the gateway refuses its externalId if it carried the first request out. A time in the future says nothing of its age.
 */
export function isSafeToResend({ kind }: Pick<MoneyPayment, 'kind'>, firstSentMs: number, nowMs: number): boolean {
  const ageMs = nowMs - firstSentMs
  return kind === 'transfer' && ageMs <= RESEND_WINDOW_MS && ageMs >= -CLOCK_TOLERANCE_MS
}
