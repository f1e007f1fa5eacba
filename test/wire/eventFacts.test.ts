import { expect, it, test } from 'vitest'
import { type EventFacts, eventKey, readEventFacts } from '../../src/wire/eventFacts.ts'

const ID = '7d6f1c9e-0000-4000-8000-000000000001'
const ORIGINAL = '7d6f1c9e-0000-4000-8000-000000000002'
const NOTHING: EventFacts = {
  event: null,
  subject: null,
  idTransaction: null,
  originalTransactionId: null,
  externalId: null,
  status: null,
  amountCents: null,
  happenedAt: null,
  errorCode: null,
  errorMessage: null,
  name: null,
  taxId: null,
  bank: null,
}
const AT = '2026-11-21T12:00:00.000Z'

test.each<[string, unknown, Partial<EventFacts>]>([
  [
    'a payment',
    { event: 'pix.received', data: { idTransaction: ID, status: 'PAID', amount: 10.5, paidAt: AT } },
    {
      event: 'pix.received',
      subject: 'payment',
      idTransaction: ID,
      status: 'PAID',
      amountCents: 1050,
      happenedAt: AT,
    },
  ],
  [
    'a payment that has not been paid yet',
    { event: 'pix.received', data: { idTransaction: ID, status: 'EXPIRED', amount: 0.01, paidAt: null } },
    { event: 'pix.received', subject: 'payment', idTransaction: ID, status: 'EXPIRED', amountCents: 1 },
  ],
  [
    'a refund',
    {
      event: 'refund.status',
      data: { idTransaction: ID, originalTransactionId: ORIGINAL, status: 'COMPLETED', amount: 1, timestamp: AT },
    },
    {
      event: 'refund.status',
      subject: 'refund',
      idTransaction: ID,
      originalTransactionId: ORIGINAL,
      status: 'COMPLETED',
      amountCents: 100,
      happenedAt: AT,
    },
  ],
  [
    'a transfer that was paid',
    {
      event: 'transfer.completed',
      data: {
        idTransaction: ID,
        externalId: 'invoice-1',
        typeTransaction: 'PIX_CASHOUT',
        statusTransaction: 'PAID_OUT',
        value: 99.99,
        destinationName: 'Maria',
        destinationTaxId: '52998224725',
        destinationBank: 'Banco',
      },
    },
    {
      event: 'transfer.completed',
      subject: 'transfer',
      idTransaction: ID,
      externalId: 'invoice-1',
      status: 'PAID_OUT',
      amountCents: 9999,
      name: 'Maria',
      taxId: '52998224725',
      bank: 'Banco',
    },
  ],
  [
    'a transfer that failed',
    {
      event: 'transfer.failed',
      data: {
        idTransaction: ID,
        typeTransaction: 'PIX_CASHOUT',
        statusTransaction: 'ERROR',
        value: 5,
        errorCode: 'NO_FUNDS',
        errorMessage: 'none',
      },
    },
    {
      event: 'transfer.failed',
      subject: 'transfer',
      idTransaction: ID,
      status: 'ERROR',
      amountCents: 500,
      errorCode: 'NO_FUNDS',
      errorMessage: 'none',
    },
  ],
  [
    'the general format',
    {
      idTransaction: ID,
      typeTransaction: 'PIX',
      statusTransaction: 'CHARGEBACK',
      value: 10,
      payerName: 'Ana',
      payerTaxId: '1',
      paymentDate: '21/11/2026 09:00:00',
    },
    {
      event: 'payment',
      subject: 'payment',
      idTransaction: ID,
      status: 'CHARGEBACK',
      amountCents: 1000,
      happenedAt: AT,
      name: 'Ana',
      taxId: '1',
    },
  ],
  [
    'the general format of a transfer',
    { idTransaction: ID, typeTransaction: 'PIX_CASHOUT', statusTransaction: 'PAID_OUT', value: 10 },
    { event: 'payment', subject: 'transfer', idTransaction: ID, status: 'PAID_OUT', amountCents: 1000 },
  ],
  ['an unknown event', { event: 'security.login', data: { user: 1 } }, { event: 'security.login' }],
  ['an envelope with nothing in it', { event: 'pix.received' }, { event: 'pix.received', subject: 'payment' }],
  ['data that is not an object', { event: 'pix.received', data: 'x' }, { event: 'pix.received', subject: 'payment' }],
  ['an object of another kind', { hello: 'world' }, {}],
  ['an array', [1, 2], {}],
  ['a number', 5, {}],
  ['null', null, {}],
  [
    'fields of the wrong kind',
    { event: 7, data: { idTransaction: 7, status: {}, amount: 'x', paidAt: 5, errorCode: [], destinationName: false } },
    {},
  ],
  [
    'an amount of three decimals',
    { event: 'pix.received', data: { amount: 1.234 } },
    { event: 'pix.received', subject: 'payment' },
  ],
  [
    'an amount below zero',
    { event: 'pix.received', data: { amount: -1 } },
    { event: 'pix.received', subject: 'payment' },
  ],
  [
    'a time in other words',
    { event: 'pix.received', data: { paidAt: 'soon' } },
    { event: 'pix.received', subject: 'payment', happenedAt: 'soon' },
  ],
])('reads %s', (_name, payload, facts) => {
  for (const indent of [0, 2])
    expect(readEventFacts(JSON.stringify(payload, null, indent))).toEqual({ ...NOTHING, ...facts })
  expect(readEventFacts(`\uFEFF${JSON.stringify(payload)}`)).toEqual({ ...NOTHING, ...facts })
})

