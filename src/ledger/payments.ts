import { isSameReference, type OwnReference, referenceColumns, referenceIn } from '../pix/tableWords.ts'
import { comparableTaxDocument } from '../pix/taxDocument.ts'
import type { Account } from '../profiles/account.ts'
import {
  DamagedValue,
  type Database,
  integerOf,
  integerOrNull,
  type Row,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { type AccountKey, accountId, type EventOwner } from './accounts.ts'
import { eventsWhere, paymentRecords } from './chain.ts'
import { givenIdOf } from './derivedTables.ts'
import { amountCentsOf, derivePayment } from './derivePayment.ts'
import { type MoneyPayment, payeeNameOf, tradeNameOf } from './facts.ts'
import { chargeOf, nameIn, refundedCharge } from './originals.ts'
import {
  eventScope,
  findingFromEvent,
  parsePaymentKind,
  parsePaymentState,
  type ShownState,
  shownStateOf,
} from './paymentState.ts'
import type { PaymentsBeingSent, ProcessHolder } from './processes.ts'
import type { AttemptRecord, EventRecord, LedgerRecord } from './records.ts'
import { type FileRowTexts, fileRowTexts } from './runs.ts'
import { amountValues, HAS_SAME_AMOUNT, isSameId } from './samePayment.ts'

/** A payment with everything that is known of it. */
export type Payment = ReturnType<typeof loadPayment> & {
  /** Who is sending it at this moment, if that was asked; see {@link withSender}. */
  sentBy?: ProcessHolder
}

/** The columns of a payment that rules and lists use. */
export type PaymentRow = ReturnType<typeof paymentRow>

/** A payment by its UUID. Throws DamagedRecord, and DamagedValue if there is none. */
export function loadPayment(database: Database, id: string) {
  const records = paymentRecords(database, id)
  const summary = derivePayment(records)
  const [attempt] = summary.attempts
  if (attempt === undefined) throw new DamagedValue(`the payment ${id} has no attempt`)
  const first = attempt.record
  const { deciding } = summary
  const { place } = first
  // Of what was sent: a payment that was not sent before may be made with another reason or owner.
  const { facts } = deciding.record
  const charge =
    facts.kind === 'refund'
      ? refundedCharge(database, facts.originalTransactionId, first.owner)
      : chargeOf(first, records)
  const personName = nameIn(records) ?? charge.personName
  const row = place === null ? NO_ROW : fileRowTexts(database, place)
  return {
    id,
    /** The record of its first attempt. */
    first,
    facts,
    owner: first.owner,
    /** The id that it was given when it was requested: the request number, the externalId of the attempt that counts, or the id of the refunded payment. */
    givenId: givenIdOf(facts, deciding.record.externalId),
    summary,
    /** In cents: requested, else as an answer or an event says; null if unknown. */
    amountCents: amountCentsOf(deciding),
    /** Who receives the money, or pays a charge, by name, if an event names them; a refund goes to who paid the charge. */
    personName,
    /** Their name in the row of the file that it comes from. */
    nameInFile: row.name,
    /** Who is on the other side, by the best name that is known: that of an event, in the file, of the payee, in a payment code, or as typed for a charge. */
    partyName: personName ?? row.name ?? payeeNameOf(facts) ?? tradeNameOf(facts) ?? charge.typedName,
    /** The request number of a charge, and of the charge that a refund returns; null if there is none. */
    orderNumber: charge.orderNumber,
    /**
     * By what its user finds it: the order number, else what the row of the file says, the external id, or the reference of the file if that id was
     * derived from it. Null for the refund of a payment that this ledger did not create.
     */
    ownReference: charge.orderNumber ?? row.reference?.cell ?? referenceOf(first, deciding.record.externalId),
    records,
  }
}

/** A payment with who is sending it, of those that are being sent, see {@link paymentsBeingSent}. */
export function withSender(payment: Payment, sending: PaymentsBeingSent = new Map()): Payment {
  const sentBy = payment.summary.state === 'unknown' ? sending.get(payment.id) : undefined
  return sentBy === undefined ? payment : { ...payment, sentBy }
}

const NO_ROW: FileRowTexts = { name: null, reference: null }

/** By what an office finds a payment that was sent. */
export interface SentReference extends OwnReference {
  sentMs: number
  /** False if it is not known whether it was paid. */
  isPaid: boolean
}

/**
 * The references of all payments of the same amount to the same target that moved money, or may have, by each of their numbers, the newest of each first; without
 * those of a run.
 */
export function sentReferences(
  database: Database,
  account: AccountKey,
  facts: MoneyPayment,
  run: string,
): ReadonlyMap<string, readonly SentReference[]> {
  const rows = database.all(
    `SELECT run, line, name, state, sent_ms FROM payment INDEXED BY payment_key
     WHERE ${HAS_SAME_AMOUNT} AND may_have_moved = 1 AND run IS NOT $run ORDER BY sent_ms DESC`,
    { ...amountValues(database, account, facts), run },
  )
  const found = new Map<string, SentReference[]>()
  for (const row of rows) {
    const reference = placeReference(database, row) ?? referenceIn([], NO_COLUMNS, textOf(row, 'name'))
    if (reference === null) continue
    const sent = { ...reference, sentMs: integerOf(row, 'sent_ms'), isPaid: textOf(row, 'state') === 'paid' }
    for (const { comparable } of reference.numbers) {
      const others = found.get(comparable)
      if (others === undefined) found.set(comparable, [sent])
      else others.push(sent)
    }
  }
  return found
}

const NO_COLUMNS = referenceColumns([])

/** The newest payment of the same amount to the same target whose reference is a typed id; null without one, and for an id that is no reference. */
export function sentUnder(
  database: Database,
  account: AccountKey,
  facts: MoneyPayment,
  typedId: string,
): SentReference | null {
  const reference = referenceIn([], NO_COLUMNS, typedId)
  if (reference === null) return null
  const sent = sentReferences(database, account, facts, '').get(reference.comparable)
  return sent?.find((each) => isSameReference(each, reference)) ?? null
}

/** The reference that the row of a file gives to a payment; null if it has none. */
export function referenceOfPayment(database: Database, id: string): OwnReference | null {
  const row = database.get('SELECT run, line FROM payment WHERE id = ?', id)
  return row === undefined ? null : placeReference(database, row)
}

function placeReference(database: Database, row: Row): OwnReference | null {
  const [run, line] = [textOrNull(row, 'run'), integerOrNull(row, 'line')]
  return run === null || line === null ? null : fileRowTexts(database, { run, line }).reference
}

/** An id that was derived from a file says nothing to a person, its reference does. */
function referenceOf({ place }: LedgerRecord<AttemptRecord>, externalId: string | null): string | null {
  return place?.isDerivedId === true ? place.reference : externalId
}

/**
 * The payments that an id names, oldest first: by the payment's UUID, an attempt's id, an externalId of any attempt, a request number, the
 * gateway's idTransaction, or the id of a refund's row in a batch. Refunds are not found by the id of the payment that they return. By its UUID a
 * payment is found alone: anybody can give another one that as an external id.
 */
export function findPayments(database: Database, id: string): Payment[] {
  const own = database.text('SELECT id FROM payment WHERE id = ?', id.trim())
  if (own !== null) return [loadPayment(database, own)]
  const ids = database.texts(
    `SELECT id, seq FROM payment WHERE name = $id AND kind = 'qr'
     UNION SELECT id, seq FROM payment WHERE row_id = $id AND kind = 'refund'
     UNION SELECT payment.id, payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.id = $id OR attempt.external_id = $id OR attempt.id_transaction = $id
     ORDER BY 2`,
    { id: id.trim() },
  )
  return ids.map((each) => loadPayment(database, each))
}

/** The refunds of a payment that this machine requested, oldest first. */
export function refundsOf(database: Database, originalTransactionId: string): Payment[] {
  const query = "SELECT id FROM payment WHERE name = ? AND kind = 'refund' ORDER BY seq"
  return database.texts(query, originalTransactionId).map((id) => loadPayment(database, id))
}

/** The state that people see of a payment. */
export function shownStateOfPayment({ summary, sentBy }: Payment): ShownState {
  return shownStateOf(summary.state, sentBy !== undefined)
}

/** What was refunded of a payment from this machine. */
export type RefundSums = ReturnType<typeof sumRefunds>

/** Adds up the refunds of one payment, some of which may be being sent. */
export function sumRefunds(found: readonly Payment[], sending: PaymentsBeingSent) {
  const refunds = found.map((refund) => withSender(refund, sending))
  const inState = (...states: ShownState[]) => refunds.filter((each) => states.includes(shownStateOfPayment(each)))
  return {
    refunds,
    /** By refunds that the gateway accepted, in cents; null if the amount of one of them is unknown. */
    refundedCents: sumOf(inState('paid', 'accepted')),
    /** How much of that no event or person has confirmed yet. */
    unconfirmedCents: sumOf(inState('accepted')),
    /** By refunds whose requests are on their way. */
    beingSentCents: sumOf(inState('being-sent')),
    /** By refunds with an unknown outcome. */
    unknownCents: sumOf(inState('unknown')),
  }
}

export const NO_REFUNDS = sumRefunds([], new Map())

/** What was refunded of a charge for its own account; nothing for other payments, and for a charge that the gateway never named. */
export function refundSumsOf(
  database: Database,
  { facts, summary, owner }: Payment,
  sending: PaymentsBeingSent,
): RefundSums {
  if (facts.kind !== 'qr' || summary.idTransaction === null) return NO_REFUNDS
  const account = { url: owner.baseUrl, clientId: owner.clientId }
  return sumRefunds(
    refundsOf(database, summary.idTransaction).filter((each) => isOfAccount(each, account)),
    sending,
  )
}

/** True if a payment or an event belongs to this address and client id. The environment does not matter. */
export function isOfAccount(
  { owner }: { owner: Pick<EventOwner, 'baseUrl' | 'clientId'> },
  account: { url: string; clientId: string },
): boolean {
  const { baseUrl, clientId } = owner
  if (baseUrl === null || clientId === null) return false
  return isSameAccount({ baseUrl, clientId }, { baseUrl: account.url, clientId: account.clientId })
}

/** True if an id is the gateway's for an attempt of this payment. */
export function isNamedByGateway({ summary }: Payment, id: string): boolean {
  return summary.attempts.some(({ idTransaction }) => isSameId(idTransaction, id))
}

/** Reads a row of the table `payment`. Throws DamagedValue. */
export function paymentRow(row: Row) {
  return {
    seq: integerOf(row, 'seq'),
    id: textOf(row, 'id'),
    kind: parsePaymentKind(textOf(row, 'kind')),
    name: textOf(row, 'name'),
    rowId: textOrNull(row, 'row_id'),
    run: textOrNull(row, 'run'),
    state: parsePaymentState(textOf(row, 'state')),
    mayHaveMoved: integerOf(row, 'may_have_moved') === 1,
    movedCents: integerOf(row, 'moved_cents'),
    wasSent: integerOf(row, 'was_sent') === 1,
    isWhole: integerOf(row, 'is_whole') === 1,
    amountCents: integerOrNull(row, 'amount_cents'),
    sentMs: integerOf(row, 'sent_ms'),
    idTransaction: textOrNull(row, 'id_transaction'),
  }
}

/** The row of the payment with the first record of this number. Throws DamagedValue if there is none. */
export function paymentRowOf(database: Database, seq: number): PaymentRow {
  const row = database.get('SELECT * FROM payment WHERE seq = ?', seq)
  if (row === undefined) throw new DamagedValue(`the payment of record ${seq} is missing`)
  return paymentRow(row)
}

/** True if a payment, by its UUID, has records or events after the record with this number. */
export function hasRecordsAfter(database: Database, payment: string, seq: number): boolean {
  return database.has(
    `SELECT 1 FROM record WHERE payment = $payment AND seq > $seq
     UNION ALL SELECT 1 FROM event WHERE payment = $payment AND seq > $seq LIMIT 1`,
    { payment, seq },
  )
}

/** The outcome of a payment's attempt with an externalId, or of its last one; null if it has none. */
export function attemptOutcome(database: Database, payment: string, externalId: string | null): string | null {
  return database.text(
    'SELECT outcome FROM attempt WHERE payment = ? ORDER BY (external_id IS ?) DESC, number DESC LIMIT 1',
    payment,
    externalId,
  )
}

/** Who recorded the first attempt of a payment, and on which machine. */
export function firstWriter(database: Database, payment: string): { user: string; machine: string } {
  const row = database.get(
    `SELECT payment.user, coalesce(record.content ->> '$.firstBy.machine', record.machine) AS machine
     FROM payment JOIN record USING (seq) WHERE payment.id = ?`,
    payment,
  )
  if (row === undefined) throw new DamagedValue(`there is no payment ${payment}`)
  return { user: textOf(row, 'user'), machine: textOf(row, 'machine') }
}

function sumOf(refunds: readonly Payment[]): number | null {
  if (refunds.some(({ amountCents }) => amountCents === null)) return null
  return refunds.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
}

interface ReceivedQuery {
  amountCents: number
  /** Plain tax documents. */
  taxDocuments: readonly string[]
  sinceMs: number
}

export interface ReceivedPayment {
  idTransaction: string
  /** When its event arrived, in RFC 3339. */
  at: string
}

/** How many of the newest payments with the same amount are compared. */
const COMPARED_MAX = 200
/** As many characters of a masked tax document must be visible. */
const VISIBLE_MIN = 6

/** The newest payment that matches and was not refunded, as signed events tell; undefined if there is none. */
export function findReceivedPayment(
  database: Database,
  account: Pick<Account, 'environment' | 'url' | 'clientId'>,
  { amountCents, taxDocuments, sinceMs }: ReceivedQuery,
): ReceivedPayment | undefined {
  if (taxDocuments.length === 0) return undefined
  const { environment, url, clientId } = account
  const scope = eventScope({ environment, baseUrl: url, clientId })
  const ofCharges = `SELECT id FROM payment
    WHERE account = $account AND known_cents = $amountCents
      AND kind = 'qr' AND state = 'paid'
    ORDER BY seq DESC LIMIT ${COMPARED_MAX}`
  const newest = `AND event.subject = 'payment' AND event.received_ms >= $sinceMs ORDER BY event.n DESC LIMIT ${COMPARED_MAX}`
  const unlinked = 'event.payment IS NULL AND event.scope = $scope AND event.amount_cents = $amountCents'
  const of = accountId(database, account)
  const found = [
    ...eventsWhere(database, `event.payment IN (${ofCharges}) ${newest}`, { account: of, amountCents, sinceMs }),
    ...eventsWhere(database, `${unlinked} ${newest}`, { scope, amountCents, sinceMs }),
  ]
    .filter((event) => findingFromEvent(event) === 'paid' && isPaidBy(event, taxDocuments))
    .toSorted((one, other) => other.n - one.n)
    .find(({ idTransaction }) => idTransaction !== null && !isRefunded(database, idTransaction))
  return found?.idTransaction == null ? undefined : { idTransaction: found.idTransaction, at: found.at }
}

/** True if the payer is one of the tax documents, as far as a masked one shows. */
function isPaidBy({ taxId }: EventRecord, taxDocuments: readonly string[]): boolean {
  const seen = comparableTaxDocument(taxId ?? '')
  if (seen.replaceAll('*', '').length < VISIBLE_MIN) return false
  return taxDocuments.some(
    (taxDocument) =>
      taxDocument.length === seen.length && [...seen].every((each, at) => each === '*' || each === taxDocument[at]),
  )
}

function isRefunded(database: Database, idTransaction: string): boolean {
  return refundsOf(database, idTransaction).some(({ summary }) => summary.mayHaveMoved)
}
