import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Deliveries, type OutgoingWebhook } from '../../src/sandbox/deliveries.ts'
import { NOTHING_KEPT } from '../../src/sandbox/keeper.ts'
import { Clock, SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }
import { eventually, hmac, NOON_MS, NOWHERE, SECRET, startReceiver, startWorld } from './sandboxWorld.ts'

function opensslHmac(text: string): string {
  const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET], { input: text, encoding: 'utf8' })
  return output.trim().split(/[ =]+/).at(-1) ?? ''
}

describe('the signature', () => {
  test('covers the exact bytes, as openssl computes it', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.paidPayment({ callbackUrl: receiver.url, amount: 10.5 })
    await world.transfer({ callbackUrl: receiver.url })
    await world.advance(1000)
    for (const { text, headers, method } of await receiver.first(2)) {
      expect(headers['x-signature']).toBe(opensslHmac(text))
      expect(headers['x-signature']).toMatch(/^[0-9a-f]{64}$/)
      expect([method, headers['content-type']]).toEqual(['POST', 'application/json'])
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    }
    const { deliveries } = await world.state()
    expect(deliveries.map(({ body, signature }) => [body, signature])).toEqual(
      receiver.received.map(({ text, headers }) => [text, headers['x-signature']]),
    )
  })

  test('can be Base64', async () => {
    const world = await startWorld({ signature: 'base64' })
    const receiver = await startReceiver()
    await world.paidPayment({ callbackUrl: receiver.url })
    const [event] = await receiver.first(1)
    expect(event?.headers['x-signature']).toBe(hmac(event?.text ?? '', 'base64'))
    expect(Buffer.from(String(event?.headers['x-signature']), 'base64').toString('hex')).toBe(
      opensslHmac(event?.text ?? ''),
    )
  })

  test.each(vectors.hmac)('of a known body is the known one: $hex', ({ secret, body, hex, base64 }) => {
    const webhook: OutgoingWebhook = {
      idTransaction: 'id',
      alsoNamed: [],
      url: NOWHERE,
      event: 'pix.received',
      status: 'PAID',
      body,
    }
    const signatures = (['hex', 'base64'] as const).map((signatureEncoding) => {
      const clock = new Clock(() => NOON_MS)
      const rules = { ...SANDBOX_DEFAULTS, clientSecret: secret, signature: signatureEncoding }
      const deliveries = new Deliveries(
        rules,
        clock,
        NOTHING_KEPT,
        () => undefined,
        () => undefined,
      )
      deliveries.send(webhook)
      deliveries.close()
      clock.close()
      return deliveries.all[0]?.signature
    })
    expect(signatures).toEqual([hex, base64])
  })
})

