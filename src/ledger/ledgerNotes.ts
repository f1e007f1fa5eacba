import { type Database, textOf } from '../storage/sqlite.ts'

/** What a ledger notes about itself, beside its records: its id, the server and the owner of a shared one, the record that stopped it. */
type NoteName = 'id' | 'server' | 'owner' | 'stop'

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
