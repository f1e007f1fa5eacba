import { describe, expect, test } from 'vitest'
import { DAY_MS, NOON_MS, NOWHERE, startReceiver, startWorld, type World } from './sandboxWorld.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ABSENT = undefined

describe('creating a QR code', () => {
  test('answers what the specification names, and nothing else', async () => {
    const world = await startWorld()
    const { status, headers, body } = await world.cashIn()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toEqual({
      idTransaction: expect.stringMatching(UUID),
      paymentCode: expect.stringMatching(/^000201/),
      paymentCodeBase64: expect.any(String),
      response: 'OK',
      expiresAt: expect.any(String),
    })
    expect(await world.status(body.idTransaction)).toMatchObject({ body: { status: 'PENDING', paidAt: null } })
  })

  test.each([
    ['2026-11-21', '2026-11-22T02:59:59.999Z'],
    ['2026-12-31', '2027-01-01T02:59:59.999Z'],
    ['2028-02-29', '2028-03-01T02:59:59.999Z'],
    ['2026-11-21T15:00:00.001Z', '2026-11-21T15:00:00.001Z'],
    ['2026-11-21T23:30:00-03:00', '2026-11-22T02:30:00.000Z'],
  ])('a code due on %s expires at %s', async (dueDate, expiresAt) => {
    const world = await startWorld()
    expect((await world.cashIn({ dueDate })).body.expiresAt).toBe(expiresAt)
  })

  test('today is the day in São Paulo, also when it is already tomorrow in UTC', async () => {
    const world = await startWorld({ now: () => Date.parse('2026-11-22T01:00:00Z') })
    expect((await world.cashIn({ dueDate: '2026-11-21' })).body.expiresAt).toBe('2026-11-22T02:59:59.999Z')
    expect((await world.cashIn({ dueDate: '2026-11-20' })).status).toBe(400)
  })

  test('all optional fields are taken, unknown ones are ignored', async () => {
    const world = await startWorld()
    const { status } = await world.cashIn({
      shippingAmount: 0,
      usernameCheckout: 'caixa-1',
      client: { name: 'José', taxId: '529.982.247-25', email: 'jose@example.com', nickname: 'Zé' },
      surprise: [1],
    })
    expect(status).toBe(200)
    expect((await world.state()).payments[0]).toMatchObject({
      shippingAmount: 0,
      usernameCheckout: 'caixa-1',
      client: { name: 'José', taxId: '529.982.247-25', email: 'jose@example.com' },
      split: null,
    })
  })

  test('a repeated request number is a new payment', async () => {
    const world = await startWorld()
    const first = await world.cashIn({ requestNumber: 'order-1' })
    const second = await world.cashIn({ requestNumber: 'order-1' })
    expect(second.status).toBe(200)
    expect(second.body.idTransaction).not.toBe(first.body.idTransaction)
    expect(await world.control('pay', { id: 'Order-1' })).toMatchObject({
      status: 400,
      body: { message: 'AMBIGUOUS_ID', details: '`Order-1` names 2 transactions' },
    })
  })

  test.each([[0.01], [0.1], [1.1], [150], [1234.56], [4.35], [8.2], [9_999_999_999.99]])(
    'the amount %d is exact',
    async (amount) => {
      const world = await startWorld()
      const { body } = await world.cashIn({ amount })
      expect((await world.status(body.idTransaction)).body.amount).toBe(amount)
    },
  )

  test.each<[string, string, unknown]>([
    ['amount', 'missing', ABSENT],
    ['amount', 'null', null],
    ['amount', 'a string', '10.00'],
    ['amount', 'zero', 0],
    ['amount', 'negative', -1],
    ['amount', 'three decimals', 10.001],
    ['amount', 'below a cent', 0.009],
    ['amount', 'too large', 10_000_000_000],
    ['amount', 'a list', [10]],
    ['amount', 'true', true],
    ['requestNumber', 'missing', ABSENT],
    ['requestNumber', 'a number', 17],
    ['requestNumber', 'blank', ' '],
    ['requestNumber', 'a line break', 'a\nb'],
    ['dueDate', 'missing', ABSENT],
    ['dueDate', 'a number', 20261122],
    ['dueDate', 'words', 'tomorrow'],
    ['dueDate', 'no calendar day', '2026-02-30'],
    ['dueDate', 'Brazilian order', '22/11/2026'],
    ['dueDate', 'without a zone', '2026-11-22T10:00:00'],
    ['dueDate', 'yesterday', '2026-11-20'],
    ['dueDate', 'just now', '2026-11-21T15:00:00Z'],
    ['callbackUrl', 'missing', ABSENT],
    ['callbackUrl', 'no URL', 'shop'],
    ['callbackUrl', 'another scheme', 'ftp://127.0.0.1/'],
    ['callbackUrl', 'without a host', 'http://'],
    ['shippingAmount', 'a string', '1'],
    ['shippingAmount', 'negative', -0.01],
    ['usernameCheckout', 'a number', 5],
    ['client', 'a string', 'José'],
    ['client.taxId', 'wrong digits', { taxId: '52998224724' }],
    ['client.email', 'no address', { email: 'jose' }],
    ['client.name', 'a number', { name: 7 }],
    ['split', 'a list', []],
    ['split.username', 'missing', { percentageSplit: 10 }],
    ['split.percentageSplit', 'missing', { username: 'ana' }],
    ['split.percentageSplit', 'zero', { username: 'ana', percentageSplit: 0 }],
    ['split.percentageSplit', 'above 100', { username: 'ana', percentageSplit: 100.01 }],
    ['split.percentageSplit', 'a string', { username: 'ana', percentageSplit: '10' }],
  ])('`%s`: %s is refused with INVALID_AMOUNT and named', async (field, _what, value) => {
    const world = await startWorld()
    const { status, body } = await world.cashIn({ [field.split('.')[0] ?? field]: value })
    expect(status).toBe(400)
    expect(body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'INVALID_AMOUNT',
      details: expect.stringContaining(`\`${field}\``),
    })
    expect((await world.state()).payments).toEqual([])
  })

  test('all faults are named at once', async () => {
    const world = await startWorld()
    const { body } = await world.post('/api/v2/gateway/request-qrcode', { amount: 0 })
    for (const field of ['amount', 'requestNumber', 'dueDate', 'callbackUrl']) expect(body.details).toContain(field)
  })
})

