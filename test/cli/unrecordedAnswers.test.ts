import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, loadSqlite } from '../../src/storage/sqlite.ts'
import { type Fault, type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterReading } from '../gateway/faults.ts'
import { writeAnswer } from '../gateway/rawHttp.ts'
import { here } from '../inProcess.ts'
import { inLedger, ledgerFile, paymentsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'
import { failureOf } from './payments.ts'

const ORIGINAL = '0b935d10-3c90-4af3-8776-dd18622a7941'
const TRANSFER = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'order-1']
const REFUND = ['refund', ORIGINAL, '--amount', '2', '--reason', 'damaged']
const QR = ['qr', 'create', '--amount', '10', '--request-number', 'sale-1', '--callback-url', 'http://127.0.0.1:1/']

interface Stage {
  gateway: FaultGateway
  world: World
}

/** A machine that has paid once, so that its ledger and what was seen of it exist. */
async function stage(): Promise<Stage> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  await world.prepare(['transfer', '--key', 'first@example.com', '--amount', '1', '--yes'])
  writeFileSync(join(world.home, 'rows.csv'), 'key,value\na@example.com,1\nb@example.com,2\n')
  return { gateway, world }
}

/** Carries the request out, and answers when this was done. */
function answeredAfter(damage: () => Promise<void> | void): Fault {
  return async ({ socket, carryOut }) => {
    const answer = await carryOut()
    await damage()
    writeAnswer(socket, answer)
  }
}

/** Runs a command whose POST is answered while another program keeps the ledger. */
async function whileLocked({ gateway, world }: Stage, words: readonly string[]) {
  const open = await loadSqlite()
  let other: Database | undefined
  const lock = () => {
    if (other !== undefined) return
    other = open(ledgerFile(world))
    other.exec('BEGIN IMMEDIATE')
  }
  onTestFinished(() => other?.close())
  gateway.misbehave([answeredAfter(lock), answeredAfter(lock)], 'POST')
  const run = words === TRANSFER ? world.run : here(world)
  return run([...words, '--yes', '--timeout', '1s', '-o', 'json'])
}

describe('an answer that cannot be recorded is shown whole, with exit 5 and a warning', () => {
  const warnings = [expect.stringMatching(/could not be recorded.* is locked by another program/)]

  it.each<[string, readonly string[]]>([
    ['a transfer', TRANSFER],
    ['a refund', REFUND],
    ['a charge', QR],
  ])('of %s', async (_what, words) => {
    const { gateway, world } = await stage()
    const { exit, stdout } = await whileLocked({ gateway, world }, words)
    const id = gateway.ledger.at(-1)?.idTransaction
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      5,
      { idTransaction: id, pixgate: { outcome: 'accepted', warnings: expect.arrayContaining(warnings) } },
    ])
  })

  it('of a transfer that was sent again', async () => {
    const { gateway, world } = await stage()
    gateway.misbehave([resetAfterReading], 'POST')
    expect(failureOf(await here(world)([...TRANSFER, '--yes', '-o', 'json']))).toMatchObject({ exit: 5 })
    const { exit, stdout } = await whileLocked({ gateway, world }, ['resume', 'order-1'])
    expect([exit, JSON.parse(stdout)]).toMatchObject([5, { externalId: 'order-1', pixgate: { warnings } }])
    expect((await paymentsOf(world)).at(-1)).toEqual({ name: 'order-1', state: 'unknown' })
  })

  it('of the rows of a batch', async () => {
    const { gateway, world } = await stage()
    const { exit, stdout } = await whileLocked({ gateway, world }, [
      ...['batch', 'transfer', join(world.home, 'rows.csv'), '--concurrency', '2'],
    ])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exit).toBe(5)
    const ids = gateway.ledger.slice(1).map(({ idTransaction }) => idTransaction)
    expect(
      lines
        .slice(0, -1)
        .map(({ idTransaction }) => idTransaction)
        .sort(),
    ).toEqual(ids.sort())
    for (const line of lines.slice(0, -1)) expect(line).toMatchObject({ outcome: 'accepted', pixgate: { warnings } })
    expect(lines.at(-1)).toMatchObject({ type: 'summary', accepted: 0, unknown: 2 })
  })
})

it('records an answer although what was seen of the ledger cannot be noted, with a warning', async () => {
  const { gateway, world } = await stage()
  const config = join(world.home, 'config')
  const damage = () => {
    renameSync(config, `${config}.moved`)
    writeFileSync(config, '')
  }
  gateway.misbehave([answeredAfter(damage)], 'POST')
  const { exit, stdout, stderr } = await here(world)([...TRANSFER, '--yes', '-o', 'json'])
  expect([exit, stderr, JSON.parse(stdout)]).toMatchObject([
    0,
    '',
    {
      idTransaction: gateway.ledger.at(-1)?.idTransaction,
      pixgate: { warnings: [expect.stringContaining('recorded, but not noted')] },
    },
  ])
  expect((await paymentsOf(world)).at(-1)).toEqual({ name: 'order-1', state: 'accepted' })
  rmSync(config)
  renameSync(`${config}.moved`, config)
  // What was not noted does not make the ledger look older, or newer.
  expect(
    (await here(world)(['transfer', '--key', 'last@example.com', '--amount', '1', '--yes', '-o', 'json'])).stderr,
  ).toBe('')
})

it('records the answer of a payment whose earlier record is damaged meanwhile', async () => {
  const { gateway, world } = await stage()
  const damage = () =>
    inLedger(world, (database) => {
      database.exec('DROP TRIGGER record_is_never_changed')
      database.run("UPDATE record SET user = 'mallory' WHERE type = 'attempt' AND seq = (SELECT max(seq) FROM record)")
    })
  gateway.misbehave([answeredAfter(damage)], 'POST')
  const { exit, stdout } = await here(world)([...TRANSFER, '--yes', '-o', 'json'])
  const id = gateway.ledger.at(-1)?.idTransaction
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { idTransaction: id, pixgate: { outcome: 'accepted' } }])
  const recorded = await inLedger(world, (database) =>
    database.get("SELECT content FROM record WHERE type = 'answer' ORDER BY seq DESC LIMIT 1"),
  )
  expect(recorded?.content).toContain(id)
  expect(failureOf(await here(world)([...TRANSFER, '--yes', '-o', 'json']))).toMatchObject({
    exit: 2,
    code: 'LEDGER_DAMAGED',
  })
})
