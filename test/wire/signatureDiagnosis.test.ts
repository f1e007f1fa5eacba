import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { writtenForms } from '../../src/diagnosis/serialisers.ts'
import { CAUSES, diagnoseSignature, type SignatureCause } from '../../src/diagnosis/signatureDiagnosis.ts'
import { findingTexts } from '../../src/views/events/signatureText.ts'
import { readJsonTree } from '../../src/wire/jsonTree.ts'
import { signBody } from '../../src/wire/signature.ts'

const SECRET = 'a-long-secret-0123456789'
const BODY = '{"event":"transfer.completed","data":{"value":10.50,"destinationName":"João “Zé” €5"}}'
const LINES = '{\n  "event": "x",\n  "value": 10.50\n}\n'

/** What is found for these bytes where those were signed. */
function found(given: Buffer | string, signed: Buffer | string, secret = SECRET) {
  const signature = signBody(Buffer.from(signed), secret)
  const others = [{ profile: 'prod', secret: 'the-secret-of-prod' }]
  return diagnoseSignature({ body: Buffer.from(given), signature, secrets: [SECRET, 'the-previous-secret'], others })
}

type Case = readonly [name: string, cause: SignatureCause, given: Buffer | string, signed: Buffer | string]

const CASES: readonly Case[] = [
  ['LF added', 'trailing-newline', `${BODY}\n`, BODY],
  ['CRLF added', 'trailing-newline', `${BODY}\r\n`, BODY],
  ['several line breaks added', 'trailing-newline', `${BODY}\n\r\n\n`, BODY],
  ['one line break too many', 'trailing-newline', `${BODY}\n\n`, `${BODY}\n`],
  ['LF lost', 'trailing-newline', BODY, `${BODY}\n`],
  ['CRLF lost', 'trailing-newline', BODY, `${BODY}\r\n`],
  ['a line break lost of no JSON', 'trailing-newline', 'hello', 'hello\n'],
  ['LF became CRLF', 'crlf', LINES.replaceAll('\n', '\r\n'), LINES],
  ['CRLF became LF', 'crlf', LINES, LINES.replaceAll('\n', '\r\n')],
  ['CRLF became LF and the last was lost', 'crlf', LINES.trimEnd(), LINES.replaceAll('\n', '\r\n')],
  ['CR became LF', 'crlf', LINES, LINES.replaceAll('\n', '\r')],
  ['mixed became LF', 'crlf', 'a\nb\r\nc', 'a\nb\nc'],
  ['a mark added', 'bom', `\uFEFF${BODY}`, BODY],
  ['a mark lost', 'bom', BODY, `\uFEFF${BODY}`],
  ['a mark and a line break added', 'bom', `\uFEFF${BODY}\r\n`, BODY],
  ['UTF-16', 'bom', Buffer.from(`\uFEFF${BODY}`, 'utf16le'), BODY],
  ['UTF-16 with CRLF, as PowerShell writes', 'bom', Buffer.from(`\uFEFF${BODY}\r\n`, 'utf16le'), BODY],
  ['UTF-16, big end first', 'bom', Buffer.from(`\uFEFF${BODY}`, 'utf16le').swap16(), BODY],
  ['UTF-16 of several lines', 'bom', Buffer.from(`\uFEFF${LINES.replaceAll('\n', '\r\n')}`, 'utf16le'), LINES],
  ['UTF-8 read as Latin-1', 'latin1', Buffer.from('{"n":"João"}').toString('latin1'), '{"n":"João"}'],
  ['UTF-8 read as Windows-1252', 'latin1', '{"n":"â‚¬ JoÃ£o"}', '{"n":"€ João"}'],
  ['written as Latin-1', 'latin1', Buffer.from('{"n":"João"}', 'latin1'), '{"n":"João"}'],
  ['written as Windows-1252', 'latin1', Buffer.from([0x22, 0x80, 0x93, 0xe3, 0x22]), '"€“ã"'],
  ['signed as Latin-1', 'latin1', '{"n":"João"}', Buffer.from('{"n":"João"}', 'latin1')],
  ['signed as Windows-1252', 'latin1', '"€“ã"', Buffer.from([0x22, 0x80, 0x93, 0xe3, 0x22])],
  ['signed after it was mangled', 'latin1', '{"n":"João"}', Buffer.from('{"n":"João"}').toString('latin1')],
  ['mangled twice', 'latin1', Buffer.from(Buffer.from('"João"').toString('latin1')).toString('latin1'), '"João"'],
  ['read as Latin-1 by a program that adds a line break', 'latin1', '{"n":"JoÃ£o"}\n', '{"n":"João"}'],
  ['spaces lost', 'reserialized', '{"a":1,"b":[1,2]}', '{"a": 1, "b": [1, 2]}'],
  ['decimals lost', 'reserialized', '{"amount":10.5}', '{"amount":10.50}'],
  ['a float made whole', 'reserialized', '{"amount":10,"n":3}', '{"amount": 10.0, "n": 3}'],
  ['escapes lost', 'reserialized', '{"n":"João/x"}', '{"n":"Jo\\u00e3o\\/x"}'],
  [
    'sorted',
    'reserialized',
    '{"data":{"amount":1,"idTransaction":"a"},"event":"e"}',
    '{"event":"e","data":{"idTransaction":"a","amount":1}}',
  ],
  ['a repeated name lost', 'reserialized', '{"a":1,"a":2}', '{"a":2}'],
  ['spaces and a mark', 'reserialized', '\uFEFF{"a":1,"b":2}', '{"a": 1, "b": 2}'],
  ['indented with CRLF', 'reserialized', '{"a":1,"b":2}', '{\r\n    "a": 1,\r\n    "b": 2\r\n}'],
]