describe('redelivery', () => {
  test.each([500, 204, 302, 401])('after %i: the same bytes after 1 s and 5 s, then no more', async (status) => {
    const world = await startWorld()
    const receiver = await startReceiver()
    receiver.answer = () => status
    await world.paidPayment({ callbackUrl: receiver.url })
    const attempted = (attempts: number, outcome: string) =>
      eventually(async () => {
        expect((await world.state()).deliveries).toMatchObject([{ attempts, outcome, status }])
      })
    await attempted(1, 'waiting')
    await world.advance(999)
    expect((await world.state()).deliveries[0]?.attempts).toBe(1)
    await world.advance(1)
    await attempted(2, 'waiting')
    await world.advance(4999)
    expect((await world.state()).deliveries[0]?.attempts).toBe(2)
    await world.advance(1)
    await attempted(3, 'given-up')
    await world.advance(86_400_000)
    expect((await world.state()).deliveries[0]?.attempts).toBe(3)
    const [first, ...others] = receiver.received
    expect(others).toEqual([first, first])
  })

  test('ends with the first 200', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    receiver.answer = (_received, place) => (place === 0 ? 503 : 200)
    await world.paidPayment({ callbackUrl: receiver.url })
    await eventually(async () => expect((await world.state()).deliveries).toMatchObject([{ status: 503 }]))
    await world.advance(1000)
    await eventually(async () =>
      expect((await world.state()).deliveries).toMatchObject([{ attempts: 2, status: 200, outcome: 'delivered' }]),
    )
    await world.advance(86_400_000)
    expect((await world.state()).deliveries[0]?.attempts).toBe(2)
  })

  test('a receiver that does not listen, and one that does not answer in time', async () => {
    const world = await startWorld({ answerLimitMs: 50, deliverAttempts: 1 })
    const receiver = await startReceiver()
    receiver.answer = () => new Promise(() => {})
    await world.paidPayment({ callbackUrl: NOWHERE })
    await world.paidPayment({ callbackUrl: receiver.url })
    await eventually(async () => {
      const { deliveries } = await world.state()
      expect(deliveries).toMatchObject([
        { attempts: 1, status: null, outcome: 'given-up', error: 'ECONNREFUSED' },
        { attempts: 1, status: null, outcome: 'given-up', error: 'no answer within 50 ms' },
      ])
    })
  })

  test('more attempts than pauses repeat the last pause', async () => {
    const world = await startWorld({ deliverAttempts: 4, deliverDelaysMs: [10, 20] })
    await world.paidPayment({ callbackUrl: NOWHERE })
    for (const [attempts, pauseMs] of [
      [1, 10],
      [2, 20],
      [3, 20],
    ] as const) {
      await eventually(async () =>
        expect((await world.state()).deliveries).toMatchObject([{ attempts, error: 'ECONNREFUSED' }]),
      )
      await world.advance(pauseMs - 1)
      expect((await world.state()).deliveries[0]?.attempts).toBe(attempts)
      await world.advance(1)
    }
    await eventually(async () =>
      expect((await world.state()).deliveries).toMatchObject([{ attempts: 4, outcome: 'given-up' }]),
    )
  })

  test('a redirect is not followed', async () => {
    const world = await startWorld({ deliverAttempts: 1 })
    const receiver = await startReceiver()
    receiver.answer = () => 307
    await world.paidPayment({ callbackUrl: receiver.url })
    await eventually(async () => expect((await world.state()).deliveries).toMatchObject([{ outcome: 'given-up' }]))
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?shop=1'])
  })

  test('a receiver that changes the protocol has not answered', async () => {
    const server = createServer()
    server.on('connection', (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const world = await startWorld({ deliverAttempts: 1 })
    await world.paidPayment({ callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    await eventually(async () =>
      expect((await world.state()).deliveries).toMatchObject([{ outcome: 'given-up', status: null }]),
    )
  })
})

describe('order', () => {
  test('first attempts reach a receiver in the order of the events, however slowly it answers', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    let release = () => {}
    receiver.answer = (_received, place) =>
      place === 0
        ? new Promise((resolve) => {
            release = () => resolve(200)
          })
        : 200
    const id = await world.paidPayment({ callbackUrl: receiver.url })
    await world.refund(id, { callbackUrl: receiver.url })
    await world.advance(1000)
    await receiver.first(1)
    expect((await world.state()).deliveries.map(({ attempts }) => attempts)).toEqual([1, 0, 0])
    release()
    const order = (await receiver.first(3)).map(({ json }) => `${json.event} ${json.data.status}`)
    expect(order).toEqual(['pix.received PAID', 'refund.status COMPLETED', 'pix.received REFUNDED'])
  })

  test('a receiver that hangs does not keep another waiting', async () => {
    const world = await startWorld()
    const [slow, quick] = [await startReceiver(), await startReceiver()]
    slow.answer = () => new Promise(() => {})
    await world.paidPayment({ callbackUrl: slow.url })
    await world.paidPayment({ callbackUrl: quick.url })
    await quick.first(1)
  })
})

describe('delivering again', () => {
  test('sends the latest event of the transaction, same bytes', async () => {
    const receiver = await startReceiver()
    const world = await startWorld({ dashboardWebhook: receiver.url })
    const id = await world.paidPayment({ callbackUrl: receiver.url })
    await world.paidPayment({ callbackUrl: receiver.url })
    const [event, dashboard] = await receiver.first(4)
    expect((await world.control('deliver', { id })).body).toMatchObject({ idTransaction: id, status: 'PAID' })
    const again = (await receiver.first(6)).slice(4)
    expect(again).toEqual([event, dashboard])
  })
})

describe('faults', () => {
  test('lost: never sent, until it is delivered again', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:lost' })
    const id = await world.paidPayment({ callbackUrl: receiver.url })
    await world.advance(86_400_000)
    expect((await world.state()).deliveries).toMatchObject([{ attempts: 0, outcome: 'lost', status: null }])
    await world.control('deliver', { id })
    expect((await receiver.first(1))[0]?.json.data.status).toBe('PAID')
  })

  test('twice: the same bytes two times', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:twice' })
    await world.paidPayment({ callbackUrl: receiver.url })
    const [first, second] = await receiver.first(2)
    expect(second).toEqual(first)
    await world.paidPayment({ callbackUrl: receiver.url })
    await receiver.first(3)
    expect((await world.state()).deliveries).toHaveLength(3)
  })

  test('late: after the given time on the clock', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:late:10s' })
    await world.paidPayment({ callbackUrl: receiver.url })
    await world.advance(9999)
    expect((await world.state()).deliveries).toMatchObject([{ attempts: 0, outcome: 'waiting' }])
    await world.advance(1)
    await receiver.first(1)
  })

  test('reorder: after the next one', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:reorder' })
    const first = await world.paidPayment({ callbackUrl: receiver.url })
    const second = await world.paidPayment({ callbackUrl: receiver.url })
    const order = (await receiver.first(2)).map(({ json }) => json.data.idTransaction)
    expect(order).toEqual([second, first])
    await world.advance(10_000)
    expect((await world.state()).deliveries.map(({ attempts }) => attempts)).toEqual([1, 1])
  })

  test('reorder twice: exactly two events arrive in reverse order, with no third', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:reorder', times: 2 })
    const first = await world.paidPayment({ callbackUrl: receiver.url })
    const second = await world.paidPayment({ callbackUrl: receiver.url })
    const order = (await receiver.first(2)).map(({ json }) => json.data.idTransaction)
    expect(order).toEqual([second, first])
  })

  test('reorder without a following event: once, after 10 s', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:reorder' })
    await world.paidPayment({ callbackUrl: receiver.url })
    await world.advance(10_000)
    await receiver.first(1)
    await world.paidPayment({ callbackUrl: receiver.url })
    await receiver.first(2)
    expect((await world.state()).deliveries.map(({ attempts }) => attempts)).toEqual([1, 1])
  })

  test('reorder: once, if the next one comes at the very moment until which it waits', async () => {
    const world = await startWorld({ autoSettleMs: 10_000, deliverAttempts: 1 })
    const receiver = await startReceiver()
    await world.transfer({ callbackUrl: receiver.url })
    await world.control('fault', { kind: 'webhook:reorder' })
    await world.paidPayment({ callbackUrl: receiver.url })
    await world.advance(10_000)
    await receiver.first(2)
    await world.paidPayment({ callbackUrl: receiver.url })
    await receiver.first(3)
    expect(receiver.received.map(({ json }) => json.event)).toEqual([
      'transfer.completed',
      'pix.received',
      'pix.received',
    ])
    expect((await world.state()).deliveries.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  test('unsigned, and signed with another secret, in every attempt', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    receiver.answer = () => 401
    await world.control('fault', { kind: 'webhook:unsigned' })
    await world.paidPayment({ callbackUrl: receiver.url })
    await eventually(async () => expect((await world.state()).deliveries).toMatchObject([{ status: 401 }]))
    await world.advance(1000)
    for (const { headers } of await receiver.first(2)) expect(headers).not.toHaveProperty('x-signature')
    await world.control('reset')
    await world.control('fault', { kind: 'webhook:bad-signature' })
    await world.paidPayment({ callbackUrl: receiver.url })
    const wrong = (await receiver.first(3))[2]
    expect(wrong?.headers['x-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(wrong?.headers['x-signature']).not.toBe(hmac(wrong?.text ?? ''))
  })

  test('`times` counts deliveries', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    await world.control('fault', { kind: 'webhook:lost', times: 2 })
    for (let payment = 0; payment < 3; payment += 1) await world.paidPayment({ callbackUrl: receiver.url })
    expect((await world.state()).deliveries.map(({ outcome }) => outcome === 'lost')).toEqual([true, true, false])
  })
})

test('the log of a delivery holds neither the query nor a password of the callback URL', async () => {
  const world = await startWorld({ deliverAttempts: 1 })
  await world.paidPayment({ callbackUrl: 'http://user:hunter2@127.0.0.1:1/hook?token=hunter3' })
  await eventually(async () => expect((await world.state()).deliveries[0]?.outcome).toBe('given-up'))
  expect(world.lines.join('\n')).toContain('webhook pix.received PAID to http://127.0.0.1:1/hook: ECONNREFUSED')
  expect(world.lines.join('\n')).not.toMatch(/hunter/)
})
