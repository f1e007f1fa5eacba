import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { here } from '../inProcess.ts'
import { inLedger, paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'

/** tmpfs gives space by the page. */
const PAGE_BYTES = 4096
/** Room for the WAL file, which grows to 16 MiB before it is written back. */
const DISK_BYTES = 32 * 1024 * 1024

/** A small disk of its own with the data folder of a client, and a gateway. */
export interface SmallDisk {
  folder: string
  world: World
  gateway: FaultGateway
}

/** True if a disk can be mounted here. */
export function canMountDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-mount-'))
  const isMounted = mount(folder)
  if (isMounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

/** Mounts a small disk, on which one payment is recorded unless the machine is new. It is gone when the test is over. */
export async function smallDisk({ isNewMachine }: { isNewMachine: boolean }): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-disk-'))
  if (!mount(folder)) throw new Error('the disk could not be mounted')
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_DATA_DIR: join(folder, 'data') })
  if (!isNewMachine) expect((await world.run(transferOf('before'))).exit).toBe(0)
  return { folder, world, gateway }
}

/** How a payment on a full disk is tried. */
export interface FullDiskCase {
  freePages: number
  /** True if another process has the ledger open, so that the files beside it need no space. */
  isOpen: boolean
  /** True if the gateway breaks the connection after it has acted. */
  isBroken: boolean
}

/**
 * Makes a payment while this many pages of the disk are free, and again or resumes it when there is space. Asserts that nothing is sent
 * without a record, and that it is paid once. Returns the exit code of the first try.
 */
export async function payOnFullDisk(disk: SmallDisk, { freePages, isOpen, isBroken }: FullDiskCase): Promise<number> {
  const { folder, world, gateway } = disk
  const name = `free-${freePages}-${isOpen ? 'open' : 'closed'}-${isBroken ? 'broken' : 'healthy'}`
  const filler = join(folder, 'filler')
  const before = gateway.arrivals.length
  const tryIt = async () => {
    const { bfree } = statfsSync(folder)
    writeFileSync(filler, Buffer.alloc(Math.max(0, bfree - freePages) * PAGE_BYTES))
    gateway.always(isBroken ? resetAfterActing : undefined)
    const ran = await world.run([...transferOf(name), '-o', 'json'])
    gateway.always(undefined)
    return ran
  }
  const { exit, stdout, stderr } = isOpen
    ? await inLedger(world, (database) => {
        database.get('SELECT count(*) FROM record')
        return tryIt()
      })
    : await tryIt()
  const isSent = gateway.arrivals.length > before
  // An answer for which there was no room is shown, and the exit code says that the outcome is unknown here.
  const isUnrecorded = stdout.includes('could not be recorded')
  expect(exit, `${name}: ${stderr}`).toBe(isSent ? (isBroken || isUnrecorded ? 5 : 0) : 2)
  if (isSent && !isBroken) expect(JSON.parse(stdout).idTransaction).toBe(gateway.ledger.at(-1)?.idTransaction)
  rmSync(filler)
  const again = await here(world)(isSent ? ['resume', name, '--yes'] : transferOf(name))
  expect(again.exit, `${name}: ${again.stderr}`).toBe(0)
  expect(gateway.ledger.filter(({ externalId }) => externalId === name)).toHaveLength(1)
  expect((await paymentsOf(world)).find((each) => each.name === name)).toEqual({ name, state: 'accepted' })
  expect(await problemsOf(world)).toEqual([])
  return exit
}

function transferOf(name: string): string[] {
  return ['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes']
}

function mount(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]).status === 0
}
