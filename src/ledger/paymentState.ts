import type { EventName, EventStatus } from '../schemas/webhookBodies.ts'
import { DamagedValue } from '../storage/sqlite.ts'
import { keysOf } from '../wire/answers.ts'
import { accountAddress, isLoopbackHost } from '../wire/baseAddress.ts'
import type { EventFacts, EventSubject } from '../wire/eventFacts.ts'
import type { EventOwner } from './accounts.ts'
import { PAYMENT_KINDS, type PaymentKind } from './facts.ts'
import { findingFromStatus } from './statusMeaning.ts'

/** What a person can find out about a payment, and an event can prove. */
export const FINDINGS = ['paid', 'not-paid', 'returned'] as const
export type Finding = (typeof FINDINGS)[number]

/** All states, in the order in which lists show them. */
export const PAYMENT_STATES = ['not-sent', 'refused', 'pending', 'accepted', 'unknown', ...FINDINGS] as const
/** What is known of a payment: from answers alone, from a person, or from an event. A charge that has not been paid yet is pending. */
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** A state as people see it: a payment whose request is on its way at this moment is `being-sent`, and not unknown yet. */
export type ShownState = PaymentState | 'being-sent'

export const SHOWN_STATES = ['not-sent', 'being-sent', ...PAYMENT_STATES.filter((each) => each !== 'not-sent')] as const

/** The state that people see of a payment, of which a process may be waiting for the answer. In SQL it is {@link STATE_OR_BEING_SENT}. */
export function shownStateOf(state: PaymentState, isBeingSent: boolean): ShownState {
  return state === 'unknown' && isBeingSent ? 'being-sent' : state
}

/** A state as a column holds it. Throws DamagedValue for other text. */
export function parsePaymentState(text: string): PaymentState {
  const state = PAYMENT_STATES.find((each) => each === text)
  if (state === undefined) throw new DamagedValue(`a payment has the state ${text}`)
  return state
}

/** In SQL, the state of a row of `payment`: `being-sent` in place of unknown for those in a parameter, a JSON array of UUIDs. */
export const STATE_OR_BEING_SENT = `CASE WHEN payment.state = 'unknown' AND payment.id IN (SELECT value FROM json_each(?))
  THEN 'being-sent' ELSE payment.state END`

/** A kind as a column holds it. Throws DamagedValue for other text. */
export function parsePaymentKind(text: string): PaymentKind {
  const kind = PAYMENT_KINDS.find((each) => each === text)
  if (kind === undefined) throw new DamagedValue(`a payment has the kind ${text}`)
  return kind
}

/** The status that a person's finding corresponds to, in the wire's words. */
export const STATUS_OF_FINDING: Readonly<Record<PaymentKind, Readonly<Record<Finding, string>>>> = {
  qr: { paid: 'PAID', 'not-paid': 'CANCELLED', returned: 'REFUNDED' },
  transfer: { paid: 'PAID_OUT', 'not-paid': 'ERROR', returned: 'RETURNED' },
  refund: { paid: 'COMPLETED', 'not-paid': 'FAILED', returned: 'FAILED' },
}

/** How much a state says. Nothing moves backwards: an event counts only if it says more than what is known. */
export function stateRank(state: PaymentState): number {
  return RANKED.indexOf(state) + 1
}

const RANKED: readonly PaymentState[] = ['not-paid', 'paid', 'returned']

/** True for a state that is final, as an event or a person reports it. */
export function isFinding(state: PaymentState): state is Finding {
  return RANKED.includes(state)
}

/** True for a state that is not final, so that more may become known. */
export function isOpen(state: PaymentState): boolean {
  return state === 'pending' || state === 'accepted' || state === 'unknown'
}

/** Of several attempts the first of these states counts: a payment that was made is never shown as refused. */
export const STATES_BY_WEIGHT: readonly PaymentState[] = [
  'paid',
  'accepted',
  'pending',
  'unknown',
  'returned',
  'not-paid',
  'refused',
  'not-sent',
]

/** The status of a received payment of which all was refunded. */
export const REFUNDED = 'REFUNDED'
/** The status of a received payment that its payer disputed, so that the money went back. */
export const CHARGEBACK = 'CHARGEBACK'

/** Whether a payment that a query or an event reports with this status was received, whatever became of it. */
const WAS_RECEIVED: Readonly<Record<EventStatus<'pix.received'> | typeof CHARGEBACK, boolean>> = {
  PENDING: false,
  EXPIRED: false,
  CANCELLED: false,
  PAID: true,
  REFUNDED: true,
  CHARGEBACK: true,
}
const RECEIVED: readonly string[] = keysOf(WAS_RECEIVED).filter((status) => WAS_RECEIVED[status])

/** In SQL, that the column `status` is that of a payment that was received. */
export const IS_RECEIVED = `status COLLATE NOCASE IN (${RECEIVED.map((status) => `'${status}'`).join(', ')})`

/** True for the status of a payment that was received, whatever became of it. */
export function isReceivedStatus(status: string | null): boolean {
  return status !== null && RECEIVED.includes(status.toUpperCase())
}

/** The result that the name of an event alone reports; null if only its status tells. */
const NAME_FINDINGS: Readonly<Record<EventName, Finding | null>> = {
  'pix.received': null,
  'refund.status': null,
  'transfer.completed': 'paid',
  'transfer.failed': 'not-paid',
  payment: null,
}
const FINDINGS_BY_NAME: ReadonlyMap<string | null, Finding | null> = new Map(Object.entries(NAME_FINDINGS))

const SUBJECTS: Readonly<Record<PaymentKind, EventSubject>> = { qr: 'payment', refund: 'refund', transfer: 'transfer' }

/** True if an event can be about a payment of this kind. One of an unknown shape can be about any. */
export function canBeAbout(subject: string | null, kind: PaymentKind): boolean {
  return subject === null || subject === SUBJECTS[kind]
}

/** The result that an event reports for its payment; null if it is not final, or the event's shape is unknown. */
export function findingFromEvent({
  event,
  subject,
  status,
  errorCode,
}: Pick<EventFacts, 'event' | 'subject' | 'status' | 'errorCode'>): Finding | null {
  // It is about a second request, and says that the gateway holds the first.
  if (errorCode === 'DUPLICATE_EXTERNAL_ID') return null
  const named = findingFromName(event)
  const known = subject === null ? null : findingFromStatus(status ?? '')
  // A status that is not known may be that of a success, whatever the event is called.
  const meaning = status === null ? named : known
  // Of a refund, "returned" means that it was carried out.
  if (subject === 'refund' && meaning === 'returned') return 'paid'
  // A name and a status that contradict each other must not allow a second payment.
  return named === 'paid' && meaning === 'not-paid' ? null : meaning
}

/** The result that the name of an event reports, whatever its status; null if only the status tells, or the name is unknown. */
export function findingFromName(event: string | null): Finding | null {
  return FINDINGS_BY_NAME.get(event) ?? null
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

/** What the ledger needs to know about the process that uses it. */
export interface LedgerEnvironment {
  folder: string
  /** The system's name of the user, with the login behind `sudo`, such as `finance (maria)`; and of the machine. */
  user: string
  machine: string
  pid: number
  now(): number
  newId(): string
  /** Shows a sentence to a person, such as a file mode that was corrected. */
  notice(line: string): void
  /** For how long a command waits for other programs that write. */
  timeoutMs: number
  /**
   * For the copy of a ledger that several machines share, the address of its server as it was chosen. A request then carries the time until which it may
   * be sent, and the rows of a run are records.
   */
  sharedAt?: string
}
