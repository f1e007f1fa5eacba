import { hash } from 'node:crypto'
import { parseInstant } from '../pix/calendar.ts'
import {
  type Database,
  integerOf,
  integerOrNull,
  type Row,
  type SqlValues,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import { earliestMs, madeMsOf } from './recordedClock.ts'
import {
  type EventRecord,
  type FirstWriter,
  type LedgerRecord,
  type PaymentRecord,
  type RecordContent,
  type RecordType,
  ruleOfType,
} from './records.ts'

/** The number and the checksum of a record. */
export interface ChainPoint {
  seq: number
  /** Hex SHA-256. */
  digest: string
}

/** Before the first record. */
export const CHAIN_START: ChainPoint = { seq: 0, digest: '' }

/** A record that does not match its checksum, or cannot be read. */
export class DamagedRecord extends Error {
  readonly seq: number

  constructor(seq: number) {
    super(`record ${seq} is damaged`)
    this.seq = seq
  }
}

/** A row of a run that does not match its checksum. */
export class DamagedRow extends DamagedRecord {
  readonly run: string
  readonly line: number

  constructor(run: string, line: number) {
    super(0)
    this.run = run
    this.line = line
    this.message = `line ${line} of ${run} is damaged`
  }
}

/** A record with its checksum. */
export interface ChainedRecord extends StoredRecord {
  /** See {@link chainDigest}. */
  digest: string
}

/** The columns of a record that its checksum covers. */
export interface StoredRecord {
  seq: number
  id: string
  at: string
  user: string
  machine: string
  type: string
  payment: string | null
  content: string
  /** When the server of a shared ledger stored it, in ms: its word, which no checksum covers. Absent in a ledger of one machine. */
  storedAtMs?: number | undefined
}

/** The checksum of a record: the hex SHA-256 over the checksum before it and all its columns. */
export function chainDigest(before: string, record: StoredRecord): string {
  const { seq, id, at, user, machine, type, payment, content } = record
  const text = JSON.stringify([before, seq, id, at, user, machine, type, payment, content])
  return hash('sha256', text)
}

/** A record as it follows another one in the chain. */
export function chainedRecord(
  before: ChainPoint,
  { id, atMs, user, machine }: Pick<StoredRecord, 'id' | 'user' | 'machine'> & { atMs: number },
  content: RecordContent & FirstWriter,
): ChainedRecord {
  const { type } = content
  const payment = 'payment' in content ? content.payment : null
  const at = new Date(atMs).toISOString()
  const stored = { seq: before.seq + 1, id, at, user, machine, type, payment, content: JSON.stringify(content) }
  return Object.assign(stored, { digest: chainDigest(before.digest, stored) })
}

/** Stores a record. */
export function insertRecord(database: Database, record: ChainedRecord): void {
  const { seq, id, at, user, machine, type, payment, content, digest, storedAtMs = null } = record
  database.run(
    `INSERT INTO record (seq, id, at, user, machine, type, payment, content, digest, stored_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    id,
    at,
    user,
    machine,
    type,
    payment,
    content,
    digest,
    storedAtMs,
  )
}

/** The last record of the chain; {@link CHAIN_START} if there is none. */
export function chainEnd(database: Database): ChainPoint {
  const row = database.get('SELECT seq, digest FROM record ORDER BY seq DESC LIMIT 1')
  return row === undefined ? CHAIN_START : { seq: integerOf(row, 'seq'), digest: textOf(row, 'digest') }
}

/** The checksum of the record with a number; undefined if there is none. */
export function digestAt(database: Database, seq: number): string | undefined {
  if (seq === 0) return ''
  return database.text('SELECT digest FROM record WHERE seq = ?', seq) ?? undefined
}

/** True if the chain has a record with this id. */
export function hasRecord(database: Database, id: string): boolean {
  return database.has('SELECT 1 FROM record WHERE id = ?', id)
}

/** The columns that read a record with the checksum before it and the earliest time of a clock that was confirmed later, for {@link readRecord}. */
export const RECORD_COLUMNS = `record.*, (SELECT before.digest FROM record before WHERE before.seq = record.seq - 1) AS digest_before,
  CASE WHEN record.type IN ('attempt', 'resend') THEN (
    SELECT min(at_ms) FROM clock_step JOIN payment USING (environment)
    WHERE payment.id = record.payment AND clock_step.seq > record.seq) END AS step_ms`

/** The same for an event, and whether this machine has verified it. */
const EVENT_COLUMNS = `${RECORD_COLUMNS}, event.is_verified`

/** What is wrong with records that are named, and count all the same: they have no effect, can only forbid, or count by the server's time. A false one about a plan does not count. */
export const COUNTED_CLAIMS = [
  'nothing',
  'answer',
  'resend',
  'clock',
  'machine-heard',
  'superseded',
  'account',
  'brought',
  'time',
] as const

/** In SQL, that a record counts: it was not refused, or only has a claim without effect. */
export const IS_READABLE = `record.seq NOT IN (SELECT seq FROM refused_record WHERE why NOT IN (${['place', ...COUNTED_CLAIMS].map((why) => `'${why}'`).join(', ')}))`

/** Reads a row that was selected with {@link RECORD_COLUMNS}. Throws DamagedRecord if it does not match its checksum. */
export function readRecord(row: Row): LedgerRecord {
  const seq = integerOf(row, 'seq')
  const before = textOrNull(row, 'digest_before')
  if (before === null && seq !== 1) throw new DamagedRecord(seq - 1)
  const stored = storedRecord(row)
  if (chainDigest(before ?? '', stored) !== textOf(row, 'digest')) throw new DamagedRecord(seq)
  const record = parseRecord(stored)
  if (row.is_verified === 1) Object.assign(record, { isVerified: true })
  const stepMs = integerOrNull(row, 'step_ms')
  return stepMs === null ? record : { ...record, madeMs: Math.max(Math.min(record.madeMs, stepMs), earliestMs(record)) }
}

/** The records of some types among rows that were selected with {@link RECORD_COLUMNS}. Throws DamagedRecord. */
export function recordsOf<Type extends RecordType>(
  rows: readonly Row[],
  ...types: readonly Type[]
): Extract<LedgerRecord, { type: Type }>[] {
  const wanted: readonly string[] = types
  return rows
    .map(readRecord)
    .filter((record): record is Extract<LedgerRecord, { type: Type }> => wanted.includes(record.type))
}

/** The events that fulfil a condition, which may say their order, too. Throws DamagedRecord. */
export function eventsWhere(database: Database, condition: string, ...values: SqlValues): LedgerRecord<EventRecord>[] {
  const query = `SELECT ${EVENT_COLUMNS} FROM event JOIN record ON record.seq = event.seq WHERE ${condition}`
  return recordsOf(database.all(query, ...values), 'event')
}

/** The columns of a row of `record`. */
export function storedRecord(row: Row): StoredRecord {
  return {
    seq: integerOf(row, 'seq'),
    id: textOf(row, 'id'),
    at: textOf(row, 'at'),
    user: textOf(row, 'user'),
    machine: textOf(row, 'machine'),
    type: textOf(row, 'type'),
    payment: textOrNull(row, 'payment'),
    content: textOf(row, 'content'),
    storedAtMs: integerOrNull(row, 'stored_at_ms') ?? undefined,
  }
}

/** The record that stored columns hold, as it was before any later one. Throws DamagedRecord for content of another type. */
export function parseRecord({ seq, id, at, user, machine, type, content, storedAtMs }: StoredRecord): LedgerRecord {
  const parsed: unknown = JSON.parse(content)
  if (!isContent(parsed, type)) throw new DamagedRecord(seq)
  const first = parsed.firstBy ?? { user, machine }
  // A copy with the columns would take six times as long.
  const stamp = {
    seq,
    id,
    at,
    madeMs: madeMsOf(parsed, parseInstant(at) ?? 0, storedAtMs),
    user: first.user,
    machine: first.machine,
    login: user,
  }
  return Object.assign(parsed, storedAtMs === undefined ? stamp : { ...stamp, storedAtMs })
}

/** The checksum was made by pixgate over what pixgate wrote, so a matching type means a matching shape. */
function isContent(value: unknown, type: string): value is RecordContent & FirstWriter {
  return isObject(value) && value.type === type
}

/**
 * All records of a payment with the events that are linked to it, in the order in which they were written. Each is compared with its
 * checksum. Throws DamagedRecord.
 */
export function paymentRecords(database: Database, payment: string): PaymentRecord[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS}, NULL AS is_verified FROM record WHERE record.payment = $payment AND ${IS_READABLE}
     UNION ALL
     SELECT ${EVENT_COLUMNS} FROM event JOIN record ON record.seq = event.seq WHERE event.payment = $payment
     ORDER BY seq`,
    { payment },
  )
  return rows.map(readRecord).filter(isPaymentRecord)
}

function isPaymentRecord(record: LedgerRecord): record is PaymentRecord {
  return ruleOfType(record.type).isOfPayment
}
