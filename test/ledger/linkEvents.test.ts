import { describe, expect, it } from 'vitest'
import { type MemoryLedger, memoryLedger, type TestAttempt } from './memoryLedger.ts'
import { type EventDifferences, OWNER, REFUND, TRANSFER } from './paymentHistory.ts'

const HOUR_MS = 60 * 60 * 1000
const TAX_ID = '52998224725'
/** An event that names neither the externalId nor a known id. */
const NAMELESS: EventDifferences = { externalId: null, taxId: TAX_ID }
const REFUNDED: EventDifferences = {
  event: 'refund.status',
  subject: 'refund',
  externalId: null,
  originalTransactionId: 'original-1',
  amountCents: 400,
}

/** A payment whose answer was no usable one. */
function unknown(ledger: MemoryLedger, ...args: Parameters<MemoryLedger['attempt']>): TestAttempt {
  const attempt = ledger.attempt(...args)
  ledger.answer(attempt, 'unknown')
  return attempt
}

it('links an event by the id that the answer gave, whichever is recorded first', async () => {
  for (const isEventFirst of [true, false]) {
    const ledger = await memoryLedger()
    const attempt = ledger.attempt()
    const answer = () => ledger.answer(attempt, 'accepted', { idTransaction: 'id-1' })
    if (!isEventFirst) answer()
    const event = ledger.event('PAID_OUT', { externalId: null })
    if (isEventFirst) answer()
    expect([ledger.linked(event), ledger.state(attempt)]).toEqual([attempt.payment, 'paid'])
    expect(ledger.problems()).toEqual([])
  }
})

it('does not guess while a request is being sent, because its own answer will tell', async () => {
  const ledger = await memoryLedger()
  const attempt = ledger.attempt()
  const event = ledger.event('PAID_OUT', NAMELESS)
  expect([ledger.linked(event), ledger.state(attempt)]).toEqual([null, 'unknown'])
  ledger.answer(attempt, 'accepted', { idTransaction: 'id-2' })
  expect([ledger.linked(event), ledger.state(attempt)]).toEqual([null, 'accepted'])
})

it('guesses as soon as the request has ended with an unknown outcome', async () => {
  const ledger = await memoryLedger()
  const attempt = ledger.attempt()
  const event = ledger.event('PAID_OUT', NAMELESS)
  ledger.answer(attempt, 'unknown')
  expect([ledger.linked(event), ledger.state(attempt)]).toEqual([attempt.payment, 'paid'])
  expect(ledger.problems()).toEqual([])
})

it('links an event that a person names as the proof, of whatever receiver, only to an unknown or settled payment of its amount', async () => {
  const ledger = await memoryLedger()
  const attempt = unknown(ledger)
  const named = { ...NAMELESS, taxId: '11144477735' }
  const event = ledger.event('PAID_OUT', named)
  expect([ledger.linked(event), ledger.state(attempt)]).toEqual([null, 'unknown'])
  const other = ledger.event('PAID_OUT', { ...named, idTransaction: 'id-9', amountCents: 999, bodyBase64: 'BBBB' })
  ledger.find(attempt, 'paid', other)
  expect([ledger.linked(other), ledger.state(attempt)]).toEqual([null, 'paid'])
  ledger.find(attempt, 'paid', event)
  expect([ledger.linked(event), ledger.state(attempt)]).toEqual([attempt.payment, 'paid'])
  const returned = ledger.event('RETURNED', { ...named, event: 'transfer.failed', bodyBase64: 'CCCC' })
  expect([ledger.linked(returned), ledger.state(attempt)]).toEqual([attempt.payment, 'returned'])
  expect(ledger.problems()).toEqual([])
})

