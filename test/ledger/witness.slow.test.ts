import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WitnessFolder } from '../../src/ledger/witness.ts'
import { inProduction } from '../cli/payments.ts'
import { endingOf } from '../gateway/commandLines.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterReading } from '../gateway/faults.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inLedger, ledgerFile, paymentsOf, recordsOf } from './storedLedger.ts'

const CONSENT = { production: ['--confirm', 'prod'], sandbox: ['--yes'] } as const

type Pay = (name: string, more?: readonly string[]) => ReturnType<World['run']>

interface Stage {
  gateway: FaultGateway
  /** The requests since the payments that all tests begin with. */
  arrivals(): FaultGateway['arrivals']
  world: World
  file: string
  /** Pays in a process of its own, which leaves the files as they are found later. */
  pay: Pay
  payHere: Pay
  witness(): string
}

/** The homes of such machines, for all tests. */
let homes: string
beforeAll(() => {
  homes = mkdtempSync(join(tmpdir(), 'pixgate-homes-'))
})
afterAll(() => rmSync(homes, { recursive: true, force: true }))

/** A machine that has made two payments to a gateway that is gone, with a copy of the ledger from between them. */
async function stage(environment: 'production' | 'sandbox'): Promise<Stage> {
  const home = join(homes, environment)
  const saved = `${home}.saved`
  if (!existsSync(saved)) {
    const { file, pay } = await machine(environment, home)
    expect((await pay('order-1')).exit).toBe(0)
    copyFileSync(file, `${file}.older`)
    expect((await pay('order-2')).exit).toBe(0)
    cpSync(home, saved, { recursive: true })
  }
  rmSync(home, { recursive: true })
  cpSync(saved, home, { recursive: true })
  return machine(environment, home)
}

/** The ports of the gateways by the homes of their machines: another address would be another account. */
const ports = new Map<string, number>()
const running = new Map<string, FaultGateway>()

async function machine(environment: 'production' | 'sandbox', home: string): Promise<Stage> {
  const gateway = running.get(home) ?? (await startFaultGateway({ port: ports.get(home) ?? 0 }))
  ports.set(home, gateway.port)
  running.set(home, gateway)
  onTestFinished(() => void running.delete(home))
  const before = gateway.arrivals.length
  const folders = { PIXGATE_DATA_DIR: join(home, 'data'), PIXGATE_CONFIG_DIR: join(home, 'config') }
  const url = environment === 'sandbox' ? { PIXGATE_BASE_URL: gateway.url } : undefined
  const world = { ...emptyWorld({ ...folders, ...url }), home }
  if (environment === 'production') await inProduction(world, gateway.url)
  const paying =
    (run: (args: readonly string[]) => ReturnType<World['run']>): Pay =>
    (name, more = []) => {
      const payment = ['transfer', '--key', `${name}@example.com`, '--amount', '10', '--external-id', name]
      return run([...payment, ...CONSENT[environment], ...more])
    }
  const [pay, payHere] = [paying(world.run), paying(here(world))]
  const arrivals = () => gateway.arrivals.slice(before)
  return { gateway, arrivals, world, file: ledgerFile(world), pay, payHere, witness: () => witnessText(world) }
}

function witnessFolder(world: World): string {
  return join(world.home, 'config', 'ledgers')
}

/** The name and the text of the only witness. */
function witnessText(world: World): string {
  const file = witnessFile(world)
  return `${basename(file)} ${readFileSync(file, 'utf8')}`
}

function witnessFile(world: World): string {
  const [name = '', ...more] = readdirSync(witnessFolder(world))
  expect(more).toEqual([])
  return join(witnessFolder(world), name)
}

