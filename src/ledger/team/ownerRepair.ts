import { integerOf, textOf } from '../../storage/sqlite.ts'
import { CHAIN_START, chainEnd, chainedRecord, parseRecord } from '../chain.ts'
import type { Ledger } from '../ledger.ts'
import type { LedgerEnvironment } from '../paymentState.ts'
import type { LedgerMachine, MachineGoneRecord, RecordContent, SetAsideRecord } from '../records.ts'
import { isReadable, type RefusedRecord, refusedRecords, unjudgedRecords } from '../refusedRecords.ts'
import { readLastStop } from '../stop.ts'
import type { LedgerServer, LockedLedger } from './ledgerServer.ts'
import { acceptServer } from './openTeam.ts'
import { fetchNew } from './replication.ts'
import { OWNER_TYPES } from './serverSql.ts'
import { GONE_SQL, LAST_RECORD_SQL, LAST_STOPS_SQL } from './sharedRecords.ts'

const PAGE_RECORDS = 1000

/** A machine that has not said since a stop that the server has all that its copy had. */
export interface UnheardMachine extends LedgerMachine {
  /** When the server stored its last record, in ms; null if the server had none before the stop. */
  lastMs: number | null
}

/** A stop, and what its end means. */
export type StopToEnd = NonNullable<Awaited<ReturnType<typeof findStop>>>

/** Who has ever written, except that what an owner writes comes from no machine that pays. */
const MACHINES_SQL = `SELECT "user" AS login, machine, floor(extract(epoch FROM max(stored_at)) * 1000)::double precision AS last_ms,
  max(seq)::double precision AS last_seq
  FROM pixgate.record WHERE type NOT IN (${OWNER_TYPES.map((type) => `'${type}'`).join(', ')}) GROUP BY "user", machine ORDER BY max(seq) DESC`

/** Whether some record is of this environment: JSON.stringify writes no space, and a quote within a text is escaped. */
const hasEnvironment = (name: string) =>
  `EXISTS (SELECT FROM pixgate.record WHERE content LIKE '%"environment":"${name}"%')`
const SANDBOX_SQL = `SELECT ${hasEnvironment('sandbox')} AND NOT ${hasEnvironment('production')} AS is_sandbox`

/** True if a ledger is known to move no real money; one that lost everything is not. Throws LedgerNotReached. */
export async function isOfSandbox(server: LedgerServer, deadlineMs: number): Promise<boolean> {
  const [environment = {}] = await server.rows(SANDBOX_SQL, deadlineMs)
  return environment.is_sandbox === true
}

/** The stop of a ledger that has not been ended; null if there is none. Deadlines are times of `performance.now()`. Throws LedgerNotReached. */
export async function findStop(server: LedgerServer, deadlineMs: number) {
  const stop = readLastStop(await server.select(LAST_STOPS_SQL, deadlineMs))
  if (stop?.type !== 'ledger-stopped') return null
  const writers = await writersOn(server, deadlineMs)
  const { firstWriters, heard } = await saidSince(server, stop.seq, deadlineMs)
  const known = new Set(writers.map(nameOf))
  const goneNames = new Set(writers.flatMap(({ machine, isGone }) => (isGone ? [machine] : [])))
  const others = firstWriters
    .filter((each) => !known.has(nameOf(each)))
    .map((each) => ({ ...each, isGone: goneNames.has(each.machine) }))
  return {
    stop,
    /** Those that wrote last first. */
    notHeardFrom: [...others, ...writers].filter((each) => !each.isGone && !heard.has(nameOf(each))),
  }
}

/** The machines that have written to a ledger, and whether the owner has said since that they are gone. */
async function writersOn(server: LedgerServer, deadlineMs: number): Promise<(UnheardMachine & { isGone: boolean })[]> {
  const gone = (await server.select(GONE_SQL, deadlineMs)).map(parseRecord)
  return (await server.rows(MACHINES_SQL, deadlineMs)).map((row) => {
    const machine = textOf(row, 'machine')
    const isGone = gone.some(
      (each) => each.type === 'machine-gone' && each.gone === machine && each.seq > integerOf(row, 'last_seq'),
    )
    return { login: textOf(row, 'login'), machine, lastMs: integerOf(row, 'last_ms'), isGone }
  })
}

