import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schemaDigest } from '../../src/ledger/tables.ts'
import { endingOf } from '../gateway/commandLines.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inLedger, ledgerFile, paymentsOf, problemsOf } from './storedLedger.ts'

const OTHER = ['transfer', '--key', 'joao@example.com', '--amount', '20', '--yes', '-o', 'json']
const isRoot = process.getuid?.() === 0

/** Holds `home`, which every test begins with, and `kept`, its state after one payment. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixgate-kept-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A machine that has made one payment, to a gateway that is gone. */
async function stage(): Promise<{ gateway: FaultGateway; world: World; file: string }> {
  const gateway = await startFaultGateway()
  const [home, kept] = [join(folder, 'home'), join(folder, 'kept')]
  const folders = { PIXGATE_DATA_DIR: join(home, 'data'), PIXGATE_CONFIG_DIR: join(home, 'config') }
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, ...folders })
  rmSync(home, { recursive: true, force: true })
  if (!existsSync(kept)) {
    mkdirSync(home)
    const { url } = await startFaultGateway()
    const first = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'order-1', '--yes']
    // Only a process that has ended leaves the files as they are found later.
    expect((await world.run(first, { env: { PIXGATE_BASE_URL: url } })).exit).toBe(0)
    cpSync(home, kept, { recursive: true })
  } else {
    cpSync(kept, home, { recursive: true })
    // Node.js 24 does not copy the modes of folders.
    chmodSync(join(home, 'data'), 0o700)
  }
  return { gateway, world, file: ledgerFile(world) }
}

it.each<[string, (file: string) => void, RegExp]>([
  [
    'a text',
    (file) => writeFileSync(file, 'not a database, but long enough to be one'.repeat(100)),
    /is damaged: file is not a database/,
  ],
  ['a short text', (file) => writeFileSync(file, 'hello'), /is damaged|cannot be used/],
  ['one whose first page is zero', (file) => overwrite(file, 0, Buffer.alloc(4096)), /damaged|LEDGER|missing/],
  ['half of it', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20_000)), /is damaged/],
  ['a folder', (file) => instead(file, () => mkdirSync(file)), /is a folder, not a file[\s\S]*rmdir/],
  [
    'a symbolic link',
    (file) => instead(file, () => symlinkSync(`${file}.old`, file)),
    /is a symbolic link"[\s\S]*Replace the link with `.*\.old`/,
  ],
  ['a broken symbolic link', (file) => instead(file, () => symlinkSync('/nowhere/x', file)), /is a symbolic link"/],
  ['a FIFO', (file) => instead(file, () => execFileSync('mkfifo', [file])), /is not a regular file/],
  [
    'a log that is a FIFO',
    (file) => {
      rmSync(`${file}-wal`, { force: true })
      execFileSync('mkfifo', [`${file}-wal`])
    },
    /is not a regular file/,
  ],
])('sends nothing if the ledger was replaced by %s', async (name, replace, sentence) => {
  const { gateway, world, file } = await stage()
  replace(file)
  // A process of its own is not the end of the tests if it hangs at a FIFO.
  const run = name === 'a text' || name.includes('FIFO') ? world.run : here(world)
  const ran = await run([...OTHER, '--timeout', '1s'])
  expect(endingOf(ran), ran.stderr).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(ran.stderr).toMatch(sentence)
  expect(endingOf(ran).hint).not.toBe('')
  expect(gateway.arrivals).toEqual([])
})

