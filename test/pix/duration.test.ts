import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../src/pix/duration.ts'
import { Malformed } from '../../src/pix/expectedError.ts'

function malformedOf(text: string): Malformed {
  try {
    parseDuration(text)
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
  throw new Error(`accepted ${JSON.stringify(text)}`)
}

describe('durations as people type them', () => {
  it.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['90m', 5_400_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['365d', 31_536_000_000],
    [' 30s ', 30_000],
    ['0030s', 30_000],
  ])('%j is %d ms', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })

  it.each([
    ['', 'is empty', '30s'],
    ['30', 'has no unit', '30s'],
    ['0', 'has no unit', '0s'],
    ['0s', 'is zero', '30s'],
    ['0ms', 'is zero', '30s'],
    ['-5s', 'is not a duration', '30s'],
    ['1.5h', 'is not a duration', '30s'],
    ['1,5h', 'is not a duration', '30s'],
    ['.5s', 'is not a duration', '30s'],
    ['1h30m', 'is not a duration', '30s'],
    ['366d', 'is too long', '365d'],
    ['8761h', 'is too long', '365d'],
    ['999999999999ms', 'is too long', '365d'],
    ['99999999999999999999s', 'is too long', '365d'],
    ['30S', 'is not a duration', '30s'],
    ['30 s', 'is not a duration', '30s'],
    ['30sec', 'is not a duration', '30s'],
    ['1w', 'is not a duration', '30s'],
    ['s', 'is not a duration', '30s'],
    ['1e3s', 'is not a duration', '30s'],
    ['３０s', 'is not a duration', '30s'],
    ['Infinity', 'is not a duration', '30s'],
    ['30s\u001b[1m', 'is not a duration', '30s'],
  ])('%j %s', (text, reason, suggestion) => {
    const { message, hint } = malformedOf(text)
    expect(message).toContain(reason)
    expect(hint).toContain(suggestion)
  })
})

describe('durations for people', () => {
  it.each([
    [0, '0 ms'],
    [7, '7 ms'],
    [999, '999 ms'],
    [999.6, '1 s'],
    [1000, '1 s'],
    [1500, '1.5 s'],
    [59_999, '59.9 s'],
    [60_000, '1 m'],
    [90_000, '1 m 30 s'],
    [3_599_999, '59 m 59 s'],
    [3_600_000, '1 h'],
    [3_605_000, '1 h'],
    [5_400_000, '1 h 30 m'],
    [86_400_000, '1 d'],
    [100_800_000, '1 d 4 h'],
    [-90_000, '-1 m 30 s'],
  ])('%d ms: %s', (durationMs, expected) => {
    expect(formatDuration(durationMs)).toBe(expected)
  })

  it('show a duration of one unit as it was typed', () => {
    const units = [
      ['ms', 999],
      ['s', 59],
      ['m', 59],
      ['h', 23],
      ['d', 365],
    ] as const
    const typed = fc
      .constantFrom(...units)
      .chain(([unit, countMax]) => fc.tuple(fc.integer({ min: 1, max: countMax }), fc.constant(unit)))
    fc.assert(
      fc.property(typed, ([count, unit]) => {
        expect(formatDuration(parseDuration(`${count}${unit}`))).toBe(`${count} ${unit}`)
      }),
    )
  })
})
