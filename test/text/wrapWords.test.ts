import { expect, it } from 'vitest'
import { wrapWords } from '../../src/text/cellLayout.ts'

it.each([
  ['short', 'short'],
  ['one two three', 'one two\nthree'],
  ['  one two three', '  one two\n  three'],
  ['0123456789012 one', '0123456789012\none'],
  ['one 0123456789012', 'one\n0123456789012'],
  ['\u001b[31mone\u001b[39m two three', '\u001b[31mone\u001b[39m two\nthree'],
  ['first\nsecond third', 'first\nsecond\nthird'],
  ['日本語の店 日本 語', '日本語の店\n日本 語'],
  ['👨‍👩‍👧‍👦 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦\n👨‍👩‍👧‍👦'],
])('breaks %j at ten columns', (text, wrapped) => {
  expect(wrapWords(text, 10)).toBe(wrapped)
})
