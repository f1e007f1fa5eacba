import { comparableKey, destinationOf } from '../pix/destination.ts'
import { comparableName } from '../pix/payeeName.ts'
import { type Database, integerOf, type Row, textOrNull } from '../storage/sqlite.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { DamagedRecord, paymentRecords, RECORD_COLUMNS, readRecord } from './chain.ts'
import { isAnswerWithId, isProof } from './derivePayment.ts'
import { payeeKeys } from './knownNames.ts'
import { isOwnRecord } from './ledgerNotes.ts'
import { findingFromEvent } from './paymentState.ts'
import type { AttemptRecord, EventRecord, FirstWriter, LedgerRecord, PayeeRecord, PaymentRecord } from './records.ts'

/** Whom an account pays under a name. */
export type Payee = NonNullable<PayeeRecord['payee']>

/** Whether an event has confirmed a payment to the key of a payee since it was added, or its key or owner changed. */
export const PAYEE_STATES = ['new', 'changed', 'confirmed'] as const

/** A payee as the ledger knows it. */
export interface KnownPayee extends Payee {
  state: (typeof PAYEE_STATES)[number]
  /** The record that holds all this. */
  seq: number
  /** When its key or its owner was set last, in ms, and by whom. */
  changedMs: number
  changedBy: string
}

export type UnconfirmedState = Exclude<KnownPayee['state'], 'confirmed'>
/** A payee to whose key no payment is confirmed since it was added or changed. */
export type UnconfirmedPayee = KnownPayee & { state: UnconfirmedState }

/** The table that finds payees, which is built from records: a row for each. */
export const PAYEE_TABLE = `
-- A record of a payee. name is in one spelling. change: 'new', 'key' (its key or owner), 'other', 'removed'; 'past' says nothing about now.
CREATE TABLE payee (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  account INTEGER NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  comparable_key TEXT,
  change TEXT NOT NULL
) STRICT;
CREATE INDEX payee_name ON payee (account, name, seq);
CREATE INDEX payee_key ON payee (account, comparable_key);
`

/** The payee of an account with this name; undefined if there is none. Throws DamagedRecord. */
export function findPayee(database: Database, account: AccountKey, name: string): KnownPayee | undefined {
  return currentPayee(database, accountId(database, account), comparableName(name))
}

/** The record that holds the payee with this name, by its number; undefined if there is none. It reads no record. */
export function payeeSeq(database: Database, account: AccountKey, name: string): number | undefined {
  const newest = database.get(
    "SELECT seq, change FROM payee WHERE account = ? AND name = ? AND change <> 'past' ORDER BY seq DESC LIMIT 1",
    accountId(database, account),
    comparableName(name),
  )
  return newest === undefined || newest.change === 'removed' ? undefined : integerOf(newest, 'seq')
}

/** A key with its type. */
export type SentKey = Pick<Payee, 'key' | 'keyType'>

/** The payees of an account that have this key. Throws DamagedRecord. */
export function payeesWithKey(database: Database, account: AccountKey, { key, keyType }: SentKey): KnownPayee[] {
  const id = accountId(database, account)
  const wanted = comparableKey(key, keyType)
  // To sort them or to leave out repeated ones, SQLite would read the names of all payees of the account.
  const names = database.texts('SELECT name FROM payee WHERE account = ? AND comparable_key = ?', id, wanted)
  return [...new Set(names)]
    .toSorted()
    .flatMap((name) => currentPayee(database, id, name) ?? [])
    .filter((payee) => comparableKey(payee.key, payee.keyType) === wanted)
}

/** True if some account has or had a payee with this key. It reads no record. */
export function isKeyOfPayee(database: Database, { key, keyType }: SentKey): boolean {
  return database.has('SELECT 1 FROM payee WHERE comparable_key = ? LIMIT 1', comparableKey(key, keyType))
}

/** The payee that a transfer names, or whose key it goes to, unless a payment to it is confirmed. Throws DamagedRecord. */
export function unconfirmedPayee(
  database: Database,
  account: AccountKey,
  { payee: named = null, ...sent }: SentKey & { payee?: string | null },
): UnconfirmedPayee | undefined {
  const payees = payeesWithKey(database, account, sent).filter(({ name }) => named === null || name === named)
  return payees.find((payee): payee is UnconfirmedPayee => payee.state !== 'confirmed')
}

/**
 * The payees of an account that had one of these comparable keys when a record was added, and whose key or owner is another now, or that were removed, by name.
 * Throws DamagedRecord.
 */
export function payeesChangedSince(
  database: Database,
  account: AccountKey,
  { seq, keys }: { seq: number; keys: ReadonlySet<string> },
): Payee[] {
  const id = accountId(database, account)
  const changed =
    "SELECT DISTINCT name FROM payee WHERE account = ? AND seq > ? AND change IN ('key', 'removed') ORDER BY name"
  return database.texts(changed, id, seq).flatMap((name) => {
    const before = newestRow(database, id, name, `<> 'past' AND payee.seq <= ${seq}`)
    const payee = before === undefined ? null : payeeRecordOf(before).payee
    if (payee === null || !keys.has(comparableKey(payee.key, payee.keyType))) return []
    const now = currentPayee(database, id, name)
    return now !== undefined && isSameTargetOfPayee(now, payee) ? [] : [payee]
  })
}

/** All payees of an account, by name. Throws DamagedRecord. */
export function allPayees(database: Database, account: AccountKey): KnownPayee[] {
  const id = accountId(database, account)
  const names = database.texts('SELECT DISTINCT name FROM payee WHERE account = ? ORDER BY name', id)
  return names.flatMap((name) => currentPayee(database, id, name) ?? [])
}

