import { dirname } from 'node:path'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { Cancelled, Failure } from '../../wire/errors.ts'
import type { LedgerEnvironment } from '../environment.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import type { LedgerAddress } from './address.ts'
import { CopyClock } from './copyClock.ts'
import { copyFolder } from './copyFolder.ts'
import { assertKnownServer, stopEverybody } from './foundServer.ts'
import { openPendingRecords } from './pendingRecords.ts'
import { connectServer } from './server.ts'
import { openTeamLedger, type TeamLedger, type TeamLedgerParts } from './teamLedger.ts'

export interface TeamAccess {
  /** Gives the password. A person may be asked for it, so it is asked for before any deadline begins. */
  password(): Promise<string | undefined>
  onStopped: TeamLedgerParts['onStopped']
  onUnreached: TeamLedgerParts['onUnreached']
  onWaiting: TeamLedgerParts['onWaiting']
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
      clock.set(server.connectedMs)
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
  const { onStopped, onUnreached, onWaiting } = access
  return openTeamLedger({
    ...{ copy, clock, pending, login, onStopped, onUnreached, onWaiting, connect },
    // Whoever sees it next tries again.
    stopEverybody: (deadlineMs) => stopAll(deadlineMs).catch(ignoreFailure),
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

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error
}
