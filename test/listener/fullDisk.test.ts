import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { diceOf } from '../campaign/dice.ts'
import { emptyWorld, type World } from '../world.ts'
import { idsOf, interrupt, recordedEvents, startListening } from './listening.ts'
import { deliver, eventBody } from './webhooks.ts'

const DISK_BYTES = 4 * 1024 * 1024
const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0
if (!CAN_MOUNT) console.warn('SKIPPED: only root can mount a small disk, so a full disk is not tested')
const EVENTS = 60
const AT_ONCE = 6
const PADDING_MAX = 1_500
const ROUNDS_FREE_BYTES = [0, 4096, 16 * 4096, 64 * 4096]

const onFullDisk = it.skipIf(!CAN_MOUNT)

onFullDisk('answers 200 only for what it has stored, and goes on when there is room', { timeout: 60_000 }, async () => {
  const { world, disk } = worldOnSmallDisk()
  const listening = await startListening(world)
  const dice = diceOf('full disk')
  const answered = new Set<string>()
  let rejected = 0
  for (const [round, freeBytes] of ROUNDS_FREE_BYTES.entries()) {
    const filler = fill(disk, freeBytes)
    const bodies = new Map(
      Array.from({ length: EVENTS }, (_, index) => {
        const id = `round-${round}-${index}`
        return [id, eventBody(id, dice.below(PADDING_MAX))]
      }),
    )
    const left = await sendAll(listening.port, bodies)
    for (const id of bodies.keys()) if (!left.has(id)) answered.add(id)
    rejected += left.size
    await expectRecorded(world, answered, left)
    rmSync(filler)
    // One round has no room for all that is left, and says so again.
    const some = new Map([...left].slice(0, 10))
    expect((await sendAll(listening.port, some)).size).toBe(0)
    for (const id of some.keys()) answered.add(id)
    await expectRecorded(world, answered)
  }
  expect(rejected).toBeGreaterThan(EVENTS)
  expect(answered.size).toBeGreaterThan(10 * ROUNDS_FREE_BYTES.length)
  // What was not stored is gone, unless the service sends it again.
  expect(await interrupt(listening)).toMatchObject({ exit: 1 })
})

/** Sends these and gives those that were answered 503. Any other answer but 200 is an error. */
async function sendAll(port: number, bodies: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
  const left = new Map<string, Buffer>()
  const ahead = [...bodies]
  const sendOn = async () => {
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      const status = await deliver(port, next[1])
      expect([200, 503]).toContain(status)
      if (status === 503) left.set(next[0], next[1])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  return left
}

/** The ledger holds exactly what was answered 200. */
async function expectRecorded(
  world: World,
  answered: ReadonlySet<string>,
  rejected: ReadonlyMap<string, Buffer> = new Map(),
): Promise<void> {
  const ids = idsOf(await recordedEvents(world))
  expect(ids.filter((id) => rejected.has(id))).toEqual([])
  expect([...ids].sort()).toEqual([...answered].sort())
}

/** Leaves this many bytes free, rounded up to whole pages. */
function fill(disk: string, freeBytes: number): string {
  const path = join(disk, 'filler')
  const { bfree, bsize } = statfsSync(disk)
  writeFileSync(path, Buffer.alloc(Math.max(0, bfree * bsize - freeBytes)))
  return path
}

/** A world whose data folder is on a small disk of its own. */
function worldOnSmallDisk(): { world: World; disk: string } {
  const disk = mkdtempSync(join(tmpdir(), 'pixgate-disk-'))
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  return { world: emptyWorld({ PIXGATE_DATA_DIR: join(disk, 'data') }), disk }
}
