import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { tryFileLock } from '../../storage/fileLock.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { type Database, loadSqlite, textOf } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type ChainPoint, chainEnd, storedRecord } from '../chain.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { ledgerId, ledgerPath } from '../ledgerId.ts'
import type { LedgerEnvironment } from '../paymentState.ts'
import { ruleOfType } from '../records.ts'
import { type ServerIdentity, serverOfCopy } from '../serverIdentity.ts'
import { forgetStop, stopFailure, stopInForce, wasHeardSince } from '../stop.ts'
import { DERIVED_TABLE_NAMES, DERIVED_TABLES } from '../tables.ts'
import { handOver, isAddedAgain } from './handOver.ts'
import type { LedgerAddress } from './ledgerAddress.ts'
import { connectServer, type LedgerServer } from './ledgerServer.ts'
import { acceptServer, isContinued, lastInCommon, openCopy, stopEverybody, stopRecord } from './openTeam.ts'
import { openPendingRecords, type PendingRecords } from './pendingRecords.ts'
import { fetchNew, replicate } from './replication.ts'
import { type CopyClock, openTeamLedger, type TeamLedger } from './teamLedger.ts'

interface RepairAccess {
  password: string | undefined
  /** Called before anything is handed over to a ledger that this machine does not know. Throws if it is not that of the team. */
  confirmOther(): Promise<void>
  /** Called when everything was handed over, with the copy as it was and one of the server as it is, before the copy is made anew. */
  renewWitness(old: Database, fresh: Database): void
}

/** What `ledger repair` has done. */
export type Repair = Awaited<ReturnType<typeof repairLocked>>

/**
 * Makes this machine agree with a server that was restored or replaced.
 *
 * A server that lost records holds a beginning of what some copies hold, and maybe what was recorded there since. Everybody stops with the first machine
 * that sees it, by a record in the server's own chain, so that also who was behind refuses every decision (`stopEverybody`). Each machine then hands over
 * what its copy has after the last record in common: the same records under the same ids, with who wrote them first, behind what the server has. A record
 * that is there is left out, so two machines may hand over the same, at once or one after the other, and a repair that was killed is run again. What was
 * handed over is added by a copy of the server beside the one of this machine, whose copy stays as it is until the end: only when the server has
 * everything, and has heard from this machine, is it made anew, in one transaction. Killed before that, it still differs from the server, and nothing is
 * sent. A refusal or a finding that does not know of a request recorded meanwhile is kept without effect; pending answers and events stay pending and
 * follow at the next contact, when the records that they are about are there. The owner of the ledger, to whom the machines that were not heard from are
 * named, ends the stop for this server. A copy that the server only continues then accepts it without being asked; one that has more stops everybody again.
 *
 * Throws UsageError for a server or a login that cannot be used, LedgerNotReached, and what `access` throws.
 */
export async function repairCopy(
  environment: LedgerEnvironment,
  address: LedgerAddress,
  access: RepairAccess,
): Promise<Repair> {
  const { copy, clock } = openCopy(environment, address)
  try {
    const lock = tryFileLock(await loadSqlite(), join(copy.environment.folder, 'repair.lock'))
    if (lock === undefined) throw repairedElsewhere()
    try {
      return await repairLocked(copy, clock, address, access)
    } finally {
      lock.remove()
    }
  } finally {
    await copy.close()
  }
}

