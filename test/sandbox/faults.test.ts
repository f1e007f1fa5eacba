import { describe, expect, test } from 'vitest'
import { Malformed } from '../../src/pix/expectedError.ts'
import { FAULT_KINDS, FaultInjector, parseFault, parseFaultTarget } from '../../src/sandbox/faults.ts'
import { NOTHING_KEPT } from '../../src/sandbox/keeper.ts'
import { type Answer, NOWHERE, startWorld, type World } from './sandboxWorld.ts'

const QR = { endpoint: 'qr', names: ['order-1'] } as const
const TRANSFER = { endpoint: 'transfer', names: ['invoice-1', 'maria@example.com'] } as const

type Ask = (world: World) => Promise<Answer>

const ASKS: readonly (readonly [string, Ask])[] = [
  ['request-qrcode', (world) => world.cashIn()],
  ['pix-refund', async (world) => world.refund((await world.state()).payments[0]?.idTransaction)],
  ['pix-payment', (world) => world.transfer()],
  ['consult-transaction', (world) => world.status('paid-1')],
]

async function worldWithPayment(): Promise<World> {
  const world = await startWorld()
  await world.paidPayment()
  return world
}

/** What was carried out, without what only tells how it was reported. */
async function moneyIn(world: World): Promise<unknown[]> {
  const { balance, payments, refunds, transfers } = await world.state()
  return [balance, payments.length, refunds.length, transfers.length]
}

describe('parseFault', () => {
  test('reads every kind that is offered', () => {
    for (const kind of FAULT_KINDS) expect(parseFault(kind)).toHaveProperty('on')
  })

  test.each<[string, object]>([
    ['status:503', { on: 'call', how: 'status', status: 503 }],
    ['slow:250ms', { on: 'call', how: 'slow', ms: 250 }],
    ['drop-after', { on: 'call', how: 'drop-after' }],
    ['NO_FUNDS', { on: 'cash-out', code: 'NO_FUNDS', async: false }],
    ['webhook:late:2m', { on: 'delivery', how: 'late', ms: 120_000 }],
    ['webhook:twice', { on: 'delivery', how: 'twice' }],
  ])('%s', (kind, fault) => {
    expect(parseFault(kind)).toEqual(fault)
  })

  test.each([
    '',
    'status',
    'status:',
    'status:99',
    'status:100',
    'status:600',
    'status:5000',
    'status:5x0',
    'slow',
    'slow:',
    'slow:10',
    'slow:0s',
    'no_funds',
    'NOTHING',
    'webhook:',
    'webhook:late',
    'webhook:late:x',
    'lost',
    'constructor',
    ' html',
  ])('`%s` is malformed', (kind) => {
    expect(() => parseFault(kind)).toThrow(Malformed)
  })

  test('only a cash-out error can come after acceptance', () => {
    expect(parseFault('NO_FUNDS', true)).toEqual({ on: 'cash-out', code: 'NO_FUNDS', async: true })
    for (const kind of ['html', 'status:500', 'webhook:lost']) expect(() => parseFault(kind, true)).toThrow(Malformed)
  })
})

describe('FaultInjector', () => {
  test('applies faults oldest first, as many times as requested, to matching calls only', () => {
    const faults = new FaultInjector(NOTHING_KEPT)
    const add = (kind: string, times = 1) => faults.add({ kind, times, on: null, async: false })
    add('webhook:lost')
    add('html', 2)
    add('garbage')
    add('NO_FUNDS')
    const calls = [1, 2, 3, 4].map(() => faults.take('call', QR)?.how)
    expect(calls).toEqual(['html', 'html', 'garbage', undefined])
    expect([faults.take('cash-out', TRANSFER)?.code, faults.take('cash-out', TRANSFER)]).toEqual([
      'NO_FUNDS',
      undefined,
    ])
    expect([faults.take('delivery', QR)?.how, faults.take('delivery', QR)]).toEqual(['lost', undefined])
    expect(faults.waiting).toEqual([])
  })
})

