import { formatInstant, parseInstant } from '../pix/calendar.ts'
import { readJson } from '../schemas/jsonReader.ts'
import { type Database, integerOf, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isObject, keysOf } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { accountId } from './accounts.ts'
import { COUNTED_CLAIMS, DamagedRecord, RECORD_COLUMNS, readRecord, type StoredRecord, storedRecord } from './chain.ts'
import { EVENT_FACT_RULES, FACTS, type MoneyPayment } from './facts.ts'
import { note, noted } from './ledgerNotes.ts'
import { isKeyOfPayee } from './payees.ts'
import { isFalsePlanStep, planTextsOf } from './plans.ts'
import {
  type AnswerRecord,
  isRecordType,
  type LedgerRecord,
  type PlanRecord,
  type RecordType,
  type ResendRecord,
  type RunRowsRecord,
  ruleOfType,
  SENDER_ENDED,
  type SetAsideRecord,
  type Stops,
  wrongMember,
} from './records.ts'
import { comparableTarget } from './samePayment.ts'

/** The table of the unreadable records of a shared ledger, which is built from the records. */
export const REFUSED_RECORD_TABLE = `
-- A record that has no effect, or not that which it claims. stops: what is not sent until it is set aside; comparable_key: to or of which, if that
-- is 'target'. why, with its detail: see REASONS; 'signature' is what this machine has found, and comes from no record.
CREATE TABLE refused_record (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  stops TEXT NOT NULL,
  comparable_key TEXT,
  why TEXT NOT NULL,
  detail TEXT NOT NULL,
  set_aside INTEGER REFERENCES record (seq)
) STRICT;
`

/** The types of records that are named where they claim what is not so. */
const CLAIMS = [...COUNTED_CLAIMS, 'plan', 'plan-text', 'plan-approval', 'signature'] as const

type Claim = (typeof CLAIMS)[number]

/** Why a record is named, with what is noted beside it. */
const REASONS = {
  json: () => t`What it says is no record`,
  type: (type) => t`This pixgate does not know its type \`${type}\``,
  member: (name) => t`What it says is no record: \`${name}\` is missing or wrong`,
  before: () => t`It contradicts the records before it, or refers to something that does not exist`,
  // Its record comes after them.
  rows: (run) => t`Its rows are not those of the run ${run} that a person confirmed`,
  run: (run) => t`The ledger has another record of the run ${run}`,
  place: () => t`A machine that had the lost one brought it back under another id, and both count`,
  nothing: () => t`It refers to something that does not exist`,
  answer: () => t`It says what became of a request that its login did not send`,
  resend: () => t`It says that a request was sent again that is not there, or whose outcome was known`,
  'machine-heard': () => t`It says that a machine has reported, and the ledger was not stopped`,
  superseded: () => t`It takes the place of a record that was not brought back`,
  account: (account) => t`It is about the account ${account}, which does not use this ledger`,
  brought: (from) =>
    from === 'back'
      ? t`It says that the server had lost it, and the server had lost nothing`
      : t`It says that it was in another ledger, with which its login has not joined; while somebody joins, that is so until it is done`,
  clock: () => t`It says what time it was, and the clock of the server showed another one`,
  time: (_, storedAt) => t`The server stored it at ${storedAt}, and it counts from then on`,
  plan: () => t`It says that a plan was made that is there already, or that has another text`,
  'plan-text': () => t`It belongs to no plan that was made`,
  'plan-approval': () => t`It approves a plan that is not there, that was rejected, or that the same login made`,
  signature: (principal) => t`It has no valid signature of ${principal}`,
} satisfies Readonly<Record<string, (detail: string, storedAt: string) => string>>

type Why = keyof typeof REASONS

/** Why a record cannot be taken into the tables. */
export class RecordRefused extends Error {
  readonly why: Why
  readonly detail: string

