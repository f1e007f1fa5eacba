import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { paymentsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { writeEvent } from './sentPayments.ts'

const JSON_YES = ['--yes', '-o', 'json']
const NOT_LEFT = { exit: 1, code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent' }
const REPEAT = { exit: 2, code: 'REPEAT', outcome: 'not-sent' }
const DAY_MS = 24 * 60 * 60 * 1000

interface Stage {
  gateway: FaultGateway
  world: World
  /** A payment of R$ 10,50 that was received. */
  original: string
  refund(id: string, ...words: readonly string[]): Promise<ProcessResult>
  batch(rows: readonly string[], ...words: readonly string[]): Promise<ProcessResult>
  event(body: object): Promise<void>
}

async function stage(): Promise<Stage> {
  const gateway = await startFaultGateway()
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const owner = { baseUrl: gateway.url }
  let files = 0
  return {
    gateway,
    world,
    original: randomUUID(),
    refund: (id, ...words) => world.run(['refund', id, '--reason', 'x', ...words, ...JSON_YES]),
    batch(rows, ...words) {
      files += 1
      const file = join(world.home, `rows-${files}.csv`)
      writeFileSync(file, ['originalTransactionId,amount,refundReason', ...rows, ''].join('\n'))
      return world.run(['batch', 'refund', file, ...words, ...JSON_YES])
    },
    event: (body) => writeEvent(world, new Date().toISOString(), body, owner),
  }
}

describe('the original of a refund in capitals is the same original', () => {
  it('for single refunds, and is sent as it was recorded first', async () => {
    const { gateway, original, refund } = await stage()
    const capitals = original.toUpperCase()
    expect((await refund(capitals, '--amount', '2')).exit).toBe(0)
    expect(failureOf(await refund(original, '--amount', '2'))).toMatchObject(REPEAT)
    expect(failureOf(await refund(original, '--amount', '9', '--skip-query'))).toMatchObject(NOT_LEFT)
    expect((await refund(original, '--amount', '1')).exit).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([capitals, capitals])
  })

  it('for the rows of batches', async () => {
    const { gateway, original, refund, batch } = await stage()
    const capitals = original.toUpperCase()
    const together = failureOf(await batch([`${original},6,x`, `${capitals},6,x`]))
    expect(together).toMatchObject({ exit: 2, faults: [{ line: 3, column: 'amount' }] })
    expect((await refund(original, '--amount', '2')).exit).toBe(0)
    expect(failureOf(await batch([`${capitals},2,x`]))).toMatchObject(REPEAT)
    expect(failureOf(await batch([`${capitals},9,x`]))).toMatchObject({ exit: 2, faults: [{ line: 2 }] })
    expect(gateway.ledger).toHaveLength(1)
  })

  it('as an external id is', async () => {
    const { gateway, world } = await stage()
    const pay = (key: string, id: string) =>
      world.run(['transfer', '--key', key, '--amount', '1', '--external-id', id, ...JSON_YES])
    expect((await pay('a@example.com', 'Invoice-1')).exit).toBe(0)
    expect(failureOf(await pay('b@example.com', 'INVOICE-1'))).toMatchObject({ ...REPEAT, externalId: 'Invoice-1' })
    expect(await world.json(['status', 'INVOICE-1'])).toMatchObject({ externalId: 'Invoice-1' })
    expect(await world.json(['history', 'show', 'invoice-1'])).toMatchObject({ externalId: 'Invoice-1' })
    const found: unknown = JSON.parse((await world.run(['history', 'find', 'iNVOICE-1', '-o', 'json'])).stdout)
    expect(found).toMatchObject([{ externalId: 'Invoice-1' }])
    expect(gateway.ledger).toHaveLength(1)
  })

  it('in events', async () => {
    const { gateway, world, original, refund, event } = await stage()
    expect((await refund(original, '--amount', '2')).exit).toBe(0)
    const ids = {
      idTransaction: gateway.ledger[0]?.idTransaction.toUpperCase(),
      originalTransactionId: original.toUpperCase(),
    }
    await event({ event: 'refund.status', data: { ...ids, status: 'COMPLETED', amount: 2 } })
    expect(await paymentsOf(world)).toEqual([{ name: original, state: 'paid' }])
  })
})

describe('--skip-query keeps to what is known', () => {
  it.each<[string, Record<string, unknown>, amount: string, failure: object]>([
    ['the amount', {}, '10,51', NOT_LEFT],
    ['when it was paid', { paidAt: new Date(Date.now() - 31 * DAY_MS).toISOString() }, '1', NOT_LEFT],
    ['that all was refunded', { status: 'REFUNDED' }, '1', NOT_LEFT],
    ['a chargeback', { status: 'CHARGEBACK' }, '1', REPEAT],
  ])('from a status query: %s', async (_what, payment, amount, failure) => {
    const { gateway, world, original, refund, batch } = await stage()
    Object.assign(gateway.payment, payment)
    await world.json(['status', original])
    const capitals = original.toUpperCase()
    expect(failureOf(await refund(capitals, '--amount', amount, '--skip-query'))).toMatchObject(failure)
    expect(failureOf(await batch([`${capitals},"${amount}",x`], '--skip-query'))).toMatchObject({ exit: 2 })
    expect(gateway.ledger).toEqual([])
  })

  it('from the query of an earlier refund', async () => {
    const { gateway, original, refund } = await stage()
    expect((await refund(original, '--amount', '4')).exit).toBe(0)
    expect(failureOf(await refund(original, '--amount', '7', '--skip-query'))).toMatchObject(NOT_LEFT)
    // The rest, with its amount: a request without one would return all.
    expect((await refund(original, '--full', '--skip-query')).exit).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.amount)).toEqual([4, 6.5])
  })

  it('from events of refunds that were made elsewhere', async () => {
    const { gateway, original, refund, event } = await stage()
    const data = {
      idTransaction: randomUUID(),
      originalTransactionId: original.toUpperCase(),
      status: 'COMPLETED',
      amount: 8,
    }
    await event({ event: 'refund.status', data })
    await event({ event: 'refund.status', data: { ...data, idTransaction: data.idTransaction.toUpperCase() } })
    const over = failureOf(await refund(original, '--amount', '3'))
    expect(over).toMatchObject({ ...NOT_LEFT, details: expect.stringContaining('R$ 8,00 was refunded') })
    expect(failureOf(await refund(original, '--amount', '3', '--skip-query'))).toMatchObject(NOT_LEFT)
    expect((await refund(original, '--full')).exit).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.amount)).toEqual([2.5])
  })

  it('from events of refunds without an id of their own, each of which is another refund', async () => {
    const { gateway, original, refund, event } = await stage()
    const data = { originalTransactionId: original, status: 'COMPLETED', amount: 4 }
    await event({ event: 'refund.status', data })
    await event({ event: 'refund.status', data: { ...data, amount: 5 } })
    // A second delivery, in other bytes.
    await event({ data, event: 'refund.status' })
    const over = failureOf(await refund(original, '--amount', '3'))
    expect(over).toMatchObject({ ...NOT_LEFT, details: expect.stringContaining('R$ 9,00 was refunded') })
    expect(gateway.ledger).toEqual([])
    expect((await refund(original, '--amount', '1,50')).exit).toBe(0)
  })
})

