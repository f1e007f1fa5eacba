import type { Database } from '../../storage/sqlite.ts'
import { type ChainedRecord, chainDigest, chainEnd, digestAt } from '../chain.ts'
import { addSharedRecords } from '../derivedTables.ts'
import type { Ledger } from '../ledger.ts'
import { olderServer, unreadableRecord } from './serverErrors.ts'
import type { SharedRecord } from './sharedRecords.ts'

/** Reads up to `limit` records of the server after a number, oldest first. */
type ReadRecords = (seq: number, limit: number) => Promise<readonly SharedRecord[]>

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
 * left out, and unreadable ones are refused. Throws UsageError for a record that does not match its checksum, and LedgerOlder if the copy was made
 * anew and has others.
 */
export function replicate(database: Database, records: readonly ChainedRecord[]): void {
  let { seq, digest } = chainEnd(database)
  const added: ChainedRecord[] = []
  for (const record of records) {
    if (record.seq <= seq) {
      if (digestAt(database, record.seq) !== record.digest) throw olderServer({ seq, digest })
      continue
    }
    if (record.seq !== seq + 1 || chainDigest(digest, record) !== record.digest) {
      throw unreadableRecord(record)
    }
    added.push(record)
    seq = record.seq
    digest = record.digest
  }
  addSharedRecords(database, added)
}