  constructor(why: Why, detail = '') {
    super(`${why} ${detail}`)
    this.why = why
    this.detail = detail
  }
}

/** An unreadable record, and the one that set it aside. */
export type RefusedRecord = ReturnType<typeof refusedRecord>

/**
 * What is wrong with what a record of a shared ledger holds, which somebody may have written by hand: with each column and member that others rely on.
 */
function faultOf(stored: StoredRecord): RecordRefused | undefined {
  const content = parseJson(stored.content)
  // Of a member that is there twice SQLite reads the first and Node.js the last.
  const isWritten = isObject(content) && content.type === stored.type && JSON.stringify(content) === stored.content
  if (!isWritten) return new RecordRefused('json')
  if (!isRecordType(stored.type)) return new RecordRefused('type', stored.type.slice(0, SHOWN_MAX))
  if (!/^\d{4}-.*Z$/.test(stored.at) || parseInstant(stored.at) === undefined) return new RecordRefused('member', 'at')
  if (stored.payment !== ('payment' in content ? content.payment : null)) return new RecordRefused('member', 'payment')
  // Only what waits on this machine is marked as waiting.
  const said = stored.storedAtMs === undefined ? { ...content, isPending: undefined } : content
  const wrong = wrongMember(stored.type, said) ?? (stored.type === 'event' ? wrongFact(content) : undefined)
  return wrong === undefined ? undefined : new RecordRefused('member', wrong)
}

/** Throws RecordRefused if something is wrong with what a record holds. */
export function assertReadable(stored: StoredRecord): void {
  const fault = faultOf(stored)
  if (fault !== undefined) throw fault
}

/** True if nothing is wrong with what a record holds. */
export function isReadable(stored: StoredRecord): boolean {
  return faultOf(stored) === undefined
}

/** What an event says otherwise than its own bytes, which are what is signed. */
function wrongFact(event: Readonly<Record<string, unknown>>): string | undefined {
  const body = Buffer.from(String(event.bodyBase64), 'base64').toString('utf8')
  const facts: Readonly<Record<string, unknown>> = { ...readEventFacts(body) }
  return EVENT_FACTS.find((name) => event[name] !== (facts[name] ?? null))
}

const EVENT_FACTS = Object.keys(EVENT_FACT_RULES).filter((name) => name !== 'happenedAt')

/** No type of any pixgate is longer. */
const SHOWN_MAX = 40

interface Refusal {
  seq: number
  why: Why
  detail?: string
  stops?: Stops
  comparableKey?: string | null
}

function refuse(database: Database, { seq, why, detail = '', stops = 'nothing', comparableKey = null }: Refusal): void {
  const insert = 'INSERT OR IGNORE INTO refused_record (seq, stops, comparable_key, why, detail) VALUES (?, ?, ?, ?, ?)'
  database.run(insert, seq, stops, comparableKey, why, detail)
}

/** Notes that a record was refused for an error, and what it could concern. */
export function refuseRecord(database: Database, stored: StoredRecord, error: Error): void {
  const { why, detail } = error instanceof RecordRefused ? error : { why: 'before' as const, detail: '' }
  refuse(database, { seq: stored.seq, why, detail, ...concernOf(database, stored) })
}

/** Notes that rows of a run have no effect, unless its record, which is written after them, confirms them. */
export function holdRunRows(database: Database, { seq, run }: LedgerRecord<RunRowsRecord>): void {
  refuse(database, { seq, why: 'rows', detail: run })
}

/** No two clocks that are right differ by more. */
const CLOCKS_APART_MS_MAX = 3_600_000

/**
 * Notes a record of a shared ledger whose claim has no effect, so that it is named: it has the place of one that a machine brought back after the server had
 * lost it; it says that nothing was paid of a request which another login sent; its clock, or itself, shows another time than the server's; its account does not use
 * the ledger; or no command writes it as it is.
 */
