import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { QUERIES_PER_WINDOW, type QueryLimit, queryLimit, turns } from '../../src/gateway/queryLimit.ts'
import { emptyWorld } from '../world.ts'
import { startFaultGateway } from './faultGateway.ts'
import { type Started, start } from './running.ts'

const MINUTE_MS = 60_000
const NOON_MS = Date.parse('2026-11-21T15:00:00Z')
const arrivals = fc.array(fc.nat(90), { minLength: 101, maxLength: 350 })

describe('the turns of a queue', () => {
  it('never lets more than 100 go in any minute, whatever order the tickets came in', () => {
    fc.assert(
      fc.property(arrivals, (seconds) => {
        const times = turns(seconds.map((second, index) => ({ atMs: second * 1000, id: String(index) })))
        const sorted = [...times].sort((one, other) => one - other)
        for (const [index, time] of sorted.slice(QUERIES_PER_WINDOW).entries()) {
          expect(time - Number(sorted[index])).toBeGreaterThan(MINUTE_MS)
        }
      }),
    )
  })

  it('keeps the order, makes nobody leave before he came, and none wait without need', () => {
    fc.assert(
      fc.property(arrivals, (seconds) => {
        const atMs = seconds.sort((one, other) => one - other).map((second) => second * 1000)
        const times = turns(atMs.map((each, index) => ({ atMs: each, id: String(index) })))
        for (const [index, time] of times.entries()) {
          expect(time).toBeGreaterThanOrEqual(Math.max(Number(atMs[index]), times[index - 1] ?? 0))
        }
        expect(times.slice(0, QUERIES_PER_WINDOW)).toEqual(atMs.slice(0, QUERIES_PER_WINDOW))
      }),
    )
  })
})

describe('the queue on the disk', () => {
  const ADDRESS = 'https://gateway.test'
  let count = 0
  const newId = () => `ticket-${++count}-of-this-test`

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'pixgate-limit-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return path
  }

  async function take(limit: QueryLimit, times: number): Promise<void> {
    for (let taken = 0; taken < times; taken++) await limit.reserve()
  }

  it('holds per address, across those who share the folder, and over the change of files', async () => {
    const path = folder()
    const shortBefore = Math.floor(NOON_MS / (10 * MINUTE_MS)) * 10 * MINUTE_MS - 1000
    await take(
      queryLimit(path, ADDRESS, () => shortBefore, newId),
      QUERIES_PER_WINDOW,
    )
    const later = shortBefore + 2000
    const other = queryLimit(path, ADDRESS, () => later, newId)
    expect(await other.preview()).toBeGreaterThan(shortBefore + MINUTE_MS)
    expect(await other.reserve()).toBeGreaterThan(shortBefore + MINUTE_MS)
    expect(await queryLimit(path, 'https://other.test', () => later, newId).reserve()).toBe(later)
    expect(await queryLimit(folder(), ADDRESS, () => later, newId).reserve()).toBe(later)
  })

  it('asks before it takes, and a look takes nothing', async () => {
    const limit = queryLimit(folder(), ADDRESS, () => NOON_MS, newId)
    await take(limit, QUERIES_PER_WINDOW - 1)
    expect(await limit.preview()).toBe(NOON_MS)
    expect(await limit.preview()).toBe(NOON_MS)
    expect(await limit.reserve()).toBe(NOON_MS)
    expect(await limit.preview()).toBeGreaterThan(NOON_MS + MINUTE_MS)
  })

  it('reads past damaged lines and drops files that nobody needs', async () => {
    const path = folder()
    await queryLimit(path, ADDRESS, () => NOON_MS - 60 * MINUTE_MS, newId).reserve()
    const [old] = readdirSync(path)
    const name = String(old).replace(/-\d+$/, `-${Math.floor(NOON_MS / (10 * MINUTE_MS))}`)
    writeFileSync(join(path, name), 'what is this\n17 short\n\u0000\n')
    expect(await queryLimit(path, ADDRESS, () => NOON_MS, newId).reserve()).toBe(NOON_MS)
    expect(readdirSync(path)).toEqual([name])
  })
})

describe('many processes', () => {
  const IDS = Array.from({ length: 30 }, (_, index) => `id-${index}`)

  it('let 100 queries out in the first minute and end the others with exit 7', async () => {
    const gateway = await startFaultGateway()
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const command = ['status', ...IDS, '-o', 'json', '--timeout', '20s']
    const processes = Array.from({ length: 8 }, (): Started => start(world, command))
    const ran = await Promise.all(processes.map(({ ended }) => ended))
    expect(gateway.arrivals.length).toBe(QUERIES_PER_WINDOW)
    const documents = ran.flatMap(({ stdout }) => JSON.parse(stdout))
    const codes = documents.map((document) => document.error?.code ?? document.status)
    expect(codes.filter((code) => code === 'PAID').length).toBe(QUERIES_PER_WINDOW)
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBe(8 * IDS.length - QUERIES_PER_WINDOW)
    expect(new Set(ran.map(({ exit }) => exit))).toContain(7)
  })
})

describe('a folder that cannot be written', () => {
  it.runIf(process.platform === 'linux')('does not stop a query, and it is said', async () => {
    const gateway = await startFaultGateway()
    // Even the superuser, for whom modes mean nothing, makes no folder there.
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_DATA_DIR: '/proc/pixgate-test' })
    const ran = await world.run(['status', 'some-id'])
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('The limit of 100 queries per minute is not enforced')
    expect(gateway.arrivals.length).toBe(1)
  })
})
