import { parseInstant } from '../pix/calendar.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import { type AttemptSummary, amountCentsOf } from './derivePayment.ts'
import { CHARGEBACK, findingFromEvent, REFUNDED } from './eventMeaning.ts'
import type { QueriedOriginal } from './originals.ts'
import type { Payment } from './payments.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

type Event = LedgerRecord<EventRecord>

/** The ways in which money moves. */
export const MOVEMENT_KINDS = ['received', 'refunded', 'charged-back', 'sent', 'returned'] as const

export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** Money that came to the account or left it. */
export interface Movement {
  kind: MovementKind
  /** When it moved, in ms; null if nothing tells. */
  atMs: number | null
  /** Above zero, whatever the direction; null if it is not known. */
  amountCents: number | null
  /** What tells that it moved: an event, the gateway's answer to a request or a query, or a person who recorded it. */
  knownBy: 'event' | 'gateway' | 'person'
  /** True if this ledger did not ask for it, such as a refund in the dashboard. */
  isElsewhere: boolean
  /** What was asked for, if the event says that another amount moved; else null. */
  otherRequestedCents: number | null
}

/** What else is known of a charge besides its own records. */
export interface ChargeSurroundings {
  /** What the gateway answered to the newest query; undefined if it was not asked. */
  queried: QueriedOriginal | undefined
  /** The refunds of it that this ledger asked for. */
  refunds: readonly Payment[]
  /** The events of the refunds of it that were made elsewhere, one for each. */
  refundsElsewhere: readonly Event[]
}

/** True if a movement adds to the balance of the account. */
export function isIncoming(kind: MovementKind): boolean {
  return kind === 'received' || kind === 'returned'
}

/** The movements of a transfer. Its event has no date, so it counts when it was sent; it comes back when the event of that arrives. */
export function transferMovements({ summary }: Payment): Movement[] {
  return summary.attempts.flatMap((attempt) => attemptMovements(attempt, 'sent', amountCentsOf(attempt)))
}

/** The movements of a refund. `originalCents` is the amount of the payment that it returns, null if it is not known. */
export function refundMovements({ summary }: Payment, originalCents: number | null): Movement[] {
  return summary.attempts.flatMap((attempt) => {
    const { facts } = attempt.record
    const whole = facts.kind === 'refund' && facts.isWhole ? originalCents : null
    return attemptMovements(attempt, 'refunded', amountCentsOf(attempt) ?? whole)
  })
}

/** What the gateway calls a payment that it has carried out at once. */
const COMPLETED: readonly string[] = ['COMPLETED', 'PAID_OUT', 'PAID']

function attemptMovements(attempt: AttemptSummary, kind: MovementKind, amountCents: number | null): Movement[] {
  const { state, event, evidence, finding, answer } = attempt
  const said = event ?? evidence
  const isPaidEvent = said !== null && findingFromEvent(said) === 'paid'
  const moved = movedAmount(amountCents, isPaidEvent ? said.amountCents : null)
  const out = (knownBy: Movement['knownBy']): Movement => ({
    kind,
    atMs: (isPaidEvent ? dateIn(said) : null) ?? sentMs(attempt, said),
    ...moved,
    knownBy,
    isElsewhere: attempt.outcome === 'accepted-before' && attempt.sends.length === 1,
  })
  const knownBy = event === null ? 'person' : 'event'
  if (state === 'paid') return [out(knownBy)]
  if (state === 'returned') {
    const atMs = event === null ? (finding?.madeMs ?? null) : arrivalMs(event)
    const returned = movedAmount(amountCents, event?.amountCents ?? null)
    return [out(knownBy), { kind: 'returned', atMs, ...returned, knownBy, isElsewhere: false }]
  }
  if (state === 'accepted' && COMPLETED.includes(answer?.status?.toUpperCase() ?? '')) return [out('gateway')]
  return []
}

/** An amount as the event says, which is what moved, else as it was asked for; and what was asked for if that differs. */
function movedAmount(
  requestedCents: number | null,
  eventCents: number | null,
): Pick<Movement, 'amountCents' | 'otherRequestedCents'> {
  const isOther = requestedCents !== null && eventCents !== null && requestedCents !== eventCents
  return { amountCents: eventCents ?? requestedCents, otherRequestedCents: isOther ? requestedCents : null }
}

/** When the request left that the gateway carried out. */
function sentMs({ outcome, sends, record }: AttemptSummary, event: Event | null): number {
  // Another ledger had sent it before.
  if (outcome === 'accepted-before' && sends.length === 1 && event !== null) return arrivalMs(event)
  const sent = outcome === 'accepted-before' ? sends[0] : sends.at(-1)
  return sent?.ms ?? record.madeMs
}

/**
 * The movements of a charge: what was received, and what left again without a request of this ledger. A refund that this ledger asked for is a
 * movement of its own, so of a charge that is REFUNDED only the rest is another one.
 */
