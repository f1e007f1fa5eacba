import { type Database, integerOrNull, type SqlValue, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AccountInEnvironment, type AccountKey, accountId } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { CHARGEBACK, eventScope, findingFromEvent, REFUNDED } from './eventMeaning.ts'
import type { EventRecord, LedgerRecord } from './records.ts'
import { isSameId } from './samePayment.ts'

type Event = LedgerRecord<EventRecord>

/** What the ledger knows about a received payment, from the queries of all commands, from events, and from its own charges. */
export interface KnownOriginal {
  /** Its id as it was recorded; null if nothing is known. */
  id: string | null
  amountCents: number | null
  paidAtMs: number | null
  /** True if a chargeback is known. */
  isContested: boolean
  /** What refunds that this ledger did not send have returned, in cents, as their events say; Infinity if the gateway says that all was. */
  refundedElsewhereCents: number
}

/** What the gateway answered to the newest query of a received payment. */
export interface QueriedOriginal {
  /** As it was recorded. */
  id: string
  /** As it came. */
  status: string | null
  amountCents: number | null
  paidAtMs: number | null
}

/** A charge that this ledger created. */
export interface OwnCharge {
  /** The payment's UUID. */
  payment: string
  idTransaction: string
  /** In cents: requested, else as an answer or an event says; null if unknown. */
  amountCents: number | null
}

/** What is known of a payment of this account that can be refunded. Ids are compared without case. Throws DamagedRecord. */
export function knownOriginal(database: Database, account: AccountInEnvironment, idTransaction: string): KnownOriginal {
  const queried = queriedOriginal(database, account, idTransaction)
  const charge = ownCharge(database, account, idTransaction)
  const events = eventsWith(database, account, "event.id_transaction = ? AND event.subject = 'payment'", idTransaction)
  const queriedStatus = queried?.status?.toUpperCase() ?? null
  const paid = events.find((event) => findingFromEvent(event) === 'paid')
  return {
    id: charge?.idTransaction ?? queried?.id ?? events[0]?.idTransaction ?? null,
    amountCents: queried?.amountCents ?? charge?.amountCents ?? paid?.amountCents ?? null,
    paidAtMs: queried?.paidAtMs ?? (paid === undefined ? null : Date.parse(paid.at)),
    isContested: queriedStatus === CHARGEBACK || events.some(({ status }) => status?.toUpperCase() === CHARGEBACK),
    refundedElsewhereCents:
      queriedStatus === REFUNDED
        ? Number.POSITIVE_INFINITY
        : refundsElsewhere(database, account, idTransaction).reduce(
            (sum, { amountCents }) => sum + (amountCents ?? 0),
            0,
          ),
  }
}

/** What the gateway answered to the newest query of a payment, as far as refunds depend on it; undefined if it was not asked. */
export function queriedOriginal(
  database: Database,
  account: AccountKey,
  idTransaction: string,
): QueriedOriginal | undefined {
  const row = database.get(
    'SELECT id, status, amount_cents, paid_at_ms FROM original WHERE account = ? AND id = ?',
    accountId(database, account),
    idTransaction.trim(),
  )
  if (row === undefined) return undefined
  return {
    id: textOf(row, 'id'),
    status: textOrNull(row, 'status'),
    amountCents: integerOrNull(row, 'amount_cents'),
    paidAtMs: integerOrNull(row, 'paid_at_ms'),
  }
}

/** The newest charge of this account that the gateway gave an id; undefined if this ledger created none. */
export function ownCharge(database: Database, account: AccountKey, idTransaction: string): OwnCharge | undefined {
  const row = database.get(
    `SELECT payment.id, attempt.id_transaction, payment.known_cents FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.kind = 'qr' AND payment.account = ? ORDER BY attempt.seq DESC LIMIT 1`,
    idTransaction.trim(),
    accountId(database, account),
  )
  if (row === undefined) return undefined
  return {
    payment: textOf(row, 'id'),
    idTransaction: textOf(row, 'id_transaction'),
    amountCents: integerOrNull(row, 'known_cents'),
  }
}

/**
 * Refunds of a payment that were carried out in the dashboard or with another ledger: the events of them, oldest first, which belong to no payment
 * of this one. Events with one id tell of one refund. Each event without an id counts as a refund of its own, as nothing says that two of them are
 * the same; a repeated delivery is none. Throws DamagedRecord.
 */
export function refundsElsewhere(database: Database, account: AccountInEnvironment, idTransaction: string): Event[] {
  const paid = eventsWith(database, account, 'event.original_id = ? AND event.payment IS NULL', idTransaction).filter(
    (event) => findingFromEvent(event) === 'paid',
  )
  return paid.filter(
    (event, place) => !paid.slice(0, place).some((earlier) => isSameId(earlier.idTransaction, event.idTransaction)),
  )
}

/** The events of an account that fulfil a condition, oldest first, without repeated deliveries. */
function eventsWith(
  database: Database,
  { environment, url, clientId }: AccountInEnvironment,
  condition: string,
  value: SqlValue,
): Event[] {
  return database
    .all(
      `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq
       WHERE ${condition} AND event.scope = ? AND event.duplicate_of IS NULL ORDER BY event.n`,
      value,
      eventScope({ environment, baseUrl: url, clientId }),
    )
    .map(readRecord)
    .filter((record): record is Event => record.type === 'event')
}