async function repairLocked(copy: Ledger, clock: CopyClock, address: LedgerAddress, access: RepairAccess) {
  const { environment } = copy
  const deadline = () => performance.now() + environment.timeoutMs
  const server = await connectServer(address, { password: access.password, deadlineMs: deadline() })
  const folder = join(environment.folder, 'repair')
  rmSync(folder, { recursive: true, force: true })
  try {
    const [known, end] = await copy.read((database) => [ledgerId(database), chainEnd(database)])
    if (end.seq > 0 && known !== server.identity.ledger) await access.confirmOther()
    await stopEverybody(copy, server, deadline())
    const isSame = await isContinued(copy, (sql) => server.select(sql, deadline()))
    makePrivateFolder(folder)
    const fresh = openLedger({ ...environment, folder: isSame ? environment.folder : folder })
    const pending = await openPendingRecords(folder)
    const team = await openUnverified(fresh, clock, pending, server)
    try {
      await fetchNew(fresh, (seq, limit) => server.recordsAfter(seq, limit, deadline()))
      const recovered = isSame ? 0 : await handOverLost(copy, team, server, deadline)
      if (server.state.mayWrite) await tellHeard(team, server)
      const keptCopy = isSame ? null : await replaceCopy(copy, end, ledgerPath(folder), server, access)
      return await copy.read((database) => ({
        /** How many records the server lacked and has got from this machine. */
        recovered,
        /** The file in which the copy is kept as it was; null if the server continues it, so that it could stay. */
        keptCopy,
        /** How many the copy has now. */
        records: chainEnd(database).seq,
        /** Why nothing may be sent yet; null if nothing prevents it. */
        stop: stopFailure(database, environment),
      }))
    } finally {
      await team.close()
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a copy of a server that is accepted as it is. Pending records of this machine are not handed over with it. */
async function openUnverified(
  copy: Ledger,
  clock: CopyClock,
  pending: PendingRecords,
  server: LedgerServer,
): Promise<TeamLedger> {
  await copy.writeHere(({ database }) => acceptServer(database, server.identity))
  return openTeamLedger({
    ...{ copy, clock, pending, login: server.state.login },
    ...{ connect: async () => server, stopEverybody: async () => undefined },
  })
}

/** While the ledger is stopped, records once that this machine has handed over what it had. */
async function tellHeard(team: TeamLedger, { identity: server }: LedgerServer): Promise<void> {
  const { machine } = team.environment
  await team.recover((writer) => {
    const stop = stopInForce(writer.database)
    if (stop === null || wasHeardSince(writer.database, stop, { login: writer.user, machine })) return
    writer.append({ type: 'machine-heard', server })
  })
}

/** Hands over what the copy has and the server lacks. Returns how many records that were. */
async function handOverLost(
  copy: Ledger,
  team: TeamLedger,
  server: LedgerServer,
  deadline: () => number,
): Promise<number> {
  const [known, { seq }] = await copy.read((database) => [serverOfCopy(database), chainEnd(database)])
  const common = await lastInCommon(copy, (sql) => server.select(sql, deadline()))
  const { records } = await handOver(copy, 'server', common, (add) =>
    team.recover((writer) => {
      const before = writer.appended.length
      const added = add(writer)
      const isLacking = writer.appended
        .slice(before)
        .some((record) => ruleOfType(record.type).decides && !isAddedAgain(record))
      // The owner may have ended the stop before this machine was ready.
      if (isLacking && stopInForce(writer.database) === null) writer.append(stopRecord(server, known, seq, true))
      return added
    }),
  )
  return records
}

/** Makes the copy, which ended at `end`, anew from that of the server at a path, and keeps it as it was. Returns the path of the kept one. */
async function replaceCopy(
  copy: Ledger,
  end: ChainPoint,
  path: string,
  { identity }: LedgerServer,
  { renewWitness }: RepairAccess,
): Promise<string> {
  const { folder, now } = copy.environment
  const time = new Date(now()).toISOString().replace(/\W/g, '')
  const kept = join(folder, t`before-repair-${time}.db`)
  await copy.backUp(kept)
  const open = await loadSqlite()
  const fresh = open(path, { readOnly: true })
  try {
    await copy.read((old) => renewWitness(old, fresh))
    await copy.writeHere(({ database }) => {
      // A process that was recording when the server was restored may just have added what has not been handed over.
      if (chainEnd(database).seq !== end.seq) throw changedMeanwhile()
      copyAnew(database, fresh, identity)
    })
  } finally {
    fresh.close()
  }
  return kept
}

function changedMeanwhile(): UsageError {
  return new UsageError(t`Another process has added to the copy of this machine meanwhile`, {
    details: [t`What this machine had before was handed over; nothing was sent`],
    hint: t`Run \`pixgate ledger repair\` again`,
  })
}

function repairedElsewhere(): UsageError {
  return new UsageError(t`Another process is repairing the copy of this machine`, {
    details: [t`Nothing was changed`],
    hint: t`Wait until it has ended, then run the command again`,
  })
}

const PAGE_RECORDS = 1000
const KEPT = 'record_is_never_deleted'

/**
 * Makes a copy anew from the records of its server, which another database holds, in one transaction: other processes of this machine, which may use the
 * copy meanwhile, see the one or the other. What concerns this machine alone stays: its processes, its listeners, the rows of its batches.
 */
function copyAnew(database: Database, source: Database, identity: ServerIdentity): void {
  database.exec('PRAGMA defer_foreign_keys = ON')
  const trigger = database.get('SELECT sql FROM sqlite_schema WHERE name = ?', KEPT)
  database.exec(
    DERIVED_TABLE_NAMES.map((table) => `DROP TABLE ${table};`)
      .reverse()
      .join(''),
  )
  database.exec(`DROP TRIGGER ${KEPT}; UPDATE run SET seq = NULL; DELETE FROM record`)
  database.exec(`${textOf(trigger ?? {}, 'sql')};${DERIVED_TABLES}`)
  forgetStop(database)
  acceptServer(database, identity)
  const page = 'SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?'
  for (let after = 0; ; after += PAGE_RECORDS) {
    const rows = source.all(page, after, PAGE_RECORDS)
    const records = rows.map((row) => ({ ...storedRecord(row), digest: textOf(row, 'digest') }))
    replicate(database, records)
    if (records.length < PAGE_RECORDS) return
  }
}
