import type { EventStatus } from '../schemas/webhookBodies.ts'
import type { PaymentKind } from './facts.ts'

// What the page of `inspect` says of a payment, too, so that nothing here may need Node.js.

/** The result that each status means for a payment; null while it is being carried out. */
const STATUS_FINDINGS = {
  PROCESSING: null,
  PENDING: null,
  PAID: 'paid',
  PAID_OUT: 'paid',
  COMPLETED: 'paid',
  ERROR: 'not-paid',
  CANCELED: 'not-paid',
  CANCELLED: 'not-paid',
  EXPIRED: 'not-paid',
  FAILED: 'not-paid',
  RETURNED: 'returned',
  REFUNDED: 'returned',
  CHARGEBACK: 'returned',
} as const satisfies Readonly<Record<EventStatus, string | null>>

type StatusFinding = (typeof STATUS_FINDINGS)[EventStatus]

const FINDINGS_BY_STATUS: ReadonlyMap<string, StatusFinding> = new Map(Object.entries(STATUS_FINDINGS))

/** The statuses of a payment that is being carried out. */
export const UNFINISHED: readonly string[] = [...FINDINGS_BY_STATUS].flatMap(([status, finding]) =>
  finding === null ? [status] : [],
)

/** The result that a status means for its payment; null if it is not final. */
export function findingFromStatus(status: string): StatusFinding {
  return FINDINGS_BY_STATUS.get(status.toUpperCase()) ?? null
}

/** The state of a payment that the gateway took, as the status in an answer tells it; one that is not known may still be carried out. */
export function stateFromStatus(
  kind: PaymentKind,
  status: string | null,
): NonNullable<StatusFinding> | 'pending' | 'accepted' {
  return findingFromStatus(status ?? '') ?? (kind === 'qr' ? 'pending' : 'accepted')
}
