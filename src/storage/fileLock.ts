import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSystemError } from '../wire/errors.ts'
import { createPrivateFile } from './privateFolder.ts'
import { type Database, isEnvironmentError, loadSqlite, type OpenDatabase, SQLITE_BUSY, sqliteCode } from './sqlite.ts'

/** A lock that this process holds until it releases it or ends, however it ends. */
export interface FileLock {
  release(): void
  /** Removes the lock file and releases the lock. */
  remove(): void
}

const RETRY_MS = 20

/**
 * Acquires a lock file: a write transaction on a small SQLite file, which the kernel ends with the process. Returns undefined if
 * another process holds it. This works across containers that share the folder and the kernel. The process that holds a lock must
 * not open its file in any other way, because closing any descriptor of the file would drop the lock. Throws SQLite's error.
 */
export function tryFileLock(open: OpenDatabase, path: string): FileLock | undefined {
  createPrivateFile(path)
  return acquire(open, path)
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
  if (fileNumber(path) === undefined) return true
  const lock = acquire(open, path)
  // Its holder may have removed it in this moment.
  if (lock === undefined) return fileNumber(path) === undefined
  lock.remove()
  return true
}

/** The error of a file system without locks, which SQLite takes for a lock of another program; any other error is returned as it is. */
export async function withMissingLocks(folder: string, error: unknown): Promise<unknown> {
  if (sqliteCode(error) !== SQLITE_BUSY) return error
  const open = await loadSqlite()
  const own = mkdtempSync(join(folder, 'tried-'))
  try {
    const lock = tryFileLock(open, join(own, 'lock'))
    lock?.release()
    return lock === undefined ? Object.assign(new Error('no locks'), { code: 'ENOLCK', syscall: 'fcntl' }) : error
  } catch (triedError) {
    if (!isSystemError(triedError) && !isEnvironmentError(triedError)) throw triedError
    return error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Locks a file that exists. Undefined if another process holds it, or if the path leads to another file by then. */
function acquire(open: OpenDatabase, path: string): FileLock | undefined {
  // The number of the open file: it was at this path before and after it was opened, and its number cannot be reused while it is open.
  const number = fileNumber(path)
  const isStillThere = () => number !== undefined && fileNumber(path) === number
  const database = open(path)
  try {
    // Rollback mode: in WAL mode a writer does not lock the file itself.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    // SQLite does not write to a file that was removed.
    if (sqliteCode(error) === SQLITE_BUSY || !isStillThere()) return undefined
    throw error
  }
  if (!isStillThere()) {
    endTransaction(database)
    return undefined
  }
  return {
    release: () => endTransaction(database),
    remove() {
      if (platform() === 'win32') {
        endTransaction(database)
        tryToRemove(path)
        return
      }
      // Removed while it is locked: it cannot have been acquired in between.
      if (isStillThere()) tryToRemove(path)
      endTransaction(database)
    },
  }
}

/**
 * Removes a lock file. One that cannot be removed stays, which stops nothing: it is no longer locked. Windows does not remove a file that
 * is open, so the lock of a living process cannot be removed there.
 */
function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

/** The number of the file at a path (its inode) on its device; undefined if there is none. It is not opened for that. */
function fileNumber(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/** Nothing was written in the transaction, so that a disk which fails while it ends changes nothing. */
function endTransaction(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch (error) {
    if (!isEnvironmentError(error)) throw error
  } finally {
    database.close()
  }
}