export function noteClaim(database: Database, record: LedgerRecord): void {
  const { firstBy, seq, storedAtMs } = record
  if (firstBy?.insteadOf !== undefined) {
    database.run(
      `INSERT INTO refused_record (seq, stops, why, detail) SELECT seq, 'nothing', 'place', '' FROM record WHERE id = ?
         ON CONFLICT (seq) DO UPDATE SET why = 'place' WHERE why IN (${CLAIMS.map((why) => `'${why}'`).join(', ')})`,
      firstBy.insteadOf,
    )
  }
  if (storedAtMs === undefined) return
  if (isOfJoining(record)) releaseBrought(database, record)
  const claim = falseClaim(database, record, storedAtMs)
  if (claim !== null) refuse(database, { seq, ...claim })
  else if (record.type === 'plan') releasePlanTexts(database, record)
}

/** What a record of a shared ledger claims that is not so; null for nothing. */
function falseClaim(
  database: Database,
  record: LedgerRecord,
  storedAtMs: number,
): { why: Claim; detail: string } | null {
  const why = doubtOf(database, record, storedAtMs)
  if (why !== null) return { why, detail: '' }
  const account = unknownAccountOf(database, record)
  if (account !== null) return { why: 'account', detail: account }
  const from = falselyBrought(database, record)
  return from === null ? null : { why: 'brought', detail: from }
}

/** From where a record says that it was brought, though it was not; null for one that may have been. */
type Brought = 'along' | 'back'

/**
 * What is brought back was lost by the server, so the ledger has been stopped by then; only types that travel are. What is brought along from another ledger is
 * followed by the record of joining, or follows one.
 */
function falselyBrought(database: Database, { seq, type, firstBy, login }: LedgerRecord): Brought | null {
  if (firstBy === undefined) return null
  const { travels, decides } = ruleOfType(type)
  if (travels === 'never') return 'back'
  // Rows of a run count only if its record, which is brought after them, confirms them.
  if (type === 'run-rows') return null
  if (firstBy.login !== undefined) {
    return (decides || type === 'superseded') && noted(database, 'stop') === undefined ? 'back' : null
  }
  const row = database.get(
    `SELECT ${RECORD_COLUMNS}, refused_record.why FROM record LEFT JOIN refused_record USING (seq)
     WHERE user = ? AND record.seq < ? ORDER BY record.seq DESC LIMIT 1`,
    login,
    seq,
  )
  if (row === undefined) return 'along'
  const before = readRecord(row)
  const isFirst = before.firstBy === undefined || before.firstBy.login !== undefined
  return (isFirst ? isOfJoining(before) : row.why !== 'brought') ? null : 'along'
}

/** True for the record that an account begins to use the ledger. */
function isOfJoining(record: LedgerRecord): boolean {
  if (record.type !== 'profile-change' || record.firstBy !== undefined) return false
  return record.action === 'add' || record.changes.some(({ setting }) => setting === 'ledger')
}

/** Who joins brings along what the machine had recorded before. */
function releaseBrought(database: Database, { login, seq }: LedgerRecord): void {
  database.run(
    `DELETE FROM refused_record WHERE why = 'brought' AND detail = 'along' AND seq < ?
       AND (SELECT user FROM record WHERE record.seq = refused_record.seq) = ?`,
    seq,
    login,
  )
}

/**
 * The account that a record is of, if it has not used the ledger before: who joins it records that, and so does who changes a profile. Null for others,
 * and for what was brought from another ledger, because that comes before the record of joining.
 */
function unknownAccountOf(database: Database, record: LedgerRecord): string | null {
  if (!('owner' in record) || record.firstBy !== undefined) return null
  const { baseUrl, clientId } = record.owner
  if (baseUrl === null || clientId === null) return null
  const known = 'SELECT 1 FROM profile_change WHERE account = ? LIMIT 1'
  if (isOfJoining(record) || database.has(known, accountId(database, { url: baseUrl, clientId }))) return null
  return `${clientId}, ${baseUrl}`
}

