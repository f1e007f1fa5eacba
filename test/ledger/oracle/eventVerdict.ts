import type { Finding } from '../../../src/ledger/paymentState.ts'
import type { EventRecord } from '../../../src/ledger/records.ts'

/** What each final status says of the money. */
const BY_STATUS: Readonly<Record<Finding, readonly string[]>> = {
  paid: ['PAID', 'PAID_OUT', 'COMPLETED'],
  'not-paid': ['ERROR', 'CANCELED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  returned: ['RETURNED', 'REFUNDED', 'CHARGEBACK'],
}

/** The verdicts from the weakest to the strongest. */
const BY_STRENGTH: readonly string[] = ['not-paid', 'paid', 'returned']

/** How much a state or a verdict says: 0 for a state that no event or person reported. */
export function strengthOf(state: string | null): number {
  return BY_STRENGTH.indexOf(state ?? '') + 1
}

/** What an event says of its payment; null if it says nothing final. Judged apart from what writes the tables. */
export function verdictOf({ event, subject, status, errorCode }: EventRecord): Finding | null {
  if (errorCode === 'DUPLICATE_EXTERNAL_ID') return null
  const said = status?.toUpperCase() ?? null
  const byStatus = subject === null || said === null ? null : statusVerdict(said)
  const verdict = byStatus ?? nameVerdict(event, said)
  // The money of a refund went back, which is its purpose; `completed` and a failure contradict each other.
  if (subject === 'refund' && verdict === 'returned') return 'paid'
  return event === 'transfer.completed' && verdict === 'not-paid' ? null : verdict
}

function statusVerdict(said: string): Finding | null {
  if (BY_STATUS.paid.includes(said)) return 'paid'
  if (BY_STATUS['not-paid'].includes(said)) return 'not-paid'
  return BY_STATUS.returned.includes(said) ? 'returned' : null
}

function nameVerdict(event: string | null, said: string | null): Finding | null {
  // A status that is not known may be that of a success: it says nothing, whatever the event is called.
  if (said !== null) return null
  if (event === 'transfer.completed') return 'paid'
  return event === 'transfer.failed' ? 'not-paid' : null
}
