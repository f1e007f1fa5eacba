import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { type JsonTree, memberOf, membersOf, readJsonTree } from '../../src/wire/jsonTree.ts'
import { writeJsonTree } from '../../src/wire/jsonWriters.ts'

test.each([
  ['{"a":10.50,"b":1e2,"c":-0,"d":1E+2}', 'number literals stay'],
  ['{"a":1,"b":2,"a":3}', 'repeated keys stay, in their places'],
  ['{"b":1,"a":2,"1":3}', 'the order stays, that of whole numbers too'],
  ['{"__proto__":{"x":1},"constructor":null}', 'no name is special'],
  ['[[],{},"",0,true,false,null]', 'every kind'],
  ['"a\\"b\\\\c\\u001f"', 'escapes'],
  ['123456789012345678901234567890.000', 'numbers too long for a double'],
  ['{"":""}', 'an empty name'],
])('%s: %s', (text) => {
  expect(writeJsonTree(readJsonTree(text) ?? { kind: 'word', word: 'null' })).toBe(text)
})

it('leaves white space and other ways of escaping out', () => {
  const text = ' {\r\n\t"a" : [ 1 ,\n 2 ] , "\\u0062" : "\\/\\u00e9\\ud83d\\ude00" } \n'
  expect(writeJsonTree(readJsonTree(text) ?? { kind: 'word', word: 'null' })).toBe('{"a":[1,2],"b":"/é😀"}')
})

it.each([
  '',
  ' ',
  '{',
  '{"a":}',
  '[1,]',
  '{"a":1,}',
  "{'a':1}",
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'nul',
  '1 2',
  '\uFEFF{}',
])('is not JSON: %j', (text) => expect(readJsonTree(text)).toBeUndefined())

it('reads 100 levels, and no more', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(readJsonTree(nested(101))).toBeDefined()
  expect(readJsonTree(nested(102))).toBeUndefined()
  expect(readJsonTree(nested(5_000))).toBeUndefined()
  expect(readJsonTree(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)).toBeUndefined()
})

it('reads 1 MiB', () => {
  const text = JSON.stringify({ text: 'é"\\'.repeat(100_000), list: Array.from({ length: 100_000 }, (_, n) => n) })
  expect(text.length).toBeGreaterThan(1024 * 1024)
  expect(writeJsonTree(readJsonTree(text) ?? { kind: 'word', word: 'null' })).toBe(text)
})

it('finds the last member of a name, or all', () => {
  const tree = readJsonTree('{"a":1,"b":{"a":9},"a":2}')
  expect(memberOf(tree, 'a')).toEqual({ kind: 'number', literal: '2' })
  expect(membersOf(tree, 'a')).toEqual([
    { kind: 'number', literal: '1' },
    { kind: 'number', literal: '2' },
  ])
  expect(memberOf(tree, 'toString')).toBeUndefined()
  expect(memberOf(readJsonTree('[1]'), '0')).toBeUndefined()
  expect(memberOf(undefined, 'a')).toBeUndefined()
})

it('writes what JSON.stringify writes, in every layout of the input', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 4, '\t'), (json, indent) => {
      const value: unknown = JSON.parse(json)
      const tree = readJsonTree(JSON.stringify(value, null, indent))
      expect(tree === undefined ? undefined : jsonOf(tree)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

/** The value that a tree represents, read from the tree alone. */
function jsonOf(tree: JsonTree): unknown {
  if (tree.kind === 'array') return tree.items.map(jsonOf)
  if (tree.kind === 'object') {
    return Object.fromEntries(tree.members.map(({ name, value }) => [name, jsonOf(value)]))
  }
  if (tree.kind === 'string') return tree.text
  return JSON.parse(tree.kind === 'number' ? tree.literal : tree.word)
}
