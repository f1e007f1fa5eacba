import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeText } from '../../src/text/safeText.ts'
import { type Arrival, eventLine, recordLine, type Stamp } from '../../src/timeline/eventLine.ts'
import { eventDocument, type ShownEvent } from '../../src/timeline/eventView.ts'
import type { EventRecord, TimelineRecord } from '../../src/timeline/records.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { CHARGED_BACK, FAILED, PAID_OUT, RECEIVED, REFUNDED } from '../views/eventLooks.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\u001b', '\u2028', '\u202e', '\ufeff', '\ud800', '__proto__'),
  }),
)
const textOrNull = fc.option(text)
const instant = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
const headers = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom('X-A', 'x-a', '__proto__', 'constructor', 'Host', '12', '0'), text), text),
)

const fields = fc.record(
  {
    idTransaction: fc.oneof(text, fc.integer()),
    originalTransactionId: text,
    externalId: text,
    status: text,
    statusTransaction: text,
    amount: fc.oneof(fc.double(), fc.integer(), text),
    value: fc.double(),
    destinationTaxId: text,
    paidAt: fc.oneof(
      instant.map((date) => date.toISOString()),
      text,
    ),
    ['__proto__']: fc.constant({ event: 'x' }),
    more: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const written = fc.tuple(
  fc.oneof(fields, fc.record({ event: text, data: fields }), fc.jsonValue()),
  fc.constantFrom(undefined, '\t', 1),
)
/** JSON as any sender writes it, and what is none. */
const bodies = fc.oneof(
  { weight: 4, arbitrary: written.map(([value, indent]) => Buffer.from(JSON.stringify(value, null, indent))) },
  fc.constantFrom(RECEIVED, FAILED, PAID_OUT, CHARGED_BACK).map((body) => Buffer.from(JSON.stringify(body))),
  fc
    .constantFrom(
      REFUNDED,
      '\ufeff{}',
      '{"a":1e400}',
      '{"a":-0,"b":1E5,"c":10.50}',
      '{"a":1,"a":2}',
      ' [1 ] \r\n',
      '"\u2028"',
    )
    .map((body) => Buffer.from(body)),
  fc.integer({ min: 40, max: 160 }).map((depth) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
  fc.integer({ min: 40, max: 160 }).map((depth) => Buffer.from(`${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`)),
  fc.string({ unit: 'binary' }).map((inner) => Buffer.from(JSON.stringify({ inner }), 'latin1')),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
)

const shownEvents: fc.Arbitrary<ShownEvent> = fc
  .record({
    n: fc.option(fc.nat()),
    valid: fc.boolean(),
    reason: fc.option(fc.constantFrom('missing', 'mismatch')),
    duplicate: fc.boolean(),
    body: bodies,
    headers,
    receivedAt: instant.map((date) => date.toISOString()),
    answeredMs: fc.option(fc.double({ min: 0, max: 5000, noNaN: true })),
  })
  .map((shown) => {
    const facts = readEventFacts(shown.body.toString('utf8'))
    return { ...shown, facts, event: facts?.event ?? null }
  })

describe('the line of an event', () => {
  it('is its document, in one line without anything unseen', () => {
    fc.assert(
      fc.property(shownEvents, (shown) => {
        const line = Buffer.from(eventLine(shown), 'latin1').toString('utf8')
        expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(eventDocument(shown)))
        expect(safeText(line)).toBe(line)
      }),
      { numRuns: 3000 },
    )
  })

  it('has the numbers and keys of the body as they were written', () => {
    const body = Buffer.from('{ "event":"x", "data":{"amount":10.50,"amount":11,"n":12345678901234567890} }')
    const facts = readEventFacts(body.toString())
    const shown = { n: 1, event: 'x', valid: true, reason: null, duplicate: false, headers: [], answeredMs: 1, facts }
    expect(eventLine({ ...shown, body, receivedAt: '2026-11-21T17:03:07.000Z' })).toContain(`"payload":${body},`)
  })
})

const texts = fc.record({ id: text, at: text, user: text, machine: text })
const owners = fc.record({
  profile: textOrNull,
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
  baseUrl: textOrNull,
  clientId: textOrNull,
})

it('writes a record as JSON.stringify does, all its fields in their order', () => {
  const known = fc.record({ n: fc.nat(), duplicateOf: fc.option(fc.nat()), digest: text })
  const about = fc.record({ target: text, headers, owner: owners, isSigned: fc.boolean(), body: bodies })
  fc.assert(
    fc.property(texts, about, known, (stamp, about, place) => {
      const facts = readEventFacts(about.body.toString('utf8'))
      fc.pre(facts !== undefined)
      const arrival: Arrival = { ...about, facts, via: 'listen', receivedAtMs: 0 }
      expect(recordLine(stamp, arrival, place.n, place)).toBe(JSON.stringify(recordOf(stamp, arrival, place)))
    }),
    { numRuns: 2000 },
  )
})

function recordOf(
  { id, at, user, machine }: Stamp,
  { facts, owner, isSigned, via, target, headers, body }: Arrival,
  { n, duplicateOf, digest }: Pick<EventRecord, 'n' | 'duplicateOf' | 'digest'>,
): TimelineRecord<EventRecord> {
  return {
    id,
    at,
    user,
    machine,
    type: 'event',
    n,
    duplicateOf,
    profile: owner.profile,
    environment: owner.environment,
    baseUrl: owner.baseUrl,
    clientId: owner.clientId,
    event: facts.event,
    subject: facts.subject,
    idTransaction: facts.idTransaction,
    originalTransactionId: facts.originalTransactionId,
    externalId: facts.externalId,
    status: facts.status,
    amountCents: facts.amountCents,
    taxId: facts.taxId,
    errorCode: facts.errorCode,
    isSigned,
    via,
    target,
    headers,
    digest,
    bodyBase64: body.toString('base64'),
  }
}
