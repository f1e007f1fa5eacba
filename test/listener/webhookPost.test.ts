import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { causeOfAnswer } from '../../src/listener/answerCause.ts'
import {
  type Header,
  openConnectionPoolTo,
  type PostLimits,
  type PostResult,
  postBytes,
} from '../../src/listener/webhookPost.ts'
import { makeCertificates } from '../gateway/certificates.ts'

const BODY = Buffer.from('{"a":1}')
const NEVER = new AbortController().signal

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A target that speaks with the bare socket once the whole request is there; it notes what it was sent. */
async function socketTarget(answer: (socket: Socket) => void): Promise<{ url: URL; requests: string[] }> {
  const requests: string[] = []
  const server = createSocketServer((socket) => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (!text.endsWith(BODY.toString())) return
      requests.push(text)
      text = ''
      answer(socket)
    })
  })
  return { url: new URL(`http://127.0.0.1:${await listening(server)}/hook`), requests }
}

async function httpTarget(listener: RequestListener): Promise<URL> {
  return new URL(`http://127.0.0.1:${await listening(createServer(listener))}/hook`)
}

async function post(
  url: URL,
  headers: readonly Header[] = [],
  { env = {}, ...more }: Partial<PostLimits> & { env?: Record<string, string> } = {},
): Promise<PostResult> {
  const connections = openConnectionPoolTo(url, env)
  const limits = { timeoutMs: 20_000, charactersMax: 500, signal: NEVER, ...more }
  return postBytes(connections, url, BODY, headers, limits).finally(() => connections.close())
}

