import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, loadSqlite, type OpenDatabase, SQLITE_BUSY, sqliteCode } from './sqlite.ts'

/** A lock that this process holds until it releases it or ends, however it ends. */
export interface FileLock {
  release(): void
}

const RETRY_MS = 20

/**
 * Acquires a lock file: a write transaction on a small SQLite file, which the kernel ends with the process. Returns undefined if
 * another process holds it. This works across containers that share the folder and the kernel. The process that holds a lock must
 * not open its file in any other way, because closing any descriptor of the file would drop the lock. Throws SQLite's error.
 */
export function tryFileLock(open: OpenDatabase, path: string): FileLock | undefined {
  const database = open(path)
  try {
    // Rollback mode: in WAL mode a writer does not lock the file itself.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return { release: () => endTransaction(database) }
  } catch (error) {
    database.close()
    if (sqliteCode(error) === SQLITE_BUSY) return undefined
    throw error
  }
}

/** Does work while this process holds a lock file, which it waits for. Throws Error with code `ETIMEDOUT` after `timeoutMs`. */
export async function withFileLock<Result>(
  path: string,
  timeoutMs: number,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const open = await loadSqlite()
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const lock = tryFileLock(open, path)
    if (lock !== undefined) {
      try {
        return await work()
      } finally {
        lock.release()
      }
    }
    if (waitedMs >= timeoutMs) throw Object.assign(new Error(`${path} is locked`), { code: 'ETIMEDOUT' })
    await sleep(RETRY_MS)
  }
}

/**
 * True if no living process holds this lock file. The file of a dead process is removed. Only one process may
 * check at a time: a second one would mistake the first for the holder.
 */
export function isFileLockFree(open: OpenDatabase, path: string): boolean {
  if (!existsSync(path)) return true
  const lock = tryFileLock(open, path)
  if (lock === undefined) return false
  // Windows does not remove an open file.
  lock.release()
  rmSync(path, { force: true })
  return true
}

function endTransaction(database: Database): void {
  database.exec('ROLLBACK')
  database.close()
}
