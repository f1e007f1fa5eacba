import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { REFUND_WINDOW_DAYS } from '../../src/pix/calendar.ts'
import { DAY_MS, startReceiver, startWorld, type World } from './sandboxWorld.ts'

async function messageOf(answer: Promise<{ status: number; body: Record<string, unknown> }>): Promise<unknown[]> {
  const { status, body } = await answer
  return [status, body.message]
}

const ALLOWED = [200, undefined]
const NOT_ALLOWED = [422, 'REFUND_NOT_ALLOWED']

describe('refunding', () => {
  test('answers what the specification names, takes the money at once and settles later', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const id = await world.paidPayment()
    const { status, body } = await world.refund(id, { amount: 30.25, callbackUrl: receiver.url })
    expect(status).toBe(200)
    expect(body).toEqual({
      idTransaction: expect.any(String),
      originalTransactionId: id,
      amount: 30.25,
      status: 'PROCESSING',
      response: 'OK',
    })
    expect(await world.state()).toMatchObject({ balance: 10_069.75, refunds: [{ status: 'PROCESSING' }] })
    await world.advance(999)
    expect((await world.state()).refunds[0]?.status).toBe('PROCESSING')
    await world.advance(1)
    const [event] = await receiver.first(1)
    expect(event?.json).toEqual({
      event: 'refund.status',
      data: {
        idTransaction: body.idTransaction,
        originalTransactionId: id,
        status: 'COMPLETED',
        amount: 30.25,
        timestamp: '2026-11-21T15:00:01.000Z',
      },
    })
    expect(await world.state()).toMatchObject({
      balance: 10_069.75,
      payments: [{ status: 'PAID', refunded: 30.25 }],
      refunds: [{ status: 'COMPLETED', settledAt: '2026-11-21T15:00:01.000Z' }],
    })
  })

  test('the event can repeat the key `idTransaction`: refund first, original second', async () => {
    const world = await startWorld({ refundEvent: 'repeated-key' })
    const receiver = await startReceiver()
    const id = await world.paidPayment()
    const refund = (await world.refund(id, { callbackUrl: receiver.url })).body.idTransaction
    await world.advance(1000)
    const [event] = await receiver.first(1)
    expect(event?.text).toContain(`{"idTransaction":"${refund}","idTransaction":"${id}","status":"COMPLETED"`)
    expect(event?.text).not.toContain('originalTransactionId')
  })

  test('a failed refund puts the money back, sends an event, and allows another refund', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const id = await world.paidPayment()
    const refund = (await world.refund(id, { callbackUrl: receiver.url })).body.idTransaction
    expect(await messageOf(world.refund(id))).toEqual(NOT_ALLOWED)
    expect((await world.control('fail', { id: refund })).body).toMatchObject({ type: 'refund', status: 'FAILED' })
    expect((await receiver.first(1))[0]?.json.data).toMatchObject({ status: 'FAILED', amount: 100 })
    expect((await world.state()).balance).toBe(10_100)
    expect((await world.control('fail', { id: refund })).status).toBe(409)
    expect(await messageOf(world.refund(id))).toEqual(ALLOWED)
    await world.advance(5000)
    expect((await world.state()).refunds).toMatchObject([{ status: 'FAILED' }, { status: 'COMPLETED' }])
  })

  test('parts may add up to the original, never to more', async () => {
    const world = await startWorld()
    const id = await world.paidPayment({ amount: 100 })
    expect(await messageOf(world.refund(id, { amount: 100.01 }))).toEqual(NOT_ALLOWED)
    expect(await messageOf(world.refund(id, { amount: 60 }))).toEqual(ALLOWED)
    expect(await messageOf(world.refund(id, { amount: 40.01 }))).toEqual(NOT_ALLOWED)
    await world.advance(1000)
    expect(await messageOf(world.refund(id, { amount: 40.01 }))).toEqual(NOT_ALLOWED)
    expect((await world.refund(id)).body.amount).toBe(40)
    await world.advance(1000)
    expect(await messageOf(world.refund(id, { amount: 0.01 }))).toEqual(NOT_ALLOWED)
    expect(await world.state()).toMatchObject({ balance: 10_000, payments: [{ status: 'REFUNDED', refunded: 100 }] })
  })

  test('the window is closed so many days from the payment, to the millisecond', async () => {
    const world = await startWorld()
    const id = await world.paidPayment({ dueDate: '2027-12-31' })
    await world.advance(REFUND_WINDOW_DAYS * DAY_MS)
    expect(await messageOf(world.refund(id, { amount: 1 }))).toEqual(ALLOWED)
    await world.advance(1)
    expect(await messageOf(world.refund(id, { amount: 1 }))).toEqual(NOT_ALLOWED)
  })

  test.each([[[]], [['expire']], [['cancel']]])('an original that is not paid is refused: %j', async (before) => {
    const world = await startWorld()
    const id = (await world.cashIn()).body.idTransaction
    for (const step of before) await world.control(step, { id })
    expect(await messageOf(world.refund(id))).toEqual(NOT_ALLOWED)
  })

  test('money that has left the balance since cannot be refunded', async () => {
    const world = await startWorld({ balanceCents: 0 })
    const id = await world.paidPayment()
    await world.transfer({ value: 50.01 })
    expect(await messageOf(world.refund(id))).toEqual(NOT_ALLOWED)
    expect(await messageOf(world.refund(id, { amount: 49.99 }))).toEqual(ALLOWED)
    expect((await world.state()).balance).toBe(0)
  })
})

