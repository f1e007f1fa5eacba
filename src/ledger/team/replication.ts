import { type Database, isEnvironmentError } from '../../storage/sqlite.ts'
import {
  type ChainedRecord,
  chainDigest,
  chainEnd,
  DamagedRecord,
  digestAt,
  insertRecord,
  parseRecord,
} from '../chain.ts'
import { noteClock } from '../clock.ts'
import { addAnswered, updateDerivedTables } from '../derivedTables.ts'
import type { Ledger } from '../ledger.ts'
import type { AttemptRecord, LedgerRecord } from '../records.ts'
import { olderServer, unreadableRecord } from './serverErrors.ts'
import type { SharedRecord } from './sharedRecords.ts'

/** Reads up to `limit` records of the server after a number, oldest first. */
export type ReadRecords = (seq: number, limit: number) => Promise<readonly SharedRecord[]>

const PAGE_RECORDS = 1000

/**
 * Brings a copy up to date with what the server has committed. Throws UsageError if the server lacks what the copy holds, or holds another record in its
 * place, what `replicate` throws, and what `read` throws.
 */
export async function fetchNew(copy: Ledger, read: ReadRecords): Promise<void> {
  for (;;) {
    const end = await copy.read(chainEnd)
    // The last one that is known comes along: another one in its place means another ledger.
    const page = await read(Math.max(0, end.seq - 1), PAGE_RECORDS)
    if (end.seq > 0 && page[0]?.digest !== end.digest) throw olderServer(end)
    await copy.writeHere(({ database }) => replicate(database, page))
    if (page.at(-1)?.isNewest !== false) return
  }
}

/**
 * Adds records of the server to a copy, and brings its tables up to date. Those that it has, because another process of this machine was faster, are
 * left out. Throws UsageError for a record that does not match its checksum, or that only somebody who writes SQL by hand could have written, and LedgerOlder
 * if the copy was made anew and has others.
 */
export function replicate(database: Database, records: readonly ChainedRecord[]): void {
  let { seq, digest } = chainEnd(database)
  const deriver = new Deriver(database, records)
  for (const record of records) {
    if (record.seq <= seq) {
      if (digestAt(database, record.seq) !== record.digest) throw olderServer({ seq, digest })
      continue
    }
    if (record.seq !== seq + 1 || chainDigest(digest, record) !== record.digest) {
      throw unreadableRecord(record)
    }
    try {
      insertRecord(database, record)
      deriver.add(parseRecord(record))
    } catch (error) {
      // The disk and the locks of this machine are not the fault of a record, nor is an older one that was damaged here.
      if (isEnvironmentError(error) || !(error instanceof Error)) throw error
      if (error instanceof DamagedRecord && error.seq !== record.seq) throw error
      throw unreadableRecord(record, error.message)
    }
    seq = record.seq
    digest = record.digest
  }
}

/** Brings the tables of a copy up to date. Of most payments the first attempt and its answer come together: their rows are then written once. */
class Deriver {
  readonly #database: Database
  /** The payments that have these two records here, and no other. */
  readonly #answered: ReadonlySet<string>
  readonly #attempts = new Map<string, LedgerRecord<AttemptRecord>>()

  constructor(database: Database, records: readonly ChainedRecord[]) {
    this.#database = database
    const types = new Map<string, string>()
    for (const { payment, type } of records) {
      if (payment !== null) types.set(payment, `${types.get(payment) ?? ''} ${type}`)
    }
    // A clock that is set back changes the payments that are there.
    const isClockSet = records.some(({ type }) => type === 'clock')
    const answered = isClockSet ? [] : [...types].filter(([, each]) => each === ' attempt answer')
    this.#answered = new Set(answered.map(([payment]) => payment))
  }

  add(record: LedgerRecord): void {
    if (record.type === 'attempt' && record.number === 1 && this.#answered.has(record.payment)) {
      noteClock(this.#database, record)
      this.#attempts.set(record.id, record)
      return
    }
    const attempt = record.type === 'answer' ? this.#attempts.get(record.attempt) : undefined
    if (attempt === undefined || record.type !== 'answer') updateDerivedTables(this.#database, record)
    else addAnswered(this.#database, attempt, record)
  }
}
