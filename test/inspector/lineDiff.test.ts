import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffLines } from '../../src/inspector/page/lineDiff.ts'

const LINES = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

it('keeps the lines of both texts in order, and marks common lines as the same', () => {
  fc.assert(
    fc.property(LINES, LINES, (first, second) => {
      const lines = diffLines(first, second)
      const of = (other: string) => lines.filter(([mark]) => mark !== other).map(([, text]) => text)
      expect([of('second'), of('first')]).toEqual([first, second])
    }),
  )
})

it('keeps as much as possible', () => {
  expect(diffLines(['{', 'a', 'b', '}'], ['{', 'b', 'c', '}']).map(([mark, text]) => `${mark} ${text}`)).toEqual([
    'same {',
    'first a',
    'same b',
    'second c',
    'same }',
  ])
})

it('compares long texts, too', () => {
  const long = (name: string) => Array.from({ length: 30_000 }, (_, line) => `${name} ${line}`)
  expect(diffLines(['{', ...long('a')], ['{', ...long('b')])).toHaveLength(60_001)
})
