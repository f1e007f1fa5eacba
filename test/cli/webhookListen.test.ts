import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { recordedEvents, SECRET } from '../listener/listening.ts'
import { signature } from '../listener/webhooks.ts'
import {
  CHARGED_BACK,
  FAILED,
  PAID_OUT,
  PAYMENT_ID,
  RECEIVED,
  REFUND_ID,
  REFUNDED,
  TRANSFER_ID,
} from '../views/events/sampleEventViews.ts'
import { emptyWorld } from '../world.ts'
import { numbersOf, type RawRequest, runListener, send } from './listenerRun.ts'
import { webhookTarget } from './webhookTarget.ts'

const NO_FACTS = {
  subject: null,
  idTransaction: null,
  originalTransactionId: null,
  externalId: null,
  status: null,
  amount: null,
  happenedAt: null,
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

it('writes a line for each thing that happens', async () => {
  const world = emptyWorld()
  const target = await webhookTarget({ body: 'thanks' })
  const body = JSON.stringify(RECEIVED)
  const lines = ['Content-Type: application/json', `x-signature: ${signature(Buffer.from(body))}`, 'X-A: 1', 'x-a: 2']
  let url = ''
  const listened = await runListener(world, ['--forward-to', target.url], async ({ port }) => {
    url = `http://127.0.0.1:${port}/`
    expect(await send(port, { target: '/pix?a=b', lines, body })).toBe(200)
  })
  const ms = expect.any(Number)
  expect(listened).toMatchObject({ exit: 0, stderr: '' })
  expect(listened.lines).toEqual([
    { type: 'ready', url, publicUrl: null, forwardTo: target.url },
    {
      type: 'event',
      n: 1,
      event: 'pix.received',
      valid: true,
      reason: null,
      duplicate: false,
      path: '/pix?a=b',
      payload: RECEIVED,
      bodyBase64: Buffer.from(body).toString('base64'),
      headers: {
        'content-type': 'application/json',
        'x-signature': signature(Buffer.from(body)),
        'x-a': ['1', '2'],
        host: '127.0.0.1',
        'content-length': String(body.length),
        connection: 'close',
      },
      receivedAt: expect.stringMatching(INSTANT),
      answeredMs: ms,
      pixgate: { ...NO_FACTS, ...FACTS_OF_RECEIVED },
    },
    { type: 'forward', n: 1, url: target.url, status: 200, ms, body: 'thanks' },
    {
      type: 'summary',
      received: 1,
      valid: 1,
      invalid: 0,
      unsigned: 0,
      duplicates: 0,
      notStored: 0,
      forwarded: 1,
      notForwarded: 0,
      targets: [{ url: target.url, forwarded: 1, notForwarded: 0 }],
      p50: ms,
      p95: ms,
      p99: ms,
    },
  ])
})

const FACTS_OF_RECEIVED = {
  subject: 'payment',
  idTransaction: PAYMENT_ID,
  status: RECEIVED.data.status,
  amount: RECEIVED.data.amount,
}

const BODIES: readonly [what: string, body: string, event: string | null, facts: Record<string, unknown>][] = [
  ['a refund', REFUNDED, 'refund.status', { subject: 'refund', idTransaction: REFUND_ID }],
  [
    'a refund that repeats the key',
    `{"event":"refund.status","data":{"idTransaction":"own","idTransaction":"original","status":"COMPLETED","amount":0.1}}`,
    'refund.status',
    { subject: 'refund', idTransaction: 'own', originalTransactionId: 'original', status: 'COMPLETED', amount: 0.1 },
  ],
  ['a transfer', JSON.stringify(PAID_OUT), 'transfer.completed', { subject: 'transfer', idTransaction: TRANSFER_ID }],
  ['a failed one', JSON.stringify(FAILED), 'transfer.failed', { subject: 'transfer', idTransaction: TRANSFER_ID }],
  ['the format of the dashboard', JSON.stringify(CHARGED_BACK), 'payment', { status: 'CHARGEBACK' }],
  ['an unknown event', '{"event":"x.y","data":{"idTransaction":"a"}}', 'x.y', { subject: null, idTransaction: 'a' }],
  ['an unknown shape', '{"hello":[1]}', null, NO_FACTS],
  ['an event of another type', '{"event":1,"data":[]}', null, NO_FACTS],
  ['an empty object', '{}', null, NO_FACTS],
  ['a list', ' [ ]\r\n', null, NO_FACTS],
  ['a text', '"\\u0000\u0085\u202e"', null, NO_FACTS],
  ['null', 'null', null, NO_FACTS],
  ['a key with a meaning of its own', '{"__proto__":{"event":"x"},"constructor":1}', null, NO_FACTS],
  ['numbers as they were written', '{"a":10.50,"b":12345678901234567890,"c":1e-7}', null, NO_FACTS],
]

it('understands every shape of an event', async () => {
  const world = emptyWorld()
  const { lines, events, summary } = await runListener(world, [], async ({ port }) => {
    for (const [, body] of BODIES) expect(await send(port, { body })).toBe(200)
  })
  expect(lines).toHaveLength(BODIES.length + 2)
  expect(summary).toMatchObject({ received: BODIES.length, valid: BODIES.length, duplicates: 0 })
  const recorded = await recordedEvents(world)
  expect(recorded).toHaveLength(BODIES.length)
  for (const [index, [what, body, event, facts]] of BODIES.entries()) {
    const told = events[index]
    expect(told, what).toMatchObject({ n: index + 1, event, valid: true, duplicate: false, pixgate: facts })
    expect(told?.payload, what).toEqual(JSON.parse(body))
    expect(Buffer.from(String(told?.bodyBase64), 'base64').toString()).toBe(body)
    const stored = recorded.find(({ n }) => n === index + 1)
    expect(stored, what).toMatchObject({ ...told, answeredMs: null })
  }
})

/** Requests with everything wrong from a place of the order on, and what they are answered. */
const GENUINE = JSON.stringify(RECEIVED)
const LARGE = 'x'.repeat(1024 * 1024 + 1)
const WRONG: readonly [reason: string, status: number, request: RawRequest][] = [
  ['host', 421, { host: 'evil.example', method: 'GET', target: '/x', lines: [], body: LARGE }],
  ['method', 405, { method: 'PUT', target: '/x', lines: [], body: LARGE }],
  ['path', 404, { target: '/x', lines: [], body: LARGE }],
  ['path', 404, { target: '/pix/', body: GENUINE }],
  ['path', 404, { target: '/PIX', body: GENUINE }],
  ['too-large', 413, { target: '/pix?a=b', lines: [], body: LARGE }],
  ['missing', 401, { target: '/pix', lines: [], body: '{' }],
  ['mismatch', 401, { target: '/pix', lines: [`X-Signature: ${'0'.repeat(64)}`], body: '{' }],
  ['malformed', 401, { target: '/pix', lines: ['X-Signature: 00'], body: '{' }],
  ['malformed', 401, { target: '/pix', lines: [signed('{'), signed('{')], body: '{' }],
  ['not-json', 400, { target: '/pix', lines: [signed('{')], body: '{' }],
]

function signed(body: string, secret = SECRET): string {
  return `X-Signature: ${createHmac('sha256', secret).update(body).digest('hex')}`
}

it('refuses in the promised order, shows what it refused, and records none of it', async () => {
  const world = emptyWorld()
  const statuses: unknown[] = []
  const listened = await runListener(world, ['--path', '/pix', '--max-events', '2'], async ({ port }) => {
    for (const [, , request] of WRONG) statuses.push(await send(port, request))
    expect(await send(port, { target: '/pix?a=b', body: GENUINE })).toBe(200)
  })
  expect(statuses).toEqual(WRONG.map(([, status]) => status))
  const refused = listened.events.slice(0, -1)
  expect(refused.map(({ reason }) => reason)).toEqual(WRONG.map(([reason]) => reason))
  for (const event of refused) expect(event).toMatchObject({ n: null, valid: false, duplicate: false })
  expect(listened.events.at(-1)).toMatchObject({ n: 1, valid: true, reason: null })
  expect(listened.summary).toMatchObject({
    received: WRONG.length + 1,
    valid: 1,
    invalid: WRONG.length - 1,
    unsigned: 1,
  })
  expect(numbersOf(await recordedEvents(world))).toEqual([1])
})

it('shows the bytes of what was refused for its signature', async () => {
  const { events } = await runListener(emptyWorld(), [], async ({ port }) => {
    await send(port, { lines: [], body: GENUINE })
    await send(port, { body: '{' })
  })
  expect(events).toMatchObject([
    { event: 'pix.received', payload: RECEIVED },
    { event: null, payload: null },
  ])
  const bodies = events.map(({ bodyBase64 }) => Buffer.from(String(bodyBase64), 'base64').toString())
  expect(bodies).toEqual([GENUINE, '{'])
})

it('accepts unsigned webhooks if allowed, but never a wrong signature', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  const args = ['--allow-unsigned', '--forward-to', target.url]
  const listened = await runListener(world, args, async ({ port }) => {
    expect(await send(port, { lines: [], body: GENUINE })).toBe(200)
    expect(await send(port, { lines: [signed(GENUINE, 'other')], body: GENUINE })).toBe(401)
    expect(await send(port, { lines: ['X-Signature: x'], body: GENUINE })).toBe(401)
    expect(await send(port, { lines: [], body: '{' })).toBe(400)
    expect(await send(port, { body: GENUINE })).toBe(200)
  })
  expect(listened.events).toMatchObject([
    { n: 1, valid: false, reason: 'missing' },
    { n: null, valid: false, reason: 'mismatch' },
    { n: null, valid: false, reason: 'malformed' },
    { n: null, valid: false, reason: 'not-json' },
    { valid: true, reason: null },
  ])
  expect(listened.summary).toMatchObject({ received: 5, valid: 1, invalid: 3, unsigned: 1 })
  expect(target.posted).toHaveLength(2)
  expect(await recordedEvents(world)).toMatchObject([
    { n: 1, valid: false, reason: 'missing' },
    { n: 2, valid: true },
  ])
})