describe('a fault for one target', () => {
  test('`--on` an endpoint waits for a call of that endpoint', async () => {
    const world = await worldWithPayment()
    for (const on of ['transfer', 'refund', 'qr', 'status']) await world.control('fault', { kind: 'status:503', on })
    for (const [, ask] of ASKS) expect([(await ask(world)).status, (await ask(world)).status]).toEqual([503, 200])
  })

  test('`--on` a name waits for the call that has it: id, its beginning, external id, request number or key', async () => {
    const world = await startWorld()
    const id = await world.paidPayment()
    for (const on of [id, id.slice(0, 6).toUpperCase(), 'invoice-1', 'order-7', 'ana@example.com']) {
      await world.control('fault', { kind: 'status:503', on })
    }
    const statuses = [
      await world.status('paid-1'),
      await world.status(id),
      await world.refund(id, { amount: 1 }),
      await world.transfer({ externalId: 'invoice-2' }),
      await world.transfer({ externalId: 'invoice-1' }),
      await world.transfer({ key: 'ana@example.com' }),
      await world.cashIn({ requestNumber: 'order-8' }),
      await world.cashIn({ requestNumber: 'order-7' }),
      await world.status(id),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 503, 503, 200, 503, 503, 200, 503, 200])
  })

  test('a cash-out code can wait for one external id', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'NO_FUNDS', on: 'invoice-2' })
    expect((await world.transfer({ externalId: 'invoice-1' })).status).toBe(200)
    expect((await world.transfer({ externalId: 'invoice-2' })).body.message).toBe('NO_FUNDS')
  })

  test('a delivery fault can wait for one kind of event, or for one transaction', async () => {
    const world = await startWorld({ deliverAttempts: 1, autoSettleMs: 0 })
    await world.control('fault', { kind: 'webhook:lost', on: 'refund' })
    await world.control('fault', { kind: 'webhook:lost', on: 'order-7' })
    const id = await world.paidPayment()
    await world.refund(id, { amount: 1 })
    await world.transfer()
    await world.paidPayment({ requestNumber: 'order-7' })
    const lost = (await world.state()).deliveries.map(({ event, outcome }) => [event, outcome === 'lost'])
    expect(lost).toEqual([
      ['pix.received', false],
      ['refund.status', true],
      ['transfer.completed', false],
      ['pix.received', true],
    ])
  })

  test.each([
    ['NO_FUNDS', 'refund'],
    ['webhook:lost', 'status'],
    ['REFUND_NOT_ALLOWED', 'status'],
  ])('%s cannot happen at %s', async (kind, on) => {
    expect(() => parseFaultTarget(on, parseFault(kind))).toThrow(Malformed)
    expect((await (await startWorld()).control('fault', { kind, on })).status).toBe(400)
  })
})

describe.each(ASKS)('on %s', (_name, ask) => {
  test('status: the error body with that status, nothing carried out, once', async () => {
    const world = await worldWithPayment()
    const before = await moneyIn(world)
    await world.control('fault', { kind: 'status:500' })
    const { status, body } = await ask(world)
    expect([status, body]).toEqual([
      500,
      {
        statusCode: 500,
        error: 'Internal Server Error',
        message: 'INTERNAL_SERVER_ERROR',
        details: 'The sandbox was told to answer 500',
      },
    ])
    expect(await moneyIn(world)).toEqual(before)
    expect((await ask(world)).status).toBe(200)
  })

  test('drop-before: no answer, nothing carried out', async () => {
    const world = await worldWithPayment()
    const before = await moneyIn(world)
    await world.control('fault', { kind: 'drop-before' })
    await expect(ask(world)).rejects.toThrow('fetch failed')
    expect(await moneyIn(world)).toEqual(before)
    expect((await ask(world)).status).toBe(200)
  })

  test('drop-after: no answer, but carried out', async () => {
    const [world, twin] = [await worldWithPayment(), await worldWithPayment()]
    await world.control('fault', { kind: 'drop-after' })
    await expect(ask(world)).rejects.toThrow('fetch failed')
    await ask(twin)
    expect(await moneyIn(world)).toEqual(await moneyIn(twin))
  })

  test('garbage: carried out, answered 200 with half an answer', async () => {
    const [world, twin] = [await worldWithPayment(), await worldWithPayment()]
    await world.control('fault', { kind: 'garbage' })
    await expect(ask(world)).rejects.toThrow(SyntaxError)
    await ask(twin)
    expect(await moneyIn(world)).toEqual(await moneyIn(twin))
  })

  test('html: carried out, answered 200 with a web page', async () => {
    const [world, twin] = [await worldWithPayment(), await worldWithPayment()]
    await world.control('fault', { kind: 'html' })
    await expect(ask(world)).rejects.toThrow(/<!doctype/)
    await ask(twin)
    expect(await moneyIn(world)).toEqual(await moneyIn(twin))
  })

  test.each([
    ['html-before', /<!doctype/],
    ['garbage-before', /Unterminated string|Unexpected end/],
  ])('%s: the same answer, but nothing carried out, once', async (kind, thrown) => {
    const world = await worldWithPayment()
    const before = await moneyIn(world)
    await world.control('fault', { kind })
    await expect(ask(world)).rejects.toThrow(thrown)
    expect(await moneyIn(world)).toEqual(before)
    expect((await ask(world)).status).toBe(200)
  })

  test('slow: carried out at once, answered late', async () => {
    const [world, twin] = [await worldWithPayment(), await worldWithPayment()]
    await ask(twin)
    await world.control('fault', { kind: 'slow:1h' })
    const answer = ask(world).catch((error: Error) => error.message)
    await expect.poll(() => moneyIn(world)).toEqual(await moneyIn(twin))
    await world.running.close()
    expect(await answer).toBe('fetch failed')
  })
})

