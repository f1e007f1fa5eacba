import { hash } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { only } from '../../pix/expectedError.ts'
import { isRead } from '../../schemas/jsonReader.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import type { Database } from '../../storage/sqlite.ts'
import { Cancelled, Failure } from '../../wire/errors.ts'
import { CHAIN_START, chainEnd, chainedRecord, digestAt } from '../chain.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { ledgerPath, setLedgerId } from '../ledgerId.ts'
import type { LedgerEnvironment } from '../paymentState.ts'
import type { LedgerStoppedRecord } from '../records.ts'
import { noteLogins } from '../refusedRecords.ts'
import { isSameServer, SERVER, type ServerIdentity, serverOfCopy, setServerOfCopy } from '../serverIdentity.ts'
import { readLastStop, type StopRecord } from '../stop.ts'
import { decisiveRecords, type HandedOver, isSameRecord } from './handOver.ts'
import type { LedgerAddress } from './ledgerAddress.ts'
import { connectServer, type LedgerServer } from './ledgerServer.ts'
import { openPendingRecords } from './pendingRecords.ts'
import { olderServer, replacedServer } from './serverErrors.ts'
import {
  LAST_RECORD_SQL,
  LAST_STOPS_SQL,
  recordsAfterSql,
  recordsWithIdsSql,
  type SharedRecord,
} from './sharedRecords.ts'
import { CopyClock, openTeamLedger, type TeamLedger, type TeamNotices } from './teamLedger.ts'

interface TeamAccess {
  notices: TeamNotices
  /** Gives the password. A person may be asked for it, so it is asked for before any deadline begins. */
  password(): Promise<string | undefined>
}

/**
 * Opens the shared ledger at an address. `environment` is that of the ledger of this machine, with the address as it was chosen. Throws Cancelled if the
 * password was asked for and not typed.
 */
export async function openTeam(
  environment: LedgerEnvironment,
  address: LedgerAddress,
  access: TeamAccess,
): Promise<TeamLedger> {
  const { copy, clock } = openCopy(environment, address)
  const { folder, user: login } = copy.environment
  const [password] = await Promise.allSettled([access.password()])
  if (password.status === 'rejected' && password.reason instanceof Cancelled) throw password.reason
  const connectAnyway = async (deadlineMs: number) => {
    if (password.status === 'rejected') throw password.reason
    return connectServer(address, { password: password.value, deadlineMs })
  }
  const connect = async (deadlineMs: number) => {
    const server = await connectAnyway(deadlineMs)
    try {
      clock.set(server.state.nowMs)
      await assertKnownServer(copy, server, deadlineMs)
      return server
    } catch (error) {
      server.close()
      throw error
    }
  }
  const stopAll = async (deadlineMs: number) => {
    const server = await connectAnyway(deadlineMs)
    try {
      await stopEverybody(copy, server, deadlineMs)
    } finally {
      server.close()
    }
  }
  const pending = await openPendingRecords(folder)
  return openTeamLedger({
    ...{ copy, clock, pending, login, connect, notices: access.notices },
    // The next machine that sees it tries again.
    stopEverybody: (deadlineMs) => stopAll(deadlineMs).catch(only(Failure, () => undefined)),
  })
}

/** Opens the copy of a shared ledger on this machine, and its clock. Throws the system's error if its folder cannot be made. */
export function openCopy(environment: LedgerEnvironment, address: LedgerAddress): { copy: Ledger; clock: CopyClock } {
  const folder = copyFolder(environment.folder, address)
  makePrivateFolder(dirname(folder))
  makePrivateFolder(folder)
  const clock = new CopyClock(folder, environment.now)
  return { copy: openLedger({ ...environment, folder, user: address.user, now: clock.now }), clock }
}

const FOLDER = 'teams'

/** The folder of the copy of a shared ledger, below the data folder. */
export function copyFolder(dataFolder: string, { host, port, database }: LedgerAddress): string {
  const mark = hash('sha256', JSON.stringify([host, port, database])).slice(0, 16)
  return join(dataFolder, FOLDER, mark)
}

/**
 * Moves the copy of a shared ledger, with what waits in it, to where it is looked for under another address of the ledger. One that is there already stays,
 * and gets what waits in the other. Gives what moves it back. Throws the system's error, and what opening what waits throws.
 */
export async function moveCopy(
  dataFolder: string,
  from: LedgerAddress,
  to: LedgerAddress,
): Promise<() => Promise<void>> {
  const [old, folder] = [copyFolder(dataFolder, from), copyFolder(dataFolder, to)]
  if (existsSync(ledgerPath(folder))) {
    await movePending(old, folder)
    return () => movePending(folder, old)
  }
  renameSync(old, folder)
  return async () => renameSync(folder, old)
}

async function movePending(from: string, to: string): Promise<void> {
  const [left, taken] = [await openPendingRecords(from), await openPendingRecords(to)]
  try {
    left.moveTo(taken)
  } finally {
    left.close()
    taken.close()
  }
}

/** No record comes after this number. */
const NONE = Number.MAX_SAFE_INTEGER

type Select = (sql: string) => Promise<readonly SharedRecord[]>

/**
 * Checks that a server is the one that a copy was made from. The first contact notes which one it is. Another one is accepted only if its owner has ended
 * the stop for it and it continues the copy, which then lacks nothing. Throws LedgerOlder.
 */