it('accepts webhooks signed with the previous secret', async () => {
  const world = emptyWorld({ PIXGATE_PREVIOUS_CLIENT_SECRET: 'the-secret-of-before' })
  const { events } = await runListener(world, [], async ({ port }) => {
    expect(await send(port, { lines: [signed('{"a":1}', 'the-secret-of-before')], body: '{"a":1}' })).toBe(200)
    expect(await send(port, { body: '{"a":2}' })).toBe(200)
    expect(await send(port, { lines: [signed('{"a":3}', 'the-secret-of-nobody')], body: '{"a":3}' })).toBe(401)
  })
  expect(events.map(({ valid }) => valid)).toEqual([true, true, false])
})

it('shows and forwards only the requested events, and records them all', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  const args = ['--events', 'refund.status, transfer.failed', '--forward-to', target.url, '--max-events', '2']
  const bodies = [GENUINE, REFUNDED, JSON.stringify(PAID_OUT), '{"hello":1}']
  const listened = await runListener(world, args, async ({ port }) => {
    for (const body of bodies) expect(await send(port, { body })).toBe(200)
    expect(await send(port, { lines: [], body: GENUINE })).toBe(401)
    expect(await send(port, { body: JSON.stringify(FAILED) })).toBe(200)
  })
  expect(listened.events.map(({ n, event, valid }) => [n, event, valid])).toEqual([
    [2, 'refund.status', true],
    [null, 'pix.received', false],
    [5, 'transfer.failed', true],
  ])
  expect(target.posted.map(({ body }) => body)).toEqual([bodies[1], JSON.stringify(FAILED)])
  expect(listened.forwards.map(({ n }) => n).sort()).toEqual([2, 5])
  expect(listened.summary).toMatchObject({ received: 6, valid: 5, unsigned: 1 })
  expect(numbersOf(await recordedEvents(world))).toEqual([1, 2, 3, 4, 5])
})

