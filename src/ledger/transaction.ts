import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, rollBack, SQLITE_BUSY, sqliteCode } from '../storage/sqlite.ts'

const RETRY_MS = 10

/** Does what can be repeated, again and again while another program holds the ledger, until the deadline. Throws SQLite's error. */
export async function whileBusy<Result>(attempt: () => Promise<Result>, deadlineMs: number): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayRetry(error, deadlineMs)) throw error
    }
    await sleep(RETRY_MS)
  }
}

/**
 * Does work in one transaction. Only its beginning is repeated while another program holds the ledger; the work is done once, in the same
 * turn of the event loop, so that nothing else of this process gets into the transaction. Throws SQLite's error, and what the work throws.
 */
export async function inTransaction<Result>(
  database: Database,
  begin: (database: Database) => void,
  deadlineMs: number,
  work: () => Result,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Promise<Result> {
  for (;;) {
    try {
      begin(database)
      break
    } catch (error) {
      if (!mayRetry(error, deadlineMs)) throw error
    }
    await sleep(RETRY_MS)
  }
  try {
    const result = work()
    database.exec(end)
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function mayRetry(error: unknown, deadlineMs: number): boolean {
  return sqliteCode(error) === SQLITE_BUSY && performance.now() < deadlineMs
}

/** Begins a transaction that may write: no other program can. */
export function beginWriting(database: Database): void {
  database.exec('BEGIN IMMEDIATE')
}

/** Begins a transaction that sees the ledger as it is now; SQLite would wait with that until the first read of the work. */
export function beginReading(database: Database): void {
  database.exec('BEGIN')
  try {
    database.get('SELECT 1 FROM sqlite_schema LIMIT 1')
  } catch (error) {
    rollBack(database)
    throw error
  }
}
