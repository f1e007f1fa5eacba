import { expect, it } from 'vitest'
import { sampleEvent } from '../../src/listener/samples.ts'
import { parsePaymentDate } from '../../src/pix/calendar.ts'
import { isCpf } from '../../src/pix/taxDocument.ts'
import { EVENT_NAMES, type EventName } from '../../src/schemas/webhookBodies.ts'
import { eventBody, repeatIdKey } from '../../src/wire/eventBody.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 12, 30, 15)

function sample(name: EventName, ids: string[] = ['0001-own', '0002-other']) {
  return sampleEvent(name, { newId: () => ids.shift() ?? '', nowMs: NOW_MS })
}

it('writes each event with the fields of the service, in their order', () => {
  const written = Object.fromEntries(
    EVENT_NAMES.map((name) => [
      name,
      eventBody(sample(name), 'java').replaceAll(/"(?:João|Maria|Ana|Antônio)[^"]*"/g, '"<name>"'),
    ]),
  )
  expect(written).toEqual({
    'pix.received':
      '{"event":"pix.received","data":{"idTransaction":"0001-own","status":"PAID","amount":149.90,"paidAt":"2026-11-21T12:30:15.000Z"}}',
    'refund.status':
      '{"event":"refund.status","data":{"idTransaction":"0001-own","originalTransactionId":"0002-other","status":"COMPLETED","amount":149.90,"timestamp":"2026-11-21T12:30:15.000Z"}}',
    'transfer.completed':
      '{"event":"transfer.completed","data":{"idTransaction":"0001-own","typeTransaction":"PIX_CASHOUT","statusTransaction":"PAID_OUT","value":1234.50,"destinationName":"<name>","destinationTaxId":"11144477735","destinationBank":"Nu Pagamentos S.A."}}',
    'transfer.failed':
      '{"event":"transfer.failed","data":{"idTransaction":"0001-own","typeTransaction":"PIX_CASHOUT","statusTransaction":"ERROR","value":1234.50,"errorCode":"PIX_KEY_NOT_FOUND","errorMessage":"PIX key not found"}}',
    payment:
      '{"idTransaction":"0001-own","typeTransaction":"PIX","statusTransaction":"PAID_OUT","value":149.90,"payerName":"<name>","payerTaxId":"11144477735","paymentDate":"21/11/2026 09:30:15"}',
  })
})

it('is read as what it is', () => {
  for (const name of EVENT_NAMES) {
    const facts = readEventFacts(JSON.stringify(sample(name)))
    expect(facts).toMatchObject({ event: name, idTransaction: '0001-own', amountCents: expect.any(Number) })
  }
  const { paymentDate } = JSON.parse(JSON.stringify(sample('payment')))
  expect(parsePaymentDate(paymentDate)).toBe(NOW_MS)
})

it('names people with tax ids that are valid, another with another id', () => {
  const people = Array.from({ length: 16 }, (_, choice) => {
    const event = sample('payment', [`000${choice.toString(16)}`])
    return 'payerTaxId' in event ? event.payerTaxId : undefined
  })
  expect(people.every((taxId) => isCpf(taxId ?? ''))).toBe(true)
  expect(new Set(people).size).toBe(4)
})

it('repeats the key of a refund, its own id first', () => {
  const body = repeatIdKey(JSON.stringify(sample('refund.status')))
  expect(body).toContain('{"idTransaction":"0001-own","idTransaction":"0002-other","status"')
  expect(readEventFacts(body)).toMatchObject({ idTransaction: '0001-own', originalTransactionId: '0002-other' })
})
