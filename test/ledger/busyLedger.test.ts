import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts'
import { tryFileLock } from '../../src/storage/fileLock.ts'
import { integerOf, loadSqlite } from '../../src/storage/sqlite.ts'
import { endingOf } from '../gateway/commandLines.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inLedger } from './storedLedger.ts'

const EXCLUSIVE = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE'
const TRANSFER = ['transfer', '--key', 'joao@example.com', '--amount', '20', '--yes']

/** A ledger of its own, as a command opens it. */
function ledgerOf(world: World, timeoutMs: number): Ledger {
  const ledger = openLedger({
    folder: world.env.PIXGATE_DATA_DIR ?? '',
    user: 'maria',
    machine: 'desk',
    pid: 1,
    now: () => Date.now(),
    newId: randomUUID,
    notice: () => undefined,
    timeoutMs,
  })
  onTestFinished(() => ledger.close())
  return ledger
}

/** Lets another program hold the ledger while something is done. */
function held<Result>(world: World, lock: string, work: () => Promise<Result>): Promise<Result> {
  return inLedger(world, async (database) => {
    database.exec(lock)
    try {
      return await work()
    } finally {
      database.exec('ROLLBACK')
    }
  })
}

const COMMANDS = [
  TRANSFER,
  ['qr', 'create', '--amount', '5'],
  ['batch', 'transfer', 'FILE', '--yes'],
  ['resume', 'order-1'],
  ['status', 'order-1'],
  ['history', 'settle', 'order-1', '--as', 'paid', '--because', 'seen', '--yes'],
  ['history'],
  ['history', 'check'],
  ['history', 'backup', 'COPY'],
  ['webhook', 'events'],
]

it('ends every command with exit 6 within the timeout while another program keeps it', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_CALLBACK_URL: 'https://shop.example/hook' })
  // On Node.js 20 a command in this process would keep the ledger open.
  expect((await world.run([...TRANSFER, '--external-id', 'order-1'])).exit).toBe(0)
  const sent = gateway.arrivals.length
  const [file, copy] = [join(world.home, 'rows.csv'), join(world.home, 'copy.db')]
  writeFileSync(file, 'key,value,externalId\nana@example.com,1,row-1\n')
  await held(world, EXCLUSIVE, async () => {
    for (const command of COMMANDS) {
      const args = command.map((word) => ({ FILE: file, COPY: copy })[word] ?? word)
      const beganMs = performance.now()
      const ran = await here(world)([...args, '--timeout', '100ms', '-o', 'json'])
      expect(endingOf(ran), `${args.join(' ')}: ${ran.stderr}`).toMatchObject({
        exit: 6,
        code: 'LEDGER_BUSY',
        outcome: 'not-sent',
      })
      expect(performance.now() - beganMs).toBeLessThan(1_500)
    }
  })
  expect(gateway.arrivals).toHaveLength(sent)
  expect(existsSync(copy)).toBe(false)
})

it('does the work of a transaction once, even if that says that the ledger is busy', async () => {
  const ledger = ledgerOf(emptyWorld(), 5_000)
  for (const transact of [ledger.write, ledger.read]) {
    let runs = 0
    const busy = () => {
      runs += 1
      throw Object.assign(new Error('database is locked'), { errcode: 5 })
    }
    await expect(transact(busy)).rejects.toMatchObject({ code: 'LEDGER_BUSY', exitCode: 6 })
    expect(runs).toBe(1)
  }
})

it('keeps the transactions of one process apart while they wait for another program', async () => {
  const world = emptyWorld()
  const ledger = ledgerOf(world, 5_000)
  const count = () =>
    ledger.write(({ database }) => {
      const row = database.get("SELECT value FROM meta WHERE name = 'count'") ?? {}
      const next = Number(row.value ?? 0) + 1
      database.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('count', ?)", String(next))
      return next
    })
  expect(await count()).toBe(1)
  const waiting = await held(world, 'BEGIN IMMEDIATE', async () => {
    const begun = Array.from({ length: 20 }, count)
    // A reader does not wait for a writer.
    expect(await ledger.read((database) => integerOf(database.get('SELECT 1 AS one') ?? {}, 'one'))).toBe(1)
    return begun
  })
  expect((await Promise.all(waiting)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2))
})

it('removes the lock file of a process that was killed before its row was written, and no other', async () => {
  const world = emptyWorld()
  const locks = join(world.home, 'data', 'locks')
  mkdirSync(locks, { recursive: true, mode: 0o700 })
  const [dead, living] = [join(locks, `${randomUUID()}.lock`), join(locks, `${randomUUID()}.lock`)]
  writeFileSync(dead, '')
  const lock = tryFileLock(await loadSqlite(), living)
  const ledger = ledgerOf(world, 5_000)
  const { id } = await ledger.sender()
  // SQLite keeps a journal beside a file that is locked.
  const left = readdirSync(locks).filter((name) => name.endsWith('.lock'))
  expect(left.sort()).toEqual([`${id}.lock`, basename(living)].sort())
  lock?.release()
  await ledgerOf(world, 5_000).sender()
  expect(existsSync(living)).toBe(false)
  expect(existsSync(join(locks, `${id}.lock`))).toBe(true)
})

it('gives a process its lock although its functions are called alone', async () => {
  const { sender } = ledgerOf(emptyWorld(), 5_000)
  expect((await sender()).id).toMatch(/^[\da-f-]{36}$/)
})