test('slow: the answer does come', async () => {
  const world = await startWorld()
  await world.control('fault', { kind: 'slow:20ms' })
  expect((await world.status('paid-1')).body.status).toBe('PAID')
})

test('a fault never hits control commands, paths that do not exist or wrong methods', async () => {
  const world = await startWorld()
  await world.control('fault', { kind: 'status:500' })
  await world.control('reset', {}).then(() => world.control('fault', { kind: 'status:500' }))
  expect((await world.call('/nothing')).status).toBe(404)
  expect((await world.call('/api/v2/gateway/request-qrcode')).status).toBe(405)
  expect((await world.state()).balance).toBe(10_000)
  expect((await world.status('paid-1')).status).toBe(500)
})

test.each<[number, Record<string, string>]>([
  [429, { 'retry-after': '1' }],
  [503, { 'retry-after': '1' }],
  [302, { location: '/' }],
  [204, {}],
])('status:%i carries what belongs to it', async (status, headers) => {
  const world = await startWorld()
  await world.control('fault', { kind: `status:${status}` })
  const answer = await fetch(`${world.url}/api/v2/gateway/consult-transaction`, { redirect: 'manual' })
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([status, headers])
})

describe('cash-out codes', () => {
  test.each([
    ['NO_FUNDS', 400],
    ['PIX_KEY_NOT_FOUND', 404],
    ['DOCUMENT_VALIDATE', 400],
    ['DUPLICATE_EXTERNAL_ID', 400],
    ['UNAUTHORIZED_IP', 403],
    ['OPERATION_EXCEEDS_LIMIT', 400],
  ])('%s refuses the next transfer with %i, and no other call', async (code, status) => {
    const world = await startWorld()
    await world.control('fault', { kind: code })
    expect((await world.cashIn()).status).toBe(200)
    expect(await world.transfer()).toMatchObject({ status, body: { statusCode: status, message: code } })
    expect(await world.state()).toMatchObject({ balance: 10_000, transfers: [] })
    expect((await world.transfer()).status).toBe(200)
  })

  test('async: accepted, then failed, the money back', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'NO_FUNDS', async: true, times: 2 })
    for (let transfer = 0; transfer < 3; transfer += 1) {
      expect((await world.transfer({ callbackUrl: NOWHERE })).body.status).toBe('PROCESSING')
    }
    expect((await world.state()).balance).toBe(9923.5)
    await world.advance(1000)
    const { balance, transfers, deliveries } = await world.state()
    expect(balance).toBe(9974.5)
    expect(transfers.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['FAILED', 'NO_FUNDS'],
      ['FAILED', 'NO_FUNDS'],
      ['COMPLETED', null],
    ])
    expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({
      event: 'transfer.failed',
      data: { statusTransaction: 'ERROR', errorCode: 'NO_FUNDS', errorMessage: expect.stringMatching(/\w/) },
    })
  })
})
