import { expect, it } from 'vitest'
import { recordedEvents, startListening } from '../listener/listening.ts'
import { deliver, eventBody } from '../listener/webhooks.ts'
import { emptyWorld } from '../world.ts'
import { numbersOf, outcomeOf, runListener, send } from './listenerRun.ts'
import { webhookTarget } from './webhookTarget.ts'

const BODY =
  '{"event":"refund.status","data":{"idTransaction":"a","originalTransactionId":"b","status":"DONE","amount":5}}'
/** The same in other bytes. */
const SAME = [
  BODY.replace('5', '5.00'),
  `${BODY}\n`,
  '{"data":{"amount":5,"status":"DONE","originalTransactionId":"b","idTransaction":"a"},"event":"refund.status"}',
  '{"event":"refund.status","data":{"idTransaction":"a","idTransaction":"b","status":"DONE","amount":5}}',
]
const OTHERS = [
  BODY.replace('"a"', '"c"'),
  BODY.replace('"b"', '"c"'),
  BODY.replace('DONE', 'FAILED'),
  BODY.replace('5', '6'),
  BODY.replace('refund.status', 'refund.done'),
]
const NAMELESS = ['{"a":1}', '{"a": 1}', '{"a":2}']

it('recognises an event after a restart, marks it, and forwards it', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  const args = ['--forward-to', target.url]
  const first = await runListener(world, args, async ({ port }) => {
    expect(await send(port, { body: BODY })).toBe(200)
    expect(await send(port, { body: BODY })).toBe(200)
  })
  const second = await runListener(world, args, async ({ port }) => expect(await send(port, { body: BODY })).toBe(200))
  const shown = [...first.events, ...second.events].map(({ n, valid, duplicate }) => ({ n, valid, duplicate }))
  const duplicate = { n: 1, valid: true, duplicate: true }
  expect(shown).toEqual([{ ...duplicate, duplicate: false }, duplicate, duplicate])
  expect(first.summary).toMatchObject({ received: 2, valid: 2, duplicates: 1 })
  expect(second.summary).toMatchObject({ received: 1, valid: 1, duplicates: 1 })
  expect(target.posted.map(({ body }) => body)).toEqual([BODY, BODY, BODY])
  expect(await recordedEvents(world)).toMatchObject([{ n: 1, duplicate: false }])
})

it('does not forward it again unless that is requested', async () => {
  const target = await webhookTarget()
  const args = ['--forward-to', target.url, '--drop-duplicates']
  const { events, forwards } = await runListener(emptyWorld(), args, async ({ port }) => {
    for (const body of [BODY, BODY, SAME[0], OTHERS[0]]) expect(await send(port, { body })).toBe(200)
  })
  expect(events.map(({ duplicate }) => duplicate)).toEqual([false, true, true, false])
  expect(forwards.map(({ n }) => n)).toEqual([1, 3])
  expect(target.posted.map(({ body }) => body)).toEqual([BODY, OTHERS[0]])
})

it('knows the same event in other bytes, and keeps both', async () => {
  const world = emptyWorld()
  const bodies = [BODY, ...SAME, ...OTHERS, ...NAMELESS]
  const { events } = await runListener(world, [], async ({ port }) => {
    for (const body of [...bodies, ...bodies]) expect(await send(port, { body })).toBe(200)
  })
  const numbers = bodies.map((_, index) => index + 1)
  expect(numbersOf(events)).toEqual([...numbers, ...numbers])
  const isSame = bodies.map((body) => SAME.includes(body))
  expect(events.map(({ duplicate }) => duplicate)).toEqual([...isSame, ...bodies.map(() => true)])
  const recorded = await recordedEvents(world)
  expect(numbersOf(recorded)).toEqual(numbers)
  expect(recorded.map(({ duplicate }) => duplicate)).toEqual(isSame)
})

it('counts simultaneous deliveries of the same event as one', async () => {
  const world = emptyWorld()
  const body = eventBody('a')
  const { events } = await runListener(world, [], ({ port }) =>
    Promise.all(Array.from({ length: 40 }, () => deliver(port, body))),
  )
  expect(numbersOf(events)).toEqual(Array(40).fill(1))
  expect(events.filter(({ duplicate }) => duplicate === false)).toHaveLength(1)
  expect(numbersOf(await recordedEvents(world))).toEqual([1])
})

it('keeps events of another signer separate', async () => {
  const world = emptyWorld()
  await runListener(world, ['--allow-unsigned'], ({ port }) => send(port, { body: BODY, lines: [] }))
  const { events } = await runListener(world, [], ({ port }) => send(port, { body: BODY }))
  expect(events).toMatchObject([{ n: 2, valid: true, duplicate: false }])
  world.env.PIXGATE_CLIENT_ID = 'someone-else'
  const other = await runListener(world, [], ({ port }) => send(port, { body: BODY }))
  expect(other.events).toMatchObject([{ n: 3, valid: true, duplicate: false }])
})

it('shares its journal with another listener, and no number is lost or given twice', async () => {
  const world = emptyWorld()
  const listeners = await Promise.all([startListening(world), startListening(world)])
  const ids = Array.from({ length: 120 }, (_, index) => `event-${index}`)
  const statuses = await Promise.all(
    ids.map((id, index) => deliver(listeners[index % 2 === 0 ? 0 : 1].port, eventBody(id))),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  // What one of them has recorded is a duplicate for the other.
  for (const { port } of listeners) expect(await deliver(port, eventBody('event-7'))).toBe(200)
  for (const listener of listeners) listener.signal('SIGINT')
  const outcomes = await Promise.all(listeners.map(outcomeOf))
  const events = outcomes.flatMap((outcome) => outcome.events)
  const fresh = events.filter(({ duplicate }) => duplicate === false)
  const numbers = ids.map((_, index) => index + 1)
  expect(fresh.map(({ n }) => Number(n)).sort((one, other) => one - other)).toEqual(numbers)
  const seven = fresh.find(({ pixgate }) => JSON.stringify(pixgate).includes('"event-7"'))
  expect(events.filter(({ duplicate }) => duplicate === true).map(({ n }) => n)).toEqual([seven?.n, seven?.n])
  const recorded = await recordedEvents(world)
  expect(numbersOf(recorded)).toEqual(numbers)
  const shownBodies = new Map(fresh.map(({ n, bodyBase64 }) => [n, bodyBase64]))
  expect(recorded.filter(({ n, bodyBase64 }) => shownBodies.get(n) !== bodyBase64)).toEqual([])
})
