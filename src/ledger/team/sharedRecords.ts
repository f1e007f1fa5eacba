import { integerOf, type Row, textOf } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { type ChainedRecord, storedRecord } from '../chain.ts'
import { LOCK_KEY } from './serverSql.ts'

/** A record as the server holds it. */
export interface SharedRecord extends ChainedRecord {
  /** The login that stored it, and when, by the server's clock, in ms: both are the server's word, not the writer's. */
  storedBy: string
  storedAtMs: number
  /** True if the server had no later one when it was read. */
  isNewest: boolean
}

const STORED_AT_MS = 'floor(extract(epoch FROM stored_at) * 1000)::double precision AS stored_at_ms'

/** How much one answer holds, in bytes: a slow connection must get to its end, and then goes on from there. */
const PAGE_BYTES = 1024 * 1024

/**
 * The statement that reads records after a number, in their order: at least two if they exist, because the caller knows the first, and no more
 * than `limit` or than fit into a page, which the rows of a large file fill soon.
 */
export function recordsAfterSql(seq: number, limit: number): string {
  return `SELECT seq::double precision, id, at, "user", machine, type, payment, content, digest, stored_by, ${STORED_AT_MS},
      seq = (SELECT max(seq) FROM pixgate.record) AS is_newest
    FROM (
      SELECT *, sum(octet_length(content)) OVER (ORDER BY seq) - octet_length(content) AS bytes_before
      FROM (SELECT * FROM pixgate.record WHERE seq > ${sqlInteger(seq)} ORDER BY seq LIMIT ${sqlInteger(limit)}) AS following
    ) AS record WHERE bytes_before < ${PAGE_BYTES} OR seq <= ${sqlInteger(seq)} + 2 ORDER BY seq`
}

const RECORDS_SQL = `SELECT seq::double precision, id, at, "user", machine, type, payment, content, digest, stored_by, ${STORED_AT_MS}, false AS is_newest
    FROM pixgate.record`

/** The statement that reads the last record. */
export const LAST_RECORD_SQL = `${RECORDS_SQL} ORDER BY seq DESC LIMIT 1`

/** The statement that reads the records that stopped the ledger or ended a stop last, newest first: a member may write unreadable ones. */
export const LAST_STOPS_SQL = `${RECORDS_SQL} WHERE type IN ('ledger-stopped', 'ledger-resumed') ORDER BY seq DESC LIMIT 1000`

/** The statement that reads what the owner said of machines that are gone. */
export const GONE_SQL = `${RECORDS_SQL} WHERE type = 'machine-gone' ORDER BY seq DESC`

/** The statement that reads the records with these ids. */
export function recordsWithIdsSql(ids: readonly string[]): string {
  return `${RECORDS_SQL} WHERE id IN (${ids.map(sqlText).join(', ')})`
}

/** The statement that gives the number of the last record, 0 if there is none. */
export const LAST_SEQ_SQL = 'SELECT coalesce(max(seq), 0)::double precision AS last FROM pixgate.record'

/** Reads a row of {@link recordsAfterSql}. The digest is not checked. */
export function readSharedRecord(row: Row): SharedRecord {
  // Not spread: a first copy reads a million.
  return Object.assign(storedRecord(row), {
    digest: textOf(row, 'digest'),
    storedBy: textOf(row, 'stored_by'),
    storedAtMs: storedAtMs(row),
    isNewest: row.is_newest === true,
  })
}

/** The statement that adds records, at least one, in their order; it gives a row with the time of each. */
export function insertRecordsSql(records: readonly ChainedRecord[]): string {
  return `INSERT INTO pixgate.record (seq, id, at, "user", machine, type, payment, content, digest)
    VALUES ${records.map(valuesOf).join(', ')} RETURNING ${STORED_AT_MS}`
}

function valuesOf({ seq, id, at, user, machine, type, payment, content, digest }: ChainedRecord): string {
  const texts = [id, at, user, machine, type, payment, content, digest].map(sqlText)
  return `(${sqlInteger(seq)}, ${texts.join(', ')})`
}

/** When the server stored a record, in ms. */
export function storedAtMs(row: Row): number {
  return integerOf(row, 'stored_at_ms')
}

