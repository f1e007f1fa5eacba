import { type Database, textOrNull } from '../storage/sqlite.ts'

/** The names and gateway ids of the newest payments, newest first, at most so many. */
export function recentIds(database: Database, limit: number): string[] {
  const rows = database.all('SELECT name, kind, id, id_transaction FROM payment ORDER BY seq DESC LIMIT ?', limit)
  const ids = rows.flatMap((row) => [
    // A refund has no name of its own.
    textOrNull(row, row.kind === 'refund' ? 'id' : 'name') ?? '',
    textOrNull(row, 'id_transaction') ?? '',
  ])
  return [...new Set(ids)].filter((id) => id !== '').slice(0, limit)
}
