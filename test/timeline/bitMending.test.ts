import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinedLine, mendedLine, partedLines } from '../../src/timeline/bitMending.ts'
import { logLine } from '../../src/timeline/logFile.ts'

const NEWLINE = 0x0a
/** A line without its line end. */
const line = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => lineOf({ text }))
const bit = fc.integer({ min: 0, max: 7 })

function lineOf(value: unknown): Buffer {
  return Buffer.from(logLine(JSON.stringify(value)).slice(0, -1))
}

function flipped(bytes: Buffer, at: number, which: number): Buffer {
  const other = Buffer.from(bytes)
  other[at] = (bytes[at] ?? 0) ^ (1 << which)
  return other
}

it('gives a line back of which any one bit became another', () => {
  const whole = lineOf({ type: 'intent', amountCents: 1050, key: 'josé@example.com' })
  for (let at = 0; at < whole.length; at++) {
    for (let which = 0; which < 8; which++) expect(mendedLine(flipped(whole, at, which))).toEqual(whole)
  }
  fc.assert(
    fc.property(line, fc.nat(), bit, (own, place, which) => {
      expect(mendedLine(flipped(own, place % own.length, which))).toEqual(own)
    }),
  )
})

it('makes no other line of one of which two bits became others', () => {
  fc.assert(
    fc.property(line, fc.nat(), fc.nat(), bit, bit, (own, place, otherPlace, which, otherWhich) => {
      const one = flipped(own, place % own.length, which)
      const two = flipped(one, otherPlace % own.length, otherWhich)
      fc.pre(!two.equals(own))
      expect(mendedLine(two) ?? two).toEqual(two)
    }),
    { numRuns: 2000 },
  )
})

it('finds the line end between two lines again', () => {
  fc.assert(
    fc.property(line, line, bit, (first, second, which) => {
      const spoilt = Buffer.concat([first, Buffer.from([NEWLINE ^ (1 << which)]), second])
      expect(partedLines(spoilt)).toEqual([first, second])
    }),
  )
  expect(partedLines(lineOf({ text: '*J*J' }))).toBeUndefined()
})

it('makes one line again of two that a wrong line end parted', () => {
  const whole = lineOf({ text: 'this*is*one*line', more: 'J' })
  for (let at = 0; at < whole.length; at++) {
    const isOneBitAway = [1, 2, 4, 8, 16, 32, 64, 128].includes((whole[at] ?? 0) ^ NEWLINE)
    const joined = joinedLine(whole.subarray(0, at), whole.subarray(at + 1))
    expect(joined).toEqual(isOneBitAway ? whole : undefined)
  }
})
