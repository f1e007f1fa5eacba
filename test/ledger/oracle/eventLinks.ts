import type { EventRecord, LedgerRecord, PaymentRecord } from '../../../src/ledger/records.ts'
import { type Database, integerOf, textOf } from '../../../src/storage/sqlite.ts'
import { areSameIds, scopeOf } from './spelling.ts'

const KINDS = { payment: 'qr', refund: 'refund', transfer: 'transfer' } as const

/**
 * True if a signed event can be about the payment that it is linked to: by an id, or by kind and amount if its ids name no other payment. `records` are
 * all of that payment.
 */
export function isSoundLink(
  database: Database,
  event: LedgerRecord<EventRecord>,
  records: readonly PaymentRecord[],
): boolean {
  const first = records.find((record) => record.type === 'attempt')
  if (first === undefined || !event.isSigned || scopeOf(event.owner) !== scopeOf(first.owner)) return false
  const { facts } = first
  if (event.subject !== null && KINDS[event.subject] !== facts.kind) return false
  const isNamed = records.some(
    (record) =>
      (record.type === 'attempt' && areSameIds(record.externalId, event.externalId)) ||
      (record.type === 'answer' && areSameIds(record.idTransaction, event.idTransaction)) ||
      // An earlier event can have told the id.
      (record.type === 'event' && record.seq !== event.seq && areSameIds(record.idTransaction, event.idTransaction)),
  )
  if (isNamed) return true
  const isAmount = event.amountCents === null || facts.amountCents === null || event.amountCents === facts.amountCents
  const isOriginal = facts.kind !== 'refund' || areSameIds(facts.originalTransactionId, event.originalTransactionId)
  return event.subject !== null && isAmount && isOriginal && !isNamedByOther(database, event, first.payment)
}

/** True if an event names an id by which a payment of its account was known that is not its own. `own` is null for an event without a payment. */
export function isNamedByOther(database: Database, event: LedgerRecord<EventRecord>, own: string | null): boolean {
  const scope = event.isSigned ? scopeOf(event.owner) : null
  if (scope === null) return false
  const named = database.all(
    `SELECT payment.kind FROM attempt CROSS JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.event_scope = ? AND payment.id IS NOT ?`,
    event.idTransaction,
    scope,
    own,
  )
  const kind = event.subject === null ? null : KINDS[event.subject]
  if (named.some((row) => kind === null || textOf(row, 'kind') === kind)) return true
  if (kind !== 'transfer' || event.externalId === null) return false
  return isKnownExternalId(database, event, event.externalId, scope, own)
}

/** True if a transfer with the externalId of the event, and nothing that contradicts it, was recorded before the event. */
function isKnownExternalId(
  database: Database,
  { seq, at, idTransaction, amountCents }: LedgerRecord<EventRecord>,
  externalId: string,
  scope: string,
  own: string | null,
): boolean {
  const attempts = database.all(
    `SELECT attempt.id_transaction, payment.amount_cents, payment.created_ms FROM attempt CROSS JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = ? AND attempt.seq < ? AND payment.event_scope = ?
       AND payment.id IS NOT ?`,
    externalId,
    seq,
    scope,
    own,
  )
  return attempts.some((row) => {
    const known = row.id_transaction === null ? null : textOf(row, 'id_transaction')
    const isId = known === null || idTransaction === null || areSameIds(known, idTransaction)
    const isAmount = amountCents === null || row.amount_cents === amountCents
    return isId && isAmount && integerOf(row, 'created_ms') <= Date.parse(at)
  })
}
