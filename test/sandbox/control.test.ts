import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/programInfo.ts'
import { eventually, startReceiver, startWorld, type World } from './sandboxWorld.ts'

/** Asks with headers that fetch would not let through. */
function ask(world: World, host: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({ host, port: world.running.port, path: '/sandbox/state', headers, agent: false })
    asking.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asking.on('error', reject)
    asking.end()
  })
}

describe('who may control', () => {
  test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1', '127.0.0.1:80', '127.1.2.3', '[::1]', '[::1]:4010'])(
    'the host %s is this machine',
    async (Host) => {
      expect(await ask(await startWorld(), '127.0.0.1', { Host })).toBe(200)
    },
  )

  test.each(['example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', ' ', 'x@localhost', '[::2]'])(
    'the host %s is not',
    async (Host) => {
      expect(await ask(await startWorld(), '127.0.0.1', { Host })).toBe(403)
    },
  )

  test.each(['http://evil.example', 'http://127.0.0.1:4010', 'null'])('no page in a browser: %s', async (Origin) => {
    const world = await startWorld()
    expect(await ask(world, '127.0.0.1', { Host: '127.0.0.1', Origin })).toBe(403)
    const { status, body } = await world.post('/sandbox/reset', {}, { Origin })
    expect([status, body.statusCode, body.message]).toEqual([403, 403, 'FORBIDDEN'])
  })

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

  test.skipIf(outside === undefined)('NEEDS A NETWORK ADDRESS: refuses callers from another machine', async () => {
    const world = await startWorld({ host: '0.0.0.0' })
    expect(await ask(world, outside ?? '', { Host: '127.0.0.1' })).toBe(403)
    expect((await world.state()).balance).toBe(10_000)
  })
})

describe('the control token', () => {
  const token = 'a-token-for-tests'
  const Authorization = `Bearer ${token}`

  test('admits every caller that has it, under any host name', async () => {
    const world = await startWorld({ controlToken: token })
    expect(await ask(world, '127.0.0.1', { Host: 'gateway:4010', Authorization })).toBe(200)
    expect(await ask(world, '127.0.0.1', { Host: 'gateway:4010', Authorization: `${Authorization}x` })).toBe(403)
    expect(await ask(world, '127.0.0.1', { Host: 'gateway:4010' })).toBe(403)
  })

  test('is not needed by programs on this machine', async () => {
    expect(await ask(await startWorld({ controlToken: token }), '127.0.0.1', { Host: '127.0.0.1' })).toBe(200)
  })
})