/**
 * A text as a string of SQL. Parameters would cost another round trip for each statement. This form does not depend on the setting
 * `standard_conforming_strings`, and the connection's encoding is always UTF-8. Throws for U+0000, which PostgreSQL cannot store.
 */
function sqlText(text: string | null): string {
  if (text === null) return 'NULL'
  if (text.includes('\0')) throw new RangeError('PostgreSQL cannot store U+0000')
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** A whole number in SQL. Throws for any other. */
function sqlInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`)
  return String(value)
}

/** What a process of some member is doing. It is a courtesy to the others and decides nothing. */
export type Activity = ReturnType<typeof readActivity>

/** What a process tells of itself; the login is the server's to say. */
export type OwnActivity = Pick<Activity, 'process' | 'machine' | 'kind' | 'detail'>

const ms = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::double precision`

/** More than the processes of a member do at once; a member could write millions by hand, which would stop the others. */
const OF_A_LOGIN_MAX = 100

export const ACTIVITY_SQL = `SELECT process, login, machine, kind, detail, ${ms('since')} AS since_ms, ${ms('seen_at')} AS seen_ms,
  ${ms('clock_timestamp() - seen_at')} AS seen_ago_ms
  FROM (SELECT *, row_number() OVER (PARTITION BY login ORDER BY seen_at DESC) AS place FROM pixgate.activity) AS newest
  WHERE place <= ${OF_A_LOGIN_MAX} ORDER BY since, process, kind`

/** The statement that says that a process is doing this, from now on or still. */
export function putActivitySql(activity: OwnActivity): string {
  return insertSql(activity, '')
}

/**
 * The statements that say so unless a process that was seen within `aliveMs` does the same with an equal `claim` in its detail, and that then give all
 * rows of {@link ACTIVITY_SQL}. One at a time does this.
 */
export function claimActivitySql(activity: OwnActivity, claim: string, aliveMs: number): string {
  const held = `SELECT FROM pixgate.activity WHERE kind = ${sqlText(activity.kind)} AND detail ->> 'claim' = ${sqlText(claim)}
    AND process <> ${sqlText(activity.process)} AND seen_at > clock_timestamp() - ${sqlInteger(aliveMs)} * interval '1 ms'`
  return `SELECT pg_catalog.pg_advisory_xact_lock(${LOCK_KEY});
    DELETE FROM pixgate.activity WHERE login = session_user AND seen_at < clock_timestamp() - interval '1 day';
    ${insertSql(activity, `WHERE NOT EXISTS (${held})`)}; ${ACTIVITY_SQL}`
}

function insertSql({ process, machine, kind, detail }: OwnActivity, condition: string): string {
  const values = [process, machine, kind, JSON.stringify(detail)].map(sqlText).join(', ')
  return `INSERT INTO pixgate.activity (process, machine, kind, detail) SELECT ${values}::jsonb ${condition}
    ON CONFLICT (login, process, kind) DO UPDATE SET machine = excluded.machine, detail = excluded.detail, seen_at = clock_timestamp()`
}

/** The statement that says that a process does this no more. */
export function removeActivitySql({ process, kind }: Pick<Activity, 'process' | 'kind'>): string {
  return `DELETE FROM pixgate.activity WHERE login = session_user AND process = ${sqlText(process)} AND kind = ${sqlText(kind)}`
}

/** Reads a row of {@link ACTIVITY_SQL}. */
export function readActivity(row: Row) {
  return {
    /** The id of the process, which it makes itself. */
    process: textOf(row, 'process'),
    login: textOf(row, 'login'),
    machine: textOf(row, 'machine'),
    /** Such as `run` or `listener`; a process has at most one of each kind. */
    kind: textOf(row, 'kind'),
    detail: isObject(row.detail) ? row.detail : {},
    /** When it began, and when its process was seen last, by the server's clock, in ms. */
    sinceMs: integerOf(row, 'since_ms'),
    seenMs: integerOf(row, 'seen_ms'),
    /** How long ago that is. */
    seenAgoMs: integerOf(row, 'seen_ago_ms'),
  }
}
