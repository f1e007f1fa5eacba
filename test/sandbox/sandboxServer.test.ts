import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import { startSandbox } from '../../src/sandbox/sandboxServer.ts'
import { CREDENTIALS, NOWHERE, SECRET, startReceiver, startWorld, type World } from './sandboxWorld.ts'

const QR_PATH = '/api/v2/gateway/request-qrcode'
const HEAD = `POST ${QR_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRET}\r\n`

function dial(world: World): Socket {
  const socket = connect(world.running.port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

async function raw(world: World, request: string): Promise<string> {
  const socket = dial(world)
  socket.write(request)
  return text(socket)
}

describe('requests', () => {
  test.each([
    ['GET', QR_PATH, 'POST'],
    ['PUT', QR_PATH, 'POST'],
    ['OPTIONS', '/api/v1/gateway/pix-payment', 'POST'],
    ['GET', '/api/v2/gateway/pix-refund', 'POST'],
    ['POST', '/api/v2/gateway/consult-transaction', 'GET'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const world = await startWorld()
    const { status, headers, body } = await world.call(path, { method, headers: CREDENTIALS })
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(body).toMatchObject({ statusCode: 405, error: 'Method Not Allowed' })
  })

  test.each([
    '/',
    '/api',
    `${QR_PATH}/`,
    '/api/v1/gateway/request-qrcode',
    '/api/v2/gateway/pix-payment',
    '//',
    '/api/..%2fsandbox/state',
    '/__proto__',
  ])('nothing is at %s', async (path) => {
    const world = await startWorld()
    expect(await world.post(path, {})).toMatchObject({ status: 404, body: { statusCode: 404, error: 'Not Found' } })
  })

  test.each(['', 'nonsense', '{', '[]', 'null', '"text"', '7', '{"a":1}x', '\u0000'])(
    'the body %j is not a JSON object',
    async (body) => {
      const world = await startWorld()
      expect(await world.post(QR_PATH, body)).toMatchObject({ status: 400, body: { message: 'INVALID_AMOUNT' } })
      for (const path of ['/api/v2/gateway/pix-refund', '/api/v1/gateway/pix-payment']) {
        expect(await world.post(path, body)).toMatchObject({ status: 400, body: { message: 'WRONG_DATA_FORMAT' } })
      }
    },
  )

  test('a body that is not UTF-8 is not JSON', async () => {
    const world = await startWorld()
    const body = Buffer.from('{"requestNumber":"Jos\xe9"}', 'latin1')
    const answer = await world.call(QR_PATH, { method: 'POST', headers: CREDENTIALS, body })
    expect(answer).toMatchObject({ status: 400, body: { details: 'The body is not JSON' } })
  })

  test.each([undefined, 'text/plain', 'application/json; charset=utf-8', 'nonsense'])(
    'the content type %s does not matter',
    async (type) => {
      const world = await startWorld()
      const body = JSON.stringify({ requestNumber: '1', dueDate: '2026-11-22', amount: 1, callbackUrl: NOWHERE })
      const headers: Record<string, string> = {
        ...CREDENTIALS,
        ...(type === undefined ? {} : { 'Content-Type': type }),
      }
      const answer = await world.call(QR_PATH, { method: 'POST', headers, body: Buffer.from(body) })
      expect(answer.status).toBe(200)
    },
  )

  test('a body up to 1 MiB is read, a larger one refused with 413, after the credentials', async () => {
    const world = await startWorld()
    const padded = (bytes: number) => '{"amount":1}'.padEnd(bytes)
    expect((await world.post(QR_PATH, padded(1024 * 1024))).body.details).toContain('`dueDate` is required')
    for (const bytes of [1024 * 1024 + 1, 3_000_000]) {
      expect(await world.post(QR_PATH, padded(bytes))).toMatchObject({ status: 413, body: { statusCode: 413 } })
    }
    expect((await world.post(QR_PATH, padded(3_000_000), {})).status).toBe(401)
    expect((await world.state()).payments).toEqual([])
  })

  test('names of inherited properties are ordinary keys', async () => {
    const world = await startWorld()
    const body = '{"__proto__":{"amount":1},"constructor":1,"toString":2,"requestNumber":"1"}'
    expect((await world.post(QR_PATH, body)).body.details).toContain('`amount` is required')
  })

  test('logs one line per request, without secrets', async () => {
    const world = await startWorld()
    await world.cashIn()
    await world.status('paid-1', { Authorization: 'Bearer hunter2' })
    expect(world.lines).toEqual([
      'POST /api/v2/gateway/request-qrcode: 200 (0 ms)',
      'GET /api/v2/gateway/consult-transaction: 401 (0 ms)',
    ])
  })
})

describe('connections', () => {
  test.each<[string, string, string]>([
    ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    ['a huge header', `${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
    ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, '400 Bad Request'],
    ['a length and chunks', `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, '400 Bad Request'],
    [
      'another coding before the chunks',
      `${HEAD}Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400 Bad Request',
    ],
    ['a chunk that is not hex', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, '400 Bad Request'],
    ['a folded coding', `${HEAD}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`, '400 Bad Request'],
    [
      'chunks of HTTP/1.0',
      `${HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400 Bad Request',
    ],
    [
      'two hosts for a control',
      `${HEAD.replace(/ \S+ /, ' /sandbox/reset ')}Host: evil.example\r\nContent-Length: 0\r\n\r\n`,
      '400 Bad Request',
    ],
    ['two hosts', `${HEAD}Host: evil.example\r\nContent-Length: 0\r\n\r\n`, '400 Bad Request'],
  ])('%s is answered with the error body and closed', async (_name, request, status) => {
    const world = await startWorld()
    const answer = await raw(world, request)
    expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: Number(status.slice(0, 3)) })
    expect((await world.state()).balance).toBe(10_000)
  })

  test('clients that do not close their half are disconnected', async () => {
    const world = await startWorld()
    const options = { port: world.running.port, host: '127.0.0.1', allowHalfOpen: true }
    const sockets = Array.from({ length: 20 }, () => connect(options))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (const socket of sockets) socket.resume().write('hello\r\n\r\n')
    await Promise.all(sockets.map((socket) => once(socket, 'end')))
    const open = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = open()
    await expect.poll(open, { timeout: 6_000 }).toBeLessThanOrEqual(before - sockets.length)
  })

  test('a sender that goes away in the middle of its body changes nothing', async () => {
    const world = await startWorld()
    const socket = dial(world)
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{"amount":1`)
    await new Promise((resolve) => socket.once('ready', resolve))
    socket.resetAndDestroy()
    expect((await world.state()).payments).toEqual([])
    expect((await world.cashIn()).status).toBe(200)
  })

  test('a reader that goes away before a slow answer breaks nothing', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'slow:50ms' })
    const controller = new AbortController()
    const answer = world.call(`${QR_PATH}`, {
      method: 'POST',
      signal: controller.signal,
      headers: CREDENTIALS,
      body: '{}',
    })
    controller.abort()
    await expect(answer).rejects.toThrow()
    expect((await world.cashIn()).status).toBe(200)
  })

  test('latency delays every service call and no control command', async () => {
    const world = await startWorld({ latencyMs: 3_600_000 })
    const answer = world.cashIn().catch((error: Error) => error.message)
    expect((await world.control('advance', { ms: 1 })).status).toBe(200)
    await world.running.close()
    expect(await answer).toBe('fetch failed')
  })
})

describe('starting and closing', () => {
  const options = { ...SANDBOX_DEFAULTS, port: 0, now: () => 0, newId: () => 'id' }

  test('a port in use and an address that is none are refused', async () => {
    const world = await startWorld()
    await expect(startSandbox({ ...options, port: world.running.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(startSandbox({ ...options, allowIps: ['home'] })).rejects.toThrow(/is not an IP address/)
  })

  test.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('on %s the address is %s and answers', async (host, url) => {
    const world = await startWorld({ host })
    expect(world.url).toMatch(url)
    expect((await world.state()).balance).toBe(10_000)
  })

  test('close ends open connections, deliveries in progress and everything pending', async () => {
    const world = await startWorld({ autoSettleMs: 5, deliverDelaysMs: [1] })
    const receiver = await startReceiver()
    receiver.answer = () => new Promise(() => {})
    await world.paidPayment({ callbackUrl: receiver.url })
    await receiver.first(1)
    await world.transfer({ callbackUrl: receiver.url })
    const idle = dial(world)
    await new Promise((resolve) => idle.once('ready', resolve))
    const ended = new Promise((resolve) => idle.once('close', resolve))
    await world.running.close()
    await ended
    await expect(world.state()).rejects.toThrow('fetch failed')
    expect(receiver.received).toHaveLength(1)
  })

  test('close breaks off a delivery whose receiver does not answer', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.close()
    })
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const brokenOff = new Promise((resolve) => {
      silent.on('connection', (socket) => {
        socket.on('error', () => {})
        socket.once('data', () => void world.running.close())
        socket.on('close', resolve)
      })
    })
    const world = await startWorld({ answerLimitMs: 3_600_000 })
    await world.cashIn({ requestNumber: '1', callbackUrl: `http://127.0.0.1:${port}/` })
    await world.control('pay', { id: '1' }).catch(() => undefined)
    await brokenOff
  })
})