describe('a transfer with an unknown outcome is', () => {
  it.each<[string, EventDifferences, number]>([
    ['by its receiver', NAMELESS, 0],
    ['by its receiver with points and dashes', { ...NAMELESS, taxId: '529.982.247-25' }, 0],
    ['by its externalId', { taxId: null }, 0],
    ['23 hours later', NAMELESS, 23 * HOUR_MS],
  ])('recognised %s', async (_name, differences, laterMs) => {
    const ledger = await memoryLedger()
    const attempt = unknown(ledger)
    ledger.nowMs += laterMs
    const event = ledger.event('PAID_OUT', differences)
    expect([ledger.linked(event), ledger.state(attempt)]).toEqual([attempt.payment, 'paid'])
  })

  it.each<[string, EventDifferences, number]>([
    ['another receiver', { ...NAMELESS, taxId: '11144477735' }, 0],
    ['a masked receiver', { ...NAMELESS, taxId: '***.982.247-**' }, 0],
    ['no receiver', { ...NAMELESS, taxId: null }, 0],
    ['another amount', { ...NAMELESS, amountCents: 1001 }, 0],
    ['no amount', { ...NAMELESS, amountCents: null }, 0],
    ['its externalId with another amount', { amountCents: 1 }, 0],
    ['another externalId', { ...NAMELESS, externalId: 'theirs' }, 0],
    ['no id of its own', { ...NAMELESS, idTransaction: null }, 0],
    ['another client id', { ...NAMELESS, owner: { ...OWNER, clientId: 'c-2' } }, 0],
    ['another client id, by externalId', { owner: { ...OWNER, clientId: 'c-2' } }, 0],
    ['another address', { owner: { ...OWNER, baseUrl: 'https://other.example.com' } }, 0],
    ['a secret that belongs to no account', { owner: { ...OWNER, baseUrl: null, clientId: null } }, 0],
    ['no signature', { isSigned: false }, 0],
    ['the time before it was sent', NAMELESS, -1],
    ['more than a day later', NAMELESS, 24 * HOUR_MS + 1],
    ['a failure, which may be that of another payment', { ...NAMELESS, event: 'transfer.failed', status: 'ERROR' }, 0],
    ['a refund', { ...NAMELESS, event: 'refund.status', subject: 'refund' }, 0],
  ])('not recognised by %s', async (_name, differences, laterMs) => {
    const ledger = await memoryLedger()
    const attempt = unknown(ledger)
    ledger.nowMs += laterMs
    const event = ledger.event(differences.status ?? 'PAID_OUT', differences)
    expect([ledger.linked(event), ledger.state(attempt)]).toEqual([null, 'unknown'])
    expect(ledger.problems()).toEqual([])
  })

  it('not recognised if another one is possible too', async () => {
    const ledger = await memoryLedger()
    const attempts = [unknown(ledger), unknown(ledger, TRANSFER, { externalId: 'invoice-18' })]
    ledger.event('PAID_OUT', NAMELESS)
    expect(attempts.map((each) => ledger.state(each))).toEqual(['unknown', 'unknown'])
  })

  it('not recognised if the id of the event is that of another payment', async () => {
    const ledger = await memoryLedger()
    const known = ledger.attempt(TRANSFER, { externalId: 'invoice-16' })
    ledger.answer(known, 'accepted', { idTransaction: 'id-1' })
    const attempt = unknown(ledger)
    ledger.event('PAID_OUT', NAMELESS)
    expect([ledger.state(known), ledger.state(attempt)]).toEqual(['paid', 'unknown'])
  })

  it('recognised once: a second such event is about another payment', async () => {
    const ledger = await memoryLedger()
    const attempt = unknown(ledger)
    ledger.event('PAID_OUT', NAMELESS)
    const other = ledger.event('PAID_OUT', { ...NAMELESS, idTransaction: 'id-2' })
    expect([ledger.state(attempt), ledger.linked(other)]).toEqual(['paid', null])
  })

  it('returned if its return arrived before the event that told its id', async () => {
    const ledger = await memoryLedger()
    const attempt = unknown(ledger)
    ledger.event('RETURNED', { externalId: null })
    ledger.event('PAID_OUT', NAMELESS)
    expect(ledger.state(attempt)).toBe('returned')
    expect(ledger.problems()).toEqual([])
  })
})

