import { describe, expect, it } from 'vitest'
import { type Fault, startFaultGateway } from '../gateway/faultGateway.ts'
import { writeAnswer } from '../gateway/rawHttp.ts'
import { emptyWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { failureOf, inProduction } from './payments.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The environment of a process whose clock is off by this much. */
function clockOffBy(ms: number): { NODE_OPTIONS: string } {
  const script = `const R=Date;globalThis.Date=class extends R{constructor(...a){a.length===0?super(R.now()+${ms}):super(...a)}static now(){return R.now()+${ms}}}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

/** Answers HEAD with a clock that is off by this much, or with no time. */
function gatewayClock(ms: number | null): Fault {
  return async (call) => {
    const headers: Record<string, string> = ms === null ? {} : { date: new Date(Date.now() + ms).toUTCString() }
    await call.read()
    writeAnswer(call.socket, { status: 404, headers })
  }
}

/** A machine that has just paid, in production unless it is a sandbox. */
async function stage(environment: 'production' | 'sandbox' = 'production') {
  const gateway = await startFaultGateway()
  const empty = emptyWorld()
  const world = await inProduction(empty, gateway.url, { environment })
  const consent = environment === 'production' ? ['--confirm', 'prod'] : ['--yes']
  const words = (name: string) => ['transfer', '--key', `${name}@example.com`, '--amount', '10', ...consent]
  await world.prepare(words('first'))
  const before = gateway.timeRequests.length
  return {
    gateway,
    world,
    heads: () => gateway.timeRequests.slice(before),
    pay: (name: string, offMs: number) => world.run([...words(name), '-o', 'json'], { env: clockOffBy(offMs) }),
  }
}

describe('a clock that the gateway confirms', () => {
  it.each<[string, number, requests: number]>([
    ['less than 24 hours ahead of the newest record', DAY_MS - MINUTE_MS, 0],
    ['more than 24 hours ahead, as on a Monday', 3 * DAY_MS, 1],
    ['less than an hour behind', -HOUR_MS + MINUTE_MS, 0],
    ['more than an hour behind', -HOUR_MS - MINUTE_MS, 1],
  ])('and is %s', async (_what, offMs, requests) => {
    const { gateway, heads, pay } = await stage()
    gateway.askedForTime(gatewayClock(offMs))
    const paid = await pay('second', offMs)
    expect([paid.exit, paid.stderr]).toEqual([0, ''])
    expect(heads()).toHaveLength(requests)
    for (const { headers } of heads()) expect(headers).not.toMatchObject({ authorization: expect.anything() })
    expect(gateway.ledger).toHaveLength(2)
  })

  it('is not compared again by the next command', async () => {
    const { gateway, heads, pay } = await stage()
    gateway.askedForTime(gatewayClock(3 * DAY_MS))
    expect((await pay('second', 3 * DAY_MS)).exit).toBe(0)
    expect((await pay('third', 3 * DAY_MS)).exit).toBe(0)
    expect(heads()).toHaveLength(1)
  })
})

describe('a clock that the gateway contradicts', () => {
  it('stops production with both times', async () => {
    const { gateway, heads, pay } = await stage()
    gateway.askedForTime(gatewayClock(0))
    const failure = failureOf(await pay('second', 3 * DAY_MS))
    expect(failure).toMatchObject({ exit: 2, outcome: 'not-sent' })
    const times = [...String(failure.message).matchAll(/(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d):\d\d BRT/g)].map(
      ([, day, month, year, time]) => Date.parse(`${year}-${month}-${day}T${time}:00-03:00`),
    )
    expect(times).toHaveLength(2)
    expect(Math.abs((times[0] ?? 0) - (times[1] ?? 0) - 3 * DAY_MS)).toBeLessThan(2 * MINUTE_MS)
    expect([gateway.ledger.length, heads().length]).toEqual([1, 1])
  })

  it('is no matter in a sandbox, whose clock can be moved', async () => {
    const { gateway, heads, pay } = await stage('sandbox')
    gateway.askedForTime(gatewayClock(0))
    const { exit, stdout, stderr } = await pay('second', 3 * DAY_MS)
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { pixgate: { warnings: [] } }])
    expect(stderr).not.toContain('clock')
    expect([gateway.ledger.length, heads().length]).toEqual([2, 0])
  })
})

it('pays with a warning if the gateway does not tell its time', async () => {
  const { gateway, pay } = await stage()
  gateway.askedForTime(gatewayClock(null))
  const { exit, stdout } = await pay('second', 3 * DAY_MS)
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    pixgate: { warnings: [expect.stringContaining('clock was not checked')] },
  })
})

it('names no time at which a row was sent while the clock was wrong', async () => {
  const { gateway, pay, world } = await stage('sandbox')
  await pay('second', 10 * DAY_MS)
  gateway.misbehave([({ socket }) => writeAnswer(socket, { status: 500 })], 'POST')
  const path = csvIn(world, 'folha.csv', 'key,value,externalId', ['third@example.com,2,invoice-3'])
  expect((await world.run(['batch', 'transfer', path, '--yes'])).exit).toBe(5)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const tried = await world.run(['resume', run, '--dry-run', '-o', 'json'])
  expect(JSON.parse(tried.stdout)).toMatchObject({ notResent: [{ externalId: 'invoice-3', sentAt: null }] })
  const said = [await world.run(['resume', run, '--dry-run']), await world.run(['resume', 'invoice-3', '--yes'])]
  expect(said.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('line 2, invoice-3, sent at an unknown time'),
    expect.stringContaining('When it was sent is not known'),
  ])
  for (const { stdout, stderr } of said) expect(stdout + stderr).not.toMatch(/1969|1970/)
})