describe('the states of a payment', () => {
  async function statusesSent(
    after: (world: World, id: string) => Promise<unknown>,
    events: number,
  ): Promise<Record<string, unknown>[]> {
    const world = await startWorld()
    const receiver = await startReceiver()
    const { body } = await world.cashIn({ callbackUrl: receiver.url })
    await after(world, String(body.idTransaction))
    const received = await receiver.first(events)
    const [payment] = (await world.state()).payments
    expect(payment?.status).toBe(received.at(-1)?.json.data.status)
    expect((await world.status(body.idTransaction)).body.status).toBe(payment?.status)
    for (const { json } of received)
      expect(json).toMatchObject({ event: 'pix.received', data: { idTransaction: body.idTransaction } })
    return received.map(({ json }) => json.data)
  }

  test('paid', async () => {
    const [data] = await statusesSent((world, id) => world.control('pay', { id }), 1)
    expect(data).toEqual({
      idTransaction: expect.stringMatching(UUID),
      status: 'PAID',
      amount: 100,
      paidAt: new Date(NOON_MS).toISOString(),
    })
  })

  test('expired by the clock', async () => {
    const [data] = await statusesSent((world) => world.advance(2 * DAY_MS), 1)
    expect(data).toMatchObject({ status: 'EXPIRED', amount: 100, paidAt: null })
  })

  test('expired, cancelled', async () => {
    expect(await statusesSent((world, id) => world.control('expire', { id }), 1)).toMatchObject([{ status: 'EXPIRED' }])
    expect(await statusesSent((world, id) => world.control('cancel', { id }), 1)).toMatchObject([
      { status: 'CANCELLED' },
    ])
  })

  test('refunded once all is returned, not before', async () => {
    const sent = await statusesSent(async (world, id) => {
      await world.control('pay', { id })
      await world.refund(id, { amount: 40 })
      await world.advance(1000)
      expect((await world.status(id)).body.status).toBe('PAID')
      await world.refund(id)
      expect((await world.status(id)).body.status).toBe('PAID')
      await world.advance(1000)
    }, 2)
    expect(sent).toMatchObject([{ status: 'PAID' }, { status: 'REFUNDED', amount: 100 }])
  })

  test('a late payment is refused unless `late` is set, from EXPIRED and from CANCELLED', async () => {
    for (const action of ['expire', 'cancel']) {
      const sent = await statusesSent(async (world, id) => {
        await world.control(action, { id })
        expect(await world.control('pay', { id })).toMatchObject({ status: 409, body: { statusCode: 409 } })
        expect((await world.state()).balance).toBe(10_000)
        expect((await world.control('pay', { id, late: true })).body.status).toBe('PAID')
        expect((await world.state()).balance).toBe(10_100)
      }, 2)
      expect(sent.at(-1)).toMatchObject({ status: 'PAID', paidAt: '2026-11-21T15:00:00.000Z' })
    }
  })

  test('expires by the clock alone: a query after its time finds it expired', async () => {
    let nowMs = NOON_MS
    const world = await startWorld({ now: () => nowMs })
    const { body } = await world.cashIn({ dueDate: '2026-11-21T15:00:10Z' })
    nowMs += 9999
    expect((await world.status(body.idTransaction)).body.status).toBe('PENDING')
    nowMs += 1
    expect((await world.status(body.idTransaction)).body.status).toBe('EXPIRED')
  })

  test.each<[string, string[], string]>([
    ['paid twice', ['pay'], 'pay'],
    ['expired after it was paid', ['pay'], 'expire'],
    ['cancelled after it was paid', ['pay'], 'cancel'],
    ['expired twice', ['expire'], 'expire'],
    ['cancelled after it expired', ['expire'], 'cancel'],
    ['charged back while pending', [], 'chargeback'],
    ['charged back twice', ['pay', 'chargeback'], 'chargeback'],
    ['returned', ['pay'], 'return'],
    ['failed', [], 'fail'],
    ['delivered before anything happened', [], 'deliver'],
  ])('a payment cannot be %s', async (_name, before, action) => {
    const world = await startWorld()
    const id = (await world.cashIn()).body.idTransaction
    for (const step of before) expect((await world.control(step, { id })).status).toBe(200)
    const state = await world.state()
    expect(await world.control(action, { id })).toMatchObject({
      status: 409,
      body: { statusCode: 409, error: 'Conflict', message: 'CONFLICT' },
    })
    expect({ ...(await world.state()), deliveries: [] }).toEqual({ ...state, deliveries: [] })
  })

  test('pays automatically after the configured time, unless the payment ended earlier', async () => {
    const world = await startWorld({ autoPayMs: 3000 })
    const paid = (await world.cashIn()).body.idTransaction
    const cancelled = (await world.cashIn()).body.idTransaction
    await world.control('cancel', { id: cancelled })
    await world.advance(2999)
    expect((await world.status(paid)).body.status).toBe('PENDING')
    await world.advance(1)
    expect((await world.status(paid)).body).toMatchObject({ status: 'PAID', paidAt: '2026-11-21T15:00:03.000Z' })
    expect((await world.status(cancelled)).body.status).toBe('CANCELLED')
  })
})

