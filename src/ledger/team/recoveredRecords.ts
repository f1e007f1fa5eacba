import { join } from 'node:path'
import { createPrivateFile } from '../../storage/privateFolder.ts'
import { type Database, integerOf, loadSqlite, type Row, rollBack, textOf } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { Failure } from '../../wire/errors.ts'
import { type AccountKey, accountId } from '../accounts.ts'
import {
  type ChainedRecord,
  hasRecord,
  parseRecord,
  RECORD_COLUMNS,
  readRecord,
  type StoredRecord,
  storedRecord,
} from '../chain.ts'
import { nextEvent, numberOfEvent } from '../events.ts'
import { ledgerFailure } from '../ledgerFile.ts'
import { isPayeeInForce } from '../payees.ts'
import type { LedgerEnvironment } from '../paymentState.ts'
import { isOfAccount } from '../payments.ts'
import { type FirstWriter, type LedgerRecord, NO_RESPONSE, type RecordContent } from '../records.ts'
import { isRuleInForce } from '../rulesInForce.ts'
import { runRowPages } from '../runRows.ts'
import type { Writer } from '../writer.ts'

/** A record of a copy as its server gets it back. */
interface RecoveredRecord extends BroughtRecord {
  /** For what is said of a payment: the ids of the records of all requests that had been made for it by then. */
  requests: readonly string[]
}

/** Some records of a copy, and where the next ones begin. */
interface RecoveredPage {
  records: RecoveredRecord[]
  /** The number of the last record that was looked at; null after the last page. */
  lastSeq: number | null
}

const PAGE_RECORDS = 500

/**
 * What is not handed over: what a ledger records of itself, and a clock that was confirmed, because it would set back the time of what was recorded on the
 * server since.
 */
const KEPT_TYPES: readonly string[] = ['clock', 'accepted-older', 'ledger-stopped', 'machine-heard', 'ledger-resumed']
/** What no decision about money waits for: it may arrive at any time, or is told by other records, too. */
const UNDECISIVE_TYPES: readonly string[] = [...KEPT_TYPES, 'event', 'forward', 'run-rows', 'superseded']

/** True for records without which a decision about money could be wrong. */
export function isDecisive(type: RecordContent['type']): boolean {
  return !UNDECISIVE_TYPES.includes(type)
}

/** The ids of up to 500 records of a copy after a number that are {@link isDecisive}, oldest first. */
export function decisiveIds(database: Database, afterSeq: number): { ids: string[]; lastSeq: number | null } {
  const rows = database.all(
    `SELECT seq, id FROM record WHERE seq > ? AND type NOT IN (${UNDECISIVE_TYPES.map(() => '?').join(', ')}) ORDER BY seq LIMIT ?`,
    afterSeq,
    ...UNDECISIVE_TYPES,
    PAGE_RECORDS,
  )
  const last = rows.at(-1)
  return { ids: rows.map((row) => textOf(row, 'id')), lastSeq: last === undefined ? null : integerOf(last, 'seq') }
}

