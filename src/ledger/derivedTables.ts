import { createHash } from 'node:crypto'
import { parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { comparableKey } from '../pix/pixKey.ts'
import { DamagedValue, type Database, integerOf, textOf } from '../storage/sqlite.ts'
import { isSuccessStatus } from '../wire/answerVerdict.ts'
import { eventKey } from '../wire/eventFacts.ts'
import { paymentRecords } from './chain.ts'
import { amountCentsOf, derivePayment, type PaymentSummary } from './derivePayment.ts'
import { eventScope } from './eventMeaning.ts'
import { paymentOfEvent, unlinkedEventsFor } from './linkEvents.ts'
import type {
  AttemptRecord,
  EventOwner,
  EventRecord,
  ForwardRecord,
  LedgerRecord,
  Owner,
  PaymentFacts,
  RunRecord,
} from './records.ts'
import { indexPayment } from './search.ts'

/** Brings the derived tables up to date with a record that was just written. Building them again calls it for every record. */
export function updateDerivedTables(database: Database, record: LedgerRecord): void {
  switch (record.type) {
    case 'attempt':
      addAttempt(database, record)
      return
    case 'resend':
    case 'answer':
    case 'finding':
      refreshPayment(database, record.payment)
      return
    case 'event':
      addEvent(database, record)
      return
    case 'forward':
      addForward(database, record)
      return
    case 'run':
      addRun(database, record)
      return
    case 'accepted-older':
      return
  }
}

/** The row of an account, which is created if it is missing. */
export function accountRow(database: Database, { baseUrl, clientId }: Pick<Owner, 'baseUrl' | 'clientId'>): number {
  const find = 'SELECT id FROM account WHERE base_url = ? AND client_id = ?'
  const found = database.get(find, baseUrl, clientId)
  if (found !== undefined) return integerOf(found, 'id')
  database.run('INSERT INTO account (base_url, client_id) VALUES (?, ?)', baseUrl, clientId)
  return accountRow(database, { baseUrl, clientId })
}

/** The name by which people know a payment: request number, externalId of the attempt that counts, or id of the refunded payment. */
export function paymentName(facts: PaymentFacts, externalId: string | null): string {
  switch (facts.kind) {
    case 'qr':
      return facts.requestNumber
    case 'transfer':
      return externalId ?? ''
    case 'refund':
      return facts.originalTransactionId
  }
}

/** What makes two payments the same, in one spelling: the key of a transfer, the original of a refund; null for a charge. */
export function comparableTarget(facts: PaymentFacts): string | null {
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return comparableKey(facts.key)
    case 'refund':
      return facts.originalTransactionId
  }
}

/** The owner of an event for duplicate detection: an unsigned event, which anyone can send, hides no genuine one. */
export function eventOwnerKey(
  { baseUrl, clientId }: Pick<EventOwner, 'baseUrl' | 'clientId'>,
  isSigned: boolean,
): string {
  return JSON.stringify([isSigned, clientId, baseUrl])
}