async function assertKnownServer(copy: Ledger, server: LedgerServer, deadlineMs: number): Promise<void> {
  const { identity } = server
  const known = await copy.writeHere(({ database }) => {
    if (chainEnd(database).seq === 0) acceptServer(database, identity)
    noteLogins(database, copy.environment.sharedAt ?? '', server.state.login, server.state.tableOwner)
    return serverOfCopy(database)
  })
  if (known !== null && isSameServer(known, identity)) return
  if (known !== null && known.ledger !== identity.ledger) throw replacedServer(known, identity)
  const select: Select = (sql) => server.select(sql, deadlineMs)
  if (!(await isContinued(copy, select))) throw olderServer(await copy.read(chainEnd))
  const last = readLastStop(await select(LAST_STOPS_SQL))
  const isAccepted = last?.type === 'ledger-resumed' && isSameServer(last.server, identity)
  if (known !== null && !isAccepted) throw replacedServer(known, identity)
  await copy.writeHere(({ database }) => acceptServer(database, identity))
}

/** Notes that a copy is one of this server from now on. */
export function acceptServer(database: Database, identity: ServerIdentity): void {
  setLedgerId(database, identity.ledger)
  setServerOfCopy(database, identity)
}

/** True if a server holds all that a copy does, in the same order. */
export async function isContinued(copy: Ledger, select: Select): Promise<boolean> {
  const { seq, digest } = await copy.read(chainEnd)
  return seq === 0 || (await digestOf(select, seq)) === digest
}

/** The number of the last record that a copy and a server have in common; 0 without one. */
export async function lastInCommon(copy: Ledger, select: Select): Promise<number> {
  let common = 0
  let different = (await copy.read(chainEnd)).seq + 1
  while (different - common > 1) {
    const middle = (common + different) >> 1
    const digest = await copy.read((database) => digestAt(database, middle))
    if (digest === (await digestOf(select, middle))) common = middle
    else different = middle
  }
  return common
}

/**
 * Records on a server that it is not the one that this machine knows, or lacks what the copy has, so that everybody stops: also who was behind and cannot
 * know. The record follows those of the server, because the copy does not. Nothing is recorded if that was done already, by an auditor, or if it concerns
 * this machine alone, see {@link mustStopEverybody}. Throws what the server throws.
 */
export async function stopEverybody(copy: Ledger, server: LedgerServer, deadlineMs: number): Promise<void> {
  if (!server.state.mayWrite) return
  await server.locked(deadlineMs, NONE, async (locked) => {
    const [known, end] = await copy.read((database) => [serverOfCopy(database), chainEnd(database)])
    const lacksRecords = await isLackingRecords(copy, locked.select)
    const last = readLastStop(await locked.select(LAST_STOPS_SQL))
    if (!mustStopEverybody(server.identity, known, last, lacksRecords)) return
    const { newId, machine } = copy.environment
    const stamp = { id: newId(), atMs: locked.nowMs, user: server.state.login, machine }
    const stop = stopRecord(server, known, end.seq, lacksRecords)
    const [before = CHAIN_START] = await locked.select(LAST_RECORD_SQL)
    await locked.insert([chainedRecord(before, stamp, stop)])
  })
}

/** What records that everybody stops: a copy with this number of records was made from the server `known`. */
export function stopRecord(
  { identity }: LedgerServer,
  known: ServerIdentity | null,
  records: number,
  lacksRecords: boolean,
): LedgerStoppedRecord {
  return { type: 'ledger-stopped', server: identity, known, records, lacksRecords }
}

/** True if the copy has records that a decision could need, and that the server has under no number, or something else under their ids. */
async function isLackingRecords(copy: Ledger, select: Select): Promise<boolean> {
  if (await isContinued(copy, select)) return false
  let after = await lastInCommon(copy, select)
  for (;;) {
    const { records, lastSeq } = await copy.read((database) => decisiveRecords(database, after))
    if (lastSeq === null) return false
    const there = new Map((await select(recordsWithIdsSql(records.map(({ id }) => id)))).map((each) => [each.id, each]))
    const isThere = (record: HandedOver) => {
      const stored = there.get(record.id)
      return stored !== undefined && isSameRecord(stored, record)
    }
    if (!records.every(isThere)) return true
    after = lastSeq
  }
}

async function digestOf(select: Select, seq: number): Promise<string | undefined> {
  return (await select(recordsAfterSql(seq - 1, 1))).find((record) => record.seq === seq)?.digest
}

/**
 * True if what a machine found must stop everybody: records are missing, or the server is another one and it has not been accepted. Not again for what
 * stopped it already; and not for a copy that the server continues in another way without lacking anything, which is this machine's matter alone.
 */
function mustStopEverybody(
  found: ServerIdentity,
  known: ServerIdentity | null,
  last: StopRecord | undefined,
  lacksRecords: boolean,
): boolean {
  const isOfThisServer = last !== undefined && isRead(SERVER, last.server) && isSameServer(last.server, found)
  if (isOfThisServer && last.type === 'ledger-stopped') return false
  if (lacksRecords) return true
  return known !== null && !isSameServer(known, found) && !isOfThisServer
}
