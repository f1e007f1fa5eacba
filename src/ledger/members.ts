import { type Database, integerOf, textOf } from '../storage/sqlite.ts'

/** Who has written to a ledger, and on which machine. */
export interface LedgerMember {
  user: string
  machine: string
  records: number
  /** When the newest of them was written, RFC 3339, UTC. */
  lastAt: string
}

/** Everybody who has written to a ledger, the one who wrote last first. */
export function ledgerMembers(database: Database): LedgerMember[] {
  const rows = database.all(
    'SELECT user, machine, count(*) AS records, max(at) AS last_at FROM record GROUP BY user, machine ORDER BY last_at DESC',
  )
  return rows.map((row) => ({
    user: textOf(row, 'user'),
    machine: textOf(row, 'machine'),
    records: integerOf(row, 'records'),
    lastAt: textOf(row, 'last_at'),
  }))
}
