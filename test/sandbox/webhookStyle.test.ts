import { expect, test } from 'vitest'
import { hmac, startReceiver, startWorld } from './sandboxWorld.ts'

test('a shop that signs JSON.stringify of the parsed body refuses what the sandbox sends by default', async () => {
  const world = await startWorld()
  const receiver = await startReceiver()
  for (const amount of [10, 10.5]) await world.paidPayment({ amount, callbackUrl: receiver.url })
  for (const { text, json, headers } of await receiver.first(2)) {
    expect(headers['x-signature']).toBe(hmac(text))
    expect(headers['x-signature']).not.toBe(hmac(JSON.stringify(json)))
  }
})

test('with --webhook-style javascript such a shop accepts it', async () => {
  const world = await startWorld({ webhookStyle: 'javascript' })
  const receiver = await startReceiver()
  await world.paidPayment({ amount: 10.5, callbackUrl: receiver.url })
  const [received] = await receiver.first(1)
  expect(received?.headers['x-signature']).toBe(hmac(JSON.stringify(received?.json)))
})

test.each([
  ['java', '"value":25.50'],
  ['php', '"value":25.5'],
  ['python', '"value": 25.5'],
  ['javascript', '"value":25.5'],
] as const)('%s is the style of every event', async (webhookStyle, part) => {
  const world = await startWorld({ webhookStyle, autoSettleMs: 0 })
  const receiver = await startReceiver()
  await world.transfer({ callbackUrl: receiver.url })
  const [received] = await receiver.first(1)
  expect(received?.text).toContain(part)
})

test('a refund event can repeat the key in every style', async () => {
  const world = await startWorld({ webhookStyle: 'python', refundEvent: 'repeated-key', autoSettleMs: 0 })
  const receiver = await startReceiver()
  const id = await world.paidPayment()
  await world.refund(id, { amount: 1, callbackUrl: receiver.url })
  const [received] = await receiver.first(1)
  expect(received?.text.match(/"idTransaction": "/g)).toHaveLength(2)
})
