import type { Database } from '../storage/sqlite.ts'

/** What a ledger notes about itself, beside its records: its id, the server and the owner of a shared one and the login of this machine there, the record that stopped it. */
type NoteName = 'id' | 'server' | 'owner' | 'login' | 'stop'

/** What is noted under a name; undefined if nothing is. */
export function noted(database: Database, name: NoteName): string | undefined {
  return database.text('SELECT value FROM meta WHERE name = ?', name) ?? undefined
}

/** Notes a text under a name, in the place of an earlier one. */
export function note(database: Database, name: NoteName, value: string): void {
  database.run(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

/**
 * In SQL, for a row of `record`: true if the login of this machine recorded it, which everybody else can only claim. In a shared ledger its server says so,
 * and what it has brought back for somebody else is theirs; in a ledger of one machine it is what came from no other ledger.
 */
export const IS_OWN_RECORD = `CASE WHEN record.stored_at_ms IS NULL THEN record.content ->> '$.firstBy' IS NULL
  ELSE record.user IS (SELECT value FROM meta WHERE name = 'login')
    AND coalesce(record.content ->> '$.firstBy.login', record.user) IS record.user END`

/** {@link IS_OWN_RECORD} for one record. */
export function isOwnRecord(database: Database, { seq }: { seq: number }): boolean {
  return database.has(`SELECT 1 FROM record WHERE seq = ? AND ${IS_OWN_RECORD}`, seq)
}