export function chargeMovements(payment: Payment, around: ChargeSurroundings): Movement[] {
  const { summary, records, facts } = payment
  const events = records.filter((record): record is Event => record.type === 'event')
  const paidEvent = events.find((event) => findingFromEvent(event) === 'paid')
  const backEvents = events.filter((event) => findingFromEvent(event) === 'returned')
  const { finding } = summary.deciding
  const queried = around.queried?.status?.toUpperCase() ?? null
  const isQueriedPaid = queried !== null && ['PAID', REFUNDED, CHARGEBACK].includes(queried)
  const personSays = finding !== null && summary.deciding.event === null ? summary.state : null
  const isPersonPaid = personSays === 'paid' || personSays === 'returned'
  const toldBy = paidEvent ?? backEvents[0]
  if (toldBy === undefined && !isQueriedPaid && !isPersonPaid) return []
  const paid = movedAmount(facts.amountCents, paidEvent?.amountCents ?? around.queried?.amountCents ?? null)
  const { amountCents } = paid
  const knownBy = toldBy !== undefined ? 'event' : isQueriedPaid ? 'gateway' : 'person'
  const findingMs = personSays === null ? null : (finding?.madeMs ?? null)
  const received: Movement = {
    kind: 'received',
    atMs:
      dateIn(toldBy ?? null) ??
      around.queried?.paidAtMs ??
      (paidEvent === undefined ? null : arrivalMs(paidEvent)) ??
      (personSays === 'paid' ? findingMs : null),
    ...paid,
    knownBy,
    isElsewhere: false,
  }
  const chargeback = backEvents.find(({ status }) => status?.toUpperCase() === CHARGEBACK)
  const refunded = backEvents.find((event) => event !== chargeback && event.status?.toUpperCase() !== CHARGEBACK)
  const back: Movement[] = []
  if (chargeback !== undefined || queried === CHARGEBACK) {
    back.push({
      kind: 'charged-back',
      atMs: chargeback === undefined ? null : arrivalMs(chargeback),
      amountCents: chargeback?.amountCents ?? amountCents,
      otherRequestedCents: null,
      knownBy: chargeback === undefined ? 'gateway' : 'event',
      isElsewhere: true,
    })
  }
  const elsewhere = withoutSettled(around.refundsElsewhere.map(refundMovement), around.refunds)
  if (refunded !== undefined || queried === REFUNDED || personSays === 'returned') {
    const restCents = (amountCents ?? 0) - knownRefunds(around.refunds) - sumOf(elsewhere)
    const atMs = refunded === undefined ? (queried === REFUNDED ? null : findingMs) : arrivalMs(refunded)
    const saidBy = refunded !== undefined ? 'event' : queried === REFUNDED ? 'gateway' : 'person'
    if (restCents > 0) {
      back.push({
        kind: 'refunded',
        atMs,
        amountCents: restCents,
        otherRequestedCents: null,
        knownBy: saidBy,
        isElsewhere: true,
      })
    }
  }
  return [received, ...elsewhere, ...back]
}

/** What refunds of this ledger have returned or may have; Infinity if one of them is whole or its amount is not known. */
function knownRefunds(refunds: readonly Payment[]): number {
  return refunds
    .filter(({ summary }) => summary.mayHaveMoved)
    .reduce((sum, { amountCents }) => sum + (amountCents ?? Number.POSITIVE_INFINITY), 0)
}

function sumOf(movements: readonly Movement[]): number {
  return movements.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
}

/**
 * The refunds made elsewhere without those that are refunds of this ledger: if only a person says that one was carried out, its event did not name
 * it, and is known by the amount.
 */
function withoutSettled(elsewhere: readonly Movement[], refunds: readonly Payment[]): Movement[] {
  const settled = refunds.filter(({ summary }) => summary.state === 'paid' && summary.idTransaction === null)
  const amounts = settled.map(({ amountCents }) => amountCents)
  return elsewhere.filter(({ amountCents }) => {
    const place = amounts.indexOf(amountCents)
    if (place !== -1) amounts.splice(place, 1)
    return place === -1
  })
}

/** The movement of which an event of this account tells, if it belongs to no payment of the ledger; undefined if it tells of none. */
export function unlinkedMovement(event: Event): Movement | undefined {
  const meaning = findingFromEvent(event)
  const { subject, status } = event
  if (meaning === null || meaning === 'not-paid' || subject === null) return undefined
  if (subject === 'refund') return refundMovement(event)
  if (subject === 'transfer') return eventMovement(event, meaning === 'paid' ? 'sent' : 'returned')
  if (meaning === 'paid') return eventMovement(event, 'received')
  return eventMovement(event, status?.toUpperCase() === CHARGEBACK ? 'charged-back' : 'refunded')
}

function refundMovement(event: Event): Movement {
  return eventMovement(event, 'refunded')
}

function eventMovement(event: Event, kind: MovementKind): Movement {
  // An event of a payment that came back has the date of the payment.
  const isOfPayment = event.subject === 'payment' && kind !== 'received'
  const atMs = (isOfPayment ? null : dateIn(event)) ?? arrivalMs(event)
  const { amountCents } = event
  return { kind, atMs, amountCents, otherRequestedCents: null, knownBy: 'event', isElsewhere: true }
}

/** The date in an event's body, in ms: when a charge was paid, when a refund was carried out; null if it has none. */
function dateIn(event: Event | null): number | null {
  if (event === null) return null
  const facts = readEventFacts(Buffer.from(event.bodyBase64, 'base64').toString('utf8'))
  return parseInstant(facts?.happenedAt ?? '') ?? null
}

function arrivalMs({ at, madeMs }: Event): number {
  return parseInstant(at) ?? madeMs
}
