import { join } from 'node:path'
import { createPrivateFile } from '../../storage/privateFolder.ts'
import { type Database, loadSqlite, type Row, rollBack, textOf } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { Failure } from '../../wire/errors.ts'
import { type ChainedRecord, hasRecord, parseRecord } from '../chain.ts'
import type { LedgerEnvironment } from '../environment.ts'
import { nextEvent, numberOfEvent } from '../events.ts'
import { ledgerFailure } from '../ledgerFile.ts'
import { type LedgerRecord, NO_RESPONSE, type RecordContent } from '../records.ts'
import type { Writer } from '../writer.ts'

/** A record that is durable on this machine and not in the shared ledger yet. */
export interface PendingRecord {
  id: string
  /** RFC 3339, UTC. */
  at: string
  /** Who may hand it over. */
  login: string
  content: RecordContent
}

const FILE = 'pending.db'

const TABLE = `
CREATE TABLE IF NOT EXISTS pending (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  login TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT`

/** Opens what is pending in the folder of a copy; the file is made if it is missing. Throws LedgerBusy, UsageError and the system's error. */
export async function openPendingRecords(folder: string): Promise<PendingRecords> {
  const open = await loadSqlite()
  const path = join(folder, FILE)
  createPrivateFile(path)
  return withFailures(path, () => {
    const database = open(path)
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(TABLE)
    return new PendingRecords(database, path)
  })
}

/**
 * What happened on this machine and could not be written to the shared ledger yet: answers, and events that arrived. Everything throws LedgerBusy if
 * another process holds the file for too long, such as one that was stopped, and UsageError if it cannot be used.
 */
export class PendingRecords {
  readonly #database: Database
  readonly #path: string

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
  }

  /** All of them in their order, or those of a login. */
  list(login?: string): PendingRecord[] {
    const query = 'SELECT id, at, login, content FROM pending ORDER BY place'
    const all = withFailures(this.#path, () => this.#database.all(query)).map(pendingRecord)
    return login === undefined ? all : all.filter((each) => each.login === login)
  }

  /** Adds records; they are durable when this returns. */
  add(records: readonly Pick<ChainedRecord, 'id' | 'at' | 'content'>[], login: string): void {
    this.#inTransaction(() => {
      for (const { id, at, content } of records) {
        this.#database.run('INSERT INTO pending (id, at, login, content) VALUES (?, ?, ?, ?)', id, at, login, content)
      }
    })
  }

  /** Removes what was handed over. If the file cannot be written, the next contact does that: each record is known by its id. */
  remove(records: readonly PendingRecord[]): void {
    if (records.length === 0) return
    try {
      this.#inTransaction(() => {
        for (const { id } of records) this.#database.run('DELETE FROM pending WHERE id = ?', id)
      })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  close(): void {
    this.#database.close()
  }

  #inTransaction(work: () => void): void {
    withFailures(this.#path, () => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        work()
        this.#database.exec('COMMIT')
      } catch (error) {
        rollBack(this.#database)
        throw error
      }
    })
  }
}

function withFailures<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw ledgerFailure(path, error)
  }
}

/**
 * Adds pending records to the chain. One that is there already, because its commit succeeded although nobody heard of it, is left out; so is an answer to
 * a request that was never recorded. Events get the numbers that are next now. `mark` tells those that are only looked at.
 */
export function addPending(
  writer: Writer,
  pending: readonly PendingRecord[],
  mark: Pick<LedgerRecord, 'isPending'> = {},
): void {
  const numbers = new Map<string, number>()
  for (const { id, at, content } of pending) {
    if (hasRecord(writer.database, id)) continue
    const atMs = Date.parse(at)
    switch (content.type) {
      case 'answer':
        if (hasRecord(writer.database, content.attempt)) writer.append({ ...content, ...mark }, atMs, id)
        break
      case 'event': {
        const next = nextEvent(writer.database, content)
        numbers.set(id, next.n)
        if (next.record !== null) writer.append({ ...next.record, ...mark }, atMs, id)
        break
      }
      case 'forward': {
        const { event = '' } = content
        const n = numbers.get(event) ?? numberOfEvent(writer.database, event) ?? content.n
        writer.append({ ...content, n }, atMs, id)
        break
      }
      default:
        writer.append(content, atMs, id)
    }
  }
}

/** Answers that say of the requests among these records that they were not sent. Those that were taken over may have been sent from elsewhere. */
export function notSent(
  records: readonly ChainedRecord[],
  { now, newId }: Pick<LedgerEnvironment, 'now' | 'newId'>,
): Pick<ChainedRecord, 'id' | 'at' | 'content'>[] {
  const at = new Date(now()).toISOString()
  return records.map(parseRecord).flatMap((record) => {
    if ((record.type !== 'attempt' && record.type !== 'resend') || record.firstBy !== undefined) return []
    const attempt = record.type === 'attempt' ? record.id : record.attempt
    const answer = { ...NO_RESPONSE, payment: record.payment, attempt, outcome: 'not-sent' }
    return [{ id: newId(), at, content: JSON.stringify(answer) }]
  })
}

function pendingRecord(row: Row): PendingRecord {
  const content: unknown = JSON.parse(textOf(row, 'content'))
  if (!isContent(content)) throw new Error('a pending record is no record')
  return { id: textOf(row, 'id'), at: textOf(row, 'at'), login: textOf(row, 'login'), content }
}

/** pixgate wrote it, so an object with a type is a record. */
function isContent(value: unknown): value is RecordContent {
  return isObject(value) && typeof value.type === 'string'
}
