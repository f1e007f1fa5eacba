import { hash } from 'node:crypto'
import { parseInstant } from '../pix/calendar.ts'
import { type Database, textOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import { isReceived } from '../wire/deliveryVerdict.ts'
import { eventKey } from '../wire/eventFacts.ts'
import { addAccountRule } from './accountRules.ts'
import { addAccount } from './accounts.ts'
import { paymentRecords, type StoredRecord } from './chain.ts'
import { noteClock } from './clock.ts'
import type { PaymentSummary } from './derivePayment.ts'
import { eventScope } from './eventMeaning.ts'
import { setLedgerId } from './ledgerId.ts'
import { paymentOfEvent, unlinkedEventsFor } from './linkEvents.ts'
import type { EventOwner } from './owner.ts'
import { addPayee } from './payees.ts'
import { writePayment } from './paymentTable.ts'
import { addPlannedAttempt, addPlanStep } from './plans.ts'
import { addProfileChange } from './profileChanges.ts'
import type {
  AnswerRecord,
  AttemptRecord,
  EventRecord,
  ForwardRecord,
  LedgerRecord,
  OriginalRecord,
  RunRecord,
} from './records.ts'
import { addRunRows } from './runRow.ts'
import { comparableId } from './samePayment.ts'
import { indexPayment } from './search.ts'
import { noteStop } from './stop.ts'

/** Brings the derived tables up to date with a record that was just written. Building them again calls it for every record. */
export function updateDerivedTables(database: Database, record: LedgerRecord): void {
  const step = noteClock(database, record)
  if (step !== null) refreshSentAfter(database, step)
  switch (record.type) {
    case 'attempt':
      // No event can be about a payment that is being sent for the first time; one that another ledger sent may have been reported.
      if (record.number === 1 && record.firstBy === undefined) writePayment(database, [record], [])
      else refreshPayment(database, record.payment)
      addPlannedAttempt(database, record)
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
    case 'run-rows':
      addRunRows(database, record)
      return
    case 'original':
      addOriginal(database, record)
      return
    case 'accepted-older':
      if (record.ledger !== null) setLedgerId(database, record.ledger)
      return
    case 'profile-change':
      addProfileChange(database, record)
      return
    case 'account-rule':
      addAccountRule(database, record)
      return
    case 'plan':
    case 'plan-text':
    case 'plan-approval':
    case 'plan-rejection':
    case 'plan-sending':
      addPlanStep(database, record)
      return
    case 'ledger-stopped':
    case 'ledger-resumed':
      noteStop(database, record)
      return
    case 'payee':
      addPayee(database, record)
      return
    case 'clock':
    case 'machine-heard':
    case 'superseded':
      // The time of a clock is all that it changes.
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

/**
 * Brings the derived tables up to date with a page of records, as {@link updateDerivedTables} does with each. Of most payments the first attempt and its
 * answer come together: their rows are then written once, unless an event comes between them, which may be about the payment.
 */
export class Deriver {
  readonly #database: Database
  /** The payments that have these two records here, and no other. */
  readonly #answered: ReadonlySet<string>
  /** The attempts whose rows are not written yet, by their ids. */
  readonly #attempts = new Map<string, LedgerRecord<AttemptRecord>>()

  constructor(database: Database, records: readonly Pick<StoredRecord, 'payment' | 'type'>[]) {
    this.#database = database
    const types = new Map<string, string>()
    for (const { payment, type } of records) {
      if (payment !== null) types.set(payment, `${types.get(payment) ?? ''} ${type}`)
    }
    // A clock that is set back changes the payments that are there.
    const isClockSet = records.some(({ type }) => type === 'clock')
    const answered = isClockSet ? [] : [...types].filter(([, each]) => each === ' attempt answer')
    this.#answered = new Set(answered.map(([payment]) => payment))
  }

  /** Takes the next record of the page. */
  add(record: LedgerRecord): void {
    if (record.type === 'attempt' && record.number === 1 && this.#answered.has(record.payment)) {
      noteClock(this.#database, record)
      this.#attempts.set(record.id, record)
      return
    }
    if (record.type === 'event') this.#writeAttempts()
    const attempt = record.type === 'answer' ? this.#attempts.get(record.attempt) : undefined
    if (attempt === undefined || record.type !== 'answer') updateDerivedTables(this.#database, record)
    else {
      this.#attempts.delete(attempt.id)
      refreshPayment(this.#database, attempt.payment, writePayment(this.#database, [attempt, record], []))
      addPlannedAttempt(this.#database, attempt)
    }
  }

  #writeAttempts(): void {
    for (const attempt of this.#attempts.values()) updateDerivedTables(this.#database, attempt)
    this.#attempts.clear()
  }
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

/** Writes the rows again of payments that count as sent after a moment to which the clock was set back. */
function refreshSentAfter(database: Database, { environment, atMs }: { environment: string; atMs: number }): void {
  const later = 'SELECT id FROM payment WHERE environment = ? AND sent_ms > ?'
  for (const row of database.all(later, environment, atMs)) refreshPayment(database, textOf(row, 'id'))
}

/** Writes the rows of a payment again, unless they were just written, and links events that its records make known as its own. */
function refreshPayment(database: Database, payment: string, written?: PaymentSummary): void {
  const before = written === undefined ? idsOfCharge(database, payment) : []
  let summary = written ?? writePayment(database, paymentRecords(database, payment))
  for (;;) {
    const events = unlinkedEventsFor(database, payment, summary)
    if (events.length === 0) break
    for (const n of events) database.run('UPDATE event SET payment = ? WHERE n = ?', payment, n)
    summary = writePayment(database, paymentRecords(database, payment))
  }
  if (summary.deciding.record.facts.kind !== 'qr') return
  for (const id of new Set([...before, ...idsOfCharge(database, payment)])) indexRefundsOf(database, id)
}

/** The gateway's ids of a charge; none for another payment. */
function idsOfCharge(database: Database, payment: string): string[] {
  const rows = database.all(
    `SELECT attempt.id_transaction FROM payment JOIN attempt ON attempt.payment = payment.id
     WHERE payment.id = ? AND payment.kind = 'qr' AND attempt.id_transaction IS NOT NULL`,
    payment,
  )
  return rows.map((row) => textOf(row, 'id_transaction'))
}

/** Enters the refunds of a payment into the search again, because something else is known of who paid it. */
function indexRefundsOf(database: Database, idTransaction: string): void {
  const refunds = "SELECT id FROM payment WHERE comparable_key = ? AND kind = 'refund'"
  for (const row of database.all(refunds, comparableId(idTransaction))) {
    indexPayment(database, paymentRecords(database, textOf(row, 'id')))
  }
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
  if (payment !== undefined) {
    database.run('UPDATE event SET payment = ? WHERE n = ?', payment, record.n)
    refreshPayment(database, payment)
  } else if (isSigned && record.subject === 'payment' && record.idTransaction !== null) {
    indexRefundsOf(database, record.idTransaction)
  }
}

function addForward(database: Database, forward: LedgerRecord<ForwardRecord>): void {
  const { seq, n } = forward
  database.run('INSERT INTO forward (seq, n) VALUES (?, ?)', seq, n)
  database.run('UPDATE event SET last_forward_ok = ? WHERE n = ?', isReceived(forward) ? 1 : 0, forward.n)
}

/** A run that is built again has lost the columns of its file with its rows. */
function addRun(database: Database, record: LedgerRecord<RunRecord>): void {
  database.run(
    `INSERT INTO run (name, seq, account, kind, file, reference, columns, fields, state, rows, total_cents, fingerprint)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'accepted', ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, state = excluded.state, rows = excluded.rows,
       total_cents = excluded.total_cents, fingerprint = excluded.fingerprint`,
    record.run,
    record.seq,
    addAccount(database, { url: record.owner.baseUrl, clientId: record.owner.clientId }),
    record.kind,
    record.file,
    record.reference,
    JSON.stringify(record.columns),
    JSON.stringify(record.fields),
    record.rows,
    record.totalCents,
    record.fingerprint,
  )
}
