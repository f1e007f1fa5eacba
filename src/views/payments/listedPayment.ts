import type { AttemptSummary } from '../../ledger/derivePayment.ts'
import type { Payment } from '../../ledger/payments.ts'
import type { RunPlace } from '../../ledger/records.ts'

/** What a list shows: a payment, or one of its attempts. */
export interface ListedPayment {
  payment: Payment
  /** Null in a list of payments. */
  attempt: AttemptSummary | null
}

/** The attempt that is told about: of a payment the one that its state comes from. */
export function shownAttempt({ payment, attempt }: ListedPayment): AttemptSummary {
  return attempt ?? payment.summary.deciding
}

/** The record that tells when and by whom: of a payment that of its first attempt. */
export function shownRecord({ payment, attempt }: ListedPayment): Payment['first'] {
  return attempt?.record ?? payment.first
}

/** The name by which people know it; that of an attempt is its own externalId. */
export function nameOf({ payment, attempt }: ListedPayment): string {
  return attempt?.record.externalId ?? payment.givenId
}

/** The status in the wire's words; null if there is none. An attempt that does not decide has only what was said of it. */
export function statusOf({ payment, attempt }: ListedPayment): string | null {
  const { deciding, status } = payment.summary
  if (attempt === null || attempt === deciding) return status
  return attempt.event?.status ?? attempt.answer?.status ?? null
}

/** The place of a payment in the file of a batch, with nulls if it is in none; undefined for a charge. */
export function placeOf({
  payment: { facts, first },
}: ListedPayment):
  | Pick<RunPlace, 'run' | 'line' | 'reference'>
  | { run: null; line: null; reference: null }
  | undefined {
  return facts.kind === 'qr' ? undefined : (first.place ?? { run: null, line: null, reference: null })
}
