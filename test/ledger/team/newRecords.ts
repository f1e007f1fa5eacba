import { randomUUID } from 'node:crypto'
import {
  CHAIN_START,
  type ChainedRecord,
  type ChainPoint,
  chainDigest,
  type StoredRecord,
} from '../../../src/ledger/chain.ts'
import type { LedgerServer } from '../../../src/ledger/team/ledgerServer.ts'
import { soon } from '../../postgres.ts'

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