/** The records of a copy after a number, of all accounts, oldest first. Throws DamagedRecord. */
export function recordsToRecover(database: Database, afterSeq: number): RecoveredPage {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.seq > ? ORDER BY record.seq LIMIT ?`,
    afterSeq,
    PAGE_RECORDS,
  )
  const records = rows.flatMap((row) => {
    const record = readRecord(row)
    return KEPT_TYPES.includes(record.type) ? [] : [recoveredRecord(database, storedRecord(row), record)]
  })
  const last = rows.at(-1)
  return { records, lastSeq: last === undefined ? null : integerOf(last, 'seq') }
}

function recoveredRecord(database: Database, stored: StoredRecord, record: LedgerRecord): RecoveredRecord {
  const parsed: RecordContent & FirstWriter = JSON.parse(stored.content)
  const { user, machine, login } = record
  const content = { ...parsed, firstBy: { user, machine, login: record.firstBy?.login ?? login } }
  // The rules that held last count, and none of them makes a stricter one less strict.
  const isPast = content.type === 'account-rule' && !isRuleInForce(database, stored.seq)
  return {
    id: stored.id,
    atMs: Date.parse(stored.at),
    content: isPast ? { ...content, isPast } : content,
    event: record.type === 'forward' ? eventRecordOf(database, record.n) : null,
    requests: requestsBefore(database, record),
  }
}

/**
 * Adds records that the server lost to the chain, unless they are there, so that it may be repeated, and by several machines. A refusal is believed from its
 * own login alone: if another one has handed it over, it is added once more.
 */
export function addRecovered(writer: Writer, records: readonly RecoveredRecord[]): void {
  const own = writer.user
  for (const record of records) {
    const { content, id } = record
    addBrought(writer, [isSuperseded(writer.database, record) ? superseded(record) : record])
    const isOwnRefusal = content.type === 'answer' && content.outcome === 'refused' && content.firstBy?.login === own
    if (isOwnRefusal && !isStoredBy(writer.database, id, own)) addBrought(writer, [{ ...record, id: `${id}/${own}` }])
  }
}

/** True if a record could make room for another payment, but does not know of a request that was recorded on the server meanwhile. */
function isSuperseded(database: Database, { content, requests }: RecoveredRecord): boolean {
  const isDenial = content.type === 'answer' && (content.outcome === 'refused' || content.outcome === 'not-sent')
  if (!isDenial && !(content.type === 'finding' && content.as !== 'paid')) return false
  return requestsOf(database, content.payment).some((id) => !requests.includes(id))
}

function superseded({ content, ...record }: RecoveredRecord): RecoveredRecord {
  const { firstBy, ...said } = content
  return { ...record, content: { type: 'superseded', record: said, firstBy } }
}

function isStoredBy(database: Database, id: string, login: string): boolean {
  return database.get('SELECT 1 FROM record WHERE id = ? AND user = ?', id, login) !== undefined
}

function requestsBefore(database: Database, record: LedgerRecord): string[] {
  return record.type === 'answer' || record.type === 'finding' ? requestsOf(database, record.payment, record.seq) : []
}

/** The ids of the records of a payment's requests, or of those before a record. */
function requestsOf(database: Database, payment: string, beforeSeq = Number.MAX_SAFE_INTEGER): string[] {
  const requests = "SELECT id FROM record WHERE payment = ? AND type IN ('attempt', 'resend') AND seq < ?"
  return database.all(requests, payment, beforeSeq).map((row) => textOf(row, 'id'))
}

/** A record of one ledger as another one takes it over, with who wrote it first. */
interface BroughtRecord {
  id: string
  atMs: number
  content: RecordContent & FirstWriter
  /** The record of the event that a forward is about. */
  event: string | null
}

/** Some records of a ledger, and where the next ones begin. */
interface BroughtPage {
  records: BroughtRecord[]
  /** The number of the last record that was looked at; null after the last page. */
  lastSeq: number | null
}

/** The records of an account in a ledger after a number, oldest first. Throws DamagedRecord. */
export function recordsToBring(database: Database, account: AccountKey, afterSeq: number): BroughtPage {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.seq > ? ORDER BY record.seq LIMIT ?`,
    afterSeq,
    PAGE_RECORDS,
  )
  const own = accountId(database, account)
  const records = rows.flatMap((row) => {
    const record = readRecord(row)
    return isToBring(database, record, account, own) ? broughtRecord(database, storedRecord(row), record) : []
  })
  const last = rows.at(-1)
  return { records, lastSeq: last === undefined ? null : integerOf(last, 'seq') }
}

/** Adds records of another ledger to the chain. Those that were added before are left out, so it may be repeated. */
export function addBrought(writer: Writer, records: readonly BroughtRecord[]): void {
  const { database } = writer
  for (const { id, atMs, content, event } of records) {
    if (hasRecord(database, id)) continue
    if (content.type === 'event') {
      const { record } = nextEvent(database, content)
      if (record !== null) writer.append(record, atMs, id)
    } else if (content.type === 'forward') {
      const n = event === null ? undefined : numberOfEvent(database, event)
      if (n !== undefined) writer.append({ ...content, n }, atMs, id)
    } else writer.append(content, atMs, id)
  }
}

function broughtRecord(database: Database, stored: StoredRecord, record: LedgerRecord): BroughtRecord[] {
  const { user, machine } = record
  const parsed: RecordContent & FirstWriter = JSON.parse(stored.content)
  const content = { ...parsed, firstBy: { user, machine } }
  const brought = { id: stored.id, atMs: Date.parse(stored.at), content, event: null }
  switch (content.type) {
    case 'forward':
      return [{ ...brought, event: eventRecordOf(database, content.n) }]
    case 'run':
      return [brought, ...rowsOf(database, brought, content.run)]
    case 'account-rule':
      return [isRuleInForce(database, stored.seq) ? brought : { ...brought, content: { ...content, isPast: true } }]
    case 'payee':
      return [isPayeeInForce(database, stored.seq) ? brought : { ...brought, content: { ...content, isPast: true } }]
    default:
      return [brought]
  }
}

/** The rows of a run, which its own ledger keeps in a table of their own. The ids follow from what they hold, so that each is brought once. */
function rowsOf(database: Database, run: BroughtRecord, name: string): BroughtRecord[] {
  return Array.from(runRowPages(database, name), (rows) => ({
    ...run,
    id: `${run.id}/${rows.at(-1)?.line ?? 0}`,
    content: { type: 'run-rows', run: name, rows },
  }))
}

function isToBring(database: Database, record: LedgerRecord, account: AccountKey, own: number): boolean {
  if ('owner' in record) return isOfAccount(record, account)
  if ('payment' in record) {
    const payment = 'SELECT 1 FROM payment WHERE id = ? AND account = ?'
    return database.get(payment, record.payment, own) !== undefined
  }
  if (record.type !== 'forward') return false
  const event = database.get(`SELECT ${RECORD_COLUMNS} FROM event JOIN record USING (seq) WHERE event.n = ?`, record.n)
  return event !== undefined && isToBring(database, readRecord(event), account, own)
}