/** The names of the payees of an account, as they were typed. */
export function payeeNames(database: Database, account: AccountKey): string[] {
  return payeeKeys(database, account).map(({ name }) => name)
}

/** The records of a payee, newest first. Throws DamagedRecord. */
export function payeeRecords(database: Database, account: AccountKey, name: string): LedgerRecord<PayeeRecord>[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM payee JOIN record USING (seq) WHERE account = ? AND name = ? ORDER BY seq DESC`,
    accountId(database, account),
    comparableName(name),
  )
  return rows.map(payeeRecordOf)
}

/** Writes the row of a record. One that was taken over from another ledger does not replace a payee that has its name here. */
export function addPayee(database: Database, record: LedgerRecord<PayeeRecord & FirstWriter>): void {
  const { seq, owner, name, payee, firstBy, isPast } = record
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  const before = newestRow(database, account, comparableName(name), "<> 'past'")
  const isLeftOut = firstBy !== undefined && (isPast === true || before !== undefined)
  database.run(
    'INSERT INTO payee (seq, account, name, comparable_key, change) VALUES (?, ?, ?, ?, ?)',
    seq,
    account,
    comparableName(name),
    payee === null ? null : comparableKey(payee.key, payee.keyType),
    isLeftOut ? 'past' : changeOf(payee, before === undefined ? null : payeeRecordOf(before).payee),
  )
}

/** True if a record with this number says what holds of its payee. */
export function isPayeeInForce(database: Database, seq: number): boolean {
  const later = `SELECT 1 FROM payee later WHERE later.account = payee.account AND later.name = payee.name
    AND later.seq > payee.seq AND later.change <> 'past'`
  const query = `SELECT 1 FROM payee WHERE seq = ? AND change <> 'past' AND NOT EXISTS (${later})`
  return database.has(query, seq)
}

/** What two versions of a payee must share so that the money goes to the same person. */
export function isSameTargetOfPayee(one: Omit<Payee, 'name' | 'displayName'>, other: typeof one): boolean {
  return (
    comparableKey(one.key, one.keyType) === comparableKey(other.key, other.keyType) &&
    destinationOf(one.key, one.keyType).keyType === destinationOf(other.key, other.keyType).keyType &&
    one.documentValidation === other.documentValidation
  )
}

function changeOf(payee: Payee | null, before: Payee | null): string {
  if (payee === null) return 'removed'
  if (before === null) return 'new'
  return isSameTargetOfPayee(payee, before) ? 'other' : 'key'
}

function currentPayee(database: Database, account: number, name: string): KnownPayee | undefined {
  const newest = newestRow(database, account, name, "<> 'past'")
  const changed = newestRow(database, account, name, "IN ('new', 'key')")
  if (newest === undefined || changed === undefined) return undefined
  const { payee, seq } = payeeRecordOf(newest)
  if (payee === null) return undefined
  const { madeMs, user, seq: changedSeq } = payeeRecordOf(changed)
  const first = textOrNull(changed, 'change') === 'new' ? 'new' : 'changed'
  const state = isConfirmed(database, account, payee, changedSeq) ? 'confirmed' : first
  return { ...payee, state, seq, changedMs: madeMs, changedBy: user }
}

function newestRow(database: Database, account: number, name: string, change: string): Row | undefined {
  return database.get(
    `SELECT ${RECORD_COLUMNS}, payee.change FROM payee JOIN record USING (seq)
     WHERE account = ? AND name = ? AND change ${change} ORDER BY payee.seq DESC LIMIT 1`,
    account,
    name,
  )
}

/**
 * True if an event proves that a transfer to a key was paid which this machine's login requested after a record. No event names the key, so that of anybody
 * else's attempt may be about another payment.
 */
function isConfirmed(database: Database, account: number, { key, keyType }: SentKey, afterSeq: number): boolean {
  // Kept statements, because all payees may be asked for: one of its own takes 17 KiB on Node.js 20.
  const payments = database.texts(
    `SELECT id FROM payment WHERE comparable_key = ? AND account = ? AND kind = 'transfer' AND seq > ?`,
    comparableKey(key, keyType),
    account,
    afterSeq,
  )
  return payments.some((id) => {
    if (!database.has('SELECT 1 FROM event WHERE payment = ? AND is_verified = 1 LIMIT 1', id)) return false
    const records = paymentRecords(database, id)
    return records.some(
      (event) =>
        event.type === 'event' &&
        findingFromEvent(event) === 'paid' &&
        isProof(event, records) &&
        records.some((attempt) => attempt.type === 'attempt' && isOwnAttemptOf(database, event, attempt, records)),
    )
  })
}

/** True if this machine's login made an attempt, and got from the gateway the id that an event has; elsewhere no one else can claim an id. */
function isOwnAttemptOf(
  database: Database,
  event: LedgerRecord<EventRecord>,
  attempt: LedgerRecord<AttemptRecord>,
  records: readonly PaymentRecord[],
): boolean {
  if (!isOwnRecord(database, attempt)) return false
  return (
    event.storedAtMs === undefined || records.some((answer) => isAnswerWithId(answer, attempt, event.idTransaction))
  )
}

function payeeRecordOf(row: Row): LedgerRecord<PayeeRecord> {
  const record = readRecord(row)
  if (record.type !== 'payee') throw new DamagedRecord(integerOf(row, 'seq'))
  return record
}
