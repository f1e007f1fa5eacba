import { hash } from 'node:crypto'
import { type Database, integerOf, type Row } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { parseJson } from '../../wire/jsonTree.ts'
import { type AccountKey, accountId } from '../accounts.ts'
import { hasRecord, IS_READABLE, RECORD_COLUMNS, readRecord, type StoredRecord, storedRecord } from '../chain.ts'
import { nextEvent, numberOfEvent } from '../events.ts'
import type { Ledger } from '../ledger.ts'
import { isPayeeInForce } from '../payees.ts'
import { isOfAccount } from '../payments.ts'
import {
  type AccountRecord,
  type AnswerRecord,
  type AttemptRecord,
  type FindingRecord,
  type FirstWriter,
  type LedgerRecord,
  RECORD_RULES,
  type RecordContent,
  ruleOfType,
} from '../records.ts'
import { isRuleInForce } from '../rulesInForce.ts'
import { runRowPages } from '../runRows.ts'
import type { Writer } from '../writer.ts'

/** A record of one ledger, or one that waits on this machine, as another ledger takes it over. */
export interface HandedOver {
  id: string
  /** When it was written, in ms. */
  atMs: number
  content: RecordContent & FirstWriter
  /** What a ledger says of a payment: the ids of the records of all requests that had been made for it there by then. */
  requests?: readonly string[]
}

/** What takes records over: the ledger that an account uses from now on, or the server that lost them. */
type Target = AccountKey | 'server'

const PAGE_RECORDS = 500

/**
 * Adds the records of a ledger after a number to another one. `commit` does the adding of some records in a transaction of that ledger, and returns how many
 * it added. Returns how many they were, and the number of the last record that was looked at. It may be repeated after a crash. Throws DamagedRecord, and
 * what `commit` throws.
 */
export async function handOver(
  from: Pick<Ledger, 'read'>,
  target: Target,
  afterSeq: number,
  commit: (add: (writer: Writer) => number) => Promise<number>,
): Promise<{ records: number; lastSeq: number }> {
  const taken = { records: 0, lastSeq: afterSeq }
  const newIds: NewIds = new Map()
  for (;;) {
    const { records, lastSeq } = await from.read((database) => recordsFor(database, target, taken.lastSeq))
    if (lastSeq === null) return taken
    if (records.length > 0) taken.records += await commit((writer) => addRecords(writer, records, {}, newIds))
    taken.lastSeq = lastSeq
  }
}

/**
 * Those of up to 500 records after a number that another ledger takes over, with who wrote them first, oldest first. `lastSeq` is null after the last one.
 * Throws DamagedRecord.
 */
