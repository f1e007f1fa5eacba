import { type ClosedPeriod, parseInstant } from '../pix/calendar.ts'
import { formatKey } from '../pix/destination.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'
import { shownOnce } from './acceptedBefore.ts'
import { type AccountInEnvironment, accountId } from './accounts.ts'
import { eventsWhere } from './chain.ts'
import { type AttemptSummary, amountCentsOf, happenedMs } from './derivePayment.ts'
import type { PaymentKind } from './facts.ts'
import { knownOriginal, ownCharge, refundsElsewhere } from './originals.ts'
import {
  CHARGEBACK,
  eventScope,
  findingFromEvent,
  isOpen,
  isReceivedStatus,
  REFUNDED,
  type ShownState,
} from './paymentState.ts'
import { isOfAccount, loadPayment, type Payment, refundsOf, shownStateOfPayment, withSender } from './payments.ts'
import { plannedBy } from './plans.ts'
import type { PaymentsBeingSent } from './processes.ts'
import type { EventRecord, LedgerRecord } from './records.ts'
import { comparableId } from './samePayment.ts'

type Event = LedgerRecord<EventRecord>

/** What tells a payment from others; null for what is not known. */
export type PaymentDetails = ReturnType<typeof detailsOf>

/** A movement with a known time, and of what payment. */
export interface DatedMovement extends Movement, PaymentDetails {
  atMs: number
}

/** A payment of which nothing tells yet whether money moved by it, or when. */
export interface OpenPayment extends PaymentDetails {
  createdMs: number
  kind: PaymentKind
  state: ShownState
  amountCents: number | null
  /** The way in which its money moved on an unknown day; null if it is not known whether any did. */
  undated: MovementKind | null
}

/** A number of payments and the sum of their amounts. */
export interface MonthSum {
  payments: number
  cents: number
  /** How many of them have no known amount, and so no part of the sum. */
  unknownAmounts: number
}

/** What the ledger tells of the money of one account in a period. Lists are in the order of time. */
export type MonthBook = ReturnType<typeof readMonthBook>

/** Reads what happened to the money of an account in a period, while some payments are being sent. Throws DamagedRecord. */
export function readMonthBook(
  database: Database,
  account: AccountInEnvironment,
  period: ClosedPeriod,
  beingSent: PaymentsBeingSent,
) {
  const movements: DatedMovement[] = []
  const open: OpenPayment[] = []
  const withoutMoney = new Map<PaymentKind, MonthSum>()
  for (const id of paymentsOfPeriod(database, account, period)) {
    const payment = withSender(loadPayment(database, id), beingSent)
    const found = movementsOf(database, account, payment)
    const details = detailsOf(payment)
    movements.push(...found.flatMap((each) => inPeriod({ ...each, ...details }, period)))
    const createdMs = Date.parse(payment.first.at)
    if (createdMs < period.sinceMs || createdMs >= period.beforeMs) continue
    const { facts, summary, amountCents } = payment
    const entry = { ...details, createdMs, kind: facts.kind, state: shownStateOfPayment(payment) }
    const undated = found.filter(({ atMs }) => atMs === null)
    open.push(...undated.map((each) => ({ ...entry, amountCents: each.amountCents, undated: each.kind })))
    if (found.length > 0) continue
    if (isOpen(summary.state) || (facts.kind !== 'qr' && summary.mayHaveMoved))
      open.push({ ...entry, amountCents, undated: null })
    else withoutMoney.set(facts.kind, addTo(withoutMoney.get(facts.kind) ?? noPayments(), amountCents))
  }
  return {
    movements: inOrder(movements),
    /** Created in the period, without a movement of which the day is known. */
    open: open.toSorted((one, other) => one.createdMs - other.createdMs),
    /** Told by events alone: of payments that this ledger did not ask for. They are part of no sum of the others. */
    elsewhere: inOrder(elsewhereMovements(database, account, period)),
    /** Created in the period and over, without any money moved. */
    withoutMoney,
    /** Transfers and refunds that were created before the period and have no final state yet. */
    openBefore: openBefore(database, account, period.sinceMs),
  }
}

/** A sum of nothing. */
export function noPayments(): MonthSum {
  return { payments: 0, cents: 0, unknownAmounts: 0 }
}

/** A sum with one more payment. */
export function addTo({ payments, cents, unknownAmounts }: MonthSum, amountCents: number | null): MonthSum {
  return {
    payments: payments + 1,
    cents: cents + (amountCents ?? 0),
    unknownAmounts: unknownAmounts + (amountCents === null ? 1 : 0),
  }
}

