import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { idsOf, interrupt, linesOf, listeningHere, recordedEvents, startListening } from './listening.ts'
import { exchange, openRaw, rawPost } from './rawExchange.ts'
import { eventBody, signature } from './webhooks.ts'

const MIB = 1024 * 1024
const REQUEST_LINE = 'POST /hook HTTP/1.1\r\n'
const HOST = 'Host: 127.0.0.1\r\n'
const CLOSE = 'Connection: close\r\n'

const GENUINE = eventBody('genuine')
const SIGNED = `X-Signature: ${signature(GENUINE)}\r\n`
const LENGTH = `Content-Length: ${GENUINE.length}\r\n`
const TEXT = GENUINE.toString('latin1')
const WHOLE_CHUNK = `${GENUINE.length.toString(16)}\r\n${TEXT}\r\n0\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** What is sent, what is answered, and whether the event is recorded. */
interface Framing {
  name: string
  bytes: string | Buffer
  statuses: number[]
  isRecorded?: boolean
}

const head = (...lines: string[]) => `${REQUEST_LINE}${HOST}${CLOSE}${SIGNED}${lines.join('')}\r\n`
const taken = (name: string, bytes: string | Buffer): Framing => ({ name, bytes, statuses: [200], isRecorded: true })
const rejected = (name: string, status: number, bytes: string | Buffer): Framing => ({
  name,
  bytes,
  statuses: [status],
})

const zipped = gzipSync(GENUINE)
const exactly = eventBody('large', MIB - eventBody('large').length)
const over = eventBody('large', MIB - eventBody('large').length + 1)
const signedLine = (body: Buffer) => `X-Signature: ${signature(body)}`

const FRAMINGS: Framing[] = [
  taken('a length', head(LENGTH) + TEXT),
  taken('a length twice the same', head(LENGTH, LENGTH.replace('Content', 'content')).replace(LENGTH, '') + TEXT),
  taken('one chunk', head(CHUNKED) + WHOLE_CHUNK),
  taken('a chunk for each byte', `${head(CHUNKED)}${[...TEXT].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
  taken('an extension of a chunk', head(CHUNKED) + WHOLE_CHUNK.replace('\r\n', ';a=b\r\n')),
  taken('a trailer', head(CHUNKED, 'Trailer: X-More\r\n') + WHOLE_CHUNK.replace(/\r\n$/, 'X-More: 1\r\n\r\n')),
  taken('HTTP/1.0', `${head(LENGTH).replace('1.1', '1.0')}${TEXT}`),
  taken('HTTP/1.0 without a host', `${head(LENGTH).replace('1.1', '1.0').replace(HOST, '')}${TEXT}`),
  taken('a query', head(LENGTH).replace('/hook', '/hook?a=b&c=%20') + TEXT),
  taken('a host with a port', head(LENGTH).replace(HOST, 'Host: localhost:4242\r\n') + TEXT),
  taken('an IPv6 host', head(LENGTH).replace(HOST, 'Host: [::1]:4242\r\n') + TEXT),
  taken('another content type', head(LENGTH, 'Content-Type: text/plain\r\n') + TEXT),
  taken(
    'a request to upgrade',
    head(LENGTH, 'Upgrade: websocket\r\n').replace(CLOSE, 'Connection: Upgrade, close\r\n') + TEXT,
  ),
  taken('exactly 1 MiB', rawPost(exactly, [signedLine(exactly)])),
  rejected('both framings', 400, head(CHUNKED, LENGTH) + WHOLE_CHUNK),
  rejected('both framings, the other way round', 400, head(LENGTH, CHUNKED) + WHOLE_CHUNK),
  rejected('two lengths', 400, head(LENGTH, 'Content-Length: 5\r\n') + TEXT),
  rejected('two lengths in one', 400, head(`Content-Length: ${GENUINE.length}, ${GENUINE.length}\r\n`) + TEXT),
  rejected('a length with a sign', 400, head(`Content-Length: +${GENUINE.length}\r\n`) + TEXT),
  rejected('a negative length', 400, head('Content-Length: -1\r\n') + TEXT),
  rejected('a length in hex', 400, head(`Content-Length: 0x${GENUINE.length.toString(16)}\r\n`) + TEXT),
  rejected('a chunk that is not hex', 400, `${head(CHUNKED)}zz\r\n${TEXT}`),
  rejected('a chunk of more bytes than there are numbers', 400, `${head(CHUNKED)}fffffffffffffffff\r\n${TEXT}`),
  rejected('chunked twice', 400, head('Transfer-Encoding: chunked, gzip\r\n') + WHOLE_CHUNK),
  rejected('an unknown transfer coding', 400, head('Transfer-Encoding: xchunked\r\n') + WHOLE_CHUNK),
  rejected('a compressed body', 400, rawPost(zipped, [`X-Signature: ${signature(zipped)}`, 'Content-Encoding: gzip'])),
  rejected('an empty body', 400, rawPost(Buffer.alloc(0), [`X-Signature: ${signature(Buffer.alloc(0))}`])),
  rejected('an empty body without a signature', 401, rawPost(Buffer.alloc(0), [])),
  rejected('a length that is too small', 400, head(`Content-Length: ${GENUINE.length - 1}\r\n`) + TEXT),
  rejected('more than 1 MiB', 413, rawPost(over, [signedLine(over)])),
  rejected('the promise of a gigabyte', 413, head('Content-Length: 1073741824\r\n')),
  rejected(
    'more than 1 MiB in chunks',
    413,
    `${head(CHUNKED)}${over.length.toString(16)}\r\n${over.toString('latin1')}\r\n0\r\n\r\n`,
  ),
  rejected('chunked after another coding', 400, head('Transfer-Encoding: identity\r\n', CHUNKED) + WHOLE_CHUNK),
  rejected('chunks of HTTP/1.0', 400, `${head(CHUNKED).replace('1.1', '1.0')}${WHOLE_CHUNK}`),
  rejected('a space before the colon', 400, head(CHUNKED.replace(':', ' :')) + WHOLE_CHUNK),
  rejected('a folded header', 400, head('Transfer-Encoding:\r\n chunked\r\n') + WHOLE_CHUNK),
  rejected('lines that end in LF', 400, head(LENGTH).replaceAll('\r\n', '\n') + TEXT),
  rejected('a header behind LF', 400, head('X: y\nTransfer-Encoding: chunked\r\n', LENGTH) + TEXT),
  rejected('a NUL', 400, head('X: a\0b\r\n', LENGTH) + TEXT),
  rejected('chunks whose lines end in LF', 400, head(CHUNKED) + WHOLE_CHUNK.replaceAll('\r\n', '\n')),
  rejected('a space behind the size of a chunk', 400, head(CHUNKED) + WHOLE_CHUNK.replace('\r\n', ' \r\n')),
  rejected('more behind a chunk than its size says', 400, head(CHUNKED) + WHOLE_CHUNK.replace('\r\n0', 'XX0')),
  rejected('a length in a trailer', 400, head(CHUNKED) + WHOLE_CHUNK.replace(/\r\n$/, 'Content-Length: 3\r\n\r\n')),
  rejected('two hosts', 400, head('Host: 127.0.0.1\r\n', LENGTH) + TEXT),
  rejected('two hosts, one of a stranger', 400, head('Host: evil.example\r\n', LENGTH) + TEXT),
  rejected('two signatures, one behind 2,000 headers', 401, head('a: b\r\n'.repeat(2_100), SIGNED, LENGTH) + TEXT),
  rejected('HTTP/1.1 without a host', 400, head(LENGTH).replace(HOST, '') + TEXT),
  rejected("a stranger's host", 421, head(LENGTH).replace(HOST, 'Host: evil.example\r\n') + TEXT),
  rejected(
    "a stranger's host that begins like ours",
    421,
    head(LENGTH).replace(HOST, 'Host: 127.0.0.1.evil.example\r\n') + TEXT,
  ),
  rejected('a host that is none', 421, head(LENGTH).replace(HOST, 'Host: a b\r\n') + TEXT),
  rejected('GET', 405, `GET /hook HTTP/1.1\r\n${HOST}${CLOSE}\r\n`),
  rejected('PUT', 405, head(LENGTH).replace('POST', 'PUT') + TEXT),
  rejected('OPTIONS', 405, `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`),
  rejected('a method that does not exist', 400, head(LENGTH).replace('POST', 'SEND') + TEXT),
  rejected('a head of 100 KB', 431, head(`X-Long: ${'x'.repeat(100_000)}\r\n`)),
  rejected('no HTTP', 400, 'hello\r\n\r\n'),
  rejected('another version', 400, head(LENGTH).replace('1.1', '3.0') + TEXT),
  rejected('TLS', 400, Buffer.from('1603010200010001fc0303', 'hex')),
]

