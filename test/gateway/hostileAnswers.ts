import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** One way in which a server answers that means no good. It gets the body of a healthy answer, and writes until the socket is closed. */
export interface HostileAnswer {
  name: string
  write(socket: Socket, body: string): void
  /** The exit codes of a payment; unknown unless they are given. */
  post?: readonly number[]
  /** The exit codes of a query; no usable answer unless they are given. */
  query?: readonly number[]
}

const OK = 'HTTP/1.1 200 OK\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CHUNKED = `${OK}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`
const MIB = 1024 * 1024
const BLOCK = 'x'.repeat(64 * 1024)
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const whole = (body: string | Buffer, ...lines: string[]) =>
  Buffer.concat([
    Buffer.from(`${OK}${JSON_TYPE}${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ])

/** Writes the same again and again, as fast as it is read. */
function endlessly(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', more)
  more()
}

/** Writes one piece every so many ms. */
function dripping(socket: Socket, pieces: Iterable<string>, everyMs: number): void {
  const ahead = pieces[Symbol.iterator]()
  const timer = setInterval(() => {
    const { value, done } = ahead.next()
    if (done === true || socket.destroyed) clearInterval(timer)
    else socket.write(value)
  }, everyMs)
  socket.on('close', () => clearInterval(timer))
}

function* forever(text: string): Generator<string> {
  for (;;) yield text
}

const once = (name: string, answer: (body: string) => string | Buffer, exits: Partial<HostileAnswer> = {}) => ({
  name,
  write: (socket: Socket, body: string) => void socket.write(answer(body)),
  ...exits,
})
const closing = (name: string, answer: (body: string) => string | Buffer, exits: Partial<HostileAnswer> = {}) => ({
  name,
  write: (socket: Socket, body: string) => void socket.end(answer(body)),
  ...exits,
})
const endless = (name: string, begin: string, text: string) => ({
  name,
  write(socket: Socket) {
    socket.write(begin)
    endlessly(socket, text)
  },
})
const drip = (name: string, begin: string, text: string) => ({
  name,
  write(socket: Socket) {
    socket.write(begin)
    dripping(socket, forever(text), 50)
  },
})

const USABLE = { post: [0], query: [0] }
/** Which of both it is depends on how strictly the answer is read. */
const EITHER = { post: [0, 5], query: [0, 6] }

const bomb = gzipSync(Buffer.alloc(200 * MIB))

/** All of them. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  { name: 'not a byte', write: () => undefined },
  { name: 'the end at once', write: (socket) => void socket.end() },
  { name: 'a reset', write: (socket) => void socket.resetAndDestroy() },
  endless('an endless body', `${OK}${JSON_TYPE}\r\n`, BLOCK),
  endless('endless chunks', CHUNKED, chunk(BLOCK)),
  endless('endless chunks of one byte', CHUNKED, chunk(' ').repeat(1000)),
  endless('an endless extension of a chunk', `${CHUNKED}5;`, BLOCK),
  endless('endless trailers', `${CHUNKED}0\r\n`, `X-More: ${'x'.repeat(1000)}\r\n`),
  endless('an endless header', `${OK}X-Long: `, BLOCK),
  endless('endless headers', OK, `X-More: ${'x'.repeat(100)}\r\n`),
  endless('endless cookies', OK, `Set-Cookie: a=${'x'.repeat(100)}\r\n`),
  endless('an endless reason', 'HTTP/1.1 200 ', BLOCK),
  endless('an endless first line', '', BLOCK),
  endless('endless announcements', '', 'HTTP/1.1 100 Continue\r\n\r\n'),
  endless('endless early hints', '', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  endless('an endless length', `${OK}Content-Length: `, '1'.repeat(1000)),
  endless('endless JSON', `${OK}${JSON_TYPE}\r\n[`, '"x",'.repeat(10_000)),
  endless('endless depth', `${OK}${JSON_TYPE}\r\n`, '['.repeat(60_000)),
  drip('a dripping body', `${OK}${JSON_TYPE}Content-Length: 1000000\r\n\r\n{`, ' '),
  drip('a dripping head', 'HTTP/1.1 200 OK\r\nX-Slow: ', 'x'),
  drip('dripping chunks', CHUNKED, chunk(' ')),
  drip('dripping announcements', '', 'HTTP/1.1 102 Processing\r\n\r\n'),
  {
    name: 'a good answer, byte by byte',
    write: (socket, body) => dripping(socket, whole(body).toString('latin1'), 1),
    post: [0, 5],
    query: [0, 6],
  },
  once('a gzip bomb', () => whole(bomb, 'Content-Encoding: gzip\r\n')),
  once('a gzip bomb in chunks', () => Buffer.concat([Buffer.from(`${CHUNKED}${bomb.length.toString(16)}\r\n`), bomb])),
  once('a bomb that says deflate', () => whole(bomb, 'Content-Encoding: deflate\r\n')),
  once('text that says br', (body) => whole(body, 'Content-Encoding: br\r\n'), EITHER),
  once('a length above the body', (body) => `${OK}${JSON_TYPE}Content-Length: ${body.length + 1}\r\n\r\n${body}`),
  once('a length below the body', (body) => `${OK}${JSON_TYPE}Content-Length: 5\r\n\r\n${body}`),
  once('a negative length', (body) => `${OK}${JSON_TYPE}Content-Length: -1\r\n\r\n${body}`),
  once('a length above all numbers', (body) => `${OK}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`),
  once('two lengths', (body) => `${OK}Content-Length: 5\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  once(
    'a length and chunks',
    (body) => `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`,
    EITHER,
  ),
  once('an unknown coding', (body) => `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n${chunk(body)}0\r\n\r\n`, EITHER),
  once('a chunk above all numbers', (body) => `${CHUNKED}${'f'.repeat(20)}\r\n${body}`),
  once('a chunk of negative size', (body) => `${CHUNKED}-5\r\n${body}`),
  closing('chunks that break off', (body) => `${CHUNKED}${chunk(body)}`),
  once('a body with a 204', (body) => `HTTP/1.1 204 No Content\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  once('a body with a 304', (body) => `HTTP/1.1 304 Not Modified\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  once('another protocol', () => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
  once('HTTP/2', () => Buffer.from('000012040000000000000300000064', 'hex')),
  closing('HTTP/0.9', (body) => body),
  closing('HTTP/1.0 without a length', (body) => `HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n${body}`, USABLE),
  once('the status 999', (body) => `HTTP/1.1 999 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  once('the status 000', (body) => `HTTP/1.1 000 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  once('a NUL in a header', (body) => whole(body, 'X-Bad: a\0b\r\n')),
  once('a folded header', (body) => whole(body, 'X-Bad: a\r\n b\r\n'), EITHER),
  once('lines that end in LF', (body) => whole(body).toString('latin1').replaceAll('\r\n', '\n'), EITHER),
  once('two answers', (body) => Buffer.concat([whole(body), whole('{"status":"PAID"}')]), USABLE),
  once('10,000 headers', (body) => whole(body, 'X: y\r\n'.repeat(10_000))),
  once('8 MiB of JSON', () => whole(`{"a":"${'x'.repeat(8 * MIB)}"}`)),
  once('a depth of 100,000', () => whole('['.repeat(100_000) + ']'.repeat(100_000))),
  once('100,000 keys', () => whole(`{${Array.from({ length: 100_000 }, (_, nth) => `"${nth}":1`).join()}}`), {
    query: [0, 6],
  }),
  once('UTF-16', (body) => whole(Buffer.from(`\ufeff${body}`, 'utf16le'))),
  once('bytes that are no UTF-8', () => whole(Buffer.from('{"status":"\xff\xfe"}', 'latin1')), { query: [0, 6] }),
  once('a redirect to itself', () => 'HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
  once('a wait of a year', () => 'HTTP/1.1 429 Slow\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n', {
    post: [7],
    query: [7],
  }),
  once(
    'a wait until before Christ',
    () => 'HTTP/1.1 503 Slow\r\nRetry-After: Sat, 01 Jan -100 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n',
  ),
]
