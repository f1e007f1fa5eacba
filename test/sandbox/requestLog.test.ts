import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/schemas/sandboxAnswers.ts'
import { NOWHERE, SECRET, startReceiver, startWorld, type World } from './sandboxWorld.ts'

interface Requests {
  requests: Record<string, unknown>[]
}

async function requests(world: World, query = ''): Promise<Requests['requests']> {
  const response = await fetch(`${world.url}/sandbox/requests${query}`)
  const { requests: list } = (await response.json()) as Requests
  return list
}

describe('GET /sandbox/requests', () => {
  test('lists requests to the service and their answers, with bodies, oldest first', async () => {
    const world = await startWorld()
    const { body } = await world.cashIn({ requestNumber: 'order-7' })
    await world.status('nonsense')
    await world.control('pay', { id: body.idTransaction })
    const [first, second, ...others] = await requests(world)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      n: 1,
      method: 'POST',
      path: '/api/v2/gateway/request-qrcode',
      status: 200,
      code: null,
    })
    expect(JSON.parse(String(first?.requestBody))).toMatchObject({ requestNumber: 'order-7', callbackUrl: NOWHERE })
    expect(JSON.parse(String(first?.responseBody))).toEqual(body)
    expect(second).toMatchObject({
      n: 2,
      method: 'GET',
      query: 'idTransaction=nonsense',
      status: 400,
      code: 'INVALID_TRANSACTION_ID',
      details: '`idTransaction` must be the UUID of one transaction',
    })
  })

  test('?failed=true lists errors and dropped connections only', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'drop-after' })
    await world.cashIn().catch(() => undefined)
    await world.cashIn()
    await world.cashIn({ amount: 0 })
    await world.call('/nowhere')
    const failed = await requests(world, '?failed=true')
    expect(failed.map(({ n, status, code }) => [n, status, code])).toEqual([
      [1, null, null],
      [3, 400, 'INVALID_AMOUNT'],
      [4, 404, 'NOT_FOUND'],
    ])
    expect(failed[0]?.responseBody).toBeNull()
  })

  test('keeps the last 1,000', async () => {
    const world = await startWorld()
    for (let n = 0; n < 1003; n += 1) await world.call('/nowhere')
    const list = await requests(world)
    expect([list.length, list[0]?.n, list.at(-1)?.n]).toEqual([1000, 4, 1003])
  })

  test('never shows the client secret, whichever part of the request it is in', async () => {
    const world = await startWorld()
    await world.transfer({ externalId: `my ${SECRET}` })
    await world.status(SECRET)
    await world.call(`/${SECRET}`)
    await world.cashIn({ requestNumber: Buffer.from(SECRET).toString('base64') })
    const list = await requests(world)
    expect(list).toHaveLength(4)
    expect(JSON.stringify(list)).not.toContain(SECRET)
    expect(JSON.stringify(list)).not.toContain(Buffer.from(SECRET).toString('base64'))
  })

  test('never shows the value of a query parameter that names a secret', async () => {
    const world = await startWorld()
    await world.call('/nowhere?token=t-credential&secret=s-credential&id=7')
    expect(await requests(world)).toMatchObject([{ query: 'token=••••&secret=••••&id=7' }])
  })

  test('a long body is cut', async () => {
    const world = await startWorld()
    await world.cashIn({ unknown: 'x'.repeat(100_000) })
    expect(String((await requests(world))[0]?.requestBody)).toHaveLength(16 * 1024 + 1)
  })
})

test('the log has one entry for each request and each attempt of a delivery', async () => {
  const entries: LogEntry[] = []
  const world = await startWorld({ onLog: (entry) => entries.push(entry), deliverAttempts: 2 })
  const receiver = await startReceiver()
  receiver.answer = (_received, place) => (place === 0 ? 500 : 200)
  await world.paidPayment({ callbackUrl: receiver.url })
  await expect.poll(() => entries.length).toBe(3)
  await world.advance(1000)
  await expect
    .poll(() => entries.filter(({ type }) => type === 'delivery'))
    .toMatchObject([
      { event: 'pix.received', eventStatus: 'PAID', status: 500, attempt: 1, attemptsMax: 2, outcome: 'waiting' },
      { status: 200, attempt: 2, outcome: 'delivered' },
    ])
  const asked = entries.flatMap((entry) => (entry.type === 'request' ? [[entry.path, entry.n]] : []))
  expect(asked).toEqual([
    ['/api/v2/gateway/request-qrcode', 1],
    ['/sandbox/pay', null],
    ['/sandbox/advance', null],
  ])
})
