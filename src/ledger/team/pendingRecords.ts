import { join } from 'node:path'
import { valueOrError } from '../../pix/expectedError.ts'
import { createPrivateFile } from '../../storage/privateFolder.ts'
import { type Database, loadSqlite, type Row, textOf } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import { Failure } from '../../wire/errors.ts'
import { type ChainedRecord, parseRecord } from '../chain.ts'
import { ledgerFailure } from '../ledgerFile.ts'
import type { LedgerEnvironment } from '../paymentState.ts'
import { NO_RESPONSE, type RecordContent } from '../records.ts'
import type { HandedOver } from './handOver.ts'

/** A record that is durable on this machine and not in the shared ledger yet. */
export interface PendingRecord extends HandedOver {
  /** Who may hand it over. */
  login: string
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

  /** Moves all to another file; each is durable there before it leaves this one. One that is in both is known by its id. */
  moveTo(other: PendingRecords): void {
    const all = this.list()
    for (const { id, atMs, login, content } of all) {
      other.add([{ id, at: new Date(atMs).toISOString(), content: JSON.stringify(content) }], login)
    }
    this.remove(all)
  }

  /** Adds records; they are durable when this returns. */
  add(records: readonly Pick<ChainedRecord, 'id' | 'at' | 'content'>[], login: string): void {
    const insert = `INSERT OR IGNORE INTO pending (id, at, login, content)
      SELECT value ->> 'id', value ->> 'at', ?, value ->> 'content' FROM json_each(?) ORDER BY key`
    withFailures(this.#path, () => this.#database.run(insert, login, JSON.stringify(records)))
  }

  /** Removes what was handed over. If the file cannot be written, the next contact does that: each record is known by its id. */
  remove(records: readonly PendingRecord[]): void {
    if (records.length === 0) return
    const ids = JSON.stringify(records.map(({ id }) => id))
    const remove = 'DELETE FROM pending WHERE id IN (SELECT value FROM json_each(?))'
    valueOrError(Failure, () => withFailures(this.#path, () => this.#database.run(remove, ids)))
  }

  close(): void {
    this.#database.close()
  }
}

function withFailures<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw ledgerFailure(path, error)
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
  return { id: textOf(row, 'id'), atMs: Date.parse(textOf(row, 'at')), login: textOf(row, 'login'), content }
}

/** pixgate wrote it, so an object with a type is a record. */
function isContent(value: unknown): value is RecordContent {
  return isObject(value) && typeof value.type === 'string'
}
