import { accountAddress, isLoopbackHost } from '../wire/address.ts'
import type { EventSubject } from '../wire/eventFacts.ts'
import type { PaymentKind } from './facts.ts'
import type { EventOwner } from './owner.ts'
import type { EventRecord, Finding } from './records.ts'

/** The status of a received payment of which all was refunded. */
export const REFUNDED = 'REFUNDED'
/** The status of a received payment that its payer disputed, so that the money went back. */
export const CHARGEBACK = 'CHARGEBACK'

/** The result that each status means for a payment; other statuses are not final. */
const FINDINGS_BY_STATUS: ReadonlyMap<string, Finding> = new Map([
  ['PAID', 'paid'],
  ['PAID_OUT', 'paid'],
  ['COMPLETED', 'paid'],
  ['ERROR', 'not-paid'],
  ['CANCELED', 'not-paid'],
  ['CANCELLED', 'not-paid'],
  ['EXPIRED', 'not-paid'],
  ['FAILED', 'not-paid'],
  ['RETURNED', 'returned'],
  [REFUNDED, 'returned'],
  [CHARGEBACK, 'returned'],
])

/** The statuses of a payment that is being carried out. */
export const UNFINISHED: readonly string[] = ['PROCESSING', 'PENDING']

const SUBJECTS: Readonly<Record<PaymentKind, EventSubject>> = { qr: 'payment', refund: 'refund', transfer: 'transfer' }

/** True if an event can be about a payment of this kind. One of an unknown shape can be about any. */
export function canBeAbout(subject: string | null, kind: PaymentKind): boolean {
  return subject === null || subject === SUBJECTS[kind]
}

/** The result that a status means for its payment; null if it is not final. */
export function findingFromStatus(status: string): Finding | null {
  return FINDINGS_BY_STATUS.get(status.toUpperCase()) ?? null
}

/** The result that an event reports for its payment; null if it is not final, or the event's shape is unknown. */
export function findingFromEvent({
  event,
  subject,
  status,
  errorCode,
}: Pick<EventRecord, 'event' | 'subject' | 'status' | 'errorCode'>): Finding | null {
  // It is about a second request, and says that the gateway holds the first.
  if (errorCode === 'DUPLICATE_EXTERNAL_ID') return null
  const known = subject === null ? undefined : FINDINGS_BY_STATUS.get(status?.toUpperCase() ?? '')
  const meaning = known ?? findingFromName(event, status)
  if (meaning === undefined) return null
  // Of a refund, "returned" means that it was carried out.
  if (subject === 'refund' && meaning === 'returned') return 'paid'
  // A name and a status that contradict each other must not allow a second payment.
  if (event === 'transfer.completed' && meaning === 'not-paid') return null
  return meaning
}

function findingFromName(event: string | null, status: string | null): Finding | undefined {
  if (event === 'transfer.completed') return status === null ? 'paid' : undefined
  if (event !== 'transfer.failed') return undefined
  return status !== null && UNFINISHED.includes(status.toUpperCase()) ? undefined : 'not-paid'
}

/**
 * Whose events and payments belong together: equal for the same client id and base address. All sandboxes on this machine are one
 * scope, because their port changes from start to start. Null for a secret alone, which belongs to no account.
 */
export function eventScope({
  environment,
  baseUrl,
  clientId,
}: Pick<EventOwner, 'environment' | 'baseUrl' | 'clientId'>): string | null {
  if (clientId === null || baseUrl === null) return null
  const isLocal = environment === 'sandbox' && URL.canParse(baseUrl) && isLoopbackHost(new URL(baseUrl).hostname)
  return `${clientId} ${isLocal ? 'loopback' : accountAddress(baseUrl)}`
}

/** True if the webhooks of one account are about the payments of the other. */
export function isSameScope(
  one: Pick<EventOwner, 'environment' | 'baseUrl' | 'clientId'>,
  other: Pick<EventOwner, 'environment' | 'baseUrl' | 'clientId'>,
): boolean {
  const scope = eventScope(one)
  return scope !== null && scope === eventScope(other)
}
