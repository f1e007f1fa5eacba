import { Chalk } from 'chalk'
import type { EventLayout, EventView } from '../../../src/views/events/eventText.ts'
import { readEventFacts } from '../../../src/wire/eventFacts.ts'

export const PAYMENT_ID = '0b7c2d3e-5b1a-4c1e-9d2f-3a4b5c6d7e8f'
export const REFUND_ID = '8f14e45f-ceea-467f-a5c4-1b2c3d4e5f60'
export const TRANSFER_ID = 'c9f0f895-fb98-4b91-8e1a-0a1b2c3d4e5f'

/** A terminal of this width without colours. */
export function layout(columns: number, unmask = false): EventLayout {
  return { columns, unmask, style: new Chalk({ level: 0 }) }
}

/** A genuine webhook with this body, an object or its exact text, that arrived at 14:03:07 in São Paulo. */
export function look(body: object | string, more: Partial<EventView> = {}): EventView {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const facts = readEventFacts(bytes.toString('utf8'))
  return {
    n: 12,
    isRecorded: more.n !== null,
    event: facts?.event ?? null,
    valid: true,
    reason: null,
    duplicate: false,
    body: bytes,
    receivedAt: '2026-11-21T17:03:07.000Z',
    answeredMs: 2,
    facts,
    ...more,
  }
}

export const RECEIVED = { event: 'pix.received', data: { idTransaction: PAYMENT_ID, status: 'PAID', amount: 25 } }

export const REFUNDED = `{"event":"refund.status","data":{"idTransaction":"${REFUND_ID}","idTransaction":"${PAYMENT_ID}","status":"COMPLETED","amount":10.00}}`

export const PAID_OUT = {
  event: 'transfer.completed',
  data: {
    idTransaction: TRANSFER_ID,
    statusTransaction: 'PAID_OUT',
    value: 1500,
    destinationName: 'Maria da Silva Santos',
    destinationTaxId: '52998224725',
    destinationBank: 'Banco do Brasil',
  },
}

export const FAILED = {
  event: 'transfer.failed',
  data: {
    idTransaction: TRANSFER_ID,
    statusTransaction: 'ERROR',
    value: 12,
    errorCode: 'NO_FUNDS',
    errorMessage: 'Saldo insuficiente',
  },
}

export const CHARGED_BACK = {
  idTransaction: PAYMENT_ID,
  typeTransaction: 'PIX',
  statusTransaction: 'CHARGEBACK',
  value: 25,
  payerName: 'João Pereira',
  payerTaxId: '11144477735',
}
