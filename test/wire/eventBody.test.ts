import { describe, expect, test } from 'vitest'
import type { WebhookBody } from '../../src/schemas/webhookBodies.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES } from '../../src/wire/eventBody.ts'

const RECEIVED: WebhookBody<'pix.received'> = {
  event: 'pix.received',
  data: { idTransaction: 'id-1', status: 'PAID', amount: 10.5, paidAt: null },
}
const COMPLETED: WebhookBody<'transfer.completed'> = {
  event: 'transfer.completed',
  data: {
    idTransaction: 'id-2',
    typeTransaction: 'PIX_CASHOUT',
    statusTransaction: 'PAID_OUT',
    value: 1000,
    destinationName: 'João',
    destinationTaxId: '52998224725',
    destinationBank: 'BANCO S.A.',
  },
}
const NOTIFICATION: WebhookBody<'payment'> = {
  idTransaction: 'id-3',
  typeTransaction: 'PIX',
  statusTransaction: 'PAID_OUT',
  value: 0.1,
  paymentDate: '21/11/2026 12:00:00',
}

describe('each language writes an event as its own serialiser does', () => {
  test.each([
    ['java', '{"event":"pix.received","data":{"idTransaction":"id-1","status":"PAID","amount":10.50,"paidAt":null}}'],
    ['php', '{"event":"pix.received","data":{"idTransaction":"id-1","status":"PAID","amount":10.5,"paidAt":null}}'],
    [
      'python',
      '{"event": "pix.received", "data": {"idTransaction": "id-1", "status": "PAID", "amount": 10.5, "paidAt": null}}',
    ],
    ['javascript', JSON.stringify(RECEIVED)],
  ] as const)('%s', (style, text) => {
    expect(eventBody(RECEIVED, style)).toBe(text)
  })

  test.each([
    ['java', '"value":1000.00,"destinationName":"João"'],
    ['php', '"value":1000,"destinationName":"Jo\\u00e3o"'],
    ['python', '"value": 1000.0, "destinationName": "Jo\\u00e3o"'],
    ['javascript', '"value":1000,"destinationName":"João"'],
  ] as const)('%s: whole amounts and letters outside ASCII', (style, part) => {
    expect(eventBody(COMPLETED, style)).toContain(part)
  })

  test.each([
    ['java', '"value":0.10,"paymentDate":"21/11/2026 12:00:00"'],
    ['php', '"value":0.1,"paymentDate":"21\\/11\\/2026 12:00:00"'],
  ] as const)('%s: slashes', (style, part) => {
    expect(eventBody(NOTIFICATION, style)).toContain(part)
  })
})

test.each(WEBHOOK_STYLES)('%s: the text means the same event', (style) => {
  for (const event of [RECEIVED, COMPLETED, NOTIFICATION]) expect(JSON.parse(eventBody(event, style))).toEqual(event)
})

test.each(WEBHOOK_STYLES)('%s: the key idTransaction can be repeated, refund first', (style) => {
  const data = { idTransaction: 'r', originalTransactionId: 'o', status: 'COMPLETED', amount: 1, timestamp: 't' }
  const text = repeatIdKey(eventBody({ event: 'refund.status', data }, style))
  expect(text.match(/"idTransaction": ?"(\w)"/g)?.map((part) => part.at(-2))).toEqual(['r', 'o'])
  expect(text).not.toContain('originalTransactionId')
})