describe('the id of the original', () => {
  test('may be under either name, or both', async () => {
    const world = await startWorld()
    const id = await world.paidPayment()
    const amount = 1
    expect(await messageOf(world.refund(undefined, { idTransaction: id, amount }))).toEqual(ALLOWED)
    expect(await messageOf(world.refund(id, { idTransaction: id, amount }))).toEqual(ALLOWED)
    expect(await messageOf(world.refund(id.toUpperCase(), { amount }))).toEqual(ALLOWED)
  })

  test.each<[string, (world: World) => ReturnType<World['refund']>]>([
    ['missing', (world) => world.refund(undefined)],
    ['blank', (world) => world.refund('')],
    ['a number', (world) => world.refund(12)],
    ['no UUID', (world) => world.refund('abc')],
    ['two different ones', (world) => world.refund(randomUUID(), { idTransaction: randomUUID() })],
  ])('%s is malformed', async (_name, ask) => {
    const world = await startWorld()
    expect(await ask(world)).toMatchObject({
      status: 400,
      body: { message: 'INVALID_TRANSACTION_ID', details: expect.stringContaining('`originalTransactionId`') },
    })
  })

  test('unknown ones are not found, nor are those of refunds and transfers', async () => {
    const world = await startWorld()
    const refund = (await world.refund(await world.paidPayment())).body.idTransaction
    const transfer = (await world.transfer()).body.idTransaction
    for (const id of [randomUUID(), refund, transfer, 'paid-1']) {
      expect(await messageOf(world.refund(id))).toEqual([404, 'TRANSACTION_NOT_FOUND'])
    }
  })
})

test.each<[string, unknown]>([
  ['refundReason', undefined],
  ['refundReason', ' '],
  ['refundReason', 3],
  ['callbackUrl', undefined],
  ['callbackUrl', 'mailto:a@b.c'],
  ['amount', '10'],
  ['amount', 0],
  ['amount', -1],
  ['amount', 1.005],
])('`%s`: %j is refused and named', async (field, value) => {
  const world = await startWorld()
  const id = await world.paidPayment()
  expect(await world.refund(id, { [field]: value })).toMatchObject({
    status: 400,
    body: { message: 'WRONG_DATA_FORMAT', details: expect.stringContaining(`\`${field}\``) },
  })
  expect((await world.state()).refunds).toEqual([])
})
