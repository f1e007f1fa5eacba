import { type Database, integerOf, textOf } from '../../storage/sqlite.ts'
import { isRuleInForce } from '../accountRules.ts'
import { RECORD_COLUMNS, readRecord, type StoredRecord, storedRecord } from '../chain.ts'
import type { FirstWriter, LedgerRecord, RecordContent } from '../records.ts'
import type { Writer } from '../writer.ts'
import { addBrought, type BroughtRecord, eventRecordOf } from './broughtRecords.ts'

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