/** The id of the record of an event. */
function eventRecordOf(database: Database, n: number): string | null {
  const row = database.get('SELECT record.id FROM event JOIN record USING (seq) WHERE event.n = ?', n)
  return row === undefined ? null : textOf(row, 'id')
}

/** A record that is durable on this machine and not in the shared ledger yet. */
export interface PendingRecord {
  id: string
  /** RFC 3339, UTC. */
  at: string
  /** Who may hand it over. */
  login: string
  content: RecordContent
}

const FILE = 'pending.db'

const TABLE = `
CREATE TABLE IF NOT EXISTS pending (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  login TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT`

/** Opens what is pending in the folder of a copy; the file is made if it is missing. Throws LedgerBusy, UsageError and the system's error. */
export async function openPendingRecords(folder: string): Promise<PendingRecords> {
  const open = await loadSqlite()
  const path = join(folder, FILE)
  createPrivateFile(path)
  return withFailures(path, () => {
    const database = open(path)
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(TABLE)
    return new PendingRecords(database, path)
  })
}

/**
 * What happened on this machine and could not be written to the shared ledger yet: answers, and events that arrived. Everything throws LedgerBusy if
 * another process holds the file for too long, such as one that was stopped, and UsageError if it cannot be used.
 */
export class PendingRecords {
  readonly #database: Database
  readonly #path: string

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
  }

  /** All of them in their order, or those of a login. */
  list(login?: string): PendingRecord[] {
    const query = 'SELECT id, at, login, content FROM pending ORDER BY place'
    const all = withFailures(this.#path, () => this.#database.all(query)).map(pendingRecord)
    return login === undefined ? all : all.filter((each) => each.login === login)
  }

  /** Adds records; they are durable when this returns. */
  add(records: readonly Pick<ChainedRecord, 'id' | 'at' | 'content'>[], login: string): void {
    this.#inTransaction(() => {
      for (const { id, at, content } of records) {
        this.#database.run('INSERT INTO pending (id, at, login, content) VALUES (?, ?, ?, ?)', id, at, login, content)
      }
    })
  }

  /** Removes what was handed over. If the file cannot be written, the next contact does that: each record is known by its id. */
  remove(records: readonly PendingRecord[]): void {
    if (records.length === 0) return
    try {
      this.#inTransaction(() => {
        for (const { id } of records) this.#database.run('DELETE FROM pending WHERE id = ?', id)
      })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  close(): void {
    this.#database.close()
  }

  #inTransaction(work: () => void): void {
    withFailures(this.#path, () => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        work()
        this.#database.exec('COMMIT')
      } catch (error) {
        rollBack(this.#database)
        throw error
      }
    })
  }
}

function withFailures<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw ledgerFailure(path, error)
  }
}

/**
 * Adds pending records to the chain. One that is there already, because its commit succeeded although nobody heard of it, is left out; so is an answer to
 * a request that was never recorded. Events get the numbers that are next now. `mark` tells those that are only looked at.
 */
export function addPending(
  writer: Writer,
  pending: readonly PendingRecord[],
  mark: Pick<LedgerRecord, 'isPending'> = {},
): void {
  const numbers = new Map<string, number>()
  for (const { id, at, content } of pending) {
    if (hasRecord(writer.database, id)) continue
    const atMs = Date.parse(at)
    switch (content.type) {
      case 'answer':
        if (hasRecord(writer.database, content.attempt)) writer.append({ ...content, ...mark }, atMs, id)
        break
      case 'event': {
        const next = nextEvent(writer.database, content)
        numbers.set(id, next.n)
        if (next.record !== null) writer.append({ ...next.record, ...mark }, atMs, id)
        break
      }
      case 'forward': {
        const { event = '' } = content
        const n = numbers.get(event) ?? numberOfEvent(writer.database, event) ?? content.n
        writer.append({ ...content, n }, atMs, id)
        break
      }
      default:
        writer.append(content, atMs, id)
    }
  }
}

/** Answers that say of the requests among these records that they were not sent. Those that were taken over may have been sent from elsewhere. */
export function notSent(
  records: readonly ChainedRecord[],
  { now, newId }: Pick<LedgerEnvironment, 'now' | 'newId'>,
): Pick<ChainedRecord, 'id' | 'at' | 'content'>[] {
  const at = new Date(now()).toISOString()
  return records.map(parseRecord).flatMap((record) => {
    if ((record.type !== 'attempt' && record.type !== 'resend') || record.firstBy !== undefined) return []
    const attempt = record.type === 'attempt' ? record.id : record.attempt
    const answer = { ...NO_RESPONSE, payment: record.payment, attempt, outcome: 'not-sent' }
    return [{ id: newId(), at, content: JSON.stringify(answer) }]
  })
}

function pendingRecord(row: Row): PendingRecord {
  const content: unknown = JSON.parse(textOf(row, 'content'))
  if (!isContent(content)) throw new Error('a pending record is no record')
  return { id: textOf(row, 'id'), at: textOf(row, 'at'), login: textOf(row, 'login'), content }
}

/** pixgate wrote it, so an object with a type is a record. */
function isContent(value: unknown): value is RecordContent {
  return isObject(value) && typeof value.type === 'string'
}