test.each(CASES)('%s: %s', (_name, cause, given, signed) => {
  const diagnosis = found(given, signed)
  expect(diagnosis).toMatchObject({ cause, profile: null, secretIndex: 0 })
  expect(diagnosis.original).toEqual(Buffer.from(signed))
  expect(diagnosis.tried).toEqual(CAUSES.slice(0, CAUSES.indexOf(cause) + 1))
  expect(found(given, signed, 'the-previous-secret')).toMatchObject({ cause, secretIndex: 1 })
})

test('an empty body', () => {
  expect(found('', BODY)).toMatchObject({ cause: 'empty-body', original: null })
  expect(found(BODY, '')).toMatchObject({ cause: 'empty-body', original: null })
})

test.each(CASES)('finds no cause with an unknown secret: %s', (_name, _cause, given, signed) => {
  expect(found(given, signed, 'unknown')).toMatchObject({ cause: null, original: null, profile: null, secretIndex: 0 })
})

test.each(['\n', '\r\n', ' ', '\t', '\0'])('a secret followed by %j', (space) => {
  const expected = {
    cause: 'secret-whitespace',
    original: null,
    secretIndex: 0,
    tried: ['empty-body', 'secret-whitespace'],
  }
  expect(found(BODY, BODY, SECRET + space)).toMatchObject(expected)
  expect(found(BODY, BODY, `the-previous-secret${space}`)).toMatchObject({ ...expected, secretIndex: 1 })
})

test.each([` ${SECRET}`, ` ${SECRET} `, `\n${SECRET}\n`])('a secret like %j', (secret) => {
  expect(found(BODY, BODY, secret)).toMatchObject({ cause: 'secret-whitespace', original: null })
})

const ODD_SECRET = 'p+q/r%s t0123456789'

test.each([
  ['quotes', `"${SECRET}"`],
  ['quotes', `'${SECRET}'`],
  ['line-break', `${SECRET}\\n`],
  ['byte-order-mark', `\uFEFF${SECRET}`],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64', Buffer.from(`${SECRET}\n`).toString('base64')],
])('a secret that was changed by %s: %s', (secretChange, secret) => {
  expect(found(BODY, BODY, secret)).toMatchObject({ cause: 'secret-changed', secretChange, original: null })
  // The other way round: what is here was changed, not what the sender has.
  const body = Buffer.from(BODY)
  const here = { body, signature: signBody(body, SECRET), secrets: [secret], others: [] }
  if (secretChange !== 'base64')
    expect(diagnoseSignature(here)).toMatchObject({ cause: 'secret-changed', secretChange })
})

test.each([
  [ODD_SECRET, encodeURIComponent(ODD_SECRET)],
  [encodeURIComponent(ODD_SECRET), ODD_SECRET],
])('a secret with percent signs: %s, %s', (own, used) => {
  const body = Buffer.from(BODY)
  const diagnosis = diagnoseSignature({ body, signature: signBody(body, used), secrets: [own], others: [] })
  expect(diagnosis).toMatchObject({ cause: 'secret-changed', secretChange: 'percent-signs' })
})

test.each([
  ['json-string', JSON.stringify(BODY)],
  ['json-string', JSON.stringify(JSON.stringify(BODY))],
  ['json-string', JSON.stringify({ path: '/pix', body: BODY, isBase64Encoded: false })],
  ['base64', Buffer.from(BODY).toString('base64')],
  ['base64', JSON.stringify(Buffer.from(BODY).toString('base64'))],
  ['base64', JSON.stringify({ body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true })],
  ['buffer', JSON.stringify(Buffer.from(BODY))],
  ['buffer', JSON.stringify({ body: Buffer.from(BODY) })],
])('a body that was wrapped as %s: %s', (wrapping, given) => {
  expect(found(given, BODY)).toMatchObject({ cause: 'wrapped', wrapping, original: Buffer.from(BODY) })
})

