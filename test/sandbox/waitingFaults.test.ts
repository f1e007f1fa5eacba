import { describe, expect, test } from 'vitest'
import { type Answer, startWorld, type World } from './sandboxWorld.ts'

const ASKS: ReadonlyMap<string, (world: World) => Promise<Answer>> = new Map([
  ['request-qrcode', (world) => world.cashIn()],
  ['pix-refund', async (world) => world.refund((await world.state()).payments[0]?.idTransaction, { amount: 1 })],
  ['pix-payment', (world) => world.transfer()],
  ['consult-transaction', (world) => world.status('paid-1')],
])

describe('codes of the other endpoints', () => {
  test.each([
    ['INVALID_AMOUNT', 400, ['request-qrcode']],
    ['INVALID_TRANSACTION_ID', 400, ['pix-refund', 'consult-transaction']],
    ['TRANSACTION_NOT_FOUND', 404, ['pix-refund', 'consult-transaction']],
    ['REFUND_NOT_ALLOWED', 422, ['pix-refund']],
    ['INVALID_CREDENTIALS', 401, [...ASKS.keys()]],
  ])('%s is %i where the service gives it, and waits for such a call', async (code, status, paths) => {
    const world = await startWorld()
    await world.paidPayment()
    await world.control('fault', { kind: code, times: paths.length })
    const before = await world.state()
    for (const path of paths) {
      const answer = await ASKS.get(path)?.(world)
      expect(answer).toMatchObject({ status, body: { statusCode: status, message: code } })
    }
    expect(await world.state()).toEqual({ ...before, faults: [] })
    await world.control('fault', { kind: code, times: ASKS.size })
    for (const [path, ask] of ASKS)
      expect([path, (await ask(world)).status]).toEqual([path, paths.includes(path) ? status : 200])
  })
})

describe('faults that are still to come', () => {
  test('are listed with the times that are left, and removed one by one or all', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'html', times: 2 })
    await world.control('fault', { kind: 'NO_FUNDS', on: 'transfer', async: true })
    await world.control('fault', { kind: 'webhook:lost', on: 'qr' })
    await expect(world.cashIn()).rejects.toThrow(/<!doctype/)
    const waiting = [
      { kind: 'html', on: null, times: 1, async: false },
      { kind: 'NO_FUNDS', on: 'transfer', times: 1, async: true },
      { kind: 'webhook:lost', on: 'qr', times: 1, async: false },
    ]
    expect((await world.call('/sandbox/faults')).body).toEqual({ faults: waiting })
    expect(await world.state()).toMatchObject({ faults: waiting })
    expect(await world.control('clear-faults', { n: 4 })).toMatchObject({
      status: 409,
      body: { details: 'There is no fault 4 in the list' },
    })
    expect((await world.control('clear-faults', { n: 2 })).body).toEqual({ faults: [waiting[0], waiting[2]] })
    expect((await world.control('clear-faults')).body).toEqual({ faults: [] })
    expect((await world.cashIn()).status).toBe(200)
  })

  test('an unknown word as a target is refused, but not a name that a transaction has or may get', async () => {
    const world = await startWorld()
    await world.cashIn({ requestNumber: 'christmas' })
    const status = async (on: string) => (await world.control('fault', { kind: 'html', on })).status
    expect(await Promise.all(['tranfer', 'christmas', 'invoice-1', 'ana@example.com'].map(status))).toEqual([
      400, 200, 200, 200,
    ])
  })
})
