import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasControlCharacter, safeJson, safeLines, safeText } from '../../src/text/safeText.ts'

/** Controls, formats, surrogates without a partner, separators, what has no shape of its own, and what arranges hieroglyphs. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{13430}-\u{1345f}]$/u

function isUnseen(character: string): boolean {
  return UNSEEN.test(character)
}

/** The same as `safeText`, one code point after the other. */
function slowly(text: string): string {
  let safe = ''
  let marks = 0
  for (const character of text) {
    safe += isUnseen(character) || marks >= 8 ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
    marks = /\p{M}/u.test(character) ? marks + 1 : 0
  }
  return safe
}

const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({
    unit: fc.constantFrom('a', 'ã', '\n', '\r', '\t', '\u001b', '\u202e', '\u2028', '\ufeff', '\ud800', '\udc00', '😀'),
  }),
)

it('makes exactly the invisible code points visible', () => {
  const wrong: string[] = []
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    const expected = isUnseen(character) ? `\\u{${point.toString(16)}}` : character
    if (safeText(character) !== expected) wrong.push(point.toString(16))
    const json = safeJson(`"${character}\n"`)
    const isKept = point === 0x0a || !isUnseen(character)
    if (json.includes(character) !== isKept || !json.endsWith('\n"')) wrong.push(`${point.toString(16)} in JSON`)
  }
  expect(wrong).toEqual([])
})

it('shows an emoji as it is, and the same characters elsewhere', () => {
  for (const emoji of [
    '❤️',
    '1️⃣',
    '👨‍👩‍👧',
    '👁️‍🗨️',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '👍🏽',
    '🇧🇷',
  ]) {
    expect(safeText(`Loja ${emoji} do Zé`)).toBe(`Loja ${emoji} do Zé`)
  }
  expect(safeText('Lo\u200dja\ufe0f')).toBe('Lo\\u{200d}ja\\u{fe0f}')
  expect(safeText('👍\u200d\u200d👍')).toBe('👍\\u{200d}\\u{200d}👍')
})

describe('any text', () => {
  it('gives the same result as a loop over its code points, and does not change a second time', () => {
    fc.assert(
      fc.property(strings, (text) => {
        expect(safeText(text)).toBe(slowly(text))
        expect(safeText(safeText(text))).toBe(safeText(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps its line ends as lines', () => {
    fc.assert(
      fc.property(strings, (text) => {
        const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
        expect(safeLines(text)).toEqual(lines.map((line) => slowly(line.replaceAll('\t', '  '))))
      }),
      { numRuns: 2000 },
    )
  })

  it('is the same value in JSON, in which nothing is unseen but the line ends between the lines', () => {
    fc.assert(
      fc.property(strings, strings, fc.constantFrom(undefined, 2), (key, text, indent) => {
        const value = { a: { [`k${key}`]: [text] } }
        const json = safeJson(JSON.stringify(value, null, indent))
        expect(JSON.parse(json)).toEqual(value)
        expect([...json.replaceAll('\n', '')].filter(isUnseen)).toEqual([])
        expect(json.split('\n')).toHaveLength(indent === undefined ? 1 : 7)
      }),
      { numRuns: 2000 },
    )
  })

  it('has a control character or none', () => {
    fc.assert(
      fc.property(strings, (text) => {
        expect(hasControlCharacter(text)).toBe([...text].some((character) => /\p{Cc}/u.test(character)))
      }),
    )
  })
})
