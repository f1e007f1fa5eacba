import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../pix/calendar.ts'
import { createPrivateFile, makePrivateFolder } from '../storage/privateFolder.ts'
import {
  type Database,
  integerOf,
  loadSqlite,
  SQLITE_BUSY,
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  sqliteCode,
} from '../storage/sqlite.ts'

/** The service allows 100 status queries a minute; the margin absorbs the way to the gateway. */
export const QUERIES_PER_WINDOW = 100
const WINDOW_MS = 60_000 + 500
const RETRY_MS = 5
const BUSY_MAX_MS = 10_000
const QUEUE_MAX_MS = DAY_MS

/** The common queue of all processes on this machine. */
export type QueryQuota = ReturnType<typeof openQueryQuota>

const SCHEMA = `
CREATE TABLE IF NOT EXISTS query (
  base_url TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS query_at ON query (base_url, at_ms);
`

/**
 * The limit for one base address, kept in the file `quota.db` of the data folder. A place comes up at once, but never within the window of
 * the hundredth place before it. Throws SQLite's or the system's error if the file cannot be used.
 */
export function openQueryQuota(folder: string, baseUrl: string, now: () => number) {
  let opened: Promise<Database> | undefined

  /** Does work in one transaction, and waits while another process is in one. */
  async function inTransaction<Result>(work: (database: Database) => Result): Promise<Result> {
    const deadlineMs = now() + BUSY_MAX_MS
    for (;;) {
      try {
        opened ??= openQuota(folder)
        const database = await opened
        return transaction(database, work)
      } catch (error) {
        if (opened !== undefined && (await hasFailed(opened))) opened = undefined
        if (sqliteCode(error) !== SQLITE_BUSY || now() >= deadlineMs) throw error
      }
      await sleep(RETRY_MS)
    }
  }

  /** When the next place comes up. */
  function nextTurn(database: Database): number {
    const row = database.get(
      'SELECT at_ms FROM query WHERE base_url = ? ORDER BY at_ms DESC LIMIT 1 OFFSET ?',
      baseUrl,
      QUERIES_PER_WINDOW - 1,
    )
    return row === undefined ? now() : Math.max(now(), integerOf(row, 'at_ms') + WINDOW_MS)
  }

  return {
    folder,
    /**
     * Takes a place, unless it comes up later than this, and returns when it comes up, in ms since the epoch; at or before now means at
     * once.
     */
    reserve: (latestMs = Number.POSITIVE_INFINITY) =>
      inTransaction((database) => {
        // A place far ahead was taken while the clock of this machine was wrong.
        const [pastMs, farMs] = [now() - WINDOW_MS, now() + QUEUE_MAX_MS]
        database.run('DELETE FROM query WHERE base_url = ? AND (at_ms < ? OR at_ms > ?)', baseUrl, pastMs, farMs)
        const atMs = nextTurn(database)
        if (atMs <= Math.max(latestMs, now()))
          database.run('INSERT INTO query (base_url, at_ms) VALUES (?, ?)', baseUrl, atMs)
        return atMs
      }),
    async close() {
      if (opened === undefined || (await hasFailed(opened))) return
      const database = await opened
      database.close()
      opened = undefined
    },
  }
}

function transaction<Result>(database: Database, work: (database: Database) => Result): Result {
  database.exec('BEGIN EXCLUSIVE')
  try {
    const result = work(database)
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

async function openQuota(folder: string): Promise<Database> {
  const open = await loadSqlite()
  makePrivateFolder(folder)
  const path = join(folder, 'quota.db')
  createPrivateFile(path)
  try {
    return prepare(open(path))
  } catch (error) {
    const code = sqliteCode(error)
    if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) throw error
    // It only holds the queries of the last minute.
    rmSync(path, { force: true })
    rmSync(`${path}-journal`, { force: true })
    createPrivateFile(path)
    return prepare(open(path))
  }
}

function prepare(database: Database): Database {
  try {
    // Rows lost in a power failure are more than a minute old after the restart.
    database.exec(`PRAGMA busy_timeout = 20; PRAGMA synchronous = OFF; ${SCHEMA}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function hasFailed(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  )
}
