import { hash } from 'node:crypto'
import { parseInstant } from '../pix/calendar.ts'
import { type Database, integerOf, textOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import { isSuccessStatus } from '../wire/answerVerdict.ts'
import { eventKey } from '../wire/eventFacts.ts'
import { addAccount } from './accounts.ts'
import { chainDigest, DamagedRecord, parseRecord, paymentRecords, storedRecord } from './chain.ts'
import type { PaymentSummary } from './derivePayment.ts'
import { eventScope } from './eventMeaning.ts'
import { setLedgerId } from './ledgerId.ts'
import { paymentOfEvent, unlinkedEventsFor } from './linkEvents.ts'
import { writePayment } from './paymentTable.ts'
import type {
  AnswerRecord,
  AttemptRecord,
  EventOwner,
  EventRecord,
  ForwardRecord,
  LedgerRecord,
  OriginalRecord,
  RunRecord,
} from './records.ts'

/** Brings the derived tables up to date with a record that was just written. Building them again calls it for every record. */
export function updateDerivedTables(database: Database, record: LedgerRecord): void {
  noteClockStep(database, record)
  switch (record.type) {
    case 'attempt':
      // No event can be about a payment that is being sent for the first time.
      if (record.number === 1) writePayment(database, [record], [])
      else refreshPayment(database, record.payment)
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
    case 'original':
      addOriginal(database, record)
      return
    case 'accepted-older':
      if (record.ledger !== undefined) setLedgerId(database, record.ledger)
      return
    case 'clock':
      // Its time is all that it changes, see above.
      return
  }
}

/**
 * Brings the derived tables up to date with the first answer to the first attempt of a payment. Both records are in hand, and if there is no other, what
 * was written for the attempt is not read again.
 */
export function updateFirstAnswer(
  database: Database,
  attempt: LedgerRecord<AttemptRecord>,
  answer: LedgerRecord<AnswerRecord>,
): void {
  const isAlone = hasNoOther(database, attempt, answer)
  refreshPayment(database, attempt.payment, isAlone ? writePayment(database, [attempt, answer], [attempt]) : undefined)
}

/** True if a payment has only these two records and no event, and the clock did not go back after the first. */
function hasNoOther(
  database: Database,
  attempt: LedgerRecord<AttemptRecord>,
  answer: LedgerRecord<AnswerRecord>,
): boolean {
  const other = database.get(
    `SELECT 1 FROM record WHERE payment = $payment AND seq NOT IN ($attempt, $answer)
     UNION ALL SELECT 1 FROM event WHERE payment = $payment
     UNION ALL SELECT 1 FROM clock_step WHERE seq > $attempt LIMIT 1`,
    { payment: attempt.payment, attempt: attempt.seq, answer: answer.seq },
  )
  return other === undefined
}

/** Builds all derived tables, which must be empty, from the records. Throws DamagedRecord for one that does not match its checksum. */
export function buildDerivedTables(database: Database): void {
  let before = ''
  for (const row of database.each('SELECT * FROM record ORDER BY seq')) {
    const stored = storedRecord(row)
    before = chainDigest(before, stored)
    if (before !== textOf(row, 'digest')) throw new DamagedRecord(stored.seq)
    updateDerivedTables(database, parseRecord(stored))
  }
}

/** The owner of an event for duplicate detection: an unsigned event, which anyone can send, hides no genuine one. */
export function eventOwnerKey(
  { baseUrl, clientId }: Pick<EventOwner, 'baseUrl' | 'clientId'>,
  isSigned: boolean,
): string {
  return JSON.stringify([isSigned, clientId, baseUrl === null ? null : accountAddress(baseUrl)])
}

/** The SHA-256 of the bytes of an event's body, in hex. */
export function bodyDigest(body: Buffer): string {
  return hash('sha256', body)
}

/** Writes the rows of a payment again, unless they were just written, and links events that its records make known as its own. */
function refreshPayment(database: Database, payment: string, written?: PaymentSummary): void {
  let summary = written ?? writePayment(database, paymentRecords(database, payment))
  for (;;) {
    const events = unlinkedEventsFor(database, payment, summary)
    if (events.length === 0) return
    for (const n of events) database.run('UPDATE event SET payment = ? WHERE n = ?', payment, n)
    summary = writePayment(database, paymentRecords(database, payment))
  }
}

/**
 * Notes that the clock went back, with a payment whose time is before that of the payment before it. What was sent before counts as sent by now.
 */
function noteClockStep(database: Database, record: LedgerRecord): void {
  const environment = clockedEnvironment(database, record)
  if (environment === undefined) return
  const atMs = parseInstant(record.at) ?? 0
  const newestMs = newestClockMs(database, environment)
  if (newestMs === atMs) return
  database.run(
    'INSERT INTO clock (environment, at_ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms',
    environment,
    atMs,
  )
  if (newestMs === null || newestMs <= atMs) return
  database.run('INSERT INTO clock_step (seq, environment, at_ms) VALUES (?, ?, ?)', record.seq, environment, atMs)
  const later = 'SELECT id FROM payment WHERE environment = ? AND sent_ms > ?'
  for (const row of database.all(later, environment, atMs)) refreshPayment(database, textOf(row, 'id'))
}

/** The time of the newest record of an environment by which time is judged, in ms; null if there is none. */
export function newestClockMs(database: Database, environment: string): number | null {
  const row = database.get('SELECT at_ms FROM clock WHERE environment = ?', environment)
  return row === undefined ? null : integerOf(row, 'at_ms')
}

/** The environment of a transfer or refund that is about to be sent; undefined for any other record, by which no time is judged. */
function clockedEnvironment(database: Database, record: LedgerRecord): string | undefined {
  if (record.type === 'clock') return record.environment
  if (record.type === 'attempt') return record.facts.kind === 'qr' ? undefined : record.owner.environment
  if (record.type !== 'resend') return undefined
  const row = database.get('SELECT environment FROM payment WHERE id = ?', record.payment)
  return row === undefined ? undefined : textOf(row, 'environment')
}

function addOriginal(database: Database, record: LedgerRecord<OriginalRecord>): void {
  database.run(
    `INSERT INTO original (account, id, seq, status, amount_cents, paid_at_ms) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, status = excluded.status,
       amount_cents = coalesce(excluded.amount_cents, amount_cents), paid_at_ms = coalesce(excluded.paid_at_ms, paid_at_ms)`,
    addAccount(database, { url: record.owner.baseUrl, clientId: record.owner.clientId }),
    record.idTransaction,
    record.seq,
    record.status,
    record.amountCents,
    record.paidAtMs,
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
    addAccount(database, { url: record.owner.baseUrl, clientId: record.owner.clientId }),
    record.kind,
    record.file,
    record.reference,
    record.rows,
    record.totalCents,
    record.fingerprint,
  )
}
