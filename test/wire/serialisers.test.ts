import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { writtenForms } from '../../src/diagnosis/serialisers.ts'
import { readJsonTree } from '../../src/wire/jsonTree.ts'
import {
  DOTNET_RELAXED,
  DOTNET_STRINGS,
  GO_STRINGS,
  GSON_STRINGS,
  JACKSON_ASCII,
  JACKSON_STRINGS,
  JAVASCRIPT_STRINGS,
  jacksonPretty,
  javaDouble,
  javaNumber,
  layOut,
  NEWTONSOFT_STRINGS,
  OLD_GO_STRINGS,
  ORG_JSON_STRINGS,
  PHP_FOR_HTML,
  PHP_STRINGS,
  PHP_UNESCAPED_BOTH,
  PHP_UNESCAPED_SLASHES,
  PHP_UNESCAPED_UNICODE,
  PYTHON_ASCII,
  phpLongNumber,
  phpNumber,
  pythonFloat,
  pythonNumber,
  type StringStyle,
  shortest,
  twoDecimals,
  WRITERS,
  writeString,
} from '../../src/wire/jsonWriters.ts'

const NASTY =
  '{"b":"João/<a>&\'+=` \\u007f\\u0085\\u2028😀\\b\\f\\u0001\\"\\\\","é":[1,[],{},[{"x":[]}],10.50],"a":{"z":null,"y":true}}'

/** All texts that writers make of the tree, or this one alone. */
function formsOf(json: string, writer?: string): Set<string> {
  const tree = readJsonTree(json)
  if (tree === undefined) throw new Error('the test gives JSON')
  return new Set(writtenForms(tree, writer === undefined ? WRITERS : WRITERS.filter(({ name }) => name === writer)))
}

const PYTHON = `
import json, sys
every = []
for text in json.load(sys.stdin.buffer):
    value = json.loads(text)
    forms = []
    for ascii in (True, False):
        for order in (True, False):
            for options in ({}, {'separators': (',', ':')}, {'indent': 1}, {'indent': 2}, {'indent': 4}, {'indent': '\\t'}):
                forms.append(json.dumps(value, ensure_ascii=ascii, sort_keys=order, **options))
    every.append(forms)
print(json.dumps(every))
`

/** For each of these JSON texts, all texts that Python makes of it. */
function printedByPython(jsons: readonly string[]): string[][] {
  return JSON.parse(execFileSync('python3', ['-c', PYTHON], { input: JSON.stringify(jsons), encoding: 'utf8' }))
}

const JSONS = [
  NASTY,
  '{"event":"pix.received","data":{"idTransaction":"a","status":"PAID","amount":10.50,"paidAt":null}}',
  '{"amount":10.0,"b":1e22,"c":1.5e-7,"d":12345678901234567890,"e":-0.0,"f":0.0001,"g":1e16,"h":123456789.125}',
  '{"a":1,"b":2,"a":3}',
  '[]',
  '{}',
  '"x"',
  '[[[]],[{}],{"a":[]}]',
]

it("holds all that Python's json.dumps makes", () => {
  for (const [index, printed] of printedByPython(JSONS).entries()) {
    const forms = formsOf(JSONS[index] ?? '', "Python's json.dumps")
    expect(printed).toHaveLength(24)
    expect(printed.filter((text) => !forms.has(text))).toEqual([])
  }
})

test.each(JSONS)('holds all that JSON.stringify makes of %s', (json) => {
  const forms = formsOf(json, "JavaScript's JSON.stringify")
  const value: unknown = JSON.parse(json)
  for (const indent of [0, 2, 4, '\t']) {
    const text = JSON.stringify(value, null, indent)
    for (const end of ['', '\n', '\r\n']) expect(forms.has(text + end)).toBe(true)
  }
})

