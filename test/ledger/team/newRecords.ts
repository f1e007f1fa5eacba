import { randomUUID } from 'node:crypto'
import {
  CHAIN_START,
  type ChainedRecord,
  type ChainPoint,
  chainDigest,
  type StoredRecord,
} from '../../../src/ledger/chain.ts'
import type { LedgerServer } from '../../../src/ledger/team/ledgerServer.ts'
import { LOCK_KEY } from '../../../src/ledger/team/serverSql.ts'
import { insertRecordsSql } from '../../../src/ledger/team/sharedRecords.ts'
import { soon, type TestPostgres } from '../../postgres.ts'

/** A record that continues a chain, with a right digest for whatever differs. */
export function newRecord(
  user: string,
  differences: Partial<StoredRecord> = {},
  before: ChainPoint = CHAIN_START,
): ChainedRecord {
  const record = {
    seq: before.seq + 1,
    id: randomUUID(),
    at: '2026-11-23T12:00:00.000Z',
    user,
    machine: 'desk-1',
    type: 'clock',
    payment: null,
    content: '{"type":"clock"}',
    ...differences,
  }
  return { ...record, digest: chainDigest(before.digest, record) }
}

/** Adds a record to a ledger under its lock, and returns it. */
export function addRecord(server: LedgerServer, deadlineMs = soon()): Promise<ChainedRecord> {
  return server.locked(deadlineMs, 0, async ({ records, insert }) => {
    const record = newRecord(server.state.login, {}, records.at(-1))
    await insert([record])
    return record
  })
}

/** A record as its columns, without those that follow from the ones before it. */
export type Written = Pick<StoredRecord, 'type' | 'content'> & Partial<StoredRecord>

/** Writes records as a member does with psql, with the digest and the number that they must have. Gives the number of the first. */
export async function writeByHand(
  postgres: TestPostgres,
  database: string,
  login: string,
  records: readonly Written[],
): Promise<number> {
  const last = await postgres.sql(database, 'SELECT seq, digest FROM pixgate.record ORDER BY seq DESC LIMIT 1')
  const [seq = '0', digest = ''] = last.split('|')
  let before: ChainPoint = { seq: Number(seq), digest }
  const rows = records.map((record) => {
    const row = newRecord(login, { payment: null, ...record }, before)
    before = row
    return row
  })
  const sql = `BEGIN; SELECT pg_advisory_xact_lock(${LOCK_KEY}); ${insertRecordsSql(rows)}; COMMIT;`
  const { exit, stderr } = await postgres.psql(login, database, sql)
  if (exit !== 0) throw new Error(stderr)
  return Number(seq) + 1
}
