import { expect, it } from 'vitest'
import { chosenEvents, hasFailed, namedEvents } from '../../src/timeline/eventChoice.ts'
import { eventDocument, shownEvent } from '../../src/timeline/eventView.ts'
import type { JournalEvent } from '../../src/timeline/journal.ts'

const BODY =
  '{"event":"refund.status","data":{"idTransaction":"r","idTransaction":"p","status":"COMPLETED","amount":10.50,"timestamp":"2026-11-21T14:03:06-03:00"}}'

function recorded(n: number, body = BODY, more: Partial<JournalEvent['record']> = {}): JournalEvent['record'] {
  return {
    id: `record-${n}`,
    at: `2026-11-21T17:0${n}:00.000Z`,
    user: 'u',
    machine: 'm',
    type: 'event',
    n,
    duplicateOf: null,
    profile: null,
    environment: 'sandbox',
    baseUrl: null,
    clientId: null,
    event: 'refund.status',
    subject: 'refund',
    idTransaction: 'r',
    originalTransactionId: 'p',
    externalId: null,
    status: 'COMPLETED',
    amountCents: 1050,
    taxId: null,
    errorCode: null,
    isSigned: true,
    via: 'listen',
    target: '/',
    headers: [['X-Signature', 'ab']],
    digest: '',
    bodyBase64: Buffer.from(body).toString('base64'),
    ...more,
  }
}

function passedOn(n: number, ...results: (number | null)[]): JournalEvent {
  const stamp = { id: 'f', at: '2026-11-21T17:00:00Z', user: 'u', machine: 'm', url: 'http://127.0.0.1:1/', ms: 1, n }
  const forwards = results.map((status) => {
    return { ...stamp, type: 'forward' as const, status, error: status === null ? 'nobody' : null }
  })
  return { record: recorded(n), forwards }
}

it('has exactly the promised keys', () => {
  expect(eventDocument(shownEvent(recorded(1)))).toEqual({
    type: 'event',
    n: 1,
    event: 'refund.status',
    valid: true,
    reason: null,
    duplicate: false,
    payload: {
      event: 'refund.status',
      data: { idTransaction: 'p', status: 'COMPLETED', amount: 10.5, timestamp: '2026-11-21T14:03:06-03:00' },
    },
    bodyBase64: Buffer.from(BODY).toString('base64'),
    headers: { 'x-signature': 'ab' },
    receivedAt: '2026-11-21T17:01:00.000Z',
    answeredMs: null,
    pixgate: {
      subject: 'refund',
      idTransaction: 'r',
      originalTransactionId: 'p',
      externalId: null,
      status: 'COMPLETED',
      amount: 10.5,
      happenedAt: '2026-11-21T14:03:06-03:00',
    },
  })
})

it('tells a duplicate, and what was taken without a signature', () => {
  expect(eventDocument(shownEvent(recorded(2, BODY, { duplicateOf: 1 })))).toMatchObject({ duplicate: true })
  const unsigned = eventDocument(shownEvent(recorded(2, BODY, { isSigned: false })))
  expect(unsigned).toMatchObject({ valid: false, reason: 'missing' })
})

it('gathers repeated headers under lower-case names, whatever they are called', () => {
  const headers: [string, string][] = [
    ['Accept', '*/*'],
    ['X-Trace', 'a'],
    ['x-trace', 'b'],
    ['X-TRACE', 'c'],
    ['__proto__', 'd'],
    ['constructor', 'e'],
  ]
  const document = eventDocument(shownEvent(recorded(1, BODY, { headers })))
  expect(JSON.stringify(document.headers)).toBe(
    '{"accept":"*/*","x-trace":["a","b","c"],"__proto__":"d","constructor":"e"}',
  )
})

it.each([
  ['no JSON', '<p>', null],
  ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ['text', '"x"', 'x'],
  ['deeper than can be written', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, null],
  ['as deep as is allowed', `${'['.repeat(50)}1${']'.repeat(50)}`, JSON.parse(`${'['.repeat(50)}1${']'.repeat(50)}`)],
])('gives the payload of %s', (_, body, payload) => {
  const document = eventDocument(shownEvent(recorded(1, body)))
  expect(document.payload).toEqual(payload)
  expect(Buffer.from(String(document.bodyBase64), 'base64').toString()).toBe(body)
  expect(() => JSON.stringify(document)).not.toThrow()
})

it('keeps bytes that are no text', () => {
  const bodyBase64 = Buffer.from([0xff, 0x00, 0xfe]).toString('base64')
  const shown = shownEvent(recorded(1, '', { bodyBase64 }))
  expect([...shown.body]).toEqual([0xff, 0x00, 0xfe])
  expect(eventDocument(shown)).toMatchObject({ bodyBase64, payload: null })
})

it('picks events by time, count and failure', () => {
  const events = [passedOn(1), passedOn(2, 500), passedOn(3, 500, 200), passedOn(4, 200, null), passedOn(5, 302)]
  const numbers = (wishes: Partial<Parameters<typeof chosenEvents>[1]>) =>
    chosenEvents(events, { sinceMs: null, last: null, failed: false, ...wishes }).map(({ record }) => record.n)
  expect(numbers({})).toEqual([1, 2, 3, 4, 5])
  expect(numbers({ failed: true })).toEqual([2, 4, 5])
  expect(numbers({ failed: true, last: 2 })).toEqual([4, 5])
  expect(numbers({ last: 9 })).toEqual([1, 2, 3, 4, 5])
  expect(numbers({ sinceMs: Date.parse('2026-11-21T17:03:00Z') })).toEqual([3, 4, 5])
  expect(events.map(hasFailed)).toEqual([false, true, false, true, true])
})

it('finds events by number, transaction, refunded payment and record', () => {
  const events = [passedOn(1), passedOn(2), { ...passedOn(3), record: recorded(3, BODY, { externalId: '42' }) }]
  const numbers = (name: string) => namedEvents(events, name).map(({ record }) => record.n)
  expect(['2', '#2', 'record-2', 'r', 'p', '42', '9', ''].map(numbers)).toEqual([
    [2],
    [2],
    [2],
    [1, 2, 3],
    [1, 2, 3],
    [3],
    [],
    [],
  ])
})