/** Notes that a record about a plan was not signed by whom it names; an owner may have set it aside before this machine has found that out. */
export function refuseSignature(database: Database, { seq }: Pick<StoredRecord, 'seq'>, principal: string): void {
  database.run(
    `INSERT OR IGNORE INTO refused_record (seq, stops, why, detail, set_aside) SELECT $seq, 'nothing', 'signature', $principal,
       (SELECT min(seq) FROM record WHERE type = 'set-aside' AND $seq BETWEEN content ->> '$.record' AND coalesce(content ->> '$.last', content ->> '$.record'))`,
    { seq, principal },
  )
}

/** The type of a record that no command writes; null for one that a command may have written. */
function doubtOf(database: Database, record: LedgerRecord, storedAtMs: number): Claim | null {
  const { type } = record
  if (type === 'plan' || type === 'plan-text' || type === 'plan-approval')
    return isFalsePlanStep(database, record) ? type : null
  if (type === 'plan-rejection') return isFalsePlanStep(database, record) ? 'nothing' : null
  if (record.firstBy !== undefined) return null
  switch (type) {
    case 'answer':
      return isForeignAnswer(database, record) ? type : null
    case 'finding': {
      const { event } = record
      return event === undefined || isThere(database, event, 'event') ? null : 'nothing'
    }
    case 'query':
      return record.payment === null || isIdOf(database, record.payment, record.idTransaction) ? null : 'nothing'
    case 'resend':
      if (isOfKnownOutcome(database, record)) return type
      return isOtherClock(record.at, storedAtMs) ? 'time' : null
    case 'attempt':
    case 'payee':
      return isOtherClock(record.at, storedAtMs) ? 'time' : null
    case 'clock':
      return isOtherClock(record.gatewayAt, storedAtMs) ? type : null
    case 'machine-heard':
      return isStopped(database) ? null : type
    // Only what was brought is superseded.
    case 'superseded':
      return type
    default:
      return null
  }
}

/** True if a request is said to have been sent again that is not there, or whose outcome the login that made it had recorded. */
function isOfKnownOutcome(database: Database, { seq, attempt, payment }: LedgerRecord<ResendRecord>): boolean {
  return !database.has(
    `SELECT 1 FROM attempt JOIN record made USING (seq) WHERE attempt.id = $attempt AND attempt.payment = $payment AND outcome = 'unknown'
       AND NOT EXISTS (SELECT 1 FROM record WHERE record.payment = $payment AND record.type = 'finding' AND record.seq < $seq
         AND coalesce(record.content ->> '$.firstBy.login', record.user) = coalesce(made.content ->> '$.firstBy.login', made.user))`,
    { seq, attempt, payment },
  )
}

function isStopped(database: Database): boolean {
  const last = "SELECT type FROM record WHERE seq = CAST((SELECT value FROM meta WHERE name = 'stop') AS INTEGER)"
  return database.text(last) === 'ledger-stopped'
}

/** The texts of a plan come before the record that confirms them. */
function releasePlanTexts(database: Database, made: LedgerRecord<PlanRecord>): void {
  for (const { seq } of planTextsOf(database, made)) {
    database.run("DELETE FROM refused_record WHERE seq = ? AND why = 'plan-text'", seq)
  }
}

function isThere(database: Database, id: string, type: RecordType): boolean {
  return database.has('SELECT 1 FROM record WHERE id = ? AND type = ?', id, type)
}

/** True if a payment has this id of the gateway. */
function isIdOf(database: Database, payment: string, idTransaction: string): boolean {
  const query = 'SELECT 1 FROM attempt WHERE payment = ? AND id_transaction = ?'
  return database.has(query, payment, idTransaction.trim())
}

