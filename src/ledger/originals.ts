import { type Database, integerOrNull, type SqlValue, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AccountInEnvironment, type AccountKey, accountId, type Owner } from './accounts.ts'
import { eventsWhere, paymentRecords } from './chain.ts'
import { IS_OWN_RECORD } from './ledgerNotes.ts'
import { CHARGEBACK, eventScope, findingFromEvent, IS_RECEIVED, REFUNDED } from './paymentState.ts'
import type { AttemptRecord, EventRecord, LedgerRecord, PaymentRecord } from './records.ts'
import { isSameId } from './samePayment.ts'

type Event = LedgerRecord<EventRecord>

/** What the ledger knows about a received payment, from the queries of all commands, from events, and from its own charges. */
export type KnownOriginal = ReturnType<typeof knownOriginal>

/** What is known of a payment of this account that can be refunded. Ids are compared without case. Throws DamagedRecord. */
export function knownOriginal(database: Database, account: AccountInEnvironment, idTransaction: string) {
  const queried = queriedOriginal(database, account, idTransaction)
  const charge = ownCharge(database, account, idTransaction)
  const events = eventsWith(database, account, "event.id_transaction = ? AND event.subject = 'payment'", idTransaction)
  const queriedStatus = queried?.status.toUpperCase() ?? null
  const saysPaid = events.filter((event) => findingFromEvent(event) === 'paid')
  const paid = saysPaid.find(({ isVerified }) => isVerified === true) ?? saysPaid[0]
  return {
    /** Its id as it was recorded; null if nothing is known. */
    id: charge?.idTransaction ?? queried?.id ?? events[0]?.idTransaction ?? null,
    amountCents: queried?.amountCents ?? charge?.amountCents ?? paid?.amountCents ?? null,
    paidAtMs: queried?.paidAtMs ?? (paid === undefined ? null : Date.parse(paid.at)),
    /** The login whose word an answer of the gateway is, if it is another one than that of this machine. */
    queriedBy: queried?.otherLogin ?? null,
    /** True if a chargeback is known. */
    isContested: queriedStatus === CHARGEBACK || events.some(({ status }) => status?.toUpperCase() === CHARGEBACK),
    /** What refunds that this ledger did not send have returned, in cents, as their events say; Infinity if the gateway says that all was. */
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
export function queriedOriginal(database: Database, account: AccountKey, idTransaction: string) {
  const row = database.get(
    `SELECT queried.*, record.payment, CASE WHEN ${IS_OWN_RECORD} THEN NULL ELSE record.user END AS other_login FROM queried JOIN record USING (seq)
     WHERE account = ? AND queried.id = ?`,
    accountId(database, account),
    idTransaction.trim(),
  )
  if (row === undefined) return undefined
  return {
    /** As it was recorded. */
    id: textOf(row, 'id'),
    /** The UUID of the charge of this ledger; null if the query was not recorded with one. */
    payment: textOrNull(row, 'payment'),
    /** As it came. */
    status: textOf(row, 'status'),
    amountCents: integerOrNull(row, 'amount_cents'),
    paidAtMs: integerOrNull(row, 'paid_at_ms'),
    otherLogin: textOrNull(row, 'other_login'),
  }
}

/** The newest charge of this account that the gateway gave an id; undefined if this ledger created none. */
export function ownCharge(database: Database, account: AccountKey, idTransaction: string) {
  const row = database.get(
    `SELECT payment.id, attempt.id_transaction, payment.known_cents FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.kind = 'qr' AND payment.account = ? ORDER BY attempt.seq DESC LIMIT 1`,
    idTransaction.trim(),
    accountId(database, account),
  )
  if (row === undefined) return undefined
  return {
    /** The payment's UUID. */
    payment: textOf(row, 'id'),
    idTransaction: textOf(row, 'id_transaction'),
    /** In cents: requested, else as an answer or an event says; null if unknown. */
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
  const scope = eventScope({ environment, baseUrl: url, clientId })
  const first = `${condition} AND event.scope = ? AND event.duplicate_of IS NULL ORDER BY event.n`
  return eventsWhere(database, first, value, scope)
}

/** What is known of a charge: who paid it, by events and by what was typed, and its request number. */
export interface ChargeFacts {
  personName: string | null
  typedName: string | null
  orderNumber: string | null
}

/** The facts of the charge that a refund returns, by its idTransaction; of one that this ledger did not create, only what an event says. */
export function refundedCharge(
  database: Database,
  originalTransactionId: string,
  owner: Pick<Owner, 'environment' | 'baseUrl' | 'clientId'>,
): ChargeFacts {
  const records = recordsOfOriginal(database, originalTransactionId, owner)
  const created = records.find((record) => record.type === 'attempt')
  if (created?.type === 'attempt') return chargeOf(created, records)
  return { personName: nameIn(records), typedName: null, orderNumber: null }
}

/** The facts of a payment that is a charge; nulls for a transfer. */
export function chargeOf({ facts }: LedgerRecord<AttemptRecord>, records: readonly PaymentRecord[]): ChargeFacts {
  if (facts.kind !== 'qr') return { personName: null, typedName: null, orderNumber: null }
  return { personName: nameIn(records), typedName: facts.payerName, orderNumber: facts.requestNumber }
}

/** The newest name in the events of a payment. */
export function nameIn(records: readonly PaymentRecord[]): string | null {
  const named = records.findLast((record) => record.type === 'event' && record.name !== null)
  return named?.type === 'event' ? named.name : null
}

/** The records of the charge that a refund returns, by its idTransaction; of one that this ledger did not create, only its events. */
export function recordsOfOriginal(
  database: Database,
  originalTransactionId: string,
  owner: Pick<Owner, 'environment' | 'baseUrl' | 'clientId'>,
): PaymentRecord[] {
  const charge = ownCharge(database, { url: owner.baseUrl, clientId: owner.clientId }, originalTransactionId)
  if (charge !== undefined) return paymentRecords(database, charge.payment)
  const ofPayment = "event.id_transaction = ? AND event.scope = ? AND event.subject = 'payment' ORDER BY event.n"
  return eventsWhere(database, ofPayment, originalTransactionId.trim(), eventScope(owner))
}

/** A payment that was received and that this ledger did not create, as far as queries, events and refunds of it tell. */
export type ExternalCharge = ReturnType<typeof select>[number]

/** No more of the newest events than this are searched for payments that were received lately. */
const RECENT_EVENTS = 5000

/** The external charges of an account whose id fulfils a condition in SQL, which is made for the name of a column. */
export function externalChargesWith(
  database: Database,
  owner: AccountInEnvironment,
  condition: (column: string) => string,
  values: Readonly<Record<string, SqlValue>>,
  limit: number,
): ExternalCharge[] {
  const where = { queried: condition('id'), event: condition('id_transaction'), refund: condition('name') }
  return select(database, owner, where, values, limit)
}

/** The external charges that were received last, newest first; not those that only a refund names. */
export function recentExternalCharges(
  database: Database,
  owner: AccountInEnvironment,
  limit: number,
): ExternalCharge[] {
  const event = `n > (SELECT max(n) FROM event) - ${RECENT_EVENTS} AND id_transaction IS NOT NULL`
  return select(database, owner, { queried: '1 = 1', event, refund: '1 = 0' }, {}, limit)
}

function select(
  database: Database,
  owner: AccountInEnvironment,
  where: Readonly<Record<'queried' | 'event' | 'refund', string>>,
  values: Readonly<Record<string, SqlValue>>,
  limit: number,
) {
  const { environment, url, clientId } = owner
  const rows = database.all(
    `WITH found (id, cents, at_ms) AS (
       SELECT id, amount_cents, paid_at_ms FROM queried WHERE account = $account AND ${IS_RECEIVED} AND ${where.queried}
       UNION ALL SELECT id_transaction, amount_cents, received_ms FROM event
         WHERE scope = $scope AND subject = 'payment' AND payment IS NULL AND ${where.event}
       UNION ALL SELECT name, NULL, NULL FROM payment WHERE kind = 'refund' AND account = $account AND ${where.refund})
     SELECT min(id) AS id, max(cents) AS cents, max(at_ms) AS at_ms FROM found
     WHERE NOT EXISTS (SELECT 1 FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.id_transaction = found.id COLLATE NOCASE AND payment.kind = 'qr' AND payment.account = $account)
     GROUP BY found.id COLLATE NOCASE ORDER BY max(at_ms) DESC LIMIT ${limit}`,
    { account: accountId(database, owner), scope: eventScope({ environment, baseUrl: url, clientId }), ...values },
  )
  return rows.map((row) => {
    const id = textOf(row, 'id')
    return {
      /** Its idTransaction as it was recorded. */
      id,
      amountCents: integerOrNull(row, 'cents'),
      /** When it was paid or its event arrived. */
      paidAtMs: integerOrNull(row, 'at_ms'),
      payerName: payerName(database, id),
    }
  })
}

function payerName(database: Database, id: string): string | null {
  return database.text(
    `SELECT json_extract(record.content, '$.name') AS name FROM event JOIN record ON record.seq = event.seq
     WHERE event.id_transaction = ? AND event.subject = 'payment' AND event.payment IS NULL AND name IS NOT NULL
     ORDER BY event.n DESC LIMIT 1`,
    id,
  )
}