it.each(['', ' ', '{', 'hello', 'a=b', '<xml/>', '{"a":1}}'])('is not JSON: %j', (body) => {
  expect(readEventFacts(body)).toBeUndefined()
})

it('tells both ids apart if the key is repeated', () => {
  const repeated = (data: string) => readEventFacts(`{"event":"refund.status","data":{${data}}}`)
  const both = { idTransaction: ID, originalTransactionId: ORIGINAL }
  expect(repeated(`"idTransaction":"${ID}","idTransaction":"${ORIGINAL}","amount":1.00`)).toMatchObject(both)
  expect(repeated(`"idTransaction" : "${ID}" , "amount":1, "idTransaction" : "${ORIGINAL}"`)).toMatchObject(both)
  const named = `"idTransaction":"${ID}","idTransaction":"x","originalTransactionId":"${ORIGINAL}"`
  expect(repeated(named)).toMatchObject({ idTransaction: 'x', originalTransactionId: ORIGINAL })
  const thrice = `"idTransaction":"a","idTransaction":"b","idTransaction":"c"`
  expect(repeated(thrice)).toMatchObject({ idTransaction: 'c', originalTransactionId: null })
  expect(repeated(`"idTransaction":1,"idTransaction":"b"`)).toMatchObject({ idTransaction: 'b' })
})

it('reads what is deep or large, and what names its fields to deceive', () => {
  const deep = `{"event":"pix.received","data":{"idTransaction":"a","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`
  expect(readEventFacts(deep)).toMatchObject({ event: 'pix.received', idTransaction: 'a' })
  const repeatedAndDeep = deep.replace('"x"', '"idTransaction":"b","x"')
  expect(readEventFacts(repeatedAndDeep)).toMatchObject({ idTransaction: 'b', originalTransactionId: null })
  const large = JSON.stringify({ event: 'pix.received', data: { idTransaction: ID, note: 'é'.repeat(1024 * 1024) } })
  expect(readEventFacts(large)).toMatchObject({ event: 'pix.received', idTransaction: ID })
  const hostile = '{"__proto__":{"event":"pix.received"},"data":{"__proto__":{"status":"PAID"},"constructor":1}}'
  expect(readEventFacts(hostile)).toEqual(NOTHING)
})

it('knows the same event again by its name, ids, status and amount', () => {
  const body = (change: object) =>
    JSON.stringify({ event: 'pix.received', data: { idTransaction: ID, status: 'PAID', amount: 10.5, ...change } })
  const keyOf = (text: string) => eventKey(readEventFacts(text) ?? NOTHING, text)
  const key = keyOf(body({}))
  expect(keyOf(body({ paidAt: AT }))).toBe(key)
  expect(keyOf(body({}).replace('10.5', '10.50'))).toBe(key)
  for (const change of [{ idTransaction: ORIGINAL }, { status: 'EXPIRED' }, { amount: 10.51 }, { externalId: 'x' }]) {
    expect(keyOf(body(change))).not.toBe(key)
  }
  expect(keyOf(body({}).replace('pix.received', 'refund.status'))).not.toBe(key)
  expect(keyOf('{"a":1}')).not.toBe(keyOf('{"a": 1}'))
})
