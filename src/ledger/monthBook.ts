import type { ClosedPeriod } from '../pix/period.ts'
import { formatKey } from '../pix/pixKey.ts'
import type { Database } from '../storage/sqlite.ts'
import type { AccountInEnvironment } from './accounts.ts'
import type { PaymentKind } from './facts.ts'
import {
  chargeMovements,
  type Movement,
  type MovementKind,
  refundMovements,
  transferMovements,
  unlinkedMovement,
} from './movements.ts'
import { knownOriginal, ownCharge, queriedOriginal, refundsElsewhere } from './originals.ts'
import type { PaymentState } from './paymentState.ts'
import { isOfAccount, loadPayment, type Payment, refundsOf } from './payments.ts'
import { openBefore, paymentsOfPeriod, unlinkedEvents } from './periodPayments.ts'
import { type PlannedBy, plannedBy } from './plans.ts'
import type { EventRecord, LedgerRecord } from './records.ts'
import { comparableId } from './samePayment.ts'

type Event = LedgerRecord<EventRecord>

/** What tells a payment from others; null for what is not known. */
export interface PaymentDetails {
  /** Who pays or is paid. */
  name: string | null
  taxId: string | null
  /** The PIX key of a transfer as people write it, or the id of the payment that a refund returns. */
  target: string | null
  /** By what its user finds it, such as an order number or an invoice; of an event the external id. */
  reference: string | null
  idTransaction: string | null
  /** Why a refund was requested. */
  reason: string | null
  /** Who made and who approved the plan of it. */
  plannedBy: PlannedBy | null
}

/** A movement with a known time, and of what payment. */
export interface DatedMovement extends Movement, PaymentDetails {
  atMs: number
}

/** A payment of which nothing tells yet whether money moved by it, or when. */
export interface OpenPayment extends PaymentDetails {
  createdMs: number
  kind: PaymentKind
  state: PaymentState
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
export interface MonthBook {
  movements: DatedMovement[]
  /** Created in the period, without a movement of which the day is known. */
  open: OpenPayment[]
  /** Told by events alone: of payments that this ledger did not ask for. They are part of no sum of the others. */
  elsewhere: DatedMovement[]
  /** Created in the period and over, without any money moved. */
  withoutMoney: ReadonlyMap<PaymentKind, MonthSum>
  /** Transfers and refunds that were created before the period and have no final state yet. */
  openBefore: MonthSum
}

/** Reads what happened to the money of an account in a period. Throws DamagedRecord. */
export function readMonthBook(database: Database, account: AccountInEnvironment, period: ClosedPeriod): MonthBook {
  const movements: DatedMovement[] = []
  const open: OpenPayment[] = []
  const withoutMoney = new Map<PaymentKind, MonthSum>()
  for (const id of paymentsOfPeriod(database, account, period)) {
    const payment = loadPayment(database, id)
    const found = movementsOf(database, account, payment)
    const details = detailsOf(payment)
    movements.push(...found.flatMap((each) => inPeriod({ ...each, ...details }, period)))
    const createdMs = Date.parse(payment.first.at)
    if (createdMs < period.sinceMs || createdMs >= period.beforeMs) continue
    const { facts, summary, amountCents } = payment
    const entry = { ...details, createdMs, kind: facts.kind, state: summary.state }
    const undated = found.filter(({ atMs }) => atMs === null)
    open.push(...undated.map((each) => ({ ...entry, amountCents: each.amountCents, undated: each.kind })))
    if (found.length > 0) continue
    if (summary.state === 'accepted' || summary.mayHaveMoved) open.push({ ...entry, amountCents, undated: null })
    else withoutMoney.set(facts.kind, addTo(withoutMoney.get(facts.kind) ?? noPayments(), amountCents))
  }
  return {
    movements: inOrder(movements),
    open: open.toSorted((one, other) => one.createdMs - other.createdMs),
    elsewhere: inOrder(elsewhereMovements(database, account, period)),
    withoutMoney,
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
  if (facts.kind === 'transfer') return transferMovements(payment)
  if (facts.kind === 'refund') {
    const isWhole = facts.amountCents === null
    return refundMovements(
      payment,
      isWhole ? knownOriginal(database, account, facts.originalTransactionId).amountCents : null,
    )
  }
  const { idTransaction } = summary
  if (idTransaction === null) return chargeMovements(payment, { queried: undefined, refunds: [], refundsElsewhere: [] })
  return chargeMovements(payment, {
    queried: queriedOriginal(database, account, idTransaction),
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

function detailsOf({ facts, summary, partyName, ownReference, records }: Payment): PaymentDetails {
  const named = records.findLast((record) => record.type === 'event' && record.taxId !== null)
  const taxId = named?.type === 'event' ? named.taxId : null
  const own = facts.kind === 'transfer' ? facts.documentValidation : null
  return {
    name: partyName,
    taxId: taxId ?? own,
    target:
      facts.kind === 'transfer'
        ? formatKey(facts.key, facts.keyType)
        : facts.kind === 'refund'
          ? facts.originalTransactionId
          : null,
    reference: ownReference,
    idTransaction: summary.idTransaction,
    reason: facts.kind === 'refund' ? facts.refundReason : null,
    plannedBy: plannedBy(summary.attempts.at(-1)?.record),
  }
}

function eventDetails({ name, taxId, originalTransactionId, externalId, idTransaction }: Event): PaymentDetails {
  const target = originalTransactionId
  return { name, taxId, target, reference: externalId, idTransaction, reason: null, plannedBy: null }
}
