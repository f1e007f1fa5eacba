import { integerOf, type Row, textOf } from '../../storage/sqlite.ts'
import { CHAIN_START, chainedRecord, parseRecord } from '../chain.ts'
import type { LedgerEnvironment } from '../environment.ts'
import type { LedgerRecord } from '../records.ts'
import { readStopRecord } from '../stop.ts'
import type { LedgerMachine, LedgerStoppedRecord } from '../stopRecords.ts'
import type { LedgerServer } from './server.ts'
import { LAST_RECORD_SQL, LAST_STOP_SQL } from './sharedRecords.ts'

/** A machine that has not said since a stop that the server has all that its copy had. */
export interface UnheardMachine extends LedgerMachine {
  /** When the server stored its last record, in ms; null if the server had none before the stop. */
  lastMs: number | null
}

/** A stop, and what its end means. */
export interface StopToEnd {
  stop: LedgerRecord<LedgerStoppedRecord>
  /** Those that wrote last first. */
  notHeardFrom: UnheardMachine[]
  /** True if the ledger is known to move no real money; one that lost everything is not. */
  isSandbox: boolean
}

const PAGE_RECORDS = 1000

/** Who has ever written, except that an owner who ended a stop is no machine that pays. */
const MACHINES_SQL = `SELECT "user" AS login, machine, floor(extract(epoch FROM max(stored_at)) * 1000)::double precision AS last_ms
  FROM pixgate.record WHERE type <> 'ledger-resumed' GROUP BY "user", machine ORDER BY max(seq) DESC`

/** Whether some record is of this environment: JSON.stringify writes no space, and a quote within a text is escaped. */
const hasEnvironment = (name: string) =>
  `EXISTS (SELECT FROM pixgate.record WHERE content LIKE '%"environment":"${name}"%')`
const SANDBOX_SQL = `SELECT ${hasEnvironment('sandbox')} AND NOT ${hasEnvironment('production')} AS is_sandbox`

/** The stop of a ledger that nobody has ended; null if there is none. Deadlines are times of `performance.now()`. Throws LedgerNotReached. */
export async function findStop(server: LedgerServer, deadlineMs: number): Promise<StopToEnd | null> {
  const stop = readStopRecord((await server.select(LAST_STOP_SQL, deadlineMs))[0])
  if (stop?.type !== 'ledger-stopped') return null
  const writers = (await server.rows(MACHINES_SQL, deadlineMs)).map(unheardMachine)
  const { firstWriters, heard } = await saidSince(server, stop.seq, deadlineMs)
  const known = new Set(writers.map(nameOf))
  const others = firstWriters.filter((each) => !known.has(nameOf(each)))
  const [environment = {}] = await server.rows(SANDBOX_SQL, deadlineMs)
  return {
    stop,
    notHeardFrom: [...others, ...writers].filter((each) => !heard.has(nameOf(each))),
    isSandbox: environment.is_sandbox === true,
  }
}

/**
 * Records as the owner of a ledger that a stop is ended for this server. Returns false if the stop is not in force any more, or another one is. Throws
 * LedgerOlder if the server is another one by now, UsageError if the login is not the owner, and LedgerNotReached.
 */
export async function endStop(
  server: LedgerServer,
  { stop, notHeardFrom }: StopToEnd,
  { newId, machine }: Pick<LedgerEnvironment, 'newId' | 'machine'>,
  deadlineMs: number,
): Promise<boolean> {
  return server.locked(deadlineMs, stop.seq, async (locked) => {
    const [last] = await locked.select(LAST_STOP_SQL)
    const [before = CHAIN_START] = await locked.select(LAST_RECORD_SQL)
    if (last?.id !== stop.id) return false
    const resumed = chainedRecord(
      before,
      { id: newId(), atMs: locked.nowMs, user: server.login, machine },
      {
        type: 'ledger-resumed',
        server: server.identity,
        notHeardFrom: notHeardFrom.map(({ login, machine }) => ({ login, machine })),
      },
    )
    await locked.insert([resumed])
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
    for (const record of page.map(parseRecord)) {
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

function unheardMachine(row: Row): UnheardMachine {
  return { login: textOf(row, 'login'), machine: textOf(row, 'machine'), lastMs: integerOf(row, 'last_ms') }
}
