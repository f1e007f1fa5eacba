import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { readProfiles } from '../../src/profiles/store.ts'
import { bundled } from '../bundled.ts'
import { BINARY, NODE, type ProcessResult, type World } from '../world.ts'

const STORE = await bundled('profiles/changeProfiles.ts')
/** The profile is production, and its limit is raised. */
const CONFIRM = ['--confirm-host', 'gateway.example.com']
const PROFILE = `{ environment: 'sandbox', baseUrl: 'http://127.0.0.1:4010', clientId: 'dev', secret: { source: 'env', variable: 'DEV' } }`

/** Adds `count` profiles named after the worker, one change each. */
const ADDING = `
  const { changeProfiles } = await import(process.argv[1])
  const [folder, worker, count] = process.argv.slice(2)
  for (let index = 0; index < Number(count); index++) {
    await changeProfiles(folder, ({ active, profiles }) =>
      ({ active, profiles: new Map(profiles).set('p' + worker + '-' + index, ${PROFILE}) }))
  }`

/** Counts upwards in the limit of one profile until it is killed; prints each number once it is stored. */
const COUNTING = `
  const { changeProfiles } = await import(process.argv[1])
  for (let number = Number(process.argv[3]) + 1; ; number++) {
    await changeProfiles(process.argv[2], ({ active, profiles }) =>
      ({ active, profiles: new Map(profiles).set('counter', { ...profiles.get('counter'), maxDayCents: number }) }))
    process.stdout.write(number + '\\n')
  }`

/** Several processes at once change one store, `each` times each. Gives how many ended badly. */
export async function crowdOfChanges(folder: string, processes: number, each: number): Promise<number> {
  const workers = Array.from({ length: processes }, (_, worker) => script(ADDING, folder, `${worker}`, `${each}`))
  const exits = await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on('close', resolve))))
  return exits.filter((exit) => exit !== 0).length
}

/** Several lines of `profile add` at once, one command after the other in each. Gives all that failed. */
export async function crowdOfCommands(world: World, processes: number, each: number): Promise<ProcessResult[]> {
  const line = async (worker: number) => {
    const failed: ProcessResult[] = []
    for (let index = 0; index < each; index++) {
      const name = `p${worker}-${index}`
      const place = ['--base-url', 'http://127.0.0.1:4010', '--client-id', 'dev', '--client-secret-command', 'true']
      const ran = await world.run(['profile', 'add', name, ...place])
      if (ran.exit !== 0) failed.push(ran)
    }
    return failed
  }
  return (await Promise.all(Array.from({ length: processes }, (_, worker) => line(worker)))).flat()
}

/**
 * Kills a process that changes the store without pause, again and again, each time a little later after a change. After
 * every kill the store must be whole, and hold the last change that was confirmed or the one under way.
 */
export async function killedChanges(folder: string, kills: number): Promise<void> {
  let stored = 0
  for (let kill = 0; kill < kills; kill++) {
    const counter = script(COUNTING, folder, `${stored}`)
    let confirmed = stored
    for await (const line of createInterface({ input: counter.stdout ?? process.stdin })) {
      confirmed = Number(line)
      // Spread over the few milliseconds that one change takes.
      if (confirmed === stored + 2) setTimeout(() => counter.kill('SIGKILL'), (kill % 40) / 4)
    }
    const { profiles } = await readProfiles(folder)
    stored = profiles.get('counter')?.maxDayCents ?? -1
    expect([confirmed, confirmed + 1]).toContain(stored)
    expectPrivate(folder)
  }
}

/**
 * Kills `profile edit` while it writes: up to 10 ms after it began to change the folder, so that some of them are
 * through already. Gives how many were stored and how many were not, having held each against its exit code.
 */
export async function killedCommands(world: World, kills: number): Promise<{ stored: number; lost: number }> {
  const folder = join(world.home, 'config')
  let before = 1
  let stored = 0
  for (let kill = 0; kill < kills; kill++) {
    const wanted = before + 1
    const exit = await killedEdit(world, wanted, (kill % 40) / 4)
    const now = (await readProfiles(folder)).profiles.get('counter')?.maxAmountCents ?? -1
    expect([before, wanted]).toContain(now)
    expectPrivate(folder)
    if (exit === 0) expect(now).toBe(wanted)
    if (now === wanted) stored++
    before = now
  }
  return { stored, lost: kills - stored }
}

/** The result of an edit on a disk with this much room. */
export interface FullDisk {
  freeBytes: number
  exit: number
  isStored: boolean
}

/**
 * Edits a store on a file system of its own with this much room left, for each of these. Asserts that the store is the old
 * or the new one, byte for byte, and that the exit code says which.
 */
export async function editsOnFullDisk(world: World, frees: readonly number[]): Promise<FullDisk[]> {
  const folder = join(world.home, 'config')
  const path = join(folder, 'profiles.json')
  const ballast = join(folder, 'ballast')
  const results: FullDisk[] = []
  for (const [index, freeBytes] of frees.entries()) {
    rmSync(ballast, { force: true })
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)))
    const before = readFileSync(path, 'utf8')
    const wanted = `${1000 + index}.00`
    const { exit, stderr } = await world.run(['profile', 'edit', 'counter', '--max-amount', wanted, ...CONFIRM])
    const after = readFileSync(path, 'utf8')
    const isStored = after !== before
    if (isStored)
      expect(after).toBe(before.replace(/"maxAmountCents": \d+/, `"maxAmountCents": ${(1000 + index) * 100}`))
    expect(exit === 0).toBe(isStored)
    if (!isStored) expect(stderr).toMatch(/^error: .*\n {2}.*(?:unchanged|as they were|restored|not changed)/)
    expect(readdirSync(folder).sort()).toEqual(['ballast', 'profiles.json', 'profiles.lock'])
    results.push({ freeBytes, exit, isStored })
  }
  return results
}

/** Mounts a small file system as the config folder; false where that is not allowed. It is gone when the test is. */
export function mountSmallDisk(world: World): boolean {
  const folder = join(world.home, 'config')
  mkdirSync(folder, { mode: 0o700 })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', folder])
  if (status === 0) onTestFinished(() => void spawnSync('umount', [folder]))
  return status === 0
}

/** Whatever a killed process has left can be read by its owner alone. */
function expectPrivate(folder: string): void {
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0])
}

async function killedEdit(world: World, cents: number, afterMs: number): Promise<number | null> {
  const amount = (cents / 100).toFixed(2)
  const watcher = watch(join(world.home, 'config'))
  const child = spawn(NODE, [BINARY, 'profile', 'edit', 'counter', '--max-amount', amount, ...CONFIRM], {
    env: world.env,
  })
  watcher.once('change', () => setTimeout(() => child.kill('SIGKILL'), afterMs))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  await text(child.stderr)
  watcher.close()
  return exit
}

function script(source: string, ...args: string[]): ChildProcess {
  return spawn(NODE, ['--input-type=module', '-e', source, STORE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