test('/healthz and /openapi.json answer at any host name', async () => {
  const world = await startWorld({ baseUrlName: 'gateway' })
  expect(world.url).toBe(`http://gateway:${world.running.port}`)
  const local = `http://127.0.0.1:${world.running.port}`
  expect(await (await fetch(`${local}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION })
  expect((await fetch(`${local}/healthz`, { method: 'POST' })).status).toBe(405)
  expect(await (await fetch(`${local}/openapi.json`)).json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: world.url }],
  })
})

describe('short ids', () => {
  test('the first 6 characters of an id are enough, 5 are not', async () => {
    const world = await startWorld()
    const id = String((await world.cashIn()).body.idTransaction)
    expect((await world.control('pay', { id: id.slice(0, 5) })).status).toBe(404)
    expect((await world.control('pay', { id: id.slice(0, 6).toUpperCase() })).body.idTransaction).toBe(id)
  })

  test('an ambiguous beginning of an id is refused', async () => {
    let next = 0
    const newId = () => `0b935d10-3c90-4af3-8776-dd18622a794${next++}`
    const world = await startWorld({ newId })
    await world.cashIn()
    await world.transfer()
    expect(await world.control('pay', { id: '0b935d' })).toMatchObject({
      status: 400,
      body: { message: 'AMBIGUOUS_ID', details: '`0b935d` names 2 transactions' },
    })
  })
})

describe('commands', () => {
  test('answer with the updated transaction', async () => {
    const world = await startWorld()
    const id = (await world.cashIn({ requestNumber: 'order-7' })).body.idTransaction
    expect(await world.control('pay', { id })).toMatchObject({
      status: 200,
      body: { type: 'payment', idTransaction: id, requestNumber: 'order-7', status: 'PAID', amount: 100 },
    })
  })

  test('find a transaction by any of its names', async () => {
    const world = await startWorld()
    const { idTransaction, paymentCode } = (await world.cashIn({ requestNumber: 'order-7' })).body
    const transfer = (await world.transfer({ externalId: 'invoice-1' })).body.idTransaction
    expect((await world.control('pay', { id: paymentCode })).body.idTransaction).toBe(idTransaction)
    expect((await world.control('chargeback', { id: 'order-7' })).body.idTransaction).toBe(idTransaction)
    expect((await world.control('fail', { id: 'invoice-1' })).body.idTransaction).toBe(transfer)
    expect((await world.control('pay', { id: String(idTransaction).toUpperCase(), late: false })).status).toBe(409)
  })

  test.each(['pay', 'expire', 'cancel', 'chargeback', 'return', 'fail', 'deliver'])(
    '%s of an unknown id is not found, without an id malformed',
    async (action) => {
      const world = await startWorld()
      expect(await world.control(action, { id: 'nobody' })).toMatchObject({
        status: 404,
        body: { statusCode: 404, message: 'TRANSACTION_NOT_FOUND', details: expect.stringContaining('nobody') },
      })
      for (const body of [{}, { id: 7 }, { id: '' }, [], 'x', '']) {
        expect(await world.control(action, body)).toMatchObject({ status: 400, body: { statusCode: 400 } })
      }
    },
  )

  test.each<[string, unknown]>([
    ['pay', { id: 'order-7', late: 'yes' }],
    ['fail', { id: 'invoice-1', errorCode: 'no funds' }],
    ['fault', {}],
    ['fault', { kind: 'nonsense' }],
    ['fault', { kind: 'html', times: 0 }],
    ['fault', { kind: 'html', times: 1.5 }],
    ['fault', { kind: 'html', times: 1_000_001 }],
    ['fault', { kind: 'html', on: 7 }],
    ['fault', { kind: 'html', times: '2' }],
    ['fault', { kind: 'html', async: true }],
    ['fault', { kind: 'NO_FUNDS', async: 'yes' }],
    ['advance', {}],
    ['advance', { ms: 0 }],
    ['advance', { ms: -1 }],
    ['advance', { ms: 1.5 }],
    ['advance', { ms: '1000' }],
    ['advance', { ms: 1e15 }],
  ])('%s %j is malformed', async (action, body) => {
    const world = await startWorld()
    await world.cashIn({ requestNumber: 'order-7' })
    await world.transfer({ externalId: 'invoice-1' })
    const before = await world.state()
    expect(await world.control(action, body)).toMatchObject({ status: 400, body: { statusCode: 400 } })
    expect(await world.state()).toEqual(before)
  })

  test('unknown commands are not found, wrong methods not allowed', async () => {
    const world = await startWorld()
    expect((await world.control('destroy')).status).toBe(404)
    expect((await world.control('')).status).toBe(404)
    expect((await world.call('/sandbox/pay')).headers.get('allow')).toBe('POST')
    expect((await world.control('state')).status).toBe(405)
    expect((await world.call('/sandbox')).status).toBe(404)
  })

  test('a refund or a transfer is not a payment', async () => {
    const world = await startWorld()
    const refund = (await world.refund(await world.paidPayment())).body.idTransaction
    const transfer = (await world.transfer()).body.idTransaction
    for (const id of [refund, transfer]) expect((await world.control('pay', { id })).status).toBe(409)
    expect((await world.control('return', { id: refund })).status).toBe(409)
    expect((await world.control('cancel', { id: refund })).status).toBe(409)
  })

  test('the answer contains the fault as parsed', async () => {
    const world = await startWorld()
    expect((await world.control('fault', { kind: 'NO_FUNDS', times: 3, async: true })).body).toEqual({
      kind: 'NO_FUNDS',
      times: 3,
      async: true,
      on: null,
    })
    expect((await world.control('fault', { kind: 'html' })).body).toEqual({
      kind: 'html',
      times: 1,
      async: false,
      on: null,
    })
  })
})

test('the state has exactly these keys', async () => {
  const world = await startWorld()
  expect(await world.state()).toEqual({
    balance: 10_000,
    payments: [],
    refunds: [],
    transfers: [],
    deliveries: [],
    faults: [],
    now: '2026-11-21T15:00:00.000Z',
  })
})

test('advance moves the clock, and all that falls due happens at its own time', async () => {
  const world = await startWorld()
  await world.cashIn({ dueDate: '2026-11-22' })
  await world.transfer()
  expect((await world.control('advance', { ms: 31 * 86_400_000 })).body).toEqual({ now: '2026-12-22T15:00:00.000Z' })
  const { now, payments, transfers, deliveries } = await world.state()
  expect(now).toBe('2026-12-22T15:00:00.000Z')
  expect(payments).toMatchObject([{ status: 'EXPIRED' }])
  expect(transfers).toMatchObject([{ status: 'COMPLETED', settledAt: '2026-11-21T15:00:01.000Z' }])
  expect(deliveries.map(({ createdAt }) => createdAt)).toEqual(['2026-11-21T15:00:01.000Z', '2026-11-23T02:59:59.999Z'])
})

test('reset restores the initial state and leaves nothing pending', async () => {
  const world = await startWorld()
  const receiver = await startReceiver()
  receiver.answer = () => 500
  await world.paidPayment({ callbackUrl: receiver.url })
  await world.transfer({ externalId: 'invoice-1' })
  await world.control('fault', { kind: 'status:500' })
  await world.advance(500)
  await eventually(async () => expect((await world.state()).deliveries).toMatchObject([{ status: 500 }]))
  const { body } = await world.control('reset')
  expect(body).toEqual(await world.state())
  expect(body).toMatchObject({
    balance: 10_000,
    payments: [],
    transfers: [],
    deliveries: [],
    faults: [],
    now: '2026-11-21T15:00:00.000Z',
  })
  expect((await world.transfer({ externalId: 'invoice-1' })).status).toBe(200)
  await world.advance(86_400_000)
  expect((await world.state()).deliveries).toHaveLength(1)
  expect(receiver.received).toHaveLength(1)
})
