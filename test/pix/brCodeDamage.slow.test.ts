import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import { DYNAMIC, STATIC } from './brCodeParts.ts'

describe('damage', () => {
  it.each([
    ['static', STATIC],
    ['dynamic', DYNAMIC],
  ])('of any one character makes a %s code invalid', (_, sound) => {
    const survivors = []
    for (let at = 0; at < sound.length; at += 1) {
      const original = sound.charAt(at)
      const inCrc = at >= sound.length - 4
      for (let point = 0x20; point < 0x7f; point += 1) {
        const other = String.fromCharCode(point)
        if (other === original || (inCrc && other.toUpperCase() === original)) continue
        const damaged = sound.slice(0, at) + other + sound.slice(at + 1)
        if (readBrCode(damaged).valid) survivors.push(damaged)
      }
    }
    expect(survivors).toEqual([])
  })

  it('at the end, however long, makes a code invalid', () => {
    for (let length = 0; length < STATIC.length; length += 1) {
      expect(readBrCode(STATIC.slice(0, length)).valid).toBe(false)
    }
  })

  it('never makes the reader throw', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `000201${text}`),
    )
    const spliced = fc
      .tuple(fc.nat(STATIC.length), fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(5))
      .map(([at, text, cut]) => STATIC.slice(0, at) + text + STATIC.slice(at + cut))
    fc.assert(
      fc.property(fc.oneof(noise, spliced), (text) => {
        const read = readBrCode(text)
        expect(read.valid).toBe(read.errors.length === 0)
        if (read.valid) expect(text.trim().toUpperCase()).toBe(STATIC.toUpperCase())
      }),
      { numRuns: 3000 },
    )
  })
})
