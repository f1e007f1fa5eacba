import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editBody, readBodyEdit } from '../../src/listener/bodyEdits.ts'
import { UsageError } from '../../src/wire/errors.ts'

function edited(body: string, ...typed: string[]): string {
  return editBody(Buffer.from(body), typed.map(readBodyEdit)).toString('utf8')
}

function failureOf(work: () => unknown): [string, readonly string[]] {
  try {
    work()
  } catch (error) {
    if (error instanceof UsageError) return [error.message, error.details]
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a value', () => {
  it.each<[string, string]>([
    ['a=10.50', '{"a":10.50}'],
    ['a=1e2', '{"a":1e2}'],
    ['a=-0', '{"a":-0}'],
    ['a=12345678901234567890', '{"a":12345678901234567890}'],
    ['a=true', '{"a":true}'],
    ['a=null', '{"a":null}'],
    ['a="10.50"', '{"a":"10.50"}'],
    ['a={"b":[1, 2]}', '{"a":{"b":[1, 2]}}'],
    ['a=PAID', '{"a":"PAID"}'],
    ['a=10,50', '{"a":"10,50"}'],
    ['a=01', '{"a":"01"}'],
    ['a=', '{"a":""}'],
    ['a=b=c', '{"a":"b=c"}'],
    ['a="', '{"a":"\\""}'],
    ['a=ação\n', '{"a":"ação\\n"}'],
    ['a=NaN', '{"a":"NaN"}'],
  ])('goes in as it was typed, or as a string: %s', (typed, body) => {
    expect(edited('{"a":1}', typed)).toBe(body)
  })
})

describe('what is added', () => {
  it.each<[who: string, body: string, typed: string, after: string]>([
    ['a space after each comma, all in ASCII', '{"a": {"b": 1}}', 'a.c=São/1', '{"a": {"b": 1, "c": "S\\u00e3o/1"}}'],
    ['slashes escaped', '{"u":"\\/x"}', 'ü=é/', '{"u":"\\/x","\\u00fc":"\\u00e9\\/"}'],
    ['slashes escaped, letters not', '{"u":"\\/é"}', 'a=é/', '{"u":"\\/é","a":"é\\/"}'],
    ['upper-case hex', '{"u":"\\u00C9"}', 'a=ÿ', '{"u":"\\u00C9","a":"\\u00FF"}'],
    ['one member a line', '{\n  "a": 1\n}', 'b=x', '{\n  "a": 1,\n  "b": "x"\n}'],
    ['space in the brackets', '{ "a": 1, "b": [ 1 ] }', 'b.1=2', '{ "a": 1, "b": [ 1, 2 ] }'],
    ['an empty object', '{"event": "x", "data": {}}', 'data.a.b=1', '{"event": "x", "data": {"a": {"b": 1}}}'],
    ['letters as they are', '{"a":"é"}', 'a=ü', '{"a":"ü"}'],
  ])('has the style of the body: %s', (_who, body, typed, after) => {
    expect(edited(body, typed)).toBe(after)
  })
})