function movementsOf(database: Database, account: AccountInEnvironment, payment: Payment): Movement[] {
  const { facts, summary } = payment
  // The event of a transfer has no date, so it counts when it was sent; it comes back when the event of that arrives.
  if (facts.kind === 'transfer')
    return summary.attempts.flatMap((attempt) => attemptMovements(attempt, 'sent', amountCentsOf(attempt)))
  if (facts.kind === 'refund') {
    const isWhole = facts.amountCents === null
    return refundMovements(
      payment,
      isWhole ? knownOriginal(database, account, facts.originalTransactionId).amountCents : null,
    )
  }
  const { idTransaction } = summary
  if (idTransaction === null) return chargeMovements(payment, { refunds: [], refundsElsewhere: [] })
  return chargeMovements(payment, {
    refunds: refundsOf(database, idTransaction).filter((refund) => isOfAccount(refund, account)),
    refundsElsewhere: refundsElsewhere(database, account, idTransaction),
  })
}

function elsewhereMovements(database: Database, account: AccountInEnvironment, period: ClosedPeriod): DatedMovement[] {
  const events = unlinkedEvents(database, account, period.sinceMs).filter(
    (event) => isOfAccount(event, account) && event.owner.environment === account.environment,
  )
  const told = new Set<string>()
  // A refund has its own event, and that of the payment which it returns.
  const refundedBy = { refund: new Set<string>(), payment: new Set<string>() }
  return events.flatMap((event) => {
    const movement = unlinkedMovement(event)
    const { originalTransactionId: original, subject } = event
    // The refund of a charge of this ledger is a movement of that charge.
    if (movement === undefined || (original !== null && ownCharge(database, account, original) !== undefined)) return []
    const id = comparableId(event.idTransaction ?? event.id)
    const originalId = original === null ? null : comparableId(original)
    const isTold =
      told.has(`${movement.kind} ${id}`) ||
      (movement.kind === 'refunded' &&
        (subject === 'payment' ? refundedBy.refund.has(id) : originalId !== null && refundedBy.payment.has(originalId)))
    told.add(`${movement.kind} ${id}`)
    if (isTold) return []
    if (movement.kind === 'refunded' && subject === 'payment') refundedBy.payment.add(id)
    else if (movement.kind === 'refunded' && originalId !== null) refundedBy.refund.add(originalId)
    return inPeriod({ ...movement, ...eventDetails(event) }, period)
  })
}

function inPeriod({ atMs, ...rest }: Movement & PaymentDetails, period: ClosedPeriod): DatedMovement[] {
  return atMs === null || atMs < period.sinceMs || atMs >= period.beforeMs ? [] : [{ ...rest, atMs }]
}

function inOrder(movements: readonly DatedMovement[]): DatedMovement[] {
  return movements.toSorted((one, other) => one.atMs - other.atMs)
}

function detailsOf({ facts, summary, partyName, ownReference, records }: Payment) {
  const named = records.findLast((record) => record.type === 'event' && record.taxId !== null)
  const taxId = named?.type === 'event' ? named.taxId : null
  const own = facts.kind === 'transfer' ? facts.documentValidation : null
  return {
    /** Who pays or is paid. */
    name: partyName,
    taxId: taxId ?? own,
    /** The PIX key of a transfer as people write it, or the id of the payment that a refund returns. */
    target:
      facts.kind === 'transfer'
        ? formatKey(facts.key, facts.keyType)
        : facts.kind === 'refund'
          ? facts.originalTransactionId
          : null,
    /** By what its user finds it, such as an order number or an invoice; of an event the external id. */
    reference: ownReference,
    idTransaction: summary.idTransaction,
    /** Why a refund was requested. */
    reason: facts.kind === 'refund' ? facts.refundReason : null,
    /** Who made and who approved the plan of it. */
    plannedBy: plannedBy(summary.attempts.at(-1)?.record),
    /** False if this machine cannot verify what tells what became of it. */
    isVerified: summary.isVerified,
  }
}

function eventDetails(event: Event): PaymentDetails {
  const { name, taxId, originalTransactionId: target, externalId: reference, idTransaction } = event
  const isVerified = event.isVerified === true
  return { name, taxId, target, reference, idTransaction, reason: null, plannedBy: null, isVerified }
}

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