it('gives the event of an externalId to the payment that used it last and was sent', async () => {
  const ledger = await memoryLedger()
  const unsent = ledger.attempt()
  ledger.answer(unsent, 'not-sent')
  const sent = unknown(ledger)
  ledger.answer(ledger.attempt(), 'not-sent')
  ledger.event('PAID_OUT')
  expect([ledger.state(unsent), ledger.state(sent)]).toEqual(['not-sent', 'paid'])
})

it('gives the event of a second attempt to that attempt', async () => {
  const ledger = await memoryLedger()
  const first = ledger.attempt()
  ledger.answer(first, 'refused', { code: 'NO_FUNDS' })
  const second = ledger.retry(first, 'invoice-17-2')
  ledger.answer(second, 'unknown')
  ledger.event('ERROR', { externalId: 'invoice-17', idTransaction: 'id-0' })
  expect(ledger.state(first)).toBe('unknown')
  ledger.event('PAID_OUT', { externalId: 'invoice-17-2' })
  expect(ledger.state(first)).toBe('paid')
})

it('treats the sandboxes of this machine as one, because their port changes', async () => {
  const ledger = await memoryLedger()
  const local = { ...OWNER, environment: 'sandbox' as const, baseUrl: 'http://127.0.0.1:4010' }
  const attempt = unknown(ledger, TRANSFER, { owner: local })
  ledger.event('PAID_OUT', { owner: { ...local, baseUrl: 'http://127.0.0.1:5010' } })
  expect(ledger.state(attempt)).toBe('paid')
})

describe('a refund with an unknown outcome is', () => {
  it.each<[string, EventDifferences, boolean]>([
    ['the original and the amount', REFUNDED, true],
    ['a failure, which may be that of another refund', { ...REFUNDED, status: 'FAILED' }, false],
    ['another amount', { ...REFUNDED, amountCents: 401 }, false],
    ['another original', { ...REFUNDED, originalTransactionId: 'original-2' }, false],
    ['no id of its own', { ...REFUNDED, idTransaction: null }, false],
    ['another account', { ...REFUNDED, owner: { ...OWNER, clientId: 'c-2' } }, false],
  ])('judged by %s', async (_name, differences, isPaid) => {
    const ledger = await memoryLedger()
    const attempt = unknown(ledger, REFUND)
    ledger.event(differences.status ?? 'COMPLETED', differences)
    expect(ledger.state(attempt)).toBe(isPaid ? 'paid' : 'unknown')
  })

  it('not recognised if another one is possible too', async () => {
    const ledger = await memoryLedger()
    const attempts = [unknown(ledger, REFUND), unknown(ledger, REFUND)]
    ledger.event('COMPLETED', REFUNDED)
    expect(attempts.map((each) => ledger.state(each))).toEqual(['unknown', 'unknown'])
  })
})

it('stores the same bytes once, and other bytes that say the same as a duplicate', async () => {
  const ledger = await memoryLedger()
  const attempt = unknown(ledger)
  const first = ledger.event('PAID_OUT', { bodyBase64: 'AAAA' })
  expect(ledger.event('PAID_OUT', { bodyBase64: 'AAAA' })).toEqual({ ...first, duplicate: true })
  expect(ledger.event('PAID_OUT', { bodyBase64: 'AAAB' })).toMatchObject({ n: first.n + 1, duplicate: true })
  expect(ledger.state(attempt)).toBe('paid')
  expect(ledger.problems()).toEqual([])
})

it('does not let an event without a signature hide the genuine one', async () => {
  const ledger = await memoryLedger()
  const attempt = unknown(ledger)
  ledger.event('PAID_OUT', { bodyBase64: 'AAAA', isSigned: false })
  expect(ledger.event('PAID_OUT', { bodyBase64: 'AAAA' }).duplicate).toBe(false)
  expect(ledger.state(attempt)).toBe('paid')
})
