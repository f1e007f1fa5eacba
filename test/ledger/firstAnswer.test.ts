import { expect, it } from 'vitest'
import { type MemoryLedger, memoryLedger, type TestAttempt } from './memoryLedger.ts'
import { NOON_MS, TRANSFER } from './paymentHistory.ts'

const HOUR_MS = 3_600_000

it.each<[between: string, record: (ledger: MemoryLedger, attempt: TestAttempt) => void, state: string]>([
  ['nothing', () => undefined, 'accepted'],
  ['its event', (ledger) => ledger.event('PAID_OUT', { externalId: 'invoice-17' }), 'paid'],
  ['an event that only its answer identifies', (ledger) => ledger.event('PAID_OUT', { externalId: null }), 'paid'],
  ['an event that names only its external id', (ledger) => ledger.event('PAID_OUT', { idTransaction: null }), 'paid'],
  ['the same request again', (ledger, attempt) => ledger.resend(attempt), 'accepted'],
  ['a finding', (ledger, attempt) => ledger.find(attempt, 'returned'), 'returned'],
  [
    'a payment whose time is earlier',
    (ledger) => {
      ledger.nowMs -= HOUR_MS
      ledger.attempt({ ...TRANSFER, amountCents: 1 }, { externalId: 'invoice-18' })
    },
    'accepted',
  ],
])(
  'writes the tables as the records say if %s is recorded between an attempt and its answer',
  async (_, record, state) => {
    const ledger = await memoryLedger()
    const attempt = ledger.attempt()
    record(ledger, attempt)
    // The gateway's clock counts if it is ahead of the time at which the request left.
    const gatewayAt = new Date(NOON_MS - HOUR_MS / 2).toISOString()
    ledger.answer(attempt, 'accepted', { idTransaction: 'id-1', gatewayAt })
    expect(ledger.problems()).toEqual([])
    expect(ledger.state(attempt)).toBe(state)
  },
)