function recordsFor(database: Database, target: Target, afterSeq: number) {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.seq > ? AND ${IS_READABLE} ORDER BY record.seq LIMIT ?`,
    afterSeq,
    PAGE_RECORDS,
  )
  const records = rows.map(readRecord).filter((record) => doesTravel(database, record, target))
  return { records: records.flatMap((record) => handedOver(database, record, target)), lastSeq: lastSeqOf(rows) }
}

function doesTravel(database: Database, record: LedgerRecord, target: Target): boolean {
  const { travels } = ruleOfType(record.type)
  if (target === 'server') return travels !== 'never'
  return travelsWithAccount(record) && isOf(database, record, target)
}

function travelsWithAccount(record: LedgerRecord): record is AccountRecord {
  return ruleOfType(record.type).travels === 'with-account'
}

function isOf(database: Database, record: AccountRecord, account: AccountKey): boolean {
  if ('owner' in record) return isOfAccount(record, account)
  if ('payment' in record) {
    const payment = 'SELECT 1 FROM payment WHERE id = ? AND account = ?'
    return database.has(payment, record.payment, accountId(database, account))
  }
  if (record.type === 'forward') {
    const row = database.get(
      `SELECT ${RECORD_COLUMNS} FROM record WHERE record.id = ? AND ${IS_READABLE}`,
      record.event,
    )
    const event = row && readRecord(row)
    return event?.type === 'event' && isOfAccount(event, account)
  }
  record satisfies never
  return false
}

function handedOver(database: Database, record: LedgerRecord, target: Target): HandedOver[] {
  const { seq, id, at, madeMs, storedAtMs, user, machine, login, isPending, isVerified, ...content } = record
  const writer = { user, machine }
  const firstBy = target === 'server' ? { ...writer, login: content.firstBy?.login ?? login } : writer
  // A payee keeps no time that its writer claimed.
  const atMs = content.type === 'payee' ? madeMs : Date.parse(at)
  const handed: HandedOver = { id, atMs, content: { ...content, firstBy } }
  if (content.type === 'attempt' || content.type === 'answer' || content.type === 'finding') {
    handed.requests = requestsOf(database, content.payment, seq)
  }
  // What held last counts there, and nothing of it makes a stricter rule less strict.
  const isPast =
    ((content.type === 'account-rule' || content.type === 'approver-revocation') && !isRuleInForce(database, seq)) ||
    (content.type === 'payee' && !isPayeeInForce(database, seq))
  if (isPast) handed.content.isPast = true
  if (content.type !== 'run' || target === 'server') return [handed]
  // Its own ledger keeps the rows in a table. The ids follow from what they hold, so that each is taken over once.
  const rows = Array.from(runRowPages(database, content.run), (rows): HandedOver => {
    return {
      id: `${id}/${rows.at(-1)?.line ?? 0}`,
      atMs,
      content: { type: 'run-rows', run: content.run, rows, firstBy },
    }
  })
  return [...rows, handed]
}

/** The ids under which a ledger got back its records, and payments, where somebody else had taken theirs. */
type NewIds = Map<string, string>

/**
 * Adds records of another ledger, or what waits on this machine, to the chain, and returns how many were added. What is there is left out, so it may be
 * repeated, and done by several machines. A refusal and an acceptance are believed from their own login alone: if another one has handed it over, it is added
 * once more. `mark` tells those that are only looked at.
 */
export function addRecords(
  writer: Writer,
  records: readonly HandedOver[],
  mark: Pick<LedgerRecord, 'isPending'> = {},
  newIds: NewIds = new Map(),
): number {
  const before = writer.appended.length
  /** The numbers of the events among these, also of one that was there under another id. */
  const numbers = new Map<string, number>()
  for (const given of records) {
    const record = withNewIds(writer.database, given, newIds)
    const known = idFor(writer, record)
    const id = freeId(writer.database, record, known)
    if (id === null) continue
    if (id !== known) newIds.set(record.id, id)
    const content = contentFor(writer.database, record, numbers)
    const firstBy = id === known ? {} : { firstBy: { ...record.content.firstBy, insteadOf: known } }
    if (content !== null) writer.append(Object.assign({}, content, firstBy, mark), record.atMs, id)
  }
  return writer.appended.length - before
}

function idFor({ database, user }: Writer, { id, content }: HandedOver): string {
  const isOwnAnswer = content.type === 'answer' && content.firstBy?.login === user
  if (!isOwnAnswer || content.outcome === 'unknown' || content.outcome === 'not-sent') return id
  const isFromOther = database.has('SELECT 1 FROM record WHERE id = ? AND user <> ?', id, user)
  return isFromOther ? `${id}/${user}` : id
}

/** True if a record is the answer of a login that the server had already got back from another one. */
export function isAddedAgain({ type, id, user }: Pick<StoredRecord, 'type' | 'id' | 'user'>): boolean {
  return type === 'answer' && id.endsWith(`/${user}`)
}

/**
 * The id under which a record is added; null if it is there. A member who knows what a server lost can record something else under its id before those who have it
 * hand it over: then it gets one of its own.
 */
function freeId(database: Database, record: HandedOver, id: string): string | null {
  for (let number = 0; ; number++) {
    const next = number === 0 ? id : ownId(record, number)
    const row = database.get('SELECT * FROM record WHERE id = ?', next)
    if (row === undefined) return next
    if (record.content.firstBy?.login === undefined || isSameRecord(storedRecord(row), record)) return null
  }
}

/** A record with the ids that what it is about has got, see {@link freeId}. */
function withNewIds(database: Database, record: HandedOver, newIds: NewIds): HandedOver {
  const { content, requests } = record
  if (content.firstBy?.login === undefined) return record
  if (content.type === 'attempt' && requests?.length === 0) {
    const payment = freePayment(database, record, content)
    if (payment !== content.payment) newIds.set(content.payment, payment)
  }
  if (newIds.size === 0) return record
  const renamed = (name: string, id: unknown) => {
    const isId = typeof id === 'string' && ['payment', 'attempt', 'event'].includes(name)
    return [name, isId ? (newIds.get(id) ?? id) : id]
  }
  const changed = Object.fromEntries(Object.entries(content).map(([name, id]) => renamed(name, id)))
  const known = requests && { requests: requests.map((id) => newIds.get(id) ?? id) }
  return { ...record, content: Object.assign({}, content, changed), ...known }
}

/** The id of a payment for its first attempt: another one if somebody else's first attempt of it is there. */
function freePayment(database: Database, record: HandedOver, attempt: AttemptRecord): string {
  for (let number = 0; ; number++) {
    const payment = number === 0 ? attempt.payment : ownId(record, -number)
    const first = 'SELECT * FROM record WHERE payment = ? ORDER BY seq LIMIT 1'
    const row = database.get(first, payment)
    if (row === undefined) return payment
    const content = Object.assign({}, record.content, { payment })
    if (isSameRecord(storedRecord(row), { ...record, content })) return payment
  }
}

/** An id that follows from a record, so that every machine that has the record finds the same. */
function ownId(record: HandedOver, number: number): string {
  const digits = hash('sha256', JSON.stringify([number, record.id, record.atMs, saidIn(record.content)]))
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** True if a stored record is the one that is handed over: the same of the same time by the same login, or its denial, which has no effect any more. */
export function isSameRecord(stored: StoredRecord, { atMs, content }: HandedOver): boolean {
  const there = parseJson(stored.content)
  if (!isObject(there)) return false
  const { user, machine } = stored
  const by = Object.assign({ user, machine, login: user }, there.firstBy)
  if (stored.at !== new Date(atMs).toISOString() || !isSameWriter(by, content.firstBy)) return false
  const said = there.type === 'superseded' && mayDeny(content) ? there.record : there
  return isObject(said) && saidIn(said) === saidIn(content)
}

type WriterName = FirstWriter['firstBy']

function isSameWriter(one: WriterName, other: WriterName): boolean {
  return one?.login === other?.login && one?.user === other?.user && one?.machine === other?.machine
}

/** What a record says wherever it is stored, as a text. */
function saidIn(content: object): string {
  const everywhere = { ...content, firstBy: undefined, isPast: undefined, n: undefined, duplicateOf: undefined }
  return JSON.stringify(everywhere)
}

/** What is added for a record; null if it says something of what is not there, and for an event that is there under another id. */
function contentFor(
  database: Database,
  record: HandedOver,
  numbers: Map<string, number>,
): (RecordContent & FirstWriter) | null {
  const { id, content } = record
  if (isSuperseded(database, record)) {
    const { firstBy, ...said } = content
    return { type: 'superseded', record: said, firstBy }
  }
  switch (content.type) {
    case 'answer':
      return hasRecord(database, content.attempt) ? content : null
    case 'event': {
      const next = nextEvent(database, content)
      numbers.set(id, next.n)
      return next.record
    }
    case 'forward': {
      const waiting = content.firstBy === undefined ? (numbers.get(content.event) ?? content.n) : undefined
      const n = numberOfEvent(database, content.event) ?? waiting
      return n === undefined ? null : { ...content, n }
    }
    default:
      return content
  }
}

/** True if a record could make room for another payment, but does not know of a request that was recorded here meanwhile. */
function isSuperseded(database: Database, { content, requests }: HandedOver): boolean {
  if (requests === undefined) return false
  if (!mayDeny(content)) return false
  return requestsOf(database, content.payment).some((id) => !requests.includes(id))
}

/** True if a record could make room for another payment. */
function mayDeny(content: RecordContent): content is AnswerRecord | FindingRecord {
  if (content.type === 'answer') return content.outcome === 'refused' || content.outcome === 'not-sent'
  return content.type === 'finding' && content.as !== 'paid'
}

/** The ids of the records of a payment's requests, or of those before a record. */
function requestsOf(database: Database, payment: string, beforeSeq = Number.MAX_SAFE_INTEGER): string[] {
  const requests = "SELECT id FROM record WHERE payment = ? AND type IN ('attempt', 'resend') AND seq < ?"
  return database.texts(requests, payment, beforeSeq)
}

function lastSeqOf(rows: readonly Row[]): number | null {
  const last = rows.at(-1)
  return last === undefined ? null : integerOf(last, 'seq')
}

const UNDECISIVE = Object.entries(RECORD_RULES).flatMap(([type, { decides }]) => (decides ? [] : `'${type}'`))

/** Up to 500 records of a copy after a number without which a decision about money could be wrong, as they are handed over, oldest first. */
export function decisiveRecords(
  database: Database,
  afterSeq: number,
): { records: HandedOver[]; lastSeq: number | null } {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.seq > ? AND type NOT IN (${UNDECISIVE.join(', ')}) AND ${IS_READABLE} ORDER BY record.seq LIMIT ?`,
    afterSeq,
    PAGE_RECORDS,
  )
  const records = rows.map(readRecord).flatMap((record) => handedOver(database, record, 'server'))
  return { records, lastSeq: lastSeqOf(rows) }
}