interface ChargeSurroundings {
  /** The refunds of it that this ledger asked for. */
  refunds: readonly Payment[]
  /** The events of the refunds of it that were made elsewhere, one for each. */
  refundsElsewhere: readonly Event[]
}

/** True if a movement adds to the balance of the account. */
export function isIncoming(kind: MovementKind): boolean {
  return kind === 'received' || kind === 'returned'
}

/** The movements of a refund. `originalCents` is the amount of the payment that it returns, null if it is not known. */
function refundMovements({ summary }: Payment, originalCents: number | null): Movement[] {
  return summary.attempts.flatMap((attempt) => {
    const { facts } = attempt.record
    const whole = facts.kind === 'refund' && facts.isWhole ? originalCents : null
    return attemptMovements(attempt, 'refunded', amountCentsOf(attempt) ?? whole)
  })
}

function attemptMovements(attempt: AttemptSummary, kind: MovementKind, amountCents: number | null): Movement[] {
  const { state, event, evidence, finding } = attempt
  const said = event ?? evidence
  const isPaidEvent = said !== null && findingFromEvent(said) === 'paid'
  const moved = movedAmount(amountCents, isPaidEvent ? said.amountCents : null)
  const out = (knownBy: Movement['knownBy']): Movement => ({
    kind,
    atMs: (isPaidEvent ? happenedMs(said) : null) ?? sentMs(attempt, said),
    ...moved,
    knownBy,
    isElsewhere: attempt.outcome === 'accepted-before' && attempt.sends.length === 1,
  })
  const knownBy = event !== null ? 'event' : finding !== null ? 'person' : 'gateway'
  if (state === 'paid') return [out(knownBy)]
  if (state === 'returned') {
    const atMs = event === null ? (finding?.madeMs ?? null) : arrivalMs(event)
    const returned = movedAmount(amountCents, event?.amountCents ?? null)
    return [out(knownBy), { kind: 'returned', atMs, ...returned, knownBy, isElsewhere: false }]
  }
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
function chargeMovements(payment: Payment, around: ChargeSurroundings): Movement[] {
  const { summary, records, facts } = payment
  const events = records.filter((record): record is Event => record.type === 'event')
  const paidEvent = events.find((event) => findingFromEvent(event) === 'paid')
  const backEvents = events.filter((event) => findingFromEvent(event) === 'returned')
  const { finding } = summary.deciding
  const query = records.findLast((record) => record.type === 'query')
  const queried = query?.status.toUpperCase() ?? null
  const isQueriedPaid = isReceivedStatus(queried)
  const personSays =
    finding !== null && summary.deciding.event === null && summary.deciding.query === null ? summary.state : null
  const isPersonPaid = personSays === 'paid' || personSays === 'returned'
  const toldBy = paidEvent ?? backEvents[0]
  if (toldBy === undefined && !isQueriedPaid && !isPersonPaid) return []
  const paid = movedAmount(facts.amountCents, paidEvent?.amountCents ?? query?.amountCents ?? null)
  const { amountCents } = paid
  const knownBy = toldBy !== undefined ? 'event' : isQueriedPaid ? 'gateway' : 'person'
  const findingMs = personSays === null ? null : (finding?.madeMs ?? null)
  const received: Movement = {
    kind: 'received',
    atMs: summary.paidAtMs,
    ...paid,
    knownBy,
    isElsewhere: false,
  }
  const chargeback = backEvents.find(({ status }) => status?.toUpperCase() === CHARGEBACK)
  const refunded = backEvents.find((event) => event !== chargeback && event.status?.toUpperCase() !== CHARGEBACK)
  const back: Movement[] = []
  const notMadeHere = { otherRequestedCents: null, isElsewhere: true }
  if (chargeback !== undefined || queried === CHARGEBACK) {
    back.push({
      ...notMadeHere,
      kind: 'charged-back',
      atMs: chargeback === undefined ? null : arrivalMs(chargeback),
      amountCents: chargeback?.amountCents ?? amountCents,
      knownBy: chargeback === undefined ? 'gateway' : 'event',
    })
  }
  const elsewhere = withoutSettled(
    around.refundsElsewhere.map((event) => eventMovement(event, 'refunded')),
    around.refunds,
  )
  if (refunded !== undefined || queried === REFUNDED || personSays === 'returned') {
    const restCents = (amountCents ?? 0) - knownRefunds(around.refunds) - sumOf(elsewhere)
    const atMs = refunded === undefined ? (queried === REFUNDED ? null : findingMs) : arrivalMs(refunded)
    const saidBy = refunded !== undefined ? 'event' : queried === REFUNDED ? 'gateway' : 'person'
    if (restCents > 0) {
      back.push({ ...notMadeHere, kind: 'refunded', atMs, amountCents: restCents, knownBy: saidBy })
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
function unlinkedMovement(event: Event): Movement | undefined {
  const meaning = findingFromEvent(event)
  const { subject, status } = event
  if (meaning === null || meaning === 'not-paid' || subject === null) return undefined
  if (subject === 'refund') return eventMovement(event, 'refunded')
  if (subject === 'transfer') return eventMovement(event, meaning === 'paid' ? 'sent' : 'returned')
  if (meaning === 'paid') return eventMovement(event, 'received')
  return eventMovement(event, status?.toUpperCase() === CHARGEBACK ? 'charged-back' : 'refunded')
}

function eventMovement(event: Event, kind: MovementKind): Movement {
  // An event of a payment that came back has the date of the payment.
  const isOfPayment = event.subject === 'payment' && kind !== 'received'
  const atMs = (isOfPayment ? null : happenedMs(event)) ?? arrivalMs(event)
  const { amountCents } = event
  return { kind, atMs, amountCents, otherRequestedCents: null, knownBy: 'event', isElsewhere: true }
}

function arrivalMs({ at, madeMs }: Event): number {
  return parseInstant(at) ?? madeMs
}

/**
 * The ids of the payments of an account by which money can have moved in a period: those that were created in it, and earlier ones of which
 * anything was recorded since it began. Oldest first.
 */
function paymentsOfPeriod(database: Database, account: AccountInEnvironment, period: ClosedPeriod): string[] {
  return database.texts(
    `SELECT payment.id FROM (SELECT id, created_ms, seq FROM payment
       WHERE account = $account AND environment = $environment AND created_ms >= $sinceMs AND created_ms < $beforeMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM record JOIN payment ON payment.id = record.payment
       WHERE record.seq > $seq AND record.payment IS NOT NULL
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM event JOIN payment ON payment.id = event.payment
       WHERE event.seq > $seq
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     UNION SELECT payment.id, payment.created_ms, payment.seq FROM event
       JOIN attempt ON attempt.id_transaction = event.original_id JOIN payment ON payment.id = attempt.payment
       WHERE event.seq > $seq AND event.payment IS NULL
         AND payment.account = $account AND payment.environment = $environment AND payment.created_ms < $sinceMs
     ) AS payment WHERE ${shownOnce(database, 'all') ?? '1 = 1'} ORDER BY payment.created_ms, payment.seq`,
    {
      account: accountId(database, account),
      environment: account.environment,
      sinceMs: period.sinceMs,
      beforeMs: period.beforeMs,
      seq: lastRecordBefore(database, period.sinceMs),
    },
  )
}

/** A record before which nothing was recorded in or after a time: that of the last payment before the first one since then. */
function lastRecordBefore(database: Database, sinceMs: number): number {
  const query = `SELECT max(seq) FROM payment
    WHERE seq < coalesce((SELECT min(seq) FROM payment WHERE created_ms >= $sinceMs), 9e15)`
  return database.integer(query, { sinceMs }) ?? 0
}

/** The events of an account since a time that belong to no payment of this ledger, oldest first. */
function unlinkedEvents(
  database: Database,
  { environment, url, clientId }: AccountInEnvironment,
  sinceMs: number,
): Event[] {
  return eventsWhere(
    database,
    'event.payment IS NULL AND event.scope = ? AND event.duplicate_of IS NULL AND event.received_ms >= ? ORDER BY event.n',
    eventScope({ environment, baseUrl: url, clientId }),
    sinceMs,
  )
}

/** How many transfers and refunds of an account that were created before a time have no final state, and their sum. */
function openBefore(database: Database, account: AccountInEnvironment, beforeMs: number): MonthSum {
  const sums = database.all(
    `SELECT count(*) AS payments, coalesce(sum(known_cents), 0) AS cents, count(*) - count(known_cents) AS unknown_amounts
     FROM payment WHERE account = ? AND environment = ? AND created_ms < ? AND kind <> 'qr' AND state IN ('accepted', 'unknown')`,
    accountId(database, account),
    account.environment,
    beforeMs,
  )
  const [sum = noPayments()] = sums.map((row) => ({
    payments: integerOf(row, 'payments'),
    cents: integerOf(row, 'cents'),
    unknownAmounts: integerOf(row, 'unknown_amounts'),
  }))
  return sum
}
