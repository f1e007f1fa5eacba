import { DAY_MS, parseInstant } from '../pix/calendar.ts'
import { comparableTaxDocument } from '../pix/taxDocument.ts'
import { type Database, type Row, textOf } from '../storage/sqlite.ts'
import { paymentRecords, RECORD_COLUMNS, readRecord } from './chain.ts'
import { derivePayment, type PaymentSummary } from './derivePayment.ts'
import { canBeAbout, eventScope, findingFromEvent } from './eventMeaning.ts'
import { taxDocumentsOf } from './facts.ts'
import { parsePaymentKind } from './paymentState.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

/** How long after it was sent a transfer with an unknown outcome is recognised by what an event says about it. */
const RECOGNITION_MS = DAY_MS

type Event = LedgerRecord<EventRecord>

/**
 * The payment that an event is about: by its ids, else the only payment with an unknown outcome that it can be about. Undefined if
 * there is none, and for an event without a signature.
 */
export function paymentOfEvent(database: Database, event: Event): string | undefined {
  const scope = event.isSigned ? eventScope(event.owner) : null
  if (scope === null) return undefined
  return (
    paymentByIdTransaction(database, event, scope) ??
    paymentByExternalId(database, event, scope) ??
    paymentByFacts(database, event, scope)
  )
}

/** The numbers of the unlinked events that can now be recognised as events of this payment. */
export function unlinkedEventsFor(database: Database, payment: string, summary: PaymentSummary): number[] {
  const first = (summary.attempts[0] ?? summary.deciding).record
  const scope = eventScope(first.owner)
  if (scope === null) return []
  const candidates: Row[] = []
  for (const { idTransaction } of summary.attempts) {
    if (idTransaction === null) continue
    candidates.push(...database.all(`${UNLINKED} AND event.id_transaction = ?`, scope, idTransaction))
  }
  if (summary.idTransaction === null && isConcluded(summary)) {
    const amountCents = summary.deciding.record.facts.amountCents
    if (amountCents !== null) {
      const since = parseInstant(first.at) ?? 0
      candidates.push(
        ...database.all(`${UNLINKED} AND event.amount_cents = ? AND event.received_ms >= ?`, scope, amountCents, since),
      )
    }
  }
  return candidates
    .map(readRecord)
    .filter((record): record is Event => record.type === 'event' && paymentOfEvent(database, record) === payment)
    .map(({ n }) => n)
}

const UNLINKED = `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq WHERE event.payment IS NULL AND event.scope = ?`

function paymentByIdTransaction(
  database: Database,
  { idTransaction, subject }: Event,
  scope: string,
): string | undefined {
  if (idTransaction === null) return undefined
  const rows = database.all(
    `SELECT payment.id, payment.kind FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.event_scope = ? ORDER BY attempt.seq DESC`,
    idTransaction,
    scope,
  )
  const found = rows.find((row) => canBeAbout(subject, parsePaymentKind(textOf(row, 'kind'))))
  return found === undefined ? undefined : textOf(found, 'id')
}

/** Of several transfers with one externalId at most one was carried out; one that was never sent is considered last. */
function paymentByExternalId(database: Database, event: Event, scope: string): string | undefined {
  if (event.externalId === null || event.subject !== 'transfer') return undefined
  const rows = database.all(
    `SELECT payment.id, attempt.outcome FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = $externalId AND payment.event_scope = $scope AND payment.created_ms <= $receivedMs
       AND (attempt.id_transaction IS NULL OR $idTransaction IS NULL OR attempt.id_transaction = $idTransaction)
       AND (payment.amount_cents = $amountCents OR $amountCents IS NULL)
     ORDER BY CASE attempt.outcome WHEN 'not-sent' THEN 0 WHEN 'refused' THEN 1 ELSE 2 END DESC, attempt.seq DESC`,
    { ...parametersOf(event, scope), externalId: event.externalId, idTransaction: event.idTransaction },
  )
  const [best] = rows
  return best === undefined ? undefined : textOf(best, 'id')
}

/** The only payment with an unknown outcome that an event without a known id can be about. */
function paymentByFacts(database: Database, event: Event, scope: string): string | undefined {
  if (event.idTransaction === null || findingFromEvent(event) !== 'paid') return undefined
  // A failure may be that of another payment, and would allow a second one; an externalId names another payment.
  if (event.subject === 'refund') return onlyRefund(database, event, scope)
  if (event.event === 'transfer.completed' && event.externalId === null) return onlyTransfer(database, event, scope)
  return undefined
}

function onlyRefund(database: Database, event: Event, scope: string): string | undefined {
  if (event.originalTransactionId === null) return undefined
  const rows = database.all(
    `SELECT id FROM payment WHERE name = $original AND kind = 'refund' AND event_scope = $scope AND id_transaction IS NULL
       AND state IN ('unknown', 'accepted') AND created_ms <= $receivedMs
       AND (amount_cents = $amountCents OR amount_cents IS NULL OR $amountCents IS NULL)`,
    { ...parametersOf(event, scope), original: event.originalTransactionId },
  )
  return onlyConcluded(database, rows)
}

/** The only matching transfer, if the money went to the tax document that the key or the owner names. */
function onlyTransfer(database: Database, event: Event, scope: string): string | undefined {
  if (event.amountCents === null) return undefined
  const rows = database.all(
    `SELECT id FROM payment WHERE kind = 'transfer' AND event_scope = ? AND id_transaction IS NULL
       AND state IN ('unknown', 'accepted') AND amount_cents = ? AND created_ms <= ? AND sent_ms >= ?`,
    scope,
    event.amountCents,
    timeOf(event),
    timeOf(event) - RECOGNITION_MS,
  )
  const only = onlyConcluded(database, rows)
  if (only === undefined) return undefined
  const first = paymentRecords(database, only).find((record) => record.type === 'attempt')
  if (first?.facts.kind !== 'transfer') return undefined
  const taxId = comparableTaxDocument(event.taxId ?? '')
  return taxDocumentsOf(first.facts).some((receiver) => comparableTaxDocument(receiver) === taxId) ? only : undefined
}

/** The payment of the only row, if none of its requests is being sent: its own answer will tell its id. */
function onlyConcluded(database: Database, rows: readonly Row[]): string | undefined {
  const [only, another] = rows
  if (only === undefined || another !== undefined) return undefined
  const payment = textOf(only, 'id')
  return isConcluded(derivePayment(paymentRecords(database, payment))) ? payment : undefined
}

function isConcluded({ attempts, state }: PaymentSummary): boolean {
  return (state === 'unknown' || state === 'accepted') && attempts.every(({ sender }) => sender === null)
}

function parametersOf(event: Event, scope: string) {
  return { scope, receivedMs: timeOf(event), amountCents: event.amountCents }
}

function timeOf({ at }: Event): number {
  return parseInstant(at) ?? 0
}
