import { expect, test } from 'vitest'
import { startReceiver, startWorld } from './sandboxWorld.ts'

test('a chargeback takes the money out of the balance, and the query stays PAID', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ dashboardWebhook: receiver.url })
  const id = await world.paidPayment({ amount: 100 })
  expect((await world.state()).balance).toBe(10_100)
  const { body } = await world.control('chargeback', { id })
  expect(body).toMatchObject({ status: 'PAID', chargedBack: 100, chargebackAt: expect.any(String) })
  expect(await world.state()).toMatchObject({ balance: 10_000, payments: [{ chargedBack: 100 }] })
  expect((await world.status(id)).body.status).toBe('PAID')
  const [, notice] = await receiver.first(2)
  expect(notice?.json).toMatchObject({ idTransaction: id, statusTransaction: 'CHARGEBACK', value: 100 })
})

test('a payment that was charged back cannot be refunded', async () => {
  const world = await startWorld()
  const id = await world.paidPayment()
  await world.control('chargeback', { id })
  expect(await world.refund(id)).toMatchObject({
    status: 422,
    body: { message: 'REFUND_NOT_ALLOWED', details: 'The payment was charged back' },
  })
  expect((await world.state()).balance).toBe(10_000)
})

test('a chargeback takes back only what was not refunded', async () => {
  const world = await startWorld({ autoSettleMs: 0 })
  const id = await world.paidPayment({ amount: 100 })
  await world.refund(id, { amount: 30 })
  expect((await world.control('chargeback', { id })).body.chargedBack).toBe(70)
  expect((await world.state()).balance).toBe(10_000)
})

test('a chargeback takes money that was already spent: the balance becomes negative', async () => {
  const world = await startWorld({ balanceCents: 0 })
  const id = await world.paidPayment({ amount: 100 })
  await world.transfer({ value: 80 })
  await world.control('chargeback', { id })
  expect((await world.state()).balance).toBe(-80)
})