it('holds what Python and JavaScript make of random JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      // Names that are whole numbers are put first by JavaScript, whatever their order.
      fc.pre(!/"\d+":/.test(json) && !json.includes('"__proto__"') && !/\\ud[89a-f]/i.test(json))
      const forms = formsOf(json)
      const value: unknown = JSON.parse(json)
      for (const indent of [0, 2, 4]) expect(forms.has(JSON.stringify(value, null, indent))).toBe(true)
    }),
    { numRuns: 30 },
  )
  const jsons = fc
    .sample(fc.json({ maxDepth: 4 }), { numRuns: 10, seed: 7 })
    .filter((json) => !/\\ud[89a-f]/i.test(json))
  for (const [index, printed] of printedByPython(jsons).entries()) {
    const forms = formsOf(jsons[index] ?? '')
    expect(printed.filter((text) => !forms.has(text))).toEqual([])
  }
})

const TEXT = 'é/<>&\'"+=`\\\b\f\n\u0001\u001f\u007f\u0085\u2028😀</'

test.each<[string, StringStyle, string]>([
  ['JavaScript', JAVASCRIPT_STRINGS, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\u0085\u2028😀</'],
  ['Python', PYTHON_ASCII, '\\u00e9/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\\u007f\\u0085\\u2028\\ud83d\\ude00</'],
  ['PHP', PHP_STRINGS, '\\u00e9\\/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\\u0085\\u2028\\ud83d\\ude00<\\/'],
  [
    'PHP, slashes',
    PHP_UNESCAPED_SLASHES,
    '\\u00e9/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\\u0085\\u2028\\ud83d\\ude00</',
  ],
  ['PHP, Unicode', PHP_UNESCAPED_UNICODE, 'é\\/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\u0085\\u2028😀<\\/'],
  ['PHP, both', PHP_UNESCAPED_BOTH, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\u0085\\u2028😀</'],
  [
    'Laravel',
    PHP_FOR_HTML,
    '\\u00e9\\/\\u003C\\u003E\\u0026\\u0027\\u0022+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\\u0085\\u2028\\ud83d\\ude00\\u003C\\/',
  ],
  ['Go', GO_STRINGS, 'é/\\u003c\\u003e\\u0026\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\u0085\\u2028😀\\u003c/'],
  [
    'Go before 1.22',
    OLD_GO_STRINGS,
    'é/\\u003c\\u003e\\u0026\'\\"+=`\\\\\\u0008\\u000c\\n\\u0001\\u001f\u007f\u0085\\u2028😀\\u003c/',
  ],
  [
    'Gson',
    GSON_STRINGS,
    'é/\\u003c\\u003e\\u0026\\u0027\\"+\\u003d`\\\\\\b\\f\\n\\u0001\\u001f\u007f\u0085\\u2028😀\\u003c/',
  ],
  ['Jackson', JACKSON_STRINGS, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001F\u007f\u0085\u2028😀</'],
  [
    'Jackson, ASCII',
    JACKSON_ASCII,
    '\\u00E9/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001F\u007f\\u0085\\u2028\\uD83D\\uDE00</',
  ],
  ['org.json', ORG_JSON_STRINGS, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\\u0085\\u2028😀<\\/'],
  [
    '.NET',
    DOTNET_STRINGS,
    '\\u00E9/\\u003C\\u003E\\u0026\\u0027\\u0022\\u002B=\\u0060\\\\\\b\\f\\n\\u0001\\u001F\\u007F\\u0085\\u2028\\uD83D\\uDE00\\u003C/',
  ],
  ['.NET, relaxed', DOTNET_RELAXED, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001F\\u007F\\u0085\\u2028\\uD83D\\uDE00</'],
  ['Newtonsoft', NEWTONSOFT_STRINGS, 'é/<>&\'\\"+=`\\\\\\b\\f\\n\\u0001\\u001f\u007f\\u0085\\u2028😀</'],
])('%s writes a string', (_name, style, written) => {
  expect(writeString(TEXT, style)).toBe(`"${written}"`)
  expect(JSON.parse(writeString(TEXT, style))).toBe(TEXT)
})

test.each([
  ['10.50', { shortest: '10.5', python: '10.5', php: '10.5', php17: '10.5', java: '10.5', two: '10.50' }],
  [
    '10',
    { shortest: '10', python: '10', float: '10.0', php: '10', php17: '10', java: '10.0', javaNode: '10', two: '10.00' },
  ],
  ['10.0', { shortest: '10', python: '10.0', float: '10.0', php: '10', php17: '10', javaNode: '10.0', two: '10.00' }],
  ['10.1', { shortest: '10.1', php: '10.1', php17: '10.1', two: '10.10' }],
  ['19.99', { php17: '19.989999999999998', shortest: '19.99', two: '19.99' }],
  ['0.1', { php17: '0.10000000000000001', php: '0.1', java: '0.1' }],
  ['1.234', { two: '1.234' }],
  ['-0.0', { shortest: '0', python: '-0.0', float: '-0.0' }],
  ['1e2', { shortest: '100', python: '100.0', php: '100', java: '100.0', two: '100.00' }],
  ['12345678.9', { java: '1.23456789E7', python: '12345678.9', php: '12345678.9' }],
  ['10000000', { java: '1.0E7', javaNode: '10000000', float: '10000000.0' }],
  ['0.0001', { java: '1.0E-4', python: '0.0001', php: '0.0001', shortest: '0.0001' }],
  ['0.00001', { python: '1e-05', php: '1.0e-5', shortest: '0.00001' }],
  ['1e25', { python: '1e+25', php: '1.0e+25', shortest: '1e+25', java: '1.0E25' }],
  ['123456789012345678901', { python: '123456789012345678901', shortest: '123456789012345680000' }],
])('writes the number %s', (literal, expected) => {
  const written = {
    shortest: shortest(literal, ''),
    python: pythonNumber(literal, ''),
    float: pythonFloat(literal, ''),
    php: phpNumber(literal, ''),
    php17: phpLongNumber(literal, ''),
    java: javaDouble(literal, ''),
    javaNode: javaNumber(literal, ''),
    two: twoDecimals(literal, ''),
  }
  expect(written).toMatchObject(expected)
})

it("writes Jackson's pretty printer", () => {
  const tree = readJsonTree('{"a":1,"b":[1,{"c":[]}],"d":{}}')
  if (tree === undefined) throw new Error('this is JSON')
  const leaves = { text: (text: string) => `"${text}"`, number: (literal: string) => literal }
  expect(layOut(tree, jacksonPretty(), leaves)).toBe(
    ['{', '  "a" : 1,', '  "b" : [ 1, {', '    "c" : [ ]', '  } ],', '  "d" : { }', '}'].join('\n'),
  )
})

it.each([
  ['sorted', '{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'],
  [
    'as specified',
    '{"data":{"status":"PAID","idTransaction":"a"},"event":"e"}',
    '{"event":"e","data":{"idTransaction":"a","status":"PAID"}}',
  ],
  ['as specified, unknown names behind', '{"x":1,"event":"e"}', '{"event":"e","x":1}'],
  ['shorter names first', '{"bb":1,"a":2,"aa":3}', '{"a":2,"aa":3,"bb":1}'],
  ['a repeated name once', '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
  ['money with two decimals', '{"amount":10.5,"n":3}', '{"amount":10.50,"n":3}'],
  ['money as floats', '{"value":10,"n":3}', '{"value": 10.0, "n": 3}'],
])('writes %s', (_name, json, text) => expect(formsOf(json).has(text)).toBe(true))

it('writes no text twice, and a few thousand at most', () => {
  for (const json of [...JSONS, NASTY.replace('"b"', '"amount":1,"amount":12345678.9,"b"')]) {
    const tree = readJsonTree(json)
    if (tree === undefined) throw new Error('the test gives JSON')
    const texts = [...writtenForms(tree)]
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBeLessThan(12_000)
  }
  expect(formsOf(JSONS[1] ?? '').size).toBeGreaterThan(200)
})