function without({ ms, headers, ...rest }: PostResult): Omit<PostResult, 'ms' | 'headers'> {
  expect(headers).toBeTypeOf('object')
  expect(ms).toBeGreaterThanOrEqual(0)
  return rest
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe('what is sent', () => {
  it('keeps names, order and repetition, and gives host and length of its own', async () => {
    const { url, requests } = await socketTarget((socket) => socket.write(OK))
    url.search = '?a=b c'
    const result = await post(url, [
      ['Host', 'shop.example'],
      ['x-SIGNATURE', 'abc'],
      ['Connection', 'keep-alive'],
      ['X-Trace', '1'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '999'],
      ['Expect', '100-continue'],
      ['TE', 'trailers'],
      ['Trailer', 'X'],
      ['Upgrade', 'h2c'],
      ['Keep-Alive', 'timeout=5'],
      ['Proxy-Authorization', 'x'],
      ['X-Trace', '2'],
      ['content-type', 'application/json'],
    ])
    expect(without(result)).toEqual({ status: 200, body: 'ok', error: null })
    const lines = [
      'POST /hook?a=b%20c HTTP/1.1',
      `host: ${url.host}`,
      'connection: keep-alive',
      'x-SIGNATURE: abc',
      'X-Trace: 1',
      'X-Trace: 2',
      'content-type: application/json',
      'content-length: 7',
    ]
    expect(requests).toEqual([`${lines.join('\r\n')}\r\n\r\n${BODY}`])
  })

  it('keeps the bytes of a header that is not ASCII', async () => {
    const { url, requests } = await socketTarget((socket) => socket.write(OK))
    await post(url, [['X-Name', Buffer.from('ação').toString('latin1')]])
    expect(Buffer.from(requests[0] ?? '', 'latin1').toString('utf8')).toContain('X-Name: ação\r\n')
  })

  it('turns user name and password of the URL into a login', async () => {
    const { url, requests } = await socketTarget((socket) => socket.write(OK))
    url.username = 'me'
    url.password = 'p@ss'
    await post(url, [['Authorization', 'Bearer theirs']])
    expect(requests[0]?.match(/^authorization: .*/gim)).toEqual([`Authorization: Basic ${btoa('me:p@ss')}`])
  })

  it('is sent over the same connection one after the other', async () => {
    const ports = new Set<number | undefined>()
    const url = await httpTarget((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('x'.repeat(100_000))
    })
    const connections = openConnectionPoolTo(url, {})
    onTestFinished(() => connections.close())
    const limits = { timeoutMs: 20_000, charactersMax: 500, signal: NEVER }
    for (let count = 0; count < 3; count++) {
      expect((await postBytes(connections, url, BODY, [], limits)).body).toHaveLength(500)
    }
    expect(ports.size).toBe(1)
  })
})

describe('an answer', () => {
  it('is not followed when it redirects', async () => {
    let calls = 0
    const url = await httpTarget((_, response) => {
      calls++
      response.writeHead(307, { Location: '/elsewhere' }).end('moved')
    })
    expect(without(await post(url))).toEqual({ status: 307, body: 'moved', error: null })
    expect(calls).toBe(1)
  })

  const LONG = 'é'.repeat(3000)
  it.each<[string, Record<string, string>, Buffer, string]>([
    ['plain', {}, Buffer.from(LONG), LONG.slice(0, 500)],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync(LONG), LONG.slice(0, 500)],
    ['brotli', { 'content-encoding': 'br' }, brotliCompressSync(LONG), LONG.slice(0, 500)],
    ['broken gzip', { 'content-encoding': 'gzip' }, Buffer.from('no'), 'no'],
    ['packed in an unknown way', { 'content-encoding': 'zstd' }, Buffer.from('no'), 'no'],
    ['latin1', { 'content-type': 'text/plain; charset=ISO-8859-1' }, Buffer.from([0xe9]), 'é'],
    ['an unknown charset', { 'content-type': 'text/plain; charset=what' }, Buffer.from('é'), 'é'],
    ['no UTF-8', {}, Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['emoji', {}, Buffer.from('🦜'.repeat(1000)), '🦜'.repeat(500)],
    ['empty', {}, Buffer.alloc(0), ''],
  ])('is read as text: %s', async (_, headers, body, text) => {
    const url = await httpTarget((_, response) => response.writeHead(500, headers).end(body))
    expect(without(await post(url))).toEqual({ status: 500, body: text, error: null })
  })
})

describe('failures are explained in words', () => {
  it('a target without a listener', async () => {
    const server = createServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const { status, error } = await post(new URL(`http://127.0.0.1:${port}/a?token=x`))
    const message = `Nothing listens at http://127.0.0.1:${port}; is your server running?`
    expect([status, error]).toEqual([null, { code: 'ECONNREFUSED', message }])
  })

  it('a name that does not exist', async () => {
    const { error } = await post(new URL('http://no-such-name.invalid/'))
    expect(error?.message).toBe('The name no-such-name.invalid cannot be found')
  })

  it.each<[string, (socket: Socket) => void, number | null, string, string]>([
    ['silence', () => undefined, null, 'TIMEOUT', ' did not answer within 200 ms'],
    [
      'an answer that drips',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 10)
        socket.on('close', () => clearInterval(drip))
      },
      200,
      'TIMEOUT',
      ' answered 200, but its answer did not end within 200 ms',
    ],
    [
      'a head that drips',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const drip = setInterval(() => socket.write('X-A: 1\r\n'), 10)
        socket.on('close', () => clearInterval(drip))
      },
      null,
      'TIMEOUT',
      ' did not answer within 200 ms',
    ],
  ])('%s', async (_, answer, status, code, ending) => {
    const { url } = await socketTarget(answer)
    const result = await post(url, [], { timeoutMs: 200 })
    expect([result.status, result.error]).toEqual([status, { code, message: url.origin + ending }])
  })

  it.each<[string, (socket: Socket) => void, number | null, string]>([
    [
      'a reset',
      (socket) => socket.resetAndDestroy(),
      null,
      '<origin> closed the connection without an answer; did your server crash?',
    ],
    [
      'an end',
      (socket) => socket.end(),
      null,
      '<origin> closed the connection without an answer; did your server crash?',
    ],
    [
      'an answer that breaks off',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      200,
      '<origin> answered 200, but its answer broke off',
    ],
    [
      'no HTTP',
      (socket) => socket.end('220 smtp ready\r\n'),
      null,
      '<host> does not answer in HTTP (HPE_INVALID_RESPONSE); is it https?',
    ],
    [
      'an upgrade',
      (socket) => socket.end('HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      null,
      '<origin> closed',
    ],
  ])('%s', async (_, answer, status, sentence) => {
    const { url } = await socketTarget(answer)
    const result = await post(url)
    expect(result.status).toBe(status)
    expect(result.error?.message).toContain(sentence.replace('<origin>', url.origin).replace('<host>', url.host))
  })

  it('an https target with an untrusted certificate, and http instead of https', async () => {
    const certificates = makeCertificates()
    onTestFinished(certificates.remove)
    const port = await listening(createSecureServer(certificates.right, (_, response) => response.end()))
    const { error } = await post(new URL(`https://127.0.0.1:${port}/`))
    expect(error?.message).toMatch(/^This machine does not trust the certificate of 127\.0\.0\.1:\d+/)
    const plain = await httpTarget((_, response) => response.end())
    const swapped = await post(new URL(plain.href.replace('http:', 'https:')))
    expect(swapped.error?.message).toBe(`${plain.host} does not speak https; is it http?`)
  })

  it('a header that cannot be sent', async () => {
    const url = await httpTarget((_, response) => response.end())
    for (const header of [
      ['X-A', 'a\r\nX-B: c'],
      ['X A', 'b'],
      ['', 'b'],
      ['X-A', '漢'],
    ] as const) {
      const { status, error } = await post(url, [header])
      expect([status, error?.message]).toEqual([null, expect.stringContaining('It has a header that cannot be sent')])
    }
  })

  it('an interrupt, before and during', async () => {
    const { url } = await socketTarget(() => controller.abort())
    const controller = new AbortController()
    const during = await post(url, [], { signal: controller.signal })
    const before = await post(url, [], { signal: controller.signal })
    const error = { code: 'CANCELLED', message: `It was interrupted before ${url.origin} had answered` }
    expect([during, before].map(without)).toEqual([0, 1].map(() => ({ status: null, body: '', error })))
  })
})

it.each([
  [200, {}, null],
  [204, {}, 'not-200'],
  [302, { headers: { location: '/shop' } }, 'redirect'],
  [302, { headers: { location: 'https://a.example/login?next=/pix' } }, 'login'],
  [401, {}, null],
  [401, { headers: { 'www-authenticate': 'Basic' } }, 'login'],
  [403, {}, null],
  [403, { body: '<p>CSRF verification failed.' }, 'csrf'],
  [419, {}, 'csrf'],
  [404, {}, 'wrong-path'],
  [405, {}, 'wrong-method'],
  [413, {}, 'too-large'],
  [415, {}, 'content-type'],
  [418, {}, null],
  [429, {}, 'rate-limit'],
  [503, {}, 'crash'],
  [401, { headers: { 'x-pixgate-listener': 'a' } }, 'listener'],
] as const)('knows what an answer proves: %s %o', (status, more, cause) => {
  expect(causeOfAnswer({ status, ms: 1, ...more })).toBe(cause)
})
