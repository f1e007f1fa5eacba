import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openQueryQuota, QUERIES_PER_WINDOW, type QueryQuota } from '../../src/gateway/queryQuota.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { emptyWorld } from '../world.ts'
import { startFaultGateway } from './faultGateway.ts'
import { type Started, start } from './running.ts'

const MINUTE_MS = 60_000
const NOON_MS = Date.parse('2026-11-21T15:00:00Z')
const arrivals = fc.array(fc.nat(90), { minLength: 101, maxLength: 250 })

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pixgate-limit-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

describe('the places of a queue', () => {
  /** The times at which queries that arrive at these times may leave. */
  async function timesOf(arrivalsMs: readonly number[]): Promise<number[]> {
    let nowMs = 0
    const limit = openQueryQuota(folder(), 'https://gateway.test', () => nowMs)
    const times: number[] = []
    for (const arrivalMs of arrivalsMs) {
      nowMs = NOON_MS + arrivalMs
      times.push(await limit.reserve())
    }
    await limit.close()
    return times
  }

  it('never allow more than 100 in any minute, keep the order, and cause no needless wait', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async (seconds) => {
        const arrivalsMs = seconds.sort((one, other) => one - other).map((second) => second * 1000)
        const times = await timesOf(arrivalsMs)
        for (const [index, time] of times.entries()) {
          expect(time).toBeGreaterThanOrEqual(Math.max(NOON_MS + Number(arrivalsMs[index]), times[index - 1] ?? 0))
          const hundredBefore = times[index - QUERIES_PER_WINDOW]
          if (hundredBefore !== undefined) expect(time - hundredBefore).toBeGreaterThan(MINUTE_MS)
        }
        const first = arrivalsMs.slice(0, QUERIES_PER_WINDOW).map((each) => NOON_MS + each)
        expect(times.slice(0, QUERIES_PER_WINDOW)).toEqual(first)
      }),
      { numRuns: 10 },
    )
  })
})

describe('the queue on the disk', () => {
  const ADDRESS = 'https://gateway.test'
  async function take(limit: QueryQuota, times: number): Promise<void> {
    for (let taken = 0; taken < times; taken++) await limit.reserve()
  }

  it('holds per address, across processes that share the folder', async () => {
    const path = folder()
    const shortBefore = Math.floor(NOON_MS / (10 * MINUTE_MS)) * 10 * MINUTE_MS - 1000
    await take(
      openQueryQuota(path, ADDRESS, () => shortBefore),
      QUERIES_PER_WINDOW,
    )
    const later = shortBefore + 2000
    const other = openQueryQuota(path, ADDRESS, () => later)
    expect(await other.reserve()).toBeGreaterThan(shortBefore + MINUTE_MS)
    expect(await openQueryQuota(path, 'https://other.test', () => later).reserve()).toBe(later)
    expect(await openQueryQuota(folder(), ADDRESS, () => later).reserve()).toBe(later)
  })

  it('takes no place that comes up too late', async () => {
    const limit = openQueryQuota(folder(), ADDRESS, () => NOON_MS)
    await take(limit, QUERIES_PER_WINDOW - 1)
    expect(await limit.reserve(NOON_MS - 1)).toBe(NOON_MS)
    const nextMs = await limit.reserve(NOON_MS)
    expect(nextMs).toBeGreaterThan(NOON_MS + MINUTE_MS)
    for (let times = 0; times < QUERIES_PER_WINDOW; times++) expect(await limit.reserve(nextMs - 1)).toBe(nextMs)
  })

  it('starts anew with a damaged file, and keeps no more than the last minute', async () => {
    const path = folder()
    writeFileSync(join(path, 'quota.db'), 'this is not a database, and it is long enough to be read as one'.repeat(40))
    let nowMs = NOON_MS
    const limit = openQueryQuota(path, ADDRESS, () => nowMs)
    await take(limit, QUERIES_PER_WINDOW)
    nowMs += 10 * MINUTE_MS
    expect(await limit.reserve()).toBe(nowMs)
    await limit.close()
    const open = await loadSqlite()
    const database = open(join(path, 'quota.db'))
    expect(database.get('SELECT count(*) AS queries FROM query')).toEqual({ queries: 1 })
    database.close()
    expect(statSync(join(path, 'quota.db')).mode & 0o777).toBe(0o600)
  })

  it('does not wait for places that were taken while the clock was wrong', async () => {
    const path = folder()
    let nowMs = NOON_MS + 400 * 24 * 60 * MINUTE_MS
    const limit = openQueryQuota(path, ADDRESS, () => nowMs)
    await take(limit, QUERIES_PER_WINDOW)
    nowMs = NOON_MS
    await limit.reserve()
    expect(await limit.reserve()).toBe(NOON_MS)
    await limit.close()
  })
})

describe('many processes', () => {
  const PROCESSES = 4
  const IDS = Array.from({ length: 30 }, (_, index) => `id-${index}`)

  it('let 100 queries out in the first minute and end the others with exit 7', async () => {
    const gateway = await startFaultGateway()
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const command = ['status', ...IDS, '-o', 'json', '--timeout', '20s']
    const processes = Array.from({ length: PROCESSES }, (): Started => start(world, command))
    const ran = await Promise.all(processes.map(({ ended }) => ended))
    expect(gateway.arrivals.length).toBe(QUERIES_PER_WINDOW)
    const documents = ran.flatMap(({ stdout }) => JSON.parse(stdout))
    const codes = documents.map((document) => document.error?.code ?? document.status)
    expect(codes.filter((code) => code === 'PAID').length).toBe(QUERIES_PER_WINDOW)
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBe(PROCESSES * IDS.length - QUERIES_PER_WINDOW)
    expect(new Set(ran.map(({ exit }) => exit))).toContain(7)
  })
})

describe('a folder that cannot be written', () => {
  it.runIf(process.platform === 'linux')('does not stop a query, and is reported', async () => {
    const gateway = await startFaultGateway()
    // Even the superuser, for whom modes mean nothing, makes no folder there.
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_DATA_DIR: '/proc/pixgate-test' })
    const ran = await world.run(['status', 'some-id'])
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('The limit of 100 queries per minute is not enforced')
    expect(gateway.arrivals.length).toBe(1)
  })
})