it('warns of an unknown event, and listens for it', async () => {
  const ran = await emptyWorld().run(['webhook', 'listen', '--port', '0', '--for', '1ms', '--events', 'pix.recieved'])
  expect(ran.exit).toBe(0)
  expect(ran.stderr).toContain(
    'warning: `--events`: `pix.recieved` is not a known event; known events are pix.received',
  )
})

it('takes a path as requests have it', async () => {
  const { lines } = await runListener(emptyWorld(), ['--path', '/ação'], async ({ port }) => {
    expect(await send(port, { target: '/a%C3%A7%C3%A3o' })).toBe(200)
  })
  expect(lines[0]?.url).toMatch(/\/a%C3%A7%C3%A3o$/)
})

it('writes the requested keys only', async () => {
  const { lines } = await runListener(emptyWorld(), ['--fields', 'type,url,pixgate.status,n'], async ({ port }) => {
    await send(port, { body: GENUINE })
    await send(port, { method: 'GET' })
  })
  const nothing = { url: null, pixgate: { status: null }, n: null }
  expect(lines).toEqual([
    { ...nothing, type: 'ready', url: expect.any(String) },
    { ...nothing, type: 'event', pixgate: { status: 'PAID' }, n: 1 },
    { ...nothing, type: 'event' },
    { ...nothing, type: 'summary' },
  ])
})