it('refunds a payment with a known chargeback only with --despite-chargeback', async () => {
  const { gateway, original, refund, batch, event } = await stage()
  const data = {
    idTransaction: original.toUpperCase(),
    typeTransaction: 'PIX',
    statusTransaction: 'CHARGEBACK',
    value: 10.5,
  }
  await event(data)
  const single = failureOf(await refund(original, '--amount', '1'))
  expect(single).toMatchObject({ ...REPEAT, message: expect.stringContaining('chargeback') })
  expect(failureOf(await refund(original, '--amount', '1', '--dry-run'))).toMatchObject(REPEAT)
  const rows = [`${original},2,x`]
  expect(failureOf(await batch(rows))).toMatchObject({
    exit: 2,
    hint: expect.stringContaining('add `--despite-chargeback`'),
    faults: [{ line: 2, message: expect.stringContaining('chargeback') }],
  })
  expect(gateway.ledger).toEqual([])
  expect((await refund(original, '--amount', '1', '--despite-chargeback')).exit).toBe(0)
  expect((await batch(rows, '--despite-chargeback')).exit).toBe(0)
  // It allows the chargeback, and nothing else.
  expect(failureOf(await refund(original, '--amount', '1', '--despite-chargeback'))).toMatchObject(REPEAT)
})
