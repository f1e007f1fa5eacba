import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { readLog } from '../../src/timeline/logFile.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { emptyWorld, type World } from '../world.ts'

/** tmpfs gives space by the page. */
const PAGE_BYTES = 4096
const DISK_PAGES = 32
const OLD_PAGES = 2

/** A disk of its own, the gateway, and a client whose data folder is on the disk. */
export interface FullDisk {
  world: World
  gateway: FaultGateway
  folder: string
  log: string
  /** What the timeline of a machine that has one takes before a payment. */
  oldPages: number
}

/** True where a disk can be mounted here. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-mount-'))
  const isMounted = mount(folder, DISK_PAGES)
  if (isMounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

/** Mounts a disk with room for a timeline of so many pages and a little more; it is gone when the test is. */
export async function mountDisk(oldPages = OLD_PAGES): Promise<FullDisk> {
  const disk = mkdtempSync(join(tmpdir(), 'pixgate-disk-'))
  if (!mount(disk, DISK_PAGES + oldPages)) throw new Error('the disk could not be mounted')
  onTestFinished(() => {
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  const gateway = await startFaultGateway()
  const folder = join(disk, 'data')
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_DATA_DIR: folder })
  return { world, gateway, folder, log: join(folder, 'timeline.log'), oldPages }
}

/** What stood when a payment had been tried on the full disk. */
export interface Tried {
  exit: number
  /** What its intent takes in the timeline; 0 where it was not recorded. */
  intentBytes: number
  /** True where the answer says that it could not be recorded. */
  isWarned: boolean
  /** The exit code of going on with it while the disk was still full. */
  whileFull: number
}

/**
 * Makes a payment while so many bytes are free, on a machine that has a timeline or is new, at a gateway that is well or
 * breaks the connection after it has acted; goes on with it while the disk is full, and when there is space again.
 */
export async function payWithFree(
  disk: FullDisk,
  freeBytes: number,
  { isNewMachine, isBroken }: { isNewMachine: boolean; isBroken: boolean },
): Promise<Tried> {
  const { world, gateway, log } = disk
  // Always of the same length, so that its record is.
  const name = `free-${String(freeBytes).padStart(5, '0')}-${isNewMachine ? 'new' : 'old'}-${isBroken ? 'torn' : 'well'}`
  const filler = fill(disk, freeBytes, isNewMachine)
  const before = gateway.arrivals.length
  const payment = ['transfer', '--key', `${name}@example.com`, '--amount', '10', '--external-id', name, '--yes']
  gateway.always(isBroken ? resetAfterActing : undefined)
  const { exit, stdout, stderr } = await world.run([...payment, '-o', 'json'])
  const isWarned = exit === 0 && JSON.parse(stdout).pixgate.warnings.length > 0
  gateway.always(undefined)
  const isSent = gateway.arrivals.length > before
  const intentBytes = await bytesOfIntent(log, name)
  expect({ name, isRecorded: intentBytes > 0 }).toEqual({ name, isRecorded: isSent })
  expect(exit, stderr).toBe(isSent ? (isBroken ? 5 : 0) : 2)
  if (!isSent) expect(stderr).toContain('ENOSPC')

  const whileFull = await world.run(['resume', name, '--yes', '-o', 'json'])
  expect(isSent ? [0, 2] : [3], whileFull.stderr).toContain(whileFull.exit)
  await bytesOfIntent(log, name)

  rmSync(filler)
  const settled = await world.run(isSent ? ['resume', name, '--yes'] : payment)
  expect(settled.exit, settled.stderr).toBe(0)
  expect(gateway.ledger.filter(({ externalId }) => externalId === name)).toHaveLength(1)
  const known = await world.json(['status', name])
  expect(known).toMatchObject({ externalId: name, amount: 10, pixgate: { state: 'accepted' } })
  return { exit, intentBytes, isWarned, whileFull: whileFull.exit }
}

/** How long the line is that the timeline holds about the intent of this name. The timeline must be whole. */
async function bytesOfIntent(log: string, name: string): Promise<number> {
  const { entries, damagedLines, isTorn } = await readLog(log)
  expect({ damagedLines, isTorn }).toEqual({ damagedLines: [], isTorn: false })
  const intent = entries.find(({ json }) => json.includes('"type":"intent"') && json.includes(`"externalId":"${name}"`))
  return intent === undefined ? 0 : Buffer.byteLength(line(JSON.parse(intent.json)))
}

/** Leaves so many bytes: whole free pages, and for the rest the end of the last page of the timeline. */
export function fill({ folder, log, oldPages }: FullDisk, freeBytes: number, isNewMachine: boolean): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  const restBytes = freeBytes % PAGE_BYTES
  if (!isNewMachine) writeFileSync(log, oldLog(oldPages * PAGE_BYTES - restBytes), { mode: 0o600 })
  const usedPages = isNewMachine ? 0 : oldPages
  const filler = join(folder, '..', 'filler')
  const pages = DISK_PAGES + oldPages - usedPages - Math.floor(freeBytes / PAGE_BYTES)
  writeFileSync(filler, Buffer.alloc(pages * PAGE_BYTES))
  expect(statfsSync(folder).bfree * PAGE_BYTES).toBe(freeBytes - restBytes)
  if (!isNewMachine) expect(readFileSync(log).length % PAGE_BYTES).toBe((PAGE_BYTES - restBytes) % PAGE_BYTES)
  return filler
}

/** A timeline of this length: a QR code and a long word about it. */
function oldLog(bytes: number): string {
  const stamp = { at: '2026-01-02T03:04:05.000Z', user: 'ana', machine: 'till' }
  const owner = { profile: null, environment: 'sandbox', baseUrl: 'http://127.0.0.1:1', clientId: 'local' }
  const qr = line({ id: 'a', ...stamp, type: 'intent', kind: 'qr', ...owner, requestNumber: 'r-1', amountCents: 1 })
  const finding = (because: string) => line({ id: 'b', ...stamp, type: 'finding', of: 'a', as: 'paid', because })
  return qr + finding('x'.repeat(bytes - qr.length - finding('').length))
}

function line(record: unknown): string {
  const json = JSON.stringify(record)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

function mount(folder: string, pages: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${pages * PAGE_BYTES}`, 'tmpfs', folder]).status === 0
}