it.each([
  ['the older tables of another build', 13, 'LEDGER_OTHER_SCHEMA', 'was made by another build of pixgate'],
  ['the newer tables of another build', 99, 'LEDGER_OTHER_SCHEMA', 'was made by another build of pixgate'],
  ['tables without a version', 0, 'LEDGER_DAMAGED', 'has tables, but not the number of their version'],
])('sends nothing with %s, and leaves them as they are', async (_name, digest, code, sentence) => {
  const { gateway, world, file } = await stage()
  await inLedger(world, (database) => database.exec(`PRAGMA user_version = ${digest}`))
  const before = readFileSync(file)
  const commands = ['history', 'history check', 'history backup copy.db', 'history export'].map((each) =>
    each.split(' '),
  )
  for (const words of [OTHER, ...commands.map((each) => [...each, '-o', 'json'])]) {
    const ran = await here(world)(words)
    // What a check finds is its answer.
    const exit = digest === 0 && words[1] === 'check' ? 1 : 2
    expect(endingOf(ran), words.join(' ')).toMatchObject({ exit, code })
    expect(ran.stderr).toContain(`\`${file}\` ${sentence}`)
  }
  expect(gateway.arrivals).toEqual([])
  expect((await here(world)(['doctor'])).stdout).toContain(sentence)
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('tells tables from those of another build by all of their statements, without the comments', () => {
  const [own, renamed] = ['-- One.\nCREATE TABLE a (b);\n', 'CREATE TABLE a (c);\n']
  expect(schemaDigest(own)).toBe(schemaDigest(own.replace('One', 'Two')))
  expect(schemaDigest(own)).not.toBe(schemaDigest(renamed))
  expect(schemaDigest(`${own}CREATE INDEX d ON a (b);`)).not.toBe(schemaDigest(own))
})

it.each([
  ['the ledger', (file: string) => file, 0o666, '0600'],
  ['its folder', (file: string) => dirname(file), 0o755, '0700'],
])('corrects and reports the mode of %s if others could read it', async (_name, pathOf, mode, corrected) => {
  const { gateway, world, file } = await stage()
  chmodSync(pathOf(file), mode)
  const ran = await here(world)(OTHER)
  expect(ran.exit).toBe(0)
  expect(ran.stderr).toContain(
    `Other users had access to \`${pathOf(file)}\` (mode ${mode.toString(8).padStart(4, '0')}); it is now ${corrected}`,
  )
  expect((statSync(pathOf(file)).mode & 0o777).toString(8)).toBe(corrected.slice(1))
  expect(gateway.arrivals).toHaveLength(1)
})

it('keeps the ledger and what SQLite writes beside it from other users', async () => {
  const { world, file } = await stage()
  await inLedger(world, () => {
    for (const each of [file, `${file}-wal`, `${file}-shm`]) {
      if (statSync(each, { throwIfNoEntry: false }) !== undefined) expect(statSync(each).mode & 0o777).toBe(0o600)
    }
  })
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
})

it.runIf(isRoot).each([
  ['the folder', (file: string) => dirname(file)],
  ['the ledger', (file: string) => file],
])('sends nothing if %s belongs to another user', async (_name, pathOf) => {
  const { gateway, world, file } = await stage()
  chownSync(pathOf(file), 65534, 65534)
  const ran = await here(world)(OTHER)
  expect(endingOf(ran)).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(ran.stderr).toContain('belongs to another user')
  expect(gateway.arrivals).toEqual([])
})

it.runIf(platform() === 'linux').each([
  ['NFS', 0x6969],
  ['SMB', 0xff534d42 | 0],
  ['FUSE', 0x65735546],
])('sends nothing if the folder is on %s, where SQLite can lose data', async (name, type) => {
  const { gateway, world } = await stage()
  const preload = join(world.home, 'statfs.cjs')
  writeFileSync(preload, `const fs = require('node:fs'); fs.statfsSync = () => ({ type: ${type} })`)
  const ran = await world.run(OTHER, { env: { NODE_OPTIONS: `--require ${preload}` } })
  expect(endingOf(ran)).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(ran.stderr).toContain(`is on a network file system (${name})`)
  expect(gateway.arrivals).toEqual([])
})

it('waits for another program that writes, within the timeout', async () => {
  const { gateway, world, file } = await stage()
  const sending = await inLedger(world, async (database) => {
    database.exec('BEGIN IMMEDIATE')
    const started = start(world, [...OTHER, '--timeout', '20s'])
    await sleep(1000)
    expect(gateway.arrivals).toEqual([])
    database.exec('COMMIT')
    return started
  })
  expect((await sending.ended).exit).toBe(0)
  expect(statSync(file).size).toBeGreaterThan(0)
})

it.each([
  ['writes', 'BEGIN IMMEDIATE'],
  ['keeps everyone out', 'PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE'],
])('sends nothing if another program %s for longer than the timeout', async (_name, lock) => {
  const { gateway, world } = await stage()
  const beganMs = performance.now()
  const ran = await inLedger(world, async (database) => {
    database.exec(lock)
    const ended = await start(world, [...OTHER, '--timeout', '800ms']).ended
    database.exec('ROLLBACK')
    return ended
  })
  const tookMs = performance.now() - beganMs
  expect(endingOf(ran)).toMatchObject({
    exit: 6,
    code: 'LEDGER_BUSY',
    outcome: 'not-sent',
    message: expect.stringContaining('is locked by another program'),
  })
  expect(tookMs).toBeGreaterThan(800)
  expect(tookMs).toBeLessThan(800 + 10_000)
  expect(gateway.arrivals).toEqual([])
})

it('recovers the log that a killed process left', async () => {
  const { gateway, world, file } = await stage()
  const copy = join(world.home, 'killed')
  mkdirSync(copy, { mode: 0o700 })
  // As the files are while a process has the ledger open, and after it was killed.
  await inLedger(world, async (database) => {
    // As long as this is read, no process writes the log into the file.
    database.exec('BEGIN')
    database.get('SELECT count(*) FROM record')
    expect((await world.run([...OTHER, '--external-id', 'order-2'])).exit).toBe(0)
    for (const name of ['ledger.db', 'ledger.db-wal']) copyFileSync(join(dirname(file), name), join(copy, name))
    database.exec('ROLLBACK')
  })
  expect(statSync(join(copy, 'ledger.db-wal')).size).toBeGreaterThan(0)
  const restored = { ...world.env, PIXGATE_DATA_DIR: copy }
  expect(endingOf(await here(world)(OTHER, { env: restored }))).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    externalId: 'order-2',
  })
  expect((await paymentsOf({ env: restored })).map(({ name }) => name)).toEqual(['order-1', 'order-2'])
  expect(await problemsOf({ env: restored })).toEqual([])
  expect(gateway.arrivals).toHaveLength(1)
})

/** Moves the ledger away and puts something else in its place. */
function instead(file: string, replace: () => void): void {
  renameSync(file, `${file}.old`)
  replace()
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, at)
  writeFileSync(file, content)
}
