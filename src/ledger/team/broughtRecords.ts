import { type Database, integerOf, textOf } from '../../storage/sqlite.ts'
import { isRuleInForce } from '../accountRules.ts'
import { type AccountKey, accountId } from '../accounts.ts'
import { hasRecord, RECORD_COLUMNS, readRecord, type StoredRecord, storedRecord } from '../chain.ts'
import { nextEvent, numberOfEvent } from '../events.ts'
import { isPayeeInForce } from '../payees.ts'
import { isOfAccount } from '../payments.ts'
import type { FirstWriter, LedgerRecord, RecordContent } from '../records.ts'
import { runRowPages } from '../runRow.ts'
import type { Writer } from '../writer.ts'

/** A record of one ledger as another one takes it over, with who wrote it first. */
export interface BroughtRecord {
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

const PAGE_RECORDS = 500

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
export function eventRecordOf(database: Database, n: number): string | null {
  const row = database.get('SELECT record.id FROM event JOIN record USING (seq) WHERE event.n = ?', n)
  return row === undefined ? null : textOf(row, 'id')
}