/** The SHA-256 of the bytes of an event's body, in hex. */
export function bodyDigest(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

function addAttempt(database: Database, record: LedgerRecord<AttemptRecord>): void {
  const account = accountRow(database, record.owner)
  const isNew = record.number === 1
  if (isNew) insertPayment(database, record, account)
  database.run(
    `INSERT INTO attempt (seq, id, payment, account, number, external_id, outcome, sender)
     VALUES (?, ?, ?, ?, ?, ?, 'unknown', ?)`,
    record.seq,
    record.id,
    record.payment,
    account,
    record.number,
    record.externalId,
    record.sender,
  )
  // No event can be about a payment that is being sent for the first time.
  if (!isNew) refreshPayment(database, record.payment)
}

function insertPayment(database: Database, record: LedgerRecord<AttemptRecord>, account: number): void {
  const { facts, owner, place, externalId } = record
  const { state, mayHaveMoved, movedCents, sentMs, firstSentMs } = derivePayment([record])
  database.run(
    `INSERT INTO payment (seq, id, account, profile, environment, kind, name, row_id, run, line, reference, user, created_ms,
       comparable_key, amount_cents, is_whole, event_scope, state, may_have_moved, moved_cents, sent_ms, first_sent_ms, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    record.seq,
    record.payment,
    account,
    owner.profile,
    owner.environment,
    facts.kind,
    paymentName(facts, externalId),
    record.rowId,
    place?.run ?? null,
    place?.line ?? null,
    place?.reference ?? null,
    record.user,
    parseInstant(record.at) ?? 0,
    comparableTarget(facts),
    facts.amountCents,
    facts.kind === 'refund' && facts.isWhole ? 1 : 0,
    eventScope(owner) ?? '',
    state,
    mayHaveMoved ? 1 : 0,
    movedCents,
    sentMs,
    firstSentMs,
  )
  if (facts.kind !== 'qr') addToDayTotal(database, account, sentMs, movedCents)
}

/** Derives the columns of a payment again, and links events that its records make known as its own. */
function refreshPayment(database: Database, payment: string): void {
  for (;;) {
    const records = paymentRecords(database, payment)
    const summary = derivePayment(records)
    updatePayment(database, payment, summary)
    const events = unlinkedEventsFor(database, payment, summary)
    if (events.length === 0) {
      indexPayment(database, records)
      return
    }
    for (const n of events) database.run('UPDATE event SET payment = ? WHERE n = ?', payment, n)
  }
}

function updatePayment(database: Database, payment: string, summary: PaymentSummary): void {
  const before = database.get(
    'SELECT account, kind, sent_ms, may_have_moved, moved_cents FROM payment WHERE id = ?',
    payment,
  )
  if (before === undefined) throw new DamagedValue(`the payment ${payment} has no row`)
  if (textOf(before, 'kind') !== 'qr') {
    const account = integerOf(before, 'account')
    addToDayTotal(database, account, integerOf(before, 'sent_ms'), -integerOf(before, 'moved_cents'))
    addToDayTotal(database, account, summary.sentMs, summary.movedCents)
  }
  database.run(
    `UPDATE payment SET name = ?, state = ?, may_have_moved = ?, moved_cents = ?, known_cents = ?, sent_ms = ?, first_sent_ms = ?,
       status = ?, error_code = ?, id_transaction = ?, attempts = ? WHERE id = ?`,
    paymentName(summary.deciding.record.facts, summary.deciding.record.externalId),
    summary.state,
    summary.mayHaveMoved ? 1 : 0,
    summary.movedCents,
    amountCentsOf(summary.deciding),
    summary.sentMs,
    summary.firstSentMs,
    summary.status,
    summary.errorCode,
    summary.idTransaction,
    summary.attempts.length,
    payment,
  )
  for (const { record, outcome, idTransaction, sender } of summary.attempts) {
    database.run(
      `UPDATE attempt SET outcome = $outcome, id_transaction = $idTransaction, sender = $sender
       WHERE seq = $seq AND (outcome, id_transaction, sender) IS NOT ($outcome, $idTransaction, $sender)`,
      { seq: record.seq, outcome, idTransaction, sender },
    )
  }
}

function addToDayTotal(database: Database, account: number, sentMs: number, cents: number): void {
  if (cents === 0) return
  database.run(
    'INSERT INTO day_total (account, day, cents) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cents = cents + excluded.cents',
    account,
    saoPauloDay(sentMs),
    cents,
  )
}

function addEvent(database: Database, record: LedgerRecord<EventRecord>): void {
  const { owner, isSigned } = record
  const digest = bodyDigest(Buffer.from(record.bodyBase64, 'base64'))
  database.run(
    `INSERT INTO event (n, seq, owner, event_key, digest, duplicate_of, scope, event, subject, id_transaction, original_id,
       external_id, status, amount_cents, received_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record.n,
    record.seq,
    eventOwnerKey(owner, isSigned),
    eventKey(record, digest),
    digest,
    record.duplicateOf,
    isSigned ? eventScope(owner) : null,
    record.event,
    record.subject,
    record.idTransaction,
    record.originalTransactionId,
    record.externalId,
    record.status,
    record.amountCents,
    parseInstant(record.at) ?? 0,
  )
  const payment = paymentOfEvent(database, record)
  if (payment === undefined) return
  database.run('UPDATE event SET payment = ? WHERE n = ?', payment, record.n)
  refreshPayment(database, payment)
}

function addForward(database: Database, { seq, n, status, error }: LedgerRecord<ForwardRecord>): void {
  database.run('INSERT INTO forward (seq, n) VALUES (?, ?)', seq, n)
  const isOk = error === null && status !== null && isSuccessStatus(status)
  database.run('UPDATE event SET last_forward_ok = ? WHERE n = ?', isOk ? 1 : 0, n)
}

/** A run that is built again has lost the columns of its file with its rows. */
function addRun(database: Database, record: LedgerRecord<RunRecord>): void {
  database.run(
    `INSERT INTO run (name, seq, account, kind, file, reference, columns, fields, state, rows, total_cents, fingerprint)
     VALUES (?, ?, ?, ?, ?, ?, '[]', '{}', 'accepted', ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, state = excluded.state, rows = excluded.rows,
       total_cents = excluded.total_cents, fingerprint = excluded.fingerprint`,
    record.run,
    record.seq,
    accountRow(database, record.owner),
    record.kind,
    record.file,
    record.reference,
    record.rows,
    record.totalCents,
    record.fingerprint,
  )
}
