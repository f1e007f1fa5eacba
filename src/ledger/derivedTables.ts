import { hash } from 'node:crypto'
import { DAY_MS, parseInstant } from '../pix/calendar.ts'
import { comparableTaxDocument } from '../pix/taxDocument.ts'
import {
  DamagedValue,
  type Database,
  integerOrNull,
  isEnvironmentError,
  type Row,
  type SqlValue,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import { accountAddress, isSameAccount } from '../wire/baseAddress.ts'
import { eventKey } from '../wire/eventFacts.ts'
import { isReceived } from '../wire/signature.ts'
import { addAccount, type EventOwner } from './accounts.ts'
import {
  type ChainedRecord,
  insertRecord,
  parseRecord,
  paymentRecords,
  RECORD_COLUMNS,
  readRecord,
  type StoredRecord,
} from './chain.ts'
import { amountCentsOf, derivePayment, type PaymentSummary } from './derivePayment.ts'
import { faultOfProof } from './eventProof.ts'
import { type PaymentFacts, taxDocumentsOf } from './facts.ts'
import { setLedgerId } from './ledgerId.ts'
import { addPayee } from './payees.ts'
import { canBeAbout, eventScope, findingFromEvent, findingFromName, isOpen, parsePaymentKind } from './paymentState.ts'
import { addPlannedAttempt, addPlannedResend, addPlanStep } from './plans.ts'
import { noteClock } from './recordedClock.ts'
import {
  type AcceptedOlderRecord,
  type AnswerRecord,
  type AttemptRecord,
  type EventRecord,
  type ForwardRecord,
  isRecordType,
  type LedgerRecord,
  type PaymentRecord,
  type QueryRecord,
  type RecordContents,
  type RecordType,
  type ResendRecord,
  type RunRecord,
} from './records.ts'
import {
  assertReadable,
  holdRunRows,
  isOfRecord,
  noteClaim,
  noteSetAside,
  RecordRefused,
  refuseRecord,
} from './refusedRecords.ts'
import { addAccountRule, addProfileChange } from './rulesInForce.ts'
import { addConfirmedRows } from './runRows.ts'
import { comparableId, comparableTarget, isSameRequest, targetDigest } from './samePayment.ts'
import { indexPayment } from './search.ts'
import { noteStop } from './stop.ts'
import { IS_VERIFIED } from './verifiedEvents.ts'

/** What each type of record does to the derived tables; null for nothing. */
const DERIVATIONS: {
  readonly [Type in RecordType]: ((database: Database, record: LedgerRecord<RecordContents[Type]>) => void) | null
} = {
  attempt: addAttempt,
  resend: addResend,
  answer: addToPayment,
  finding: addToPayment,
  event: addEvent,
  forward: addForward,
  run: addRun,
  'run-rows': holdRunRows,
  query: addQuery,
  'profile-change': addProfileChange,
  'account-rule': addAccountRule,
  'approver-revocation': addAccountRule,
  payee: addPayee,
  'plan-text': addPlanStep,
  plan: addPlanStep,
  'plan-approval': addPlanStep,
  'plan-rejection': addPlanStep,
  // The time of a clock is all that it changes, see `noteClock`.
  clock: null,
  'accepted-older': acceptOlder,
  'ledger-stopped': noteStop,
  'machine-heard': null,
  'ledger-resumed': noteStop,
  'set-aside': noteSetAside,
  'machine-gone': null,
  superseded: null,
}

/**
 * Brings the derived tables up to date with a record that was just written; one of an unknown type changes nothing. Building them again calls it for every
 * record.
 */
export function updateDerivedTables(database: Database, record: LedgerRecord): void {
  const step = noteClock(database, record)
  if (step !== null) refreshSentAfter(database, step)
  noteClaim(database, record)
  if (isRecordType(record.type)) derive(database, record.type, record)
}

function derive<Type extends RecordType>(
  database: Database,
  type: Type,
  record: LedgerRecord<RecordContents[Type]>,
): void {
  DERIVATIONS[type]?.(database, record)
}

function addAttempt(database: Database, record: LedgerRecord<AttemptRecord>): void {
  // No event can be about a payment that is being sent for the first time; one that another ledger sent may have been reported.
  if (record.number === 1 && record.firstBy === undefined) writePayment(database, [record], [])
  else {
    assertSamePayment(database, record)
    refreshPayment(database, record.payment)
  }
  addPlannedAttempt(database, record)
}

function addResend(database: Database, record: LedgerRecord<ResendRecord>): void {
  refreshPayment(database, record.payment)
  addPlannedResend(database, record)
}

/** A further attempt of a payment asks for the same as its first; a charge has no further one. Throws RecordRefused. */
function assertSamePayment(database: Database, { id, payment, facts, owner }: LedgerRecord<AttemptRecord>): void {
  const first = paymentRecords(database, payment).find((record) => record.type === 'attempt')
  if (first === undefined || first.id === id) return
  if (!isSameRequest(first.facts, facts) || !isSameAccount(first.owner, owner)) throw new RecordRefused('before')
}

function addToPayment(database: Database, { payment }: Pick<AttemptRecord, 'payment'>): void {
  refreshPayment(database, payment)
}

/** A shared ledger has the id that its server says: no single machine accepts for a team that records are missing. Throws RecordRefused. */
function acceptOlder(database: Database, { ledger, storedAtMs }: LedgerRecord<AcceptedOlderRecord>): void {
  if (storedAtMs !== undefined) throw new RecordRefused('member', 'ledger')
  if (ledger !== null) setLedgerId(database, ledger)
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
  /** The attempts whose rows are not written yet, by their payments. */
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
      noteClaim(this.#database, record)
      this.#attempts.set(record.payment, record)
      return
    }
    if (record.type === 'event') this.#writeAttempts()
    const attempt = record.type === 'answer' ? this.#attempts.get(record.payment) : undefined
    if (attempt === undefined || record.type !== 'answer') updateDerivedTables(this.#database, record)
    else {
      this.#attempts.delete(attempt.payment)
      noteClaim(this.#database, record)
      refreshPayment(this.#database, attempt.payment, writePayment(this.#database, [attempt, record], []))
      addPlannedAttempt(this.#database, attempt)
    }
  }

  #writeAttempts(): void {
    for (const attempt of this.#attempts.values()) updateDerivedTables(this.#database, attempt)
    this.#attempts.clear()
  }
}

/**
 * Adds records of a shared ledger to a copy of it, with their tables. An unreadable one, which was written by hand, has no effect and is
 * noted as refused. Throws SQLite's error about the disk, and DamagedRecord for an older record that was damaged on this machine.
 */
export function addSharedRecords(database: Database, records: readonly ChainedRecord[]): void {
  try {
    inSavepoint(database, () => {
      const deriver = new Deriver(database, records)
      for (const record of records) {
        insertRecord(database, record)
        assertReadable(record)
        deriver.add(parseRecord(record))
      }
    })
  } catch (error) {
    if (!(error instanceof Error) || isEnvironmentError(error)) throw error
    // One of them: a savepoint for each would make all others slow.
    for (const record of records) addSharedRecord(database, record)
  }
}

function addSharedRecord(database: Database, record: ChainedRecord): void {
  insertRecord(database, record)
  try {
    inSavepoint(database, () => {
      assertReadable(record)
      updateDerivedTables(database, parseRecord(record))
    })
  } catch (error) {
    // The disk and the locks of this machine are not the fault of a record, nor is an older one that was damaged here.
    if (!isOfRecord(error, record) || isEnvironmentError(error)) throw error
    refuseRecord(database, record, error)
  }
}

function inSavepoint(database: Database, work: () => void): void {
  database.exec('SAVEPOINT records')
  try {
    work()
  } catch (error) {
    database.exec('ROLLBACK TO records')
    throw error
  } finally {
    database.exec('RELEASE records')
  }
}

/** True if a payment has only these two records and no event, and the clock did not go back after the first. */
function hasNoOther(
  database: Database,
  attempt: LedgerRecord<AttemptRecord>,
  answer: LedgerRecord<AnswerRecord>,
): boolean {
  return !database.has(
    `SELECT 1 FROM record WHERE payment = $payment AND seq NOT IN ($attempt, $answer)
     UNION ALL SELECT 1 FROM event WHERE payment = $payment
     UNION ALL SELECT 1 FROM clock_step WHERE seq > $attempt LIMIT 1`,
    { payment: attempt.payment, attempt: attempt.seq, answer: answer.seq },
  )
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
  for (const id of database.texts(later, environment, atMs)) refreshPayment(database, id)
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
  return database.texts(
    `SELECT attempt.id_transaction FROM payment JOIN attempt ON attempt.payment = payment.id
     WHERE payment.id = ? AND payment.kind = 'qr' AND attempt.id_transaction IS NOT NULL`,
    payment,
  )
}

/** Enters the refunds of a payment into the search again, because something else is known of who paid it. */
function indexRefundsOf(database: Database, idTransaction: string): void {
  const refunds = "SELECT id FROM payment WHERE comparable_key = ? AND kind = 'refund'"
  for (const id of database.texts(refunds, comparableId(idTransaction))) {
    indexPayment(database, paymentRecords(database, id))
  }
}

function addQuery(database: Database, record: LedgerRecord<QueryRecord>): void {
  if (record.payment !== null) refreshPayment(database, record.payment)
  database.run(
    `INSERT INTO queried (account, id, seq, status, amount_cents, paid_at_ms) VALUES (?, ?, ?, ?, ?, ?)
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
  // Numbers have no gaps: one that somebody wrote by hand could leave none for the next event.
  if (record.n !== nextEventNumber(database)) throw new DamagedValue(`event ${record.n} is not the next one`)
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
  database.run(`UPDATE event SET is_verified = ${IS_VERIFIED} WHERE n = ?`, record.n)
  const payment = paymentOfEvent(database, record)
  if (payment !== undefined) {
    database.run('UPDATE event SET payment = ? WHERE n = ?', payment, record.n)
    refreshPayment(database, payment)
  } else if (isSigned && record.subject === 'payment' && record.idTransaction !== null) {
    indexRefundsOf(database, record.idTransaction)
  }
}

/** The number of the event that is added next. */
export function nextEventNumber(database: Database): number {
  return (database.integer('SELECT max(n) FROM event') ?? 0) + 1
}

/** Brings the tables up to date with what was verified since an event was added. */
export function deriveVerified(database: Database): void {
  const changed = database.all(
    `UPDATE event SET is_verified = ${IS_VERIFIED}
     WHERE is_verified IS NOT 1 AND scope IS NOT NULL AND is_verified IS NOT ${IS_VERIFIED} RETURNING payment`,
  )
  for (const payment of new Set(changed.flatMap((row) => textOrNull(row, 'payment') ?? []))) {
    refreshPayment(database, payment)
  }
}

/** Throws RecordRefused in a shared ledger for what is about no event. */
function addForward(database: Database, forward: LedgerRecord<ForwardRecord>): void {
  const { seq, n, event, storedAtMs } = forward
  const known = 'SELECT 1 FROM event JOIN record USING (seq) WHERE event.n = ? AND record.id = ?'
  if (storedAtMs !== undefined && !database.has(known, n, event)) throw new RecordRefused('before')
  database.run('INSERT INTO forward (seq, n) VALUES (?, ?)', seq, n)
  database.run('UPDATE event SET last_forward_ok = ? WHERE n = ?', isReceived(forward) ? 1 : 0, forward.n)
}

/** A run that is built again has lost the columns of its file with its rows. Throws RecordRefused if another record has its name. */
function addRun(database: Database, record: LedgerRecord<RunRecord>): void {
  const known = database.get('SELECT seq FROM run WHERE name = ?', record.run)
  const seq = integerOrNull(known ?? {}, 'seq')
  if (seq !== null && seq !== record.seq) throw new RecordRefused('run', record.run)
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
  addConfirmedRows(database, record, known !== undefined)
}

/** How long after it was sent a transfer with an unknown outcome is recognised by what an event says about it. */
const RECOGNITION_MS = DAY_MS

type Event = LedgerRecord<EventRecord>

/**
 * The payment that an event is about: by its ids, else the only payment with an unknown outcome that it can be about. Undefined if
 * there is none, and for an event without a signature.
 */
function paymentOfEvent(database: Database, event: Event): string | undefined {
  const scope = event.isSigned ? eventScope(event.owner) : null
  if (scope === null) return undefined
  return (
    paymentByIdTransaction(database, event, scope) ??
    paymentByExternalId(database, event, scope) ??
    paymentByFacts(database, event, scope)
  )
}

/** The numbers of the unlinked events that can now be recognised as events of this payment. */
function unlinkedEventsFor(database: Database, payment: string, summary: PaymentSummary): number[] {
  const first = (summary.attempts[0] ?? summary.deciding).record
  const scope = eventScope(first.owner)
  if (scope === null) return []
  const candidates: Row[] = []
  for (const { idTransaction } of summary.attempts) {
    if (idTransaction === null) continue
    candidates.push(...database.all(UNLINKED_BY_ID, scope, idTransaction))
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
  const named = summary.attempts.some(({ finding }) => finding !== null)
    ? eventsOfFindings(database, payment, summary, scope)
    : []
  return candidates
    .map(readRecord)
    .filter((record): record is Event => record.type === 'event' && paymentOfEvent(database, record) === payment)
    .map(({ n }) => n)
    .concat(named)
}

/** The numbers of the unlinked events by which a person proved that a payment was made. */
function eventsOfFindings(database: Database, payment: string, { attempts }: PaymentSummary, scope: string): number[] {
  return paymentRecords(database, payment)
    .flatMap((record) => (record.type === 'finding' && record.event !== undefined ? [record.event] : []))
    .flatMap((id) => database.all(`${UNLINKED} AND record.id = ?`, scope, id))
    .map(readRecord)
    .flatMap((event) =>
      event.type === 'event' &&
      faultOfProof(
        event,
        attempts.map(({ record }) => record),
      ) === null
        ? [event.n]
        : [],
    )
}

const UNLINKED = `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq WHERE event.payment IS NULL AND event.scope = ?`
const UNLINKED_BY_ID = `${UNLINKED} AND event.id_transaction = ?`

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
  const best = database.text(
    `SELECT payment.id FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.external_id = $externalId AND payment.event_scope = $scope AND payment.created_ms <= $receivedMs
       AND (attempt.id_transaction IS NULL OR $idTransaction IS NULL OR attempt.id_transaction = $idTransaction)
       AND (payment.amount_cents = $amountCents OR $amountCents IS NULL)
     ORDER BY CASE attempt.outcome WHEN 'not-sent' THEN 0 WHEN 'refused' THEN 1 ELSE 2 END DESC, attempt.seq DESC`,
    { ...parametersOf(event, scope), externalId: event.externalId, idTransaction: event.idTransaction },
  )
  return best ?? undefined
}

/** The only payment with an unknown outcome that an event without a known id can be about. */
function paymentByFacts(database: Database, event: Event, scope: string): string | undefined {
  if (event.idTransaction === null || findingFromEvent(event) !== 'paid') return undefined
  // A failure may be that of another payment, and would allow a second one; an externalId names another payment.
  if (event.subject === 'refund') return onlyRefund(database, event, scope)
  const isOfTransfer = event.subject === 'transfer' && findingFromName(event.event) === 'paid'
  return isOfTransfer && event.externalId === null ? onlyTransfer(database, event, scope) : undefined
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
  return isOpen(state) && attempts.every(({ sender }) => sender === null)
}

function parametersOf(event: Event, scope: string) {
  return { scope, receivedMs: timeOf(event), amountCents: event.amountCents }
}

function timeOf({ at }: Event): number {
  return parseInstant(at) ?? 0
}

/** The id that a payment was given when it was requested: request number, externalId of the attempt that counts, or id of the refunded payment. */
export function givenIdOf(facts: PaymentFacts, externalId: string | null): string {
  switch (facts.kind) {
    case 'qr':
      return facts.requestNumber
    case 'transfer':
      return externalId ?? ''
    case 'refund':
      return facts.originalTransactionId
  }
}

/**
 * Writes everything that the tables say of a payment, from all its records, oldest first: its row, those of its attempts, what the rules look
 * up, and its words in the search. `before` are the records that its rows were written from, none for a new payment; its rows are read if that is
 * not given. The only writer of these rows, for the first attempt and for every later record.
 */
function writePayment(
  database: Database,
  records: readonly PaymentRecord[],
  before?: readonly PaymentRecord[],
): PaymentSummary {
  const summary = derivePayment(records)
  const written = before === undefined || before.length === 0 ? [] : outcomeRows(derivePayment(before))
  const facts = written.length > 0 ? [] : factColumns(database, summary)
  for (const [index, { table, seq, row }] of outcomeRows(summary).entries()) {
    const found = before === undefined ? database.get(`SELECT * FROM ${table} WHERE seq = ?`, seq) : written[index]?.row
    const fact = facts[index] ?? {}
    if (found === undefined) insert(database, table, row, fact)
    else for (const part of [row, fact]) update(database, table, seq, found, part)
  }
  indexPayment(database, records)
  return summary
}

type Columns = Readonly<Record<string, SqlValue>>

interface OutcomeRow {
  table: 'payment' | 'attempt' | 'sent_target'
  seq: number
  row: Columns
}

/**
 * The rows of a payment, each in a place of its own. A charge has none by which the rules find it a second time. Their columns are written out, because
 * Node.js takes a hundred times as long to copy so many of them from another object.
 */
function outcomeRows(summary: PaymentSummary): OutcomeRow[] {
  const { attempts, deciding } = summary
  const { seq, facts, at } = firstAttempt(summary)
  const payment = {
    may_have_moved: summary.mayHaveMoved ? 1 : 0,
    moved_cents: summary.movedCents,
    was_sent: summary.wasSent ? 1 : 0,
    sent_ms: summary.sentMs,
    is_unknown: summary.isUnknown ? 1 : summary.isKnownByOther ? 2 : 0,
    name: givenIdOf(deciding.record.facts, deciding.record.externalId),
    state: summary.state,
    is_verified: summary.isVerified ? 1 : 0,
    counted_cents: facts.kind === 'qr' ? 0 : summary.countedCents,
    known_cents: amountCentsOf(deciding),
    day_ms: Math.max(parseInstant(at) ?? 0, summary.paidAtMs ?? 0),
    first_sent_ms: summary.firstSentMs,
    status: summary.status,
    error_code: summary.errorCode,
    id_transaction: summary.idTransaction,
    attempts: attempts.length,
  }
  const { may_have_moved, moved_cents, was_sent, sent_ms, is_unknown } = payment
  const target = { may_have_moved, moved_cents, was_sent, sent_ms, is_unknown }
  return [
    { table: 'payment', seq, row: payment },
    ...(facts.kind === 'qr' ? [] : [{ table: 'sent_target', seq, row: target } as const]),
    ...attempts.map(({ record, outcome, idTransaction, sender }): OutcomeRow => {
      return { table: 'attempt', seq: record.seq, row: { outcome, id_transaction: idTransaction, sender } }
    }),
  ]
}

/** The other columns of the same rows: what was requested, which no later record changes. */
function factColumns(database: Database, summary: PaymentSummary): Columns[] {
  const { seq, payment, facts, owner, place, rowId, user, at } = firstAttempt(summary)
  const key = { url: owner.baseUrl, clientId: owner.clientId }
  const account = addAccount(database, key)
  const target = targetDigest(key, facts)
  const run = place?.run ?? null
  const amount_cents = facts.amountCents
  const is_whole = facts.kind === 'refund' && facts.isWhole ? 1 : 0
  return [
    {
      seq,
      row_id: rowId,
      run,
      amount_cents,
      is_whole,
      id: payment,
      account,
      profile: owner.profile,
      environment: owner.environment,
      kind: facts.kind,
      line: place?.line ?? null,
      reference: place?.reference ?? null,
      user,
      created_ms: parseInstant(at) ?? 0,
      comparable_key: comparableTarget(facts),
      event_scope: eventScope(owner) ?? '',
    },
    ...(target === null ? [] : [{ seq, row_id: rowId, run, amount_cents, is_whole, payment, target }]),
    ...summary.attempts.map(({ record: { seq, id, number, externalId } }) => {
      return { seq, id, payment, account, number, external_id: externalId }
    }),
  ]
}

function firstAttempt({ attempts, deciding }: PaymentSummary): LedgerRecord<AttemptRecord> {
  return attempts[0]?.record ?? deciding.record
}

function insert(database: Database, table: string, row: Columns, facts: Columns): void {
  const columns = [...Object.keys(row), ...Object.keys(facts)]
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  database.run(sql, ...Object.values(row), ...Object.values(facts))
}

/** Only columns that differ are written: SQLite writes all indexes of the columns that a statement names again. */
function update(database: Database, table: string, seq: number, found: Row, row: Columns): void {
  let columns = ''
  const values: SqlValue[] = []
  for (const [column, value] of Object.entries(row)) {
    if (found[column] === value) continue
    columns += columns === '' ? `${column} = ?` : `, ${column} = ?`
    values.push(value)
  }
  if (values.length === 0) return
  const changed = database.run(`UPDATE ${table} SET ${columns} WHERE seq = ?`, ...values, seq)
  if (changed !== 1) throw new DamagedValue(`a row of ${table} was not written`)
}
