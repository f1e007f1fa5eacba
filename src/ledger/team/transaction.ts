import { performance } from 'node:perf_hooks'
import { integerOf } from '../../storage/sqlite.ts'
import type { LedgerAddress } from './address.ts'
import { type Connection, connectionClosed, within } from './connection.ts'
import { assertSameServer, IDENTITY_SQL, readIdentity } from './serverChecks.ts'
import { commitUnknown, DeadlinePassed, isServerError, reported, serverFailure } from './serverErrors.ts'
import type { ServerIdentity } from './serverIdentity.ts'
import { LOCK_KEY } from './serverSql.ts'
import {
  insertRecordsSql,
  type NewRecord,
  readSharedRecord,
  recordsAfterSql,
  type SharedRecord,
  storedAtMs,
} from './sharedRecords.ts'

/** What may be done while no other machine can add records. */
export interface LockedLedger {
  /** The first records after the number that was given with the work, read with the lock: up to {@link FIRST_RECORDS_MAX}. */
  readonly records: readonly SharedRecord[]
  /** The server's time just after the lock was had, in ms. */
  readonly nowMs: number
  recordsAfter(seq: number, limit: number): Promise<SharedRecord[]>
  /** Runs a statement that reads records. */
  select(sql: string): Promise<SharedRecord[]>
  /**
   * Adds records, and gives when the server stored each, in ms. They count only when the commit is confirmed. Work that ends without waiting for this
   * saves a round trip, because the commit is sent at once; the promise settles before the commit does.
   */
  insert(records: readonly NewRecord[]): Promise<number[]>
}

/** How many records come with the lock; more are read with `recordsAfter`. */
const FIRST_RECORDS_MAX = 1000
/** How long a transaction that failed may take to end; then its connection is closed, which ends it too. */
const ROLLBACK_MS = 1000

/**
 * Written out and local: a login may have other defaults, and a pooler hands sessions on. `tcp_user_timeout` ends what no other limit does: a server that
 * cannot send its answer, because the machine that asked sleeps.
 */
export function beginSql(deadlineMs: number): string {
  const leftMs = Math.max(1, Math.floor(deadlineMs - performance.now()))
  // Shorter than the deadline, so that the server can still say that it was the lock.
  const lockMs = Math.max(1, Math.floor(leftMs * 0.9))
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${lockMs};
    SET LOCAL statement_timeout = ${leftMs}; SET LOCAL idle_in_transaction_session_timeout = ${leftMs};
    SET LOCAL tcp_user_timeout = ${leftMs}; SET LOCAL extra_float_digits = 1`
}

/** Ends a transaction without its records. A connection that does not confirm that is closed. */
export async function rollBack(connection: Connection): Promise<void> {
  if (connection.isBroken) return
  try {
    await connection.query('ROLLBACK', performance.now() + ROLLBACK_MS)
  } catch {
    connection.close()
  }
}

/**
 * Does work in one transaction under the lock of the ledger, and commits what it inserted. `after` is the number of the last record that this machine
 * knows. Throws what the work throws, the {@link serverFailure} of an error before the commit, and CommitUnknown. A transaction that failed is left to
 * be rolled back.
 */
export async function runLocked<Result>(
  connection: Connection,
  { address, identity }: { address: LedgerAddress; identity: ServerIdentity },
  deadlineMs: number,
  after: number,
  work: (ledger: LockedLedger) => Promise<Result> | Result,
): Promise<Result> {
  // The lock is a statement of its own: only the snapshots of later ones show what others committed before it was had.
  const begun = `${beginSql(deadlineMs)}; SELECT pg_catalog.pg_advisory_xact_lock(${LOCK_KEY}); ${IDENTITY_SQL};
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms;
    ${recordsAfterSql(after, FIRST_RECORDS_MAX)}`
  const { sets } = await reported(address, connection.query(begun, deadlineMs))
  const [found, now, records] = [sets.at(-3)?.[0] ?? {}, sets.at(-2)?.[0] ?? {}, sets.at(-1) ?? []]
  assertSameServer(identity, readIdentity(address, found))
  let isOver = false
  const inserts: Promise<unknown>[] = []
  const rows = async (sql: string) => {
    if (isOver) throw new Error('the transaction is over')
    return (await connection.query(sql, deadlineMs)).sets.at(-1) ?? []
  }
  const ledger: LockedLedger = {
    records: records.map(readSharedRecord),
    nowMs: integerOf(now, 'now_ms'),
    recordsAfter: (seq, limit) => ledger.select(recordsAfterSql(seq, limit)),
    select: async (sql) => (await reported(address, rows(sql))).map(readSharedRecord),
    insert(added) {
      if (added.length === 0) return Promise.resolve([])
      const inserting = rows(insertRecordsSql(added)).then((stored) => stored.map(storedAtMs))
      inserts.push(inserting)
      const result = reported(address, inserting)
      // Handled here, because work may not wait for it.
      result.catch(() => undefined)
      return result
    },
  }
  const working = (async () => work(ledger))()
  // What the work itself throws is not about the server, and stays as it is.
  const result = await within(working, deadlineMs, () => undefined)
    .catch((error: unknown) => {
      throw error instanceof DeadlinePassed ? serverFailure(address, error) : error
    })
    .finally(() => {
      isOver = true
    })
  if (inserts.length > 0) await reported(address, commit(connection, address, deadlineMs, inserts))
  else await rollBack(connection)
  return result
}

/** Commits `inserts`, whose answers may arrive together with that of the commit. */
async function commit(
  connection: Connection,
  address: LedgerAddress,
  deadlineMs: number,
  inserts: readonly Promise<unknown>[],
): Promise<void> {
  if (performance.now() >= deadlineMs) throw new DeadlinePassed('no time left to commit')
  if (connection.isBroken) throw connectionClosed()
  const committing = connection.query('COMMIT', deadlineMs)
  const ends = await Promise.allSettled([...inserts, committing])
  const errors = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
  // After an ERROR nothing was committed; any other end says nothing about it.
  const refusal = errors.find((error) => isServerError(error) && error.severity === 'ERROR')
  if (refusal !== undefined) throw refusal
  if (errors.length > 0) {
    connection.close()
    throw commitUnknown(address)
  }
  const { command } = await committing
  if (command !== 'COMMIT') throw new Error(`the server answered COMMIT with ${command}`)
}
