import { expect, test } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { answering } from '../gateway/faults.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NEW_YEAR = { startMs: Date.parse('2031-01-01T12:00:00-03:00') }

async function create(world: World, number: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const line = ['qr', 'create', '--amount', '10', '--request-number', number, ...words, '-o', 'json']
  return JSON.parse(await world.prepare(line))
}

test('days that count from today count by the clock of a sandbox on this machine', async () => {
  const world = await sandboxWorld(NEW_YEAR)
  const dueDates = [[], ['--due-date', 'today'], ['--due-date', '+3d'], ['--due-date', '2031-02-01']]
  const expiries: unknown[] = []
  for (const words of dueDates) expiries.push((await create(world, `order-${expiries.length}`, ...words)).expiresAt)
  expect(expiries).toEqual([
    '2031-01-03T02:59:59.999Z',
    '2031-01-02T02:59:59.999Z',
    '2031-01-05T02:59:59.999Z',
    '2031-02-02T02:59:59.999Z',
  ])
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const past = await world.run(['qr', 'create', '--amount', '10', '--due-date', tomorrow])
  expect([past.exit, past.stderr]).toEqual([
    1,
    expect.stringContaining("`dueDate` is in the past: the sandbox's clock is at 01/01/2031 12:0"),
  ])
})

test('the days of a refund count by it, those of the ledger do not, and nothing is said of a wrong clock', async () => {
  const world = await sandboxWorld(NEW_YEAR)
  await create(world, 'order-1')
  await world.prepare(['sandbox', 'pay', 'order-1'])
  const refund = ['refund', 'order-1', '--amount', '1', '--reason', 'returned', '--yes']
  await world.prepare(['sandbox', 'advance', '49h'])
  const first = await world.run(refund)
  expect([first.exit, first.stderr]).toEqual([0, expect.stringMatching(/^days left +28$/m)])
  expect(first.stderr).not.toMatch(/clock/)
  await world.prepare(['sandbox', 'advance', '29d'])
  const late = await world.run([...refund.slice(0, 2), '--amount', '2', ...refund.slice(4)])
  expect([late.exit, late.stderr]).toEqual([1, expect.stringMatching(/now it is 01\/02\/2031 13:0\d:\d\d BRT/)])
  const transfer = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect([transfer.exit, transfer.stderr]).toEqual([0, expect.not.stringMatching(/clock/)])
  const history = JSON.parse(await world.prepare(['history', '--day', 'today', '-o', 'json']))
  expect(history).toHaveLength(3)
})

test('only a sandbox on this machine is asked, and only for a day that counts from today', async () => {
  const gateway = await startFaultGateway()
  gateway.askedForTime(answering({ status: 200, headers: { date: new Date(NEW_YEAR.startMs).toUTCString() } }))
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, SHOP_SECRET: 'secret-of-the-shop' })
  const dueDateOf = async (...words: readonly string[]) => {
    const { exit, stdout } = await world.run(['qr', 'create', '--amount', '10', '--dry-run', ...words])
    return [exit, /"dueDate": "([^"]+)"/.exec(stdout)?.[1], gateway.timeRequests.length]
  }
  expect(await dueDateOf()).toEqual([0, '2031-01-02', 1])
  expect(await dueDateOf('--due-date', '2032-01-01')).toEqual([0, '2032-01-01', 1])
  const profile = ['--environment', 'production', '--client-id', 'shop', '--client-secret-env', 'SHOP_SECRET']
  await world.prepare(['profile', 'add', 'prod', ...profile, '--base-url', gateway.url, '--callback-url', gateway.url])
  const [exit, dueDate, asked] = await dueDateOf('-p', 'prod')
  expect([exit, asked, String(dueDate) < '2031']).toEqual([0, 1, true])
})
