import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CREDENTIALS, startWorld } from './sandboxWorld.ts'

const PATH = '/api/v2/gateway/consult-transaction'

describe('the status query', () => {
  test('answers what the specification names, under either name of the status', async () => {
    for (const statusKey of ['status', 'statusTransaction'] as const) {
      const world = await startWorld({ statusKey })
      const id = await world.paidPayment({ amount: 10.5 })
      expect((await world.status(id)).body).toEqual({
        idTransaction: id,
        [statusKey]: 'PAID',
        amount: 10.5,
        paidAt: '2026-11-21T15:00:00.000Z',
        response: 'OK',
      })
    }
  })

  test('an id in capitals is the same id', async () => {
    const world = await startWorld()
    const id = await world.paidPayment()
    expect((await world.status(id.toUpperCase())).body).toMatchObject({ idTransaction: id, status: 'PAID' })
  })

  test.each(['', ' ', 'abc', 'pai-1', 'PAID-1', '123e4567e12b12d1a456426655440000', '../state'])(
    'the id `%s` is malformed',
    async (id) => {
      const world = await startWorld()
      expect(await world.status(id)).toMatchObject({
        status: 400,
        body: { statusCode: 400, error: 'Bad Request', message: 'INVALID_TRANSACTION_ID' },
      })
    },
  )

  test('a missing and a repeated id are malformed', async () => {
    const world = await startWorld()
    const id = await world.paidPayment()
    for (const query of ['', '?', '?id=paid-1', `?idTransaction=${id}&idTransaction=paid-1`]) {
      const { status, body } = await world.call(PATH + query, { headers: CREDENTIALS })
      expect([status, body.message]).toEqual([400, 'INVALID_TRANSACTION_ID'])
    }
  })

  test('an unknown id is not found, nor is that of a refund or a transfer', async () => {
    const world = await startWorld()
    const refund = (await world.refund(await world.paidPayment())).body.idTransaction
    const transfer = (await world.transfer()).body.idTransaction
    for (const id of [randomUUID(), refund, transfer]) {
      expect(await world.status(id)).toMatchObject({
        status: 404,
        body: { statusCode: 404, error: 'Not Found', message: 'TRANSACTION_NOT_FOUND' },
      })
    }
  })

  test('an id that begins with `paid-` is always paid, with the same answer', async () => {
    const world = await startWorld()
    const first = await world.status('paid-123')
    expect(first).toMatchObject({
      status: 200,
      body: { idTransaction: 'paid-123', status: 'PAID', amount: 10, paidAt: '2026-11-21T15:00:00.000Z' },
    })
    await world.advance(60_000)
    expect((await world.status('paid-123')).body).toEqual(first.body)
  })

  test('the hosted rule: `paid-…` is paid, every other id at all is unpaid', async () => {
    const world = await startWorld({ hostedStatusRule: true })
    const id = await world.paidPayment({ amount: 3 })
    expect((await world.status('paid-1')).body).toMatchObject({ status: 'PAID', amount: 10 })
    expect((await world.status(id)).body).toMatchObject({ status: 'UNPAID', amount: 3, paidAt: null })
    expect((await world.status(randomUUID())).body).toMatchObject({ status: 'UNPAID', amount: 10, paidAt: null })
    expect((await world.status('anything')).body).toMatchObject({ status: 'UNPAID' })
    expect((await world.status('')).status).toBe(400)
  })
})