describe('a path', () => {
  it.each<[string, string, string]>([
    ['{"data":{"amount":1,"x":2}}', 'data.amount=10.50', '{"data":{"amount":10.50,"x":2}}'],
    ['{"a":{"b":[{"c":1},{"c":2}]}}', 'a.b.1.c=3', '{"a":{"b":[{"c":1},{"c":3}]}}'],
    ['{"a":[1,2]}', 'a.2=3', '{"a":[1,2,3]}'],
    ['{"a":[]}', 'a.0=3', '{"a":[3]}'],
    ['[1]', '0=2', '[2]'],
    ['{}', 'a=1', '{"a":1}'],
    ['{ }', 'a=1', '{"a":1 }'],
    ['{"a":1}', 'b.c.d=x', '{"a":1,"b":{"c":{"d":"x"}}}'],
    ['{"a":{}}', 'a.b=1', '{"a":{"b":1}}'],
    ['{"0":1}', '0=2', '{"0":2}'],
    ['{"a":"x","a\\"b":1}', 'a"b=2', '{"a":"x","a\\"b":2}'],
    ['{"\\u0061":1}', 'a=2', '{"\\u0061":2}'],
    ['{"__proto__":{"a":1}}', '__proto__.a=2', '{"__proto__":{"a":2}}'],
    ['{"a":{"a":1},"b":"{\\"a\\":3"}', 'a.a=2', '{"a":{"a":2},"b":"{\\"a\\":3"}'],
    ['{"a":{"b":1}}', 'a=2', '{"a":2}'],
    ['{"x":1,"x":2,"a":1.0}', 'a=2', '{"x":1,"x":2,"a":2}'],
  ])('%s with %s', (body, typed, after) => {
    expect(edited(body, typed)).toBe(after)
  })

  it('leaves every other byte as it is', () => {
    const body =
      '\uFEFF{\r\n  "event" : "pix.received",\n\t"data": { "b": 1.00 , "amount" : 1 , "c":"\\u00e9\\/" }\n}\n'
    expect(edited(body, 'data.amount=10.50')).toBe(body.replace('"amount" : 1', '"amount" : 10.50'))
  })

  it('takes several, one after the other', () => {
    expect(edited('{"a":1}', 'b.c=1', 'b.d=2', 'a=3', 'a=4')).toBe('{"a":4,"b":{"c":1,"d":2}}')
  })

  it.each<[string, string, string]>([
    ['{"a":1}', 'a.b=1', '`a` is neither an object nor an array'],
    ['{"a":"x"}', 'a.0=1', '`a` is neither an object nor an array'],
    ['{"a":null}', 'a.b=1', '`a` is neither an object nor an array'],
    ['7', 'a=1', '`the body` is neither an object nor an array'],
    ['{"a":[1]}', 'a.3=1', '`3` is not an index of the array `a`, which has 1 item'],
    ['{"a":[1]}', 'a.x=1', '`x` is not an index of the array `a`, which has 1 item'],
    ['{"a":[1]}', 'a.01=1', '`01` is not an index of the array `a`, which has 1 item'],
    ['{"d":{"id":1,"id":2}}', 'd.id=3', '`d.id` occurs 2 times'],
  ])('that leads nowhere in %s: %s', (body, typed, why) => {
    expect(failureOf(() => edited(body, typed))).toEqual([
      `The path of \`--set ${typed}\` does not match the body`,
      [why],
    ])
  })

  it.each(['', 'a', '=1', '.=1', 'a.=1', '.a=1', 'a..b=1'])('that is none: %s', (typed) => {
    expect(failureOf(() => readBodyEdit(typed))[0]).toBe(`\`--set\` takes a path and a value, not \`${typed}\``)
  })
})

it.each([Buffer.from('no'), Buffer.from(''), Buffer.from('{"a":1} x'), Buffer.from([0x22, 0xff, 0x22])])(
  'rejects a body that is not JSON',
  (body) => {
    expect(failureOf(() => editBody(body, [readBodyEdit('a=1')]))[0]).toBe(
      'The body is not JSON, so no value can be set in it',
    )
  },
)

it('leaves a body alone if nothing is set', () => {
  const body = Buffer.from([0xff])
  expect(editBody(body, [])).toBe(body)
})

it('changes what JSON.parse sees at that place and nothing else', () => {
  const name = fc.stringMatching(/^[a-z_"\\é{}:,[\]]{1,6}$/)
  const tree = fc.dictionary(name, fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), { minKeys: 1 })
  const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n')
  fc.assert(
    fc.property(tree, spaces, fc.jsonValue(), fc.nat(), fc.nat(), (body, space, value, first, second) => {
      const outer = Object.keys(body)[first % Object.keys(body).length] ?? ''
      const members = body[outer] ?? {}
      const inner = Object.keys(members)[second % Object.keys(members).length] ?? ''
      const text = JSON.stringify(body, null, space)
      const after = edited(text, `${outer}.${inner}=${JSON.stringify(value)}`)
      const expected = structuredClone(body)
      Object.assign(expected[outer] ?? {}, { [inner]: value })
      expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
  )
})
