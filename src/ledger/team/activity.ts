import { integerOf, type Row, textOf } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { LOCK_KEY } from './serverSql.ts'
import { sqlInteger, sqlText } from './sqlText.ts'

/** What a process of some member is doing. It is a courtesy to the others and decides nothing. */
export interface Activity {
  /** The id of the process, which it makes itself. */
  process: string
  login: string
  machine: string
  /** Such as `run` or `listener`; a process has at most one of each kind. */
  kind: string
  detail: Readonly<Record<string, unknown>>
  /** When it began, and when its process was seen last, by the server's clock, in ms. */
  sinceMs: number
  seenMs: number
  /** How long ago that is. */
  seenAgoMs: number
}

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
export function readActivity(row: Row): Activity {
  return {
    process: textOf(row, 'process'),
    login: textOf(row, 'login'),
    machine: textOf(row, 'machine'),
    kind: textOf(row, 'kind'),
    detail: isObject(row.detail) ? row.detail : {},
    sinceMs: integerOf(row, 'since_ms'),
    seenMs: integerOf(row, 'seen_ms'),
    seenAgoMs: integerOf(row, 'seen_ago_ms'),
  }
}
