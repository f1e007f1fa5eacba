import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { Malformed } from '../../src/pix/expectedError.ts'
import { readDelivery, readRawRequest, valuesOf } from '../../src/wire/rawRequest.ts'

const BODY = '{"a":"é"}'
const LENGTH = Buffer.byteLength(BODY)

function read(text: string) {
  const { headers, body, missingBytes } = readDelivery(Buffer.from(text))
  return { headers, body: body.toString(), missingBytes }
}

test.each([
  ['CRLF', `POST /x?y=1 HTTP/1.1\r\nHost: a\r\nX-Signature: s\r\n\r\n${BODY}`],
  ['LF', `POST /x?y=1 HTTP/1.1\nHost: a\nX-Signature: s\n\n${BODY}`],
  ['no request line', `Host: a\nX-Signature: s\n\n${BODY}`],
  ['another version', `POST / HTTP/2\r\nHost: a\r\nX-Signature: s\r\n\r\n${BODY}`],
  ['white space around values', `POST / HTTP/1.1\r\nHost:\ta \r\nX-Signature:s\t \r\n\r\n${BODY}`],
])('reads a request with %s', (_name, text) => {
  expect(read(text)).toEqual({
    headers: [
      ['Host', 'a'],
      ['X-Signature', 's'],
    ],
    body: BODY,
    missingBytes: 0,
  })
})

it('keeps repeated headers, empty ones, and the bytes of the body', () => {
  const bytes = Buffer.concat([Buffer.from('A: 1\na: 2\nB:\n\n'), Buffer.from([0, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x80])])
  const { headers, body } = readDelivery(bytes)
  expect(headers).toEqual([
    ['A', '1'],
    ['a', '2'],
    ['B', ''],
  ])
  expect(body).toEqual(Buffer.from([0, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x80]))
  expect(valuesOf(headers, 'A')).toEqual(['1', '2'])
  expect(valuesOf(headers, 'c')).toEqual([])
})

test.each([
  ['exact', LENGTH, BODY, 0],
  ['shorter than what follows', LENGTH - 2, BODY.slice(0, -2), -2],
  ['longer than what follows', LENGTH + 3, BODY, 3],
  ['nothing', 0, '', -LENGTH],
])('cuts the body to its length: %s', (_name, length, body, missingBytes) => {
  expect(read(`Content-Length: ${length}\r\n\r\n${BODY}`)).toMatchObject({ body, missingBytes })
})

it('accepts a repeated Content-Length', () => {
  expect(read(`content-length: 1\nContent-Length: 1\n\n${BODY}`).body).toBe('{')
})

test.each([
  ['one chunk', 'a\r\n{"a":"é"}\r\n0\r\n\r\n'],
  ['several', '1\r\n{\r\n8;ext=1\r\n"a":"é"\r\n1\r\n}\r\n0\r\n\r\n'],
  ['LF', 'a\n{"a":"é"}\n0\n\n'],
  ['capitals, zeros, trailers', '0A\r\n{"a":"é"}\r\n0\r\nX-Signature: t\r\n\r\n'],
  ['nothing behind the last', 'a\r\n{"a":"é"}\r\n0\r\n'],
])('puts chunks together: %s', (_name, chunks) => {
  const { headers, body } = read(`Transfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n${chunks}`)
  expect(body).toBe(BODY)
  expect(valuesOf(headers, 'x-signature')).toEqual([])
})

const EVENT = {
  type: 'event',
  n: 3,
  bodyBase64: Buffer.from(BODY).toString('base64'),
  headers: { 'x-signature': 's', a: ['1', '2'] },
}
const LINE = JSON.stringify(EVENT)

test.each([
  ['a line', LINE],
  ['a line and its end', `${LINE}\n`],
  ['indented', JSON.stringify(EVENT, null, 2)],
  ['with a mark', `\uFEFF${LINE}`],
  ['an array of one', `[${LINE}]`],
  ['among other lines', `{"type":"ready"}\r\n${LINE}\r\n\r\n{"type":"summary"}\r\n`],
])('reads an event of `listen`: %s', (_name, text) => {
  expect(read(text)).toEqual({
    headers: [
      ['x-signature', 's'],
      ['a', '1'],
      ['a', '2'],
    ],
    body: BODY,
    missingBytes: 0,
  })
})

test.each([
  ['nothing', ''],
  ['a body alone', BODY],
  ['no blank line', 'POST / HTTP/1.1\r\nHost: a\r\n'],
  ['a line that is not a header', 'POST / HTTP/1.1\r\nHost a\r\n\r\n'],
  ['a folded header', 'A: 1\r\n 2\r\n\r\n'],
  ['a space before the colon', 'A : 1\r\n\r\n'],
  ['a request line further down', 'A: 1\r\nPOST / HTTP/1.1\r\n\r\n'],
  ['a length that is not a number', 'Content-Length: x\r\n\r\n'],
  ['a length below zero', 'Content-Length: -1\r\n\r\n'],
  ['an empty length', 'Content-Length:\r\n\r\n'],
  ['a list of lengths', 'Content-Length: 1, 1\r\n\r\n'],
  ['a length too long to be one', `Content-Length: ${'9'.repeat(20)}\r\n\r\n`],
  ['two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['another coding', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['chunked without chunks', `Transfer-Encoding: chunked\r\n\r\n${BODY}`],
  ['no chunk at all', 'Transfer-Encoding: chunked\r\n\r\n'],
  ['a chunk that ends early', 'Transfer-Encoding: chunked\r\n\r\nff\r\nabc\r\n0\r\n\r\n'],
  ['a chunk that ends late', 'Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n'],
  ['no last chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
  ['a chunk size below zero', 'Transfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n'],
  ['a chunk size that no file has', 'Transfer-Encoding: chunked\r\n\r\nffffffffff\r\na\r\n0\r\n\r\n'],
  ['an event without its body', '{"type":"event","headers":{}}'],
  ['an event whose body is null', '{"bodyBase64":null,"headers":{}}'],
  ['an event whose body is not Base64', '{"bodyBase64":"é","headers":{}}'],
  ['an event whose Base64 is cut', '{"bodyBase64":"abc","headers":{}}'],
  ['an event without headers', '{"bodyBase64":"YQ=="}'],
  ['an event whose headers are a list', '{"bodyBase64":"YQ==","headers":["x-signature"]}'],
  ['an event with a header that is not text', '{"bodyBase64":"YQ==","headers":{"x-signature":5}}'],
  ['two events', `${LINE}\n${LINE}`],
  ['lines without an event', '{"type":"ready"}\n{"type":"summary"}'],
  ['an empty array', '[]'],
  ['half a line', LINE.slice(0, -5)],
])('refuses %s', (_name, text) => {
  expect(() => read(text)).toThrow(Malformed)
})

it('never fails in any other way, whatever the bytes', () => {
  const part = fc.constantFrom(
    'POST / HTTP/1.1',
    '\r\n',
    '\n',
    '\r\n\r\n',
    'Content-Length: ',
    '5',
    'Transfer-Encoding: chunked',
    '{',
    '"bodyBase64":',
    '[',
    ']',
    '}',
    '"',
    ':',
    ' ',
    '\0',
    'é',
  )
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.array(part, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
  )
  fc.assert(
    fc.property(bytes, (input) => {
      for (const reader of [readDelivery, readRawRequest]) {
        try {
          expect(reader(Buffer.from(input)).body).toBeInstanceOf(Buffer)
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed)
          expect(error).toMatchObject({ hint: expect.stringMatching(/./) })
        }
      }
    }),
    { numRuns: 1_000 },
  )
})
