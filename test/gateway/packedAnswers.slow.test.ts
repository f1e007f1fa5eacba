import { createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { emptyWorld } from '../world.ts'
import { readRequests } from './rawHttp.ts'

const ID = '11111111-2222-4333-8444-555555555555'
const BODY = JSON.stringify({ idTransaction: ID, status: 'PROCESSING', statusTransaction: 'PROCESSING' })
const JSON_TYPE = 'content-type: application/json\r\n'

function answer(body: string | Buffer, headers = JSON_TYPE, status = '200 OK'): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${headers}content-length: ${bytes.length}\r\n\r\n`), bytes])
}

const packed = (encoding: string, body: string | Buffer) =>
  answer(body, `${JSON_TYPE}content-encoding: ${encoding}\r\n`)
const before = (head: string) => Buffer.concat([Buffer.from(head), answer(BODY)])

/** Answers that servers and proxies really give, and how a transfer ends with each: 0 where the answer is whole, else 5. */
const ANSWERS: Readonly<Record<string, readonly [bytes: Buffer, exit: 0 | 5, closes?: boolean]>> = {
  plain: [answer(BODY), 0],
  gzip: [packed('gzip', gzipSync(BODY)), 0],
  'gzip, in capitals': [packed('GZIP', gzipSync(BODY)), 0],
  br: [packed('br', brotliCompressSync(BODY)), 0],
  deflate: [packed('deflate', deflateSync(BODY)), 0],
  'deflate without its header': [packed('deflate', deflateRawSync(BODY)), 0],
  'two encodings': [packed('gzip, br', brotliCompressSync(gzipSync(BODY))), 0],
  identity: [packed('identity', BODY), 0],
  'gzip that is none': [packed('gzip', BODY), 0],
  'gzip that is cut': [packed('gzip', gzipSync(BODY).subarray(0, -12)), 5],
  'gzip that becomes too large': [packed('gzip', gzipSync(Buffer.alloc(2 ** 23, ' '))), 5],
  'gzip without a word': [answer(gzipSync(BODY)), 5],
  'an encoding that nobody knows': [packed('secret', Buffer.from([1, 2, 3])), 5],
  bom: [answer(`\ufeff${BODY}`), 0],
  '102': [before('HTTP/1.1 102 Processing\r\n\r\n'), 0],
  '103': [before('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 0],
  'several of 1xx': [before('HTTP/1.1 199 X\r\n\r\nHTTP/1.1 102 X\r\n\r\n'), 0],
  // undici gives up the connection, so that they are named.
  '100 that nobody asked for': [before('HTTP/1.1 100 Continue\r\n\r\n'), 5],
  '101 that nobody asked for': [
    before('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    5,
  ],
  '101 without a protocol': [before('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 5],
  'a head of 64 KiB': [answer(BODY, JSON_TYPE + `x-policy: ${'v'.repeat(1011)}\r\n`.repeat(63)), 0],
  '300 headers': [answer(BODY, JSON_TYPE + 'x-h: v\r\n'.repeat(300)), 0],
  trailers: [
    Buffer.from(
      `HTTP/1.1 200 OK\r\n${JSON_TYPE}transfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\nx-sum: 1\r\n\r\n`,
    ),
    0,
  ],
  'HTTP/1.0': [Buffer.from(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n${BODY}`), 0, true],
  'no content type': [answer(BODY, ''), 0],
  html: [answer(BODY, 'content-type: text/html\r\n'), 0],
  'Latin-1': [answer(Buffer.from(BODY.replace('{', '{"payerName":"JO\xc3O",'), 'latin1')), 0],
  'line breaks before it': [answer(`\r\n\r\n  ${BODY}\r\n`), 0],
  '201': [answer(BODY, JSON_TYPE, '201 Created'), 0],
  '202': [answer(BODY, JSON_TYPE, '202 Accepted'), 0],
  'no phrase': [Buffer.from(`HTTP/1.1 200\r\n${JSON_TYPE}content-length: ${BODY.length}\r\n\r\n${BODY}`), 0],
  '204': [Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), 5],
  empty: [answer(''), 5],
  array: [answer(`[${BODY}]`), 5],
  'two objects': [answer(BODY + BODY), 5],
  'UTF-16': [answer(Buffer.from(`\ufeff${BODY}`, 'utf16le')), 5],
  'a guard against scripts': [answer(`)]}',\n${BODY}`), 5],
  'a length twice': [
    Buffer.from(`HTTP/1.1 200 OK\r\n${JSON_TYPE}${`content-length: ${BODY.length}\r\n`.repeat(2)}\r\n${BODY}`),
    5,
  ],
  cut: [answer(BODY).subarray(0, -5), 5, true],
  'lines that end with LF': [
    Buffer.from(`HTTP/1.1 200 OK\ncontent-type: application/json\ncontent-length: ${BODY.length}\n\n${BODY}`),
    5,
  ],
  '308': [answer('', 'location: http://127.0.0.1:1/\r\n', '308 Permanent Redirect'), 5],
  '12 MB': [answer(BODY.replace('}', `,"pad":"${'x'.repeat(12e6)}"}`)), 5],
}

it.each(Object.keys(ANSWERS))('sends once, and takes only a whole answer for accepted: %s', async (name) => {
  const [bytes, exit, closes = false] = ANSWERS[name] ?? [Buffer.alloc(0), 0]
  const encodings: (string | undefined)[] = []
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined)
    const requests = readRequests(socket)
    for (let head = await requests.head(); head !== undefined; head = await requests.head()) {
      await requests.body()
      encodings.push(head.headers['accept-encoding'])
      socket.write(bytes)
      if (closes) socket.end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const world = emptyWorld({
    PIXGATE_BASE_URL: `http://127.0.0.1:${port}`,
    PIXGATE_CLIENT_ID: 'a',
    PIXGATE_CLIENT_SECRET: 's',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:4242/',
  })
  const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes', '-o', 'json', '--timeout', '5s']
  const ran = await world.run(transfer)
  expect([ran.exit, encodings], ran.stderr).toEqual([exit, ['identity']])
  if (exit === 0) expect(JSON.parse(ran.stdout)).toMatchObject({ idTransaction: ID })
  else
    expect(JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { outcome: 'unknown' } })
  if (name.endsWith('nobody asked for')) expect(ran.stderr).toContain('began with HTTP 100 or 101')
})