/** True for an answer of a login that sent nothing of the payment, or to a request that is not there; not for one that a process ended. */
function isForeignAnswer(
  database: Database,
  { seq, payment, attempt, outcome, code, login }: LedgerRecord<AnswerRecord>,
): boolean {
  if (!isThere(database, attempt, 'attempt')) return true
  if (outcome === 'unknown' && code === SENDER_ENDED) return false
  return !database.has(
    `SELECT 1 FROM record WHERE payment = ? AND type IN ('attempt', 'resend') AND seq < ?
       AND coalesce(content ->> '$.firstBy.login', user) = ? LIMIT 1`,
    payment,
    seq,
    login,
  )
}

function isOtherClock(at: string, storedAtMs: number): boolean {
  return Math.abs((parseInstant(at) ?? 0) - storedAtMs) > CLOCKS_APART_MS_MAX
}

/** Some rows of a run that have no effect: the number of their record, its login, and who wrote them first in the same ledger. */
export type HeldRows = ReturnType<typeof heldRunRows>[number]

/** The rows of a run that have no effect, as they were written. */
export function heldRunRows(database: Database, run: string) {
  const held = database.all(
    `SELECT record.seq, user, coalesce(content ->> '$.firstBy.login', user) AS first FROM refused_record JOIN record USING (seq)
     WHERE why = 'rows' AND detail = ? ORDER BY record.seq`,
    run,
  )
  return held.map((row) => ({
    seq: integerOf(row, 'seq'),
    login: textOf(row, 'user'),
    firstLogin: textOf(row, 'first'),
  }))
}

/** Notes that rows of a run have an effect. */
export function releaseRunRows(database: Database, { seq }: HeldRows): void {
  database.run('DELETE FROM refused_record WHERE seq = ?', seq)
}

/** Notes that the owner of the ledger set records aside, which has no effect on those that can be read. */
export function noteSetAside(database: Database, { seq, record, last = record }: LedgerRecord<SetAsideRecord>): void {
  const query = 'UPDATE refused_record SET set_aside = ? WHERE seq BETWEEN ? AND ? AND set_aside IS NULL'
  database.run(query, seq, record, last)
}

function concernOf(database: Database, stored: StoredRecord): { stops: Stops; comparableKey: string | null } {
  const { stops } = ruleOfType(stored.type)
  if (stops !== 'target') return { stops, comparableKey: null }
  const { value: facts } = readJson(FACTS, factsIn(stored))
  const known = 'SELECT kind, comparable_key FROM payment WHERE id = ?'
  const row = facts === undefined && stored.payment !== null ? database.get(known, stored.payment) : undefined
  // A charge moves no money.
  if (facts?.kind === 'qr' || row?.kind === 'qr') return { stops: 'nothing', comparableKey: null }
  const comparableKey = facts === undefined ? textOrNull(row ?? {}, 'comparable_key') : comparableTarget(facts)
  return comparableKey === null ? { stops: 'everything', comparableKey } : { stops, comparableKey }
}

function factsIn({ content }: StoredRecord): unknown {
  const parsed = parseJson(content)
  return isObject(parsed) ? parsed.facts : undefined
}

const SELECT_REFUSED = `SELECT record.*, stops, why, detail, aside.user AS aside_by, aside.at AS aside_at,
    aside.content ->> '$.because' AS aside_because
  FROM refused_record JOIN record USING (seq) LEFT JOIN record aside ON aside.seq = refused_record.set_aside`

/** The unreadable records, oldest first, those that were set aside included; up to `limit`. */
export function refusedRecords(database: Database, limit = -1): RefusedRecord[] {
  return database.all(`${SELECT_REFUSED} ORDER BY refused_record.seq LIMIT ?`, limit).map(refusedRecord)
}

/**
 * Records about plans with these numbers that are not refused here. Another machine may have found that they are not signed by whom they name: the copy of an
 * owner knows no rules by which that can be told.
 */