it('knows the same JSON with other spaces', () => {
  expect(found('{ }', '{}')).toMatchObject({ cause: 'reserialized', original: Buffer.from('{}') })
  expect(found('{ "a": 1 }', '{}')).toMatchObject({ cause: 'wrong-construction' })
})

it('knows a signature that was cut off', () => {
  const body = Buffer.from(BODY)
  const about = { body, secrets: [SECRET], others: [] }
  const whole = signBody(body, SECRET)
  for (const signature of [
    whole.slice(0, 40),
    whole.slice(0, 63),
    `sha256=${whole.slice(0, 20)}`,
    `${whole.slice(0, 10)}…`,
  ]) {
    expect(diagnoseSignature({ ...about, signature })).toMatchObject({ cause: 'signature-cut', secretIndex: 0 })
  }
  const other = signBody(body, 'another').slice(0, 40)
  for (const signature of [other, whole.slice(0, 5)])
    expect(diagnoseSignature({ ...about, signature }).cause).toBeNull()
})

it('finds the profile', () => {
  const expected = {
    cause: 'other-profile',
    profile: 'prod',
    original: null,
    tried: ['empty-body', 'secret-whitespace', 'secret-changed', 'other-profile'],
  }
  expect(found(BODY, BODY, 'the-secret-of-prod')).toMatchObject(expected)
  expect(found(`${BODY}\n`, BODY, 'the-secret-of-prod').cause).toBeNull()
})

it('says what it did not look for', () => {
  const signature = signBody(Buffer.from('x'), 'unknown')
  const about = { signature, secrets: [SECRET], others: [] }
  const noJson = diagnoseSignature({ ...about, body: Buffer.from('hello') })
  expect(noJson).toMatchObject({ cause: null, isJson: false, isCutShort: false })
  const notLookedFor: readonly SignatureCause[] = ['other-profile', 'reserialized', 'signature-cut']
  expect(noJson.tried).toEqual(CAUSES.filter((cause) => !notLookedFor.includes(cause)))
  const deep = diagnoseSignature({ ...about, body: Buffer.from('['.repeat(5_000) + ']'.repeat(5_000)) })
  expect(deep).toMatchObject({ cause: null, isJson: false })
  const large = JSON.stringify({
    list: Array.from({ length: 4_000 }, (_, n) => ({ n, name: `João ${n}`, value: 10.5 })),
  })
  const cutShort = diagnoseSignature({ ...about, body: Buffer.from(large) })
  expect(cutShort).toMatchObject({ cause: null, isCutShort: true })
  expect(findingTexts(cutShort, Buffer.from(large))[0]).toContain('too large to try every cause')
  const noForms = diagnoseSignature({ ...about, body: Buffer.from('x'.repeat(3_000_000)) })
  expect(noForms).toMatchObject({ isJson: false, isCutShort: true })
  expect(diagnoseSignature({ ...about, body: Buffer.from(BODY) })).toMatchObject({ isJson: true, isCutShort: false })
})

test.each([
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ['a mark alone', Buffer.from('\uFEFF')],
  ['half a character', Buffer.from([0x22, 0xc3])],
  ['line breaks alone', Buffer.from('\r\n\r\r\n')],
  ['NUL', Buffer.alloc(100)],
])('finds nothing in %s, and does not throw', (_name, body) => {
  expect(found(body, 'something else', 'unknown')).toMatchObject({ cause: null, original: null })
})

it('gives random JSON back byte for byte, whoever has written it', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('João', 'a/b<c>', 10.5, true, null),
  )
  const object = fc.dictionary(fc.constantFrom('amount', 'event', 'data', 'zé', 'idTransaction', 'n'), value)
  fc.assert(
    fc.property(fc.record({ event: fc.string({ maxLength: 5 }), data: object }), fc.nat(), (event, pick) => {
      const given = JSON.stringify(event)
      const tree = readJsonTree(given)
      const texts = tree === undefined ? [] : [...writtenForms(tree)]
      const signed = texts[pick % texts.length] ?? ''
      fc.pre(signed !== given)
      const diagnosis = found(given, signed)
      expect(diagnosis.cause === 'reserialized' || diagnosis.cause === 'trailing-newline').toBe(true)
      expect(diagnosis.original?.toString()).toBe(signed)
    }),
    { numRuns: 30 },
  )
})