const REPLACEMENTS: readonly [string, (file: string) => Promise<void> | void][] = [
  ['was deleted', (file) => rmSync(file)],
  ['was restored from an older copy', (file) => copyFileSync(`${file}.older`, file)],
  ['is an empty file', (file) => writeFileSync(file, '')],
  [
    'is that of another machine',
    async (file) => {
      const other = await machine('sandbox', emptyWorld().home)
      // One record more than ours, so that a comparison of counts would accept it.
      for (const name of ['order-1', 'order-2', 'order-3']) expect((await other.payHere(name)).exit).toBe(0)
      await inLedger(other.world, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      copyFileSync(other.file, file)
    },
  ],
]

describe('if the ledger', () => {
  it.each(REPLACEMENTS)('%s, production sends nothing and says why', async (name, replace) => {
    const { arrivals, file, pay, payHere, witness } = await stage('production')
    const before = witness()
    await replace(file)
    const ran = await (name === 'was deleted' ? pay : payHere)('order-1', ['-o', 'json'])
    expect(endingOf(ran)).toMatchObject({ exit: 2, code: 'LEDGER_OLDER', outcome: 'not-sent' })
    expect(endingOf(ran).hint).toContain('`pixgate history check --accept-older`')
    expect(witness()).toBe(before)
    expect(arrivals().filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('was restored from an older copy, a sandbox warns each time, and the witness is kept', async () => {
    const { arrivals, file, payHere, witness } = await stage('sandbox')
    const before = witness()
    copyFileSync(`${file}.older`, file)
    const ran = await payHere('order-4')
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('Payment records are missing')
    const { pixgate } = JSON.parse((await payHere('order-5', ['-o', 'json'])).stdout)
    expect(pixgate.warnings).toEqual([expect.stringContaining('Payment records are missing')])
    expect(witness()).toBe(before)
    expect(arrivals()).toHaveLength(2)
  })

  it('was deleted, a sandbox warns once', async () => {
    const { arrivals, file, payHere } = await stage('sandbox')
    rmSync(file)
    const { pixgate } = JSON.parse((await payHere('order-4', ['-o', 'json'])).stdout)
    expect(pixgate.warnings).toEqual([expect.stringContaining('is new to this account')])
    expect(JSON.parse((await payHere('order-5', ['-o', 'json'])).stdout).pixgate.warnings).toEqual([])
    expect(arrivals()).toHaveLength(2)
  })

  it('was deleted, it is as it was before after the newest copy is restored', async () => {
    const { file, pay } = await stage('production')
    renameSync(file, `${file}.newest`)
    expect((await pay('order-3')).exit).toBe(2)
    renameSync(`${file}.newest`, file)
    expect((await pay('order-3')).exit).toBe(0)
  })
})

it('names the last record after each payment, also after one with an unknown outcome', async () => {
  const { world, gateway, payHere, witness } = await stage('production')
  const expectLast = async () => expect(witness()).toContain(`.${(await recordsOf(world)).length}.json`)
  await expectLast()
  gateway.misbehave([resetAfterReading])
  expect((await payHere('order-3')).exit).toBe(5)
  await expectLast()
})

it.each<[string, (path: string) => void, string]>([
  ['is damaged', (path) => writeFileSync(path, '{"seq":'), 'LEDGER_OLDER'],
  ['is empty', (path) => writeFileSync(path, ''), 'LEDGER_OLDER'],
  ['is a folder', (path) => replaceByFolder(path), 'USAGE'],
])('sends nothing in production if the witness %s', async (_name, damage, code) => {
  const { world, arrivals, payHere } = await stage('production')
  damage(witnessFile(world))
  expect(endingOf(await payHere('order-3', ['-o', 'json']))).toMatchObject({ exit: 2, code, outcome: 'not-sent' })
  expect(arrivals()).toEqual([])
})

it('sends nothing if the witness cannot be written, and records that nothing was sent', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  mkdirSync(join(world.home, 'config'))
  // No file can be created there, not even by root.
  symlinkSync('/proc/self', witnessFolder(world))
  const payment = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'order-1', '--yes']
  const ran = await here(world)([...payment, '-o', 'json'])
  expect(endingOf(ran)).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(await paymentsOf(world)).toEqual([{ name: 'order-1', state: 'not-sent' }])
  expect(gateway.arrivals).toHaveLength(0)
  rmSync(witnessFolder(world))
  expect((await here(world)(payment)).exit).toBe(0)
  expect(gateway.ledger).toHaveLength(1)
})

function replaceByFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

/** Writes a newer witness and removes the one before it, without end, as processes do that pay at once. */
const WRITER = `
  const { renameSync, rmSync, writeFileSync } = require('node:fs')
  const [folder, ledger, seq, text] = process.argv.slice(1)
  let before
  for (let number = 1; ; number++) {
    const name = folder + '/' + ledger + '.' + number.toString(16).padStart(16, '0') + '.' + seq + '.json'
    writeFileSync(name + '.part', text)
    renameSync(name + '.part', name)
    if (before !== undefined) rmSync(before)
    before = name
    if (number === 1) console.log('writing')
  }`

it('compares while another process replaces what was seen', async () => {
  const { world } = await stage('production')
  const file = witnessFile(world)
  const [ledger = '', , seq = ''] = basename(file).split('.')
  const writer = spawn(process.execPath, ['-e', WRITER, witnessFolder(world), ledger, seq, readFileSync(file, 'utf8')])
  onTestFinished(async () => {
    writer.kill('SIGKILL')
    await once(writer, 'close')
  })
  await once(writer.stdout, 'data')
  const folder = new WitnessFolder(join(world.home, 'config'), join(world.home, 'data'), () => crypto.randomUUID())
  const account = { url: 'https://pay.example.com', clientId: 'another', environment: 'production' } as const
  const found = await inLedger(world, (database) =>
    Array.from({ length: 3000 }, () => folder.compare(database, account, folder.read()).is),
  )
  expect(new Set(found)).toEqual(new Set(['current']))
})

it('misses nothing in a ledger as it was before another process paid', async () => {
  const { world, pay } = await stage('production')
  const folder = new WitnessFolder(join(world.home, 'config'), join(world.home, 'data'), () => crypto.randomUUID())
  const account = { url: world.env.PIXGATE_BASE_URL ?? '', clientId: 'another' }
  await inLedger(world, async (database) => {
    const seen = folder.read()
    database.exec('BEGIN; SELECT count(*) FROM record')
    expect((await pay('order-3')).exit).toBe(0)
    expect(folder.compare(database, account, seen).is).toBe('current')
    expect(folder.compare(database, account, folder.read()).is).toBe('older')
    database.exec('COMMIT')
  })
})