export function unjudgedRecords(database: Database, numbers: readonly number[]): RefusedRecord[] {
  const query = `SELECT record.*, 'nothing' AS stops, 'signature' AS why, coalesce(content ->> '$.approver', content ->> '$.maker', '') AS detail,
      NULL AS aside_by, NULL AS aside_at, NULL AS aside_because
    FROM record WHERE type IN ('plan', 'plan-approval') AND seq IN (SELECT value FROM json_each(?))
      AND seq NOT IN (SELECT seq FROM refused_record) ORDER BY seq`
  return database.all(query, JSON.stringify(numbers)).map(refusedRecord)
}

/**
 * The oldest unreadable record that is not set aside and that stops a payment; null if none does. For no payment, what stops all of them.
 */
export function refusalOf(database: Database, facts: MoneyPayment | null, isPayeesOnly: boolean): RefusedRecord | null {
  if (!database.has('SELECT 1 FROM refused_record WHERE set_aside IS NULL LIMIT 1')) return null
  const isToPayee =
    facts?.kind === 'transfer' && (isPayeesOnly || facts.payee !== null || isKeyOfPayee(database, facts))
  const row = database.get(
    `${SELECT_REFUSED} WHERE set_aside IS NULL AND (stops = 'everything' OR (stops = 'target' AND comparable_key = ?)
       OR (stops = 'payees' AND ?)) ORDER BY refused_record.seq LIMIT 1`,
    facts === null ? null : comparableTarget(facts),
    isToPayee ? 1 : 0,
  )
  return row === undefined ? null : refusedRecord(row)
}

function refusedRecord(row: Row) {
  const by = textOrNull(row, 'aside_by')
  const [stops, why] = [textOf(row, 'stops'), textOf(row, 'why')]
  return {
    record: storedRecord(row),
    stops: keysOf(STOPPED).find((each) => each === stops) ?? 'everything',
    why: keysOf(REASONS).find((each) => each === why) ?? 'json',
    detail: textOf(row, 'detail'),
    /** Null while it stops what it could concern. */
    setAside: by === null ? null : { by, at: textOf(row, 'aside_at'), because: textOrNull(row, 'aside_because') ?? '' },
  }
}

/** What is not sent until a record that has no effect is set aside. */
const STOPPED: Readonly<Record<Stops, () => string>> = {
  nothing: () => t`It has no effect and stops nothing`,
  payees: () => t`It has no effect; until it is set aside, nothing is sent to payees`,
  target: () => t`It has no effect; until it is set aside, nothing is sent to its key or refunded of its payment`,
  everything: () => t`It has no effect; until it is set aside, nothing that moves money is sent`,
}

/** Which record has no effect, and who wrote it where and when. */
function refusedSentence({ record, why }: RefusedRecord): string {
  const { seq, user, machine } = record
  const atMs = parseInstant(record.at)
  const at = atMs === undefined ? record.at : formatInstant(atMs)
  if (why === 'place') {
    return t`Record ${seq} of the shared ledger, written by ${user} on ${machine} at ${at}, has the place of one that the server had lost`
  }
  if (why === 'brought') {
    return t`Record ${seq} of the shared ledger, written by ${user} on ${machine} at ${at}, claims to come from elsewhere`
  }
  if (why === 'time') {
    return t`Record ${seq} of the shared ledger, written by ${user} on ${machine}, claims to be of ${at}`
  }
  const isUnreadable = why === 'json' || why === 'type' || why === 'member' || why === 'before'
  return isUnreadable
    ? t`Record ${seq} of the shared ledger, written by ${user} on ${machine} at ${at}, cannot be read`
    : t`Record ${seq} of the shared ledger, written by ${user} on ${machine} at ${at}, does not count`
}

/** The most records of one login that are named one by one. */
const NAMED_MAX = 10

/** The unreadable records of one login, or one of them, and which they are. */
interface NamedRefusals {
  first: RefusedRecord
  last: RefusedRecord
  sentence: string
}

