import { isFinalStatus } from '../gateway/waitForPayment.ts'
import { findingFromStatus } from '../ledger/eventMeaning.ts'
import type { Payment } from '../ledger/payments.ts'
import { parseInstant } from '../pix/calendar.ts'
import { type AnswerFields, readPaymentStatus, textField } from '../wire/answers.ts'

/** How a payment compares with what the gateway says of it. */
export type GatewayVerdict = 'open' | 'late' | 'unknown' | 'differs' | 'agrees'

type CheckedPayment = Pick<Payment, 'facts' | 'amountCents'> & { summary: Pick<Payment['summary'], 'state' | 'sentMs'> }

/** An event comes within seconds; a transfer or refund without one this long after it was sent is late. */
const LATE_MS = 60 * 60_000

/** The verdict on a payment for which the gateway has no query. */
export function verdictWithoutAnswer({ facts, summary }: CheckedPayment, nowMs: number): GatewayVerdict {
  if (summary.state === 'unknown') return 'unknown'
  return facts.kind !== 'qr' && nowMs - summary.sentMs > LATE_MS ? 'late' : 'open'
}

/** The verdict on a charge with the gateway's answer to its query. */
export function verdictOnAnswer(
  { facts, summary }: CheckedPayment,
  fields: AnswerFields,
  nowMs: number,
): GatewayVerdict {
  const { status, amountCents } = readPaymentStatus(fields)
  if (facts.amountCents !== null && amountCents !== null && amountCents !== facts.amountCents) return 'differs'
  const meaning = findingFromStatus(status ?? '')
  // What was paid may have been returned since.
  if (summary.state === 'paid') return meaning === 'paid' || meaning === 'returned' ? 'agrees' : 'differs'
  if (isFinalStatus(status)) return 'agrees'
  const expiresAtMs = parseInstant(textField(fields, 'expiresAt') ?? '')
  return expiresAtMs !== undefined && expiresAtMs < nowMs ? 'late' : 'open'
}
