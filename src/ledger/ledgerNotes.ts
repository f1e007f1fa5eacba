import { type Database, textOf } from '../storage/sqlite.ts'
import type { LedgerRecord } from './records.ts'

/** What a ledger notes about itself, beside its records: its id, the server and the owner of a shared one and the login of this machine there, the record that stopped it. */
type NoteName = 'id' | 'server' | 'owner' | 'login' | 'stop'

/** What is noted under a name; undefined if nothing is. */
export function noted(database: Database, name: NoteName): string | undefined {
  const row = database.get('SELECT value FROM meta WHERE name = ?', name)
  return row === undefined ? undefined : textOf(row, 'value')
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
 * True if the login of this machine recorded something, which everybody else can only claim: in a shared ledger its server says so, and what it has brought
 * back for somebody else is theirs. In a ledger of one machine it is what came from no other ledger.
 */
export function isOwnRecord(
  database: Database,
  { login, storedAtMs, firstBy }: Pick<LedgerRecord, 'login' | 'storedAtMs' | 'firstBy'>,
): boolean {
  if (storedAtMs === undefined) return firstBy === undefined
  return login === noted(database, 'login') && (firstBy?.login ?? login) === login
}
