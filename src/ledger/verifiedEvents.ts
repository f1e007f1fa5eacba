import { type Database, integerOf, textOf } from '../storage/sqlite.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { eventScope } from './paymentState.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

/** The table of what this machine has verified, which is built from no record: an earlier secret may be gone. */
export const VERIFIED_EVENT_TABLE = `
-- The bytes of webhooks whose signature was compared with the secret of an account on this machine. scope: see eventScope. digest: the hex SHA-256 of
-- the body. is_valid: 1 for good once a secret has signed them; 0 if none of the secrets did that were known then.
CREATE TABLE verified_event (
  scope TEXT NOT NULL,
  digest TEXT NOT NULL,
  is_valid INTEGER NOT NULL,
  PRIMARY KEY (scope, digest)
) STRICT, WITHOUT ROWID;
`

/** In SQL, for a row of `event`: 1 or 0 as in `verified_event`, NULL if nothing was compared here. */
export const IS_VERIFIED = `(SELECT is_valid FROM verified_event
  WHERE verified_event.scope = event.scope AND verified_event.digest = event.digest)`

/** The bytes of a webhook of an account. */
interface EventBytes {
  scope: string
  digest: string
}

/** Notes whether a secret of their account signed bytes. What was signed once stays so. */
export function noteSignedBytes(database: Database, { scope, digest }: EventBytes, isValid: boolean): void {
  database.run(
    `INSERT INTO verified_event (scope, digest, is_valid) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET is_valid = max(is_valid, excluded.is_valid)`,
    scope,
    digest,
    isValid ? 1 : 0,
  )
}

/** All bytes of an account that this machine has verified. */
export function signedBytes(database: Database, scope: string): EventBytes[] {
  const query = 'SELECT digest FROM verified_event WHERE scope = ? AND is_valid = 1'
  return database.texts(query, scope).map((digest) => ({ scope, digest }))
}

/** An event whose signature may be compared with a secret. */
export interface UnverifiedEvent extends EventBytes {
  record: LedgerRecord<EventRecord>
}

/** Which events are asked for: those that nothing was compared with, or those with which no secret agreed. */
type Unverified = 'new' | 'failed'

/** The newest events of an account, or of one login in it, that are not verified here, newest first. Throws DamagedRecord. */
export function unverifiedEvents(
  database: Database,
  scope: string,
  which: Unverified,
  { limit, login = null }: { limit: number; login?: string | null },
): UnverifiedEvent[] {
  const query = `SELECT ${RECORD_COLUMNS}, event.digest AS body_digest
    FROM event INDEXED BY event_unverified JOIN record USING (seq)
    WHERE event.scope = $scope AND event.is_verified IS ${which === 'new' ? 'NULL' : '0'} AND event.is_verified IS NOT 1
      AND ($login IS NULL OR record.user = $login) ORDER BY event.n DESC LIMIT $limit`
  return database.all(query, { scope, login, limit }).flatMap((row) => {
    const record = readRecord(row)
    return record.type === 'event' ? [{ record, scope, digest: textOf(row, 'body_digest') }] : []
  })
}

/** True if there are events of an account that this machine has not verified. */
export function hasUnverified(database: Database, account: Parameters<typeof scopeOfAccount>[0]): boolean {
  const query = 'SELECT 1 FROM event INDEXED BY event_unverified WHERE scope = ? AND is_verified IS NOT 1 LIMIT 1'
  return database.has(query, scopeOfAccount(account))
}

/** Events of one login that no secret of this machine has signed. */
export type DoubtfulEvents = ReturnType<typeof doubtfulEvents>[number]

/** The most events of one login that are named one by one. */
const NAMED_MAX = 10

/** The events of an account that no secret of this machine has signed, by the login that stored them. Throws DamagedRecord. */
export function doubtfulEvents(database: Database, scope: string) {
  const groups = database.all(
    `SELECT record.user, count(*) AS events, min(received_ms) AS first_ms, max(received_ms) AS last_ms
     FROM event INDEXED BY event_unverified JOIN record USING (seq)
     WHERE event.scope = ? AND event.is_verified IS 0 AND event.is_verified IS NOT 1 GROUP BY record.user ORDER BY record.user`,
    scope,
  )
  return groups.map((row) => {
    const login = textOf(row, 'user')
    const count = integerOf(row, 'events')
    const named = count > NAMED_MAX ? [] : unverifiedEvents(database, scope, 'failed', { limit: NAMED_MAX, login })
    return {
      login,
      count,
      /** When the first and the last arrived, in ms, as their records say. */
      firstMs: integerOf(row, 'first_ms'),
      lastMs: integerOf(row, 'last_ms'),
      /** The newest, if they are few. */
      newest: named.map(({ record }) => record),
    }
  })
}

/** The scope of an account's events; null for one that has none. */
export function scopeOfAccount(account: {
  environment: EventRecord['owner']['environment']
  url: string
  clientId: string
}): string | null {
  const { environment, url: baseUrl, clientId } = account
  return eventScope({ environment, baseUrl, clientId })
}
