import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FailedAttempt, readRetryAfterMs, retryDelayMs } from '../../src/gateway/retry.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-11-21T15:00:00Z')
const http = (httpStatus: number, retryAfterMs: number | null = null): FailedAttempt => ({
  kind: 'http',
  httpStatus,
  retryAfterMs,
})

describe('the pause before a query is asked again', () => {
  it('happens after network failures, 429, 502, 503, 504 and nothing else', () => {
    const retried = Array.from({ length: 600 }, (_, status) => status).filter(
      (status) => retryDelayMs(1, http(status), HOUR_MS, 0) !== null,
    )
    expect(retried).toEqual([429, 502, 503, 504])
    expect(retryDelayMs(1, { kind: 'network' }, HOUR_MS, 0)).not.toBeNull()
  })

  it('doubles, is spread over its upper half, and ends after three', () => {
    const bounds = [1, 2, 3, 4, 5].map((attempt) =>
      [0, 0.999_999].map((random) => retryDelayMs(attempt, { kind: 'network' }, HOUR_MS, random)),
    )
    expect(bounds).toEqual([
      [100, 200],
      [200, 400],
      [400, 800],
      [null, null],
      [null, null],
    ])
  })

  it('is what the gateway asks for, and never longer than the time that is left', () => {
    const anyEnd = fc.oneof(
      fc.constant<FailedAttempt>({ kind: 'network' }),
      fc
        .tuple(fc.constantFrom(429, 502, 503, 504), fc.option(fc.nat(HOUR_MS)))
        .map(([httpStatus, retryAfterMs]) => http(httpStatus, retryAfterMs)),
    )
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), anyEnd, fc.integer({ max: HOUR_MS }), random, (n, end, left, r) => {
        const delayMs = retryDelayMs(n, end, left, r)
        const asked = end.kind === 'http' ? end.retryAfterMs : null
        if (delayMs === null) expect(asked ?? 800).toBeGreaterThanOrEqual(Math.min(left, 100))
        else expect(delayMs).toBeLessThan(left)
        if (delayMs !== null && asked !== null) expect(delayMs).toBe(asked)
      }),
    )
  })
})

describe('the header Retry-After', () => {
  const rows: [value: string | string[] | undefined, ms: number | null][] = [
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['1.5', 2000],
    ['0.1', 1000],
    ['86400.0', 86_400_000],
    ['9999999999', 999_999_999_000],
    ['9'.repeat(400), 999_999_999_000],
    ['1,5', null],
    ['-5', null],
    ['1.5.5', null],
    ['Sat, 21 Nov 2026 15:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 14:59:30 GMT', 0],
    ['Saturday, 21-Nov-26 15:00:30 GMT', 30_000],
    ['soon', null],
    ['7s', null],
    ['', null],
    [undefined, null],
    [['1', '2'], null],
  ]
  it.each(rows)('%j asks for %j ms', (value, ms) => {
    expect(readRetryAfterMs(value, NOW_MS)).toBe(ms)
  })
})