it('reads a request as the standard says, or rejects it', { timeout: 60_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const wrong: string[] = []
  for (const { name, bytes, statuses } of FRAMINGS) {
    const answered = await exchange(listening.port, bytes)
    if (answered.join() !== statuses.join()) wrong.push(`${name}: ${answered.join()} and not ${statuses.join()}`)
  }
  expect(wrong).toEqual([])
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  const times = FRAMINGS.filter(({ isRecorded }) => isRecorded).length
  const events = await recordedEvents(world)
  expect(idsOf(events)).toEqual(['genuine', 'large'])
  const shown = linesOf(listening).filter(({ type, valid }) => type === 'event' && valid === true)
  expect(shown).toHaveLength(times)
  expect(shown.filter(({ duplicate }) => duplicate === true)).toHaveLength(times - 2)
})

it('answers pipelined requests on a connection', async () => {
  const world = emptyWorld()
  const listening = await listeningHere(world)
  const bodies = ['a', 'b', 'c'].map((id) => eventBody(id))
  const requests = bodies.map((body) => rawPost(body, [signedLine(body)], { closes: false }))
  const pipelined = await openRaw(listening.port)
  pipelined.socket.write(Buffer.concat(requests))
  expect(await pipelined.answers(3)).toEqual([200, 200, 200])
  // A request behind one that is rejected is read as a request of its own, and not as its body.
  const smuggled = await exchange(listening.port, `${head(CHUNKED, LENGTH)}0\r\n\r\n${requests[0]?.toString('latin1')}`)
  expect(smuggled).toEqual([400])
  const afterLarge = Buffer.concat([
    rawPost(over, [signedLine(over)], { closes: false }),
    rawPost(GENUINE, [signedLine(GENUINE)]),
  ])
  expect((await exchange(listening.port, afterLarge))[0]).toBe(413)
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  expect(idsOf(await recordedEvents(world)).slice(0, 3)).toEqual(['a', 'b', 'c'])
})

it('supports Expect: 100-continue, and answers a sender that has closed its half of the connection', async () => {
  const world = emptyWorld()
  const listening = await listeningHere(world)
  const polite = await openRaw(listening.port)
  polite.socket.write(head(LENGTH, 'Expect: 100-continue\r\n'))
  expect(await polite.answers(1)).toEqual([100])
  polite.socket.write(TEXT)
  expect(await polite.closed).toEqual([100, 200])
  const half = await openRaw(listening.port)
  half.socket.end(rawPost(eventBody('half'), [signedLine(eventBody('half'))]))
  expect(await half.closed).toEqual([200])
  const gone = await openRaw(listening.port)
  gone.socket.write(rawPost(eventBody('gone'), [signedLine(eventBody('gone'))]))
  gone.socket.resetAndDestroy()
  const cut = await openRaw(listening.port)
  cut.socket.end(head(`Content-Length: ${GENUINE.length + 1}\r\n`) + TEXT)
  expect((await cut.closed).includes(200)).toBe(false)
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  const ids = idsOf(await recordedEvents(world))
  expect(ids.slice(0, 2)).toEqual(['genuine', 'half'])
})
