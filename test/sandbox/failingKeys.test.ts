import { expect, test } from 'vitest'
import { CASH_OUT_CODES } from '../../src/sandbox/faultKinds.ts'
import { FAILING_KEYS } from '../../src/sandbox/keyDirectory.ts'
import { startReceiver, startWorld } from './sandboxWorld.ts'

test('there is one key for each cash-out code, and for CANCELED and RETURNED', () => {
  expect([...FAILING_KEYS.values()]).toEqual([...CASH_OUT_CODES, 'CANCELED', 'RETURNED'])
  expect(FAILING_KEYS.get('no-funds@fail.pixgate.example')).toBe('NO_FUNDS')
})

test.each([...FAILING_KEYS].filter(([, code]) => code !== 'RETURNED'))(
  'a transfer to %s is accepted, then fails with %s, without a control call',
  async (key, code) => {
    const world = await startWorld({ autoSettleMs: 0 })
    const receiver = await startReceiver()
    expect((await world.transfer({ key, callbackUrl: receiver.url })).body.status).toBe('PROCESSING')
    const [received] = await receiver.first(1)
    expect(received?.json).toMatchObject({
      event: 'transfer.failed',
      data: { statusTransaction: code === 'CANCELED' ? 'CANCELED' : 'ERROR', errorCode: code },
    })
    expect((await world.state()).balance).toBe(10_000)
  },
)

test('a mistyped failure is refused with the names that exist', async () => {
  const world = await startWorld()
  expect(await world.transfer({ key: 'no-fund@fail.pixgate.example' })).toMatchObject({
    status: 400,
    body: { details: expect.stringContaining('no-funds') },
  })
})

test('a transfer to returned@fail.pixgate.example is paid, then returned', async () => {
  const world = await startWorld({ autoSettleMs: 0 })
  const receiver = await startReceiver()
  await world.transfer({ key: 'returned@fail.pixgate.example', callbackUrl: receiver.url })
  const events = (await receiver.first(2)).map(({ json }) => [json.event, json.data.statusTransaction])
  expect(events).toEqual([
    ['transfer.completed', 'PAID_OUT'],
    ['transfer.failed', 'RETURNED'],
  ])
  expect((await world.state()).balance).toBe(10_000)
})
