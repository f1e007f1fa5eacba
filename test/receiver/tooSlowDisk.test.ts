import { expect, it, onTestFinished } from 'vitest'
import { BODY_BYTES_MAX } from '../../src/receiver/door.ts'
import { type Delivery, type ReceiverRules, startReceiver } from '../../src/receiver/receiver.ts'
import { SECRET } from './listening.ts'
import { deliver, eventBody } from './webhooks.ts'

type Kept = Awaited<ReturnType<ReceiverRules['keep']>>

it('answers 503 when the disk takes too long, and takes the repetition for the first delivery', async () => {
  const deliveries: Delivery[] = []
  const reasons: unknown[] = []
  /** What the disk has not taken yet; the late one stays in it. */
  const waiting: ((kept: Kept) => void)[] = []
  const receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    shape: { path: null, bodyBytesMax: BODY_BYTES_MAX, isOwnName: () => false, selfCall: () => null },
    secrets: [SECRET],
    allowUnsigned: false,
    now: () => 0,
    keep: () => new Promise((resolve) => waiting.push(resolve)),
    onDelivery: (delivery) => deliveries.push(delivery),
    onNotKept: (error) => reasons.push(error),
  })
  onTestFinished(() => receiver.close())
  const send = (id: string) => deliver(receiver.port, eventBody(id, 0))
  const answer = async (id: string, kept: Kept) => {
    const status = send(id)
    await expect.poll(() => waiting.length).toBe(2)
    waiting.pop()?.(kept)
    return status
  }

  const late = send('late')
  await expect.poll(() => waiting.length).toBe(1)
  // Others go in and out meanwhile.
  expect(await answer('a', { n: 1, duplicate: false })).toBe(200)
  expect(await answer('b', { n: 2, duplicate: false })).toBe(200)
  expect(await late).toBe(503)
  expect(reasons).toEqual([undefined])

  waiting[0]?.({ n: 3, duplicate: false })
  expect(await answer('late', { n: 3, duplicate: true })).toBe(200)
  expect(await answer('late', { n: 3, duplicate: true })).toBe(200)
  const told = deliveries.map(({ n, duplicate, httpStatus, reason }) => ({ n, duplicate, httpStatus, reason }))
  expect(told).toEqual([
    { n: 1, duplicate: false, httpStatus: 200, reason: null },
    { n: 2, duplicate: false, httpStatus: 200, reason: null },
    { n: null, duplicate: false, httpStatus: 503, reason: 'not-stored' },
    { n: 3, duplicate: false, httpStatus: 200, reason: null },
    { n: 3, duplicate: true, httpStatus: 200, reason: null },
  ])
})