describe('split', () => {
  test.each([
    [100, 10, 10],
    [0.01, 50, 0],
    [10.01, 33.33, 3.33],
    [9_999_999_999.99, 99.99, 9_998_999_999.99],
    [1, 100, 1],
  ])('of %d with %d %% the share is %d, and the rest is here', async (amount, percentageSplit, share) => {
    const world = await startWorld({ balanceCents: 0 })
    await world.paidPayment({ amount, split: { username: 'ana', percentageSplit } })
    const { balance, payments } = await world.state()
    expect(payments[0]?.split).toEqual({ username: 'ana', percentageSplit, amount: share })
    expect(Math.round((balance + share) * 100)).toBe(Math.round(amount * 100))
  })

  test('a partner must exist and be active', async () => {
    const world = await startWorld({ partners: ['ana'] })
    const split = (username: string) => world.cashIn({ split: { username, percentageSplit: 10 } })
    expect((await split('ana')).status).toBe(200)
    expect(await split('bia')).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('split.username') },
    })
  })
})

test('the dashboard webhook receives payments and chargebacks, in the general format', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ dashboardWebhook: receiver.url })
  const id = await world.paidPayment({ callbackUrl: NOWHERE, client: { name: 'José', taxId: '52998224725' } })
  await receiver.first(1)
  expect((await world.control('chargeback', { id })).body).toMatchObject({
    status: 'PAID',
    chargebackAt: expect.any(String),
  })
  const [paidOut, chargeback] = await receiver.first(2)
  expect(paidOut?.json).toEqual({
    idTransaction: id,
    typeTransaction: 'PIX',
    statusTransaction: 'PAID_OUT',
    value: 100,
    payerName: 'José',
    payerTaxId: '52998224725',
    paymentDate: '21/11/2026 12:00:00',
  })
  expect(chargeback?.json).toEqual({ ...paidOut?.json, statusTransaction: 'CHARGEBACK' })
  expect((await world.status(id)).body.status).toBe('PAID')
})
