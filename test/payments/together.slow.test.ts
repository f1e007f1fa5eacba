import { readdirSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SENDER_ENDED } from '../../src/ledger/records.ts'
import { parseInstant } from '../../src/pix/calendar.ts'
import { integerOf, textOf } from '../../src/storage/sqlite.ts'
import { freePort } from '../freePort.ts'
import { endingOf } from '../gateway/commandLines.ts'
import { errorAnswer, startFaultGateway } from '../gateway/faultGateway.ts'
import { answering, held, resetAfterReading } from '../gateway/faults.ts'
import { type Started, start } from '../gateway/running.ts'
import { here } from '../inProcess.ts'
import { inLedger, paymentsOf, problemsOf, recordsOf } from '../ledger/storedLedger.ts'
import { emptyWorld } from '../world.ts'

const SAME = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '-o', 'json']
const REFUSED = { exit: 2, code: 'REPEAT', outcome: 'not-sent' }

async function stage() {
  const gateway = await startFaultGateway()
  return { gateway, world: emptyWorld({ PIXGATE_BASE_URL: gateway.url }) }
}

/** When all but one of these processes have ended. */
function allButOne(crowd: readonly Started[]): Promise<void> {
  let over = 0
  return new Promise((resolve) => {
    for (const { ended } of crowd) void ended.then(() => ++over === crowd.length - 1 && resolve())
  })
}

it.each<[count: number, what: string, own: (nth: number) => string[]]>([
  [5, 'the same payment', () => []],
  [4, 'the same payment, accepted as a repeat', () => ['--again']],
  [4, 'the same payment under ids of their own', (nth) => ['--external-id', `order-${nth}`]],
  [4, 'different payments under the same external id', (nth) => ['--external-id', 'order', '--value', String(nth + 1)]],
])('sends one request if %i processes make %s at once', { timeout: 60_000 }, async (count, _what, own) => {
  const { gateway, world } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const crowd = Array.from({ length: count }, (_, nth) => {
    const args = own(nth)
    const same = args.includes('--value') ? SAME.filter((word) => word !== '--amount' && word !== '10') : SAME
    return start(world, [...same, ...args])
  })
  await allButOne(crowd)
  release()
  const ends = (await Promise.all(crowd.map(({ ended }) => ended))).map(endingOf)
  const [paid, ...losers] = ends.toSorted((one, other) => one.exit - other.exit)
  expect(paid).toEqual({ exit: 0 })
  const [{ externalId } = { externalId: null }] = gateway.ledger
  expect(losers).toHaveLength(count - 1)
  for (const each of losers) expect(each).toMatchObject({ ...REFUSED, externalId })
  expect(gateway.arrivals).toHaveLength(1)
  expect(await paymentsOf(world)).toEqual([{ name: externalId, state: 'accepted' }])
  expect(await problemsOf(world)).toEqual([])
  expect(readdirSync(join(world.home, 'data', 'locks'))).toEqual([])
})

it('sends one request if two processes resume the same transfer at once, and names the one that does', async () => {
  const { gateway, world } = await stage()
  gateway.misbehave([resetAfterReading])
  expect((await here(world)([...SAME, '--external-id', 'order-1'])).exit).toBe(5)
  const { fault, release } = held()
  gateway.misbehave([fault])
  const beganMs = Date.now()
  const crowd = [1, 2].map(() => start(world, ['resume', 'order-1', '--yes', '-o', 'json']))
  await allButOne(crowd)
  const holder = await inLedger(world, (database) => {
    const row = database.get('SELECT pid, since FROM process JOIN attempt ON attempt.sender = process.id')
    if (row === undefined) throw new Error('no process is sending')
    return { pid: integerOf(row, 'pid'), sinceMs: parseInstant(textOf(row, 'since')) ?? 0 }
  })
  release()
  const ends = await Promise.all(crowd.map(({ ended }) => ended))
  const [paid, loser] = ends.toSorted((one, other) => one.exit - other.exit)
  expect(paid?.exit).toBe(0)
  expect(loser && endingOf(loser)).toMatchObject({
    ...REFUSED,
    message: 'Another process is currently sending order-1',
  })
  const who = `Process ${holder.pid}, started by ${userInfo().username} on ${hostname()}, has been working on it since`
  expect(loser?.stderr).toContain(who)
  expect(holder.sinceMs).toBeGreaterThanOrEqual(beganMs)
  expect(holder.sinceMs).toBeLessThan(beganMs + 5000)
  expect(gateway.arrivals).toHaveLength(2)
  expect(gateway.ledger).toHaveLength(1)
})

it('releases by kill -9 what a process was sending, whose outcome is unknown then', async () => {
  const { gateway, world } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const sending = start(world, [...SAME, '--external-id', 'order-1'])
  await gateway.arrived(1)
  const early = endingOf(await here(world)(['resume', 'order-1', '--yes', '-o', 'json']))
  expect(early).toMatchObject({ ...REFUSED, message: 'Another process is currently sending order-1' })
  sending.signal('SIGKILL')
  await sending.ended
  release()
  expect(endingOf(await world.run([...SAME, '--again']))).toMatchObject({ ...REFUSED, externalId: 'order-1' })
  const resumed = await here(world)(['resume', 'order-1', '--yes', '-o', 'json'])
  expect(JSON.parse(resumed.stdout)).toMatchObject({ externalId: 'order-1' })
  expect(await recordsOf(world)).toMatchObject([
    { type: 'attempt' },
    { type: 'answer', outcome: 'unknown', code: SENDER_ENDED },
    { type: 'resend' },
    { type: 'answer', outcome: 'accepted-before' },
  ])
  expect(gateway.ledger).toHaveLength(1)
  expect(await problemsOf(world)).toEqual([])
})

it('does not send again what was not sent and has been paid under another id since', async () => {
  const port = await freePort()
  const world = emptyWorld({ PIXGATE_BASE_URL: `http://127.0.0.1:${port}` })
  expect((await here(world)([...SAME, '--external-id', 'order-1'])).exit).toBe(6)
  expect(await paymentsOf(world)).toEqual([{ name: 'order-1', state: 'not-sent' }])
  const gateway = await startFaultGateway({ port })
  await world.prepare([...SAME, '--external-id', 'order-2'])
  const resumed = await here(world)(['resume', 'order-1', '--yes', '-o', 'json'])
  expect(resumed.exit).toBe(0)
  expect(JSON.parse(resumed.stdout)).toMatchObject({ pixgate: { outcome: 'accepted-before' } })
  expect(gateway.ledger).toHaveLength(1)
})

it('does not take a refusal of the resent bytes for the outcome of the first request', async () => {
  const { gateway, world } = await stage()
  gateway.misbehave([resetAfterReading, answering(errorAnswer(400, 'NO_FUNDS')), answering({ status: 400 })])
  expect((await here(world)([...SAME, '--external-id', 'order-1'])).exit).toBe(5)
  const resume = () => here(world)(['resume', 'order-1', '--yes'])
  expect((await resume()).exit).toBe(5)
  await resume()
  expect(await paymentsOf(world)).toEqual([{ name: 'order-1', state: 'unknown' }])
  expect((await resume()).exit).toBe(0)
  expect(gateway.ledger).toHaveLength(1)
})