/** The names of the machines that have written to a ledger and are not gone. Throws LedgerNotReached. */
export async function machinesOf(server: LedgerServer, deadlineMs: number): Promise<string[]> {
  const left = (await writersOn(server, deadlineMs)).filter(({ isGone }) => !isGone)
  return [...new Set(left.map(({ machine }) => machine))]
}

/**
 * Adds a record as the owner of a ledger. Throws LedgerOlder if the server is another one by now, UsageError if the login is not the owner, and
 * LedgerNotReached.
 */
export async function recordAsOwner(
  server: LedgerServer,
  content: SetAsideRecord | MachineGoneRecord,
  environment: Pick<LedgerEnvironment, 'newId' | 'machine'>,
  deadlineMs: number,
): Promise<void> {
  await server.locked(deadlineMs, LAST, (locked) => addAsOwner(server, locked, content, environment))
}

/** No record comes after this number. */
const LAST = Number.MAX_SAFE_INTEGER

async function addAsOwner(
  { state }: LedgerServer,
  locked: LockedLedger,
  content: RecordContent,
  { newId, machine }: Pick<LedgerEnvironment, 'newId' | 'machine'>,
): Promise<void> {
  const [before = CHAIN_START] = await locked.select(LAST_RECORD_SQL)
  const stamp = { id: newId(), atMs: locked.nowMs, user: state.login, machine }
  await locked.insert([chainedRecord(before, stamp, content)])
}

/**
 * The unreadable records of a ledger, as a copy that is brought up to date finds them, and those of these numbers that another machine may have found. Throws LedgerOlder if the copy is of another ledger, and
 * LedgerNotReached.
 */
export async function refusedOnServer(
  copy: Ledger,
  server: LedgerServer,
  numbers: readonly number[],
  deadline: () => number,
): Promise<RefusedRecord[]> {
  await copy.writeHere(({ database }) => {
    if (chainEnd(database).seq === 0) acceptServer(database, server.identity)
  })
  await fetchNew(copy, (seq, limit) => server.recordsAfter(seq, limit, deadline()))
  return copy.read((database) => [...refusedRecords(database), ...unjudgedRecords(database, numbers)])
}

/**
 * Records as the owner of a ledger that a stop is ended for this server. Returns false if the stop is not in force any more, or another one is. Throws
 * LedgerOlder if the server is another one by now, UsageError if the login is not the owner, and LedgerNotReached.
 */
export async function endStop(
  server: LedgerServer,
  { stop, notHeardFrom }: StopToEnd,
  environment: Pick<LedgerEnvironment, 'newId' | 'machine'>,
  deadlineMs: number,
): Promise<boolean> {
  return server.locked(deadlineMs, stop.seq, async (locked) => {
    const last = readLastStop(await locked.select(LAST_STOPS_SQL))
    if (last?.id !== stop.id) return false
    const machines = notHeardFrom.map(({ login, machine }) => ({ login, machine }))
    const resumed = { type: 'ledger-resumed', server: server.identity, notHeardFrom: machines } as const
    await addAsOwner(server, locked, resumed, environment)
    return true
  })
}

/** Who said since a stop that the server has everything, and who wrote first what was handed over. */
async function saidSince(
  server: LedgerServer,
  stopSeq: number,
  deadlineMs: number,
): Promise<{ firstWriters: UnheardMachine[]; heard: Set<string> }> {
  const firstWriters = new Map<string, UnheardMachine>()
  const heard = new Set<string>()
  for (let after = stopSeq; ; ) {
    const page = await server.recordsAfter(after, PAGE_RECORDS, deadlineMs)
    for (const record of page.filter(isReadable).map(parseRecord)) {
      if (record.type === 'machine-heard') heard.add(nameOf({ login: record.login, machine: record.machine }))
      const login = record.firstBy?.login
      const writer = login === undefined ? undefined : { login, machine: record.machine, lastMs: null }
      if (writer !== undefined) firstWriters.set(nameOf(writer), writer)
    }
    after = page.at(-1)?.seq ?? after
    if (page.at(-1)?.isNewest !== false) return { firstWriters: [...firstWriters.values()], heard }
  }
}

function nameOf({ login, machine }: LedgerMachine): string {
  return JSON.stringify([login, machine])
}