/** A sentence for each of these unreadable records, and one for all of a login with many. */
export function namedRefusals(refused: readonly RefusedRecord[]): NamedRefusals[] {
  const logins = new Set(refused.map(({ record }) => record.user))
  return [...logins].flatMap((login) => {
    const all = refused.filter(({ record }) => record.user === login)
    const [first, last] = [all[0], all.at(-1)]
    if (first === undefined || last === undefined || all.length <= NAMED_MAX) return all.map(alone)
    const [from, to] = [storedText(first), storedText(last)]
    const sentence = t`${all.length} records of the shared ledger from ${first.record.seq} to ${last.record.seq}, the first written by ${login} at ${from} and the last at ${to}, cannot be read or do not count`
    return [{ first, last, sentence }]
  })
}

function alone(refused: RefusedRecord): NamedRefusals {
  return { first: refused, last: refused, sentence: [refusedSentence(refused), ...refusedDetails(refused)].join('. ') }
}

/** When the server stored it, because what its writer says may be anything. */
function storedText({ record: { storedAtMs = 0 } }: RefusedRecord): string {
  return formatInstant(storedAtMs)
}

/** Why it is named, and what it stops, or who set it aside. */
function refusedDetails(refused: RefusedRecord): string[] {
  const { why, detail, setAside } = refused
  const reason = REASONS[why](detail, storedText(refused))
  if (setAside === null) return [reason, effectOf(refused)].filter((text) => text !== '')
  const { by, at, because } = setAside
  return [reason, t`set aside by ${by} at ${formatInstant(parseInstant(at) ?? 0)}: ${because}`]
}

/** What it stops; empty if its reason says that it counts. */
function effectOf({ why, stops }: RefusedRecord): string {
  if (why === 'place' || why === 'time') return ''
  return why === 'brought' ? t`It can only forbid` : STOPPED[stops]()
}

/** What ends what a record stops. */
export function refusedHint(
  database: Database,
  { record: { seq, user }, why }: RefusedRecord,
  { record: { seq: last } } = { record: { seq } },
): string {
  const numbers = last === seq ? String(seq) : `${seq}-${last}`
  const command = `pixgate ledger repair ${ownerAddress(database)} --set-aside ${numbers} --because "…"`
  return why === 'type'
    ? t`Install the newest pixgate on this machine; if it is the newest, ask ${user} about it, then the owner of the database sets it aside with \`${command}\``
    : t`Ask ${user} about it, then the owner of the database sets it aside with \`${command}\``
}

/** The failure, with code `RECORD_REFUSED`, of what a record stops. */
export function refusedFailure(database: Database, refused: RefusedRecord): UsageError {
  return new UsageError(refusedSentence(refused), {
    code: 'RECORD_REFUSED',
    details: [...refusedDetails(refused), t`Nothing was sent`],
    hint: refusedHint(database, refused),
  })
}

/** True for an error that a record of a shared ledger is to blame for, not an older one that was damaged on this machine. */
export function isOfRecord(error: unknown, { seq }: StoredRecord): error is Error {
  return error instanceof Error && !(error instanceof DamagedRecord && error.seq !== seq)
}

/** Notes the login of this machine in a shared ledger, and its address as its owner types it. */
export function noteLogins(database: Database, address: string, login: string, tableOwner: string): void {
  const notes = { login, owner: withLogin(address, tableOwner) }
  for (const name of ['login', 'owner'] as const) {
    if (noted(database, name) !== notes[name]) note(database, name, notes[name])
  }
}

/** The address of a shared ledger as its owner types it; empty before the first contact. */
export function ownerAddress(database: Database): string {
  return noted(database, 'owner') ?? ''
}

/** An address of a shared ledger with another login. */
function withLogin(address: string, login: string): string {
  return address.replace(/\/\/[^@]*@/, `//${encodeURIComponent(login)}@`)
}
