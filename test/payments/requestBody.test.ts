import { expect, it } from 'vitest'
import { type MoneyPayment, requestBody } from '../../src/ledger/facts.ts'
import { REFUND, TRANSFER, WHOLE } from './samplePayments.ts'

const callbackUrl = 'https://shop.example.com/'
const refund = { refundReason: 'damaged', callbackUrl }

/** The bodies as the specification of the service names their fields; nothing else may be in them. */
it.each<[string, MoneyPayment, string | null, object]>([
  [
    'a transfer',
    TRANSFER,
    'invoice-17',
    { value: 10, key: 'maria@example.com', typeKey: 'email', callbackUrl, externalId: 'invoice-17' },
  ],
  [
    'a transfer whose owner is checked, without an external id',
    { ...TRANSFER, amountCents: 1001, documentValidation: '52998224725' },
    null,
    { value: 10.01, key: 'maria@example.com', typeKey: 'email', callbackUrl, documentValidation: '52998224725' },
  ],
  [
    'a transfer to a payee, whose name stays here',
    { ...TRANSFER, payee: 'Maria', amountCents: 1 },
    'invoice-17',
    { value: 0.01, key: 'maria@example.com', typeKey: 'email', callbackUrl, externalId: 'invoice-17' },
  ],
  ['a part of a refund', REFUND, null, { originalTransactionId: 'original-1', ...refund, amount: 4 }],
  ['a whole refund', WHOLE, null, { originalTransactionId: 'original-1', ...refund }],
  [
    'a whole refund of a known amount',
    { ...WHOLE, amountCents: 1000 },
    null,
    { originalTransactionId: 'original-1', ...refund },
  ],
  [
    'a refund by the other field',
    { ...REFUND, idField: 'idTransaction' },
    null,
    { idTransaction: 'original-1', ...refund, amount: 4 },
  ],
  [
    'a refund by both fields',
    { ...REFUND, idField: 'both' },
    null,
    { originalTransactionId: 'original-1', idTransaction: 'original-1', ...refund, amount: 4 },
  ],
])('%s', (_name, facts, externalId, body) => {
  expect(JSON.parse(requestBody(facts, externalId))).toEqual(body)
})
