import type { Database } from '../storage/sqlite.ts'
import { paymentRecords, paymentRecordsIn, RECORD_COLUMNS } from './chain.ts'
import { eventScope } from './eventMeaning.ts'
import { ownCharge } from './originals.ts'
import type { Owner } from './owner.ts'
import type { AttemptRecord, LedgerRecord, PaymentRecord } from './records.ts'

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
  const events = database.all(
    `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq
     WHERE event.id_transaction = ? AND event.scope = ? AND event.subject = 'payment' ORDER BY event.n`,
    originalTransactionId.trim(),
    eventScope(owner),
  )
  return paymentRecordsIn(events)
}
