import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventRecord, Finding, FindingRecord } from '../../src/timeline/records.ts'
import { foldLedger, mayHaveMoved } from '../../src/timeline/transactions.ts'
import { recordDocument, statusOfTransaction, transactionDocument } from '../../src/timeline/transactionView.ts'
import {
  acceptedTransfer,
  at,
  doubtfulTransfer,
  event,
  only,
  outcome,
  refund,
  refundStatus,
  stateOf,
  transfer,
  transferFailed,
} from './ledger.ts'

function finding(as: Finding): FindingRecord {
  return { type: 'finding', of: 'transfer', as, because: 'seen' }
}

describe('what an event says of a transaction with its id', () => {
  it.each<[string, Partial<EventRecord>[], string, string | null]>([
    ['paid', [{}], 'paid', 'PAID_OUT'],
    ['lower case', [{ status: 'paid_out' }], 'paid', 'paid_out'],
    ['on its way', [{ status: 'PROCESSING' }], 'accepted', 'PROCESSING'],
    ['something unheard of', [{ status: 'DANCING' }], 'accepted', 'PROCESSING'],
    ['nothing but its name', [{ status: null }], 'paid', 'PAID_OUT'],
    ['failed, and nothing else', [transferFailed({ status: null })], 'not-paid', 'ERROR'],
    ['rejected', [transferFailed({ status: 'REJECTED' })], 'not-paid', 'REJECTED'],
    ['a second attempt', [transferFailed({ errorCode: 'DUPLICATE_EXTERNAL_ID' })], 'accepted', 'PROCESSING'],
    ['failed', [transferFailed()], 'not-paid', 'ERROR'],
    ['cancelled', [transferFailed({ status: 'CANCELED' })], 'not-paid', 'CANCELED'],
    ['returned at once', [transferFailed({ status: 'RETURNED' })], 'returned', 'RETURNED'],
    ['paid, then returned', [{}, transferFailed({ status: 'RETURNED' })], 'returned', 'RETURNED'],
    ['returned, then paid late', [transferFailed({ status: 'RETURNED' }), {}], 'returned', 'RETURNED'],
    ['paid, then failed', [{}, transferFailed()], 'paid', 'PAID_OUT'],
    ['failed, then paid', [transferFailed(), {}], 'paid', 'PAID_OUT'],
    ['completed by name, failed by status', [{ status: 'ERROR' }], 'accepted', 'PROCESSING'],
    ['failed by name, paid by status', [transferFailed({ status: 'PAID_OUT' })], 'paid', 'PAID_OUT'],
    ['an unknown shape', [{ event: 'thing', subject: null, status: 'ERROR' }], 'accepted', 'PROCESSING'],
    ['the general format', [{ event: 'payment' }], 'paid', 'PAID_OUT'],
  ])('%s', (_name, events, state, status) => {
    const arrived = events.map((own, index) => at(index + 1, event(own)))
    const ledger = foldLedger([...acceptedTransfer(), ...arrived])
    const transaction = only(ledger)
    expect([transaction.state, statusOfTransaction(transaction)]).toEqual([state, status])
    expect(ledger.unlinked).toEqual([])
    expect(transaction.records.filter(({ type }) => type === 'event')).toHaveLength(events.length)
    expect(transactionDocument(transaction)).toMatchObject({
      pixgate: { knownBy: state === 'accepted' ? 'ledger' : 'event' },
    })
  })

  it.each<[string, Partial<EventRecord>]>([
    ['another client id', { clientId: 'other' }],
    ['another address', { baseUrl: 'https://other.example' }],
    ['a secret alone', { clientId: null, baseUrl: null, profile: null }],
    ['a secret alone with an address', { clientId: null }],
    ['a loopback sandbox', { baseUrl: 'http://127.0.0.1:4010' }],
    ['no signature', { isSigned: false }],
    ['a payment', { event: 'pix.received', subject: 'payment' }],
    ['another id', { idTransaction: 'id-2' }],
    ['no id', { idTransaction: null }],
  ])('is nothing where the event is of %s', (_name, own) => {
    expect(stateOf([...acceptedTransfer(), at(1, event(own))])).toEqual(['accepted', false])
  })

  it('holds for any port of a sandbox on this machine, and not for production there', () => {
    const sent = acceptedTransfer({ baseUrl: 'http://127.0.0.1:4010' })
    const other = { baseUrl: 'http://localhost:9999' }
    expect(stateOf([...sent, at(1, event(other))])).toEqual(['paid', true])
    expect(stateOf([...sent, at(1, event({ ...other, environment: 'production' }))])).toEqual(['accepted', false])
  })

  it('holds where the money of a refund went back: it was carried out', () => {
    const sent = [at(0, refund(), 'refund'), at(0, outcome('refund', { idTransaction: 'id-1' }), 'answer')]
    for (const status of ['COMPLETED', 'REFUNDED', 'RETURNED']) {
      expect(stateOf([...sent, at(1, refundStatus({ status }))])).toEqual(['paid', true])
    }
    expect(stateOf([...sent, at(1, refundStatus({ status: 'FAILED' }))])).toEqual(['not-paid', true])
  })
})

describe('an externalId in the event', () => {
  const named = { idTransaction: 'id-9', externalId: 'invoice-17' }

  it('settles a transfer in doubt, either way, and gives it its id', () => {
    for (const [own, state] of [[event(named), 'paid'] as const, [transferFailed(named), 'not-paid'] as const]) {
      const transaction = only(foldLedger([...doubtfulTransfer(), at(1, own)]))
      expect(transaction).toMatchObject({ state, idTransaction: 'id-9' })
    }
  })

  it('is not that of a transfer whose id is another one', () => {
    expect(stateOf([...acceptedTransfer(), at(1, event(named))])).toEqual(['accepted', false])
  })

  it('means the attempt that may have been carried out, not one that never left', () => {
    const { transactions } = foldLedger([
      ...doubtfulTransfer(0, {}, 'sent'),
      at(1, transfer(), 'overtaken'),
      at(1, outcome('overtaken', { outcome: 'not-sent' })),
      at(2, event(named)),
    ])
    expect(transactions.map(({ state }) => state)).toEqual(['paid', 'not-sent'])
  })
})

describe('what a person found', () => {
  it.each<[Finding, number, Partial<EventRecord>, string, string]>([
    ['not-paid', 5, {}, 'paid', 'event'],
    ['paid', 5, transferFailed({ status: 'RETURNED' }), 'paid', 'person'],
    ['not-paid', 0, {}, 'paid', 'event'],
    ['paid', 0, transferFailed(), 'paid', 'person'],
    ['paid', 0, transferFailed({ status: 'RETURNED' }), 'returned', 'event'],
    ['returned', 0, {}, 'returned', 'person'],
  ])('%s in minute %d', (as, minute, own, state, knownBy) => {
    const records = [...acceptedTransfer(), at(minute, finding(as), 'finding'), at(2, event(own))]
    const transaction = only(foldLedger(records))
    expect(transaction.state).toBe(state)
    expect(transactionDocument(transaction)).toMatchObject({ pixgate: { knownBy } })
  })
})

it('shows all of a transaction in the order of time, and what contradicts', () => {
  const transaction = only(
    foldLedger([
      ...acceptedTransfer(),
      at(4, finding('paid'), 'finding'),
      at(1, event({ status: 'PROCESSING' })),
      at(5, transferFailed()),
      at(3, event()),
    ]),
  )
  const shown = transaction.records.map((record) => recordDocument(record, transaction))
  expect(shown.map(({ type, status, contradicts }) => [type, status, contradicts])).toEqual([
    ['intent', undefined, undefined],
    ['outcome', 'PROCESSING', undefined],
    ['event', 'PROCESSING', false],
    ['event', 'PAID_OUT', false],
    ['finding', undefined, undefined],
    ['event', 'ERROR', true],
  ])
})

it('does not take a return for a contradiction of the payment before it', () => {
  const events = [at(1, event()), at(2, transferFailed({ status: 'RETURNED' }))]
  const transaction = only(foldLedger([...acceptedTransfer(), ...events]))
  const shown = transaction.records.map((record) => recordDocument(record, transaction).contradicts)
  expect(shown).toEqual([undefined, undefined, false, false])
})

it('lets a transfer that failed by its event be paid again, and keeps a paid one a repeat', () => {
  expect(mayHaveMoved(only(foldLedger([...acceptedTransfer(), at(1, transferFailed())])))).toBe(false)
  expect(mayHaveMoved(only(foldLedger([...acceptedTransfer(), at(1, event())])))).toBe(true)
})

it('ends in the same state in whatever order events arrive, and never moves backwards', () => {
  const statuses = ['PAID_OUT', 'ERROR', 'RETURNED', 'PROCESSING', 'CANCELED', 'DANCING']
  const ranks = ['accepted', 'not-paid', 'paid', 'returned']
  const arrivals = fc
    .array(fc.constantFrom(...statuses), { maxLength: 8 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(arrivals, fc.boolean(), ([all, shuffled], isKnown) => {
      const sent = isKnown ? acceptedTransfer() : doubtfulTransfer(0, {}, 'transfer')
      const named = { externalId: 'invoice-17', event: null, subject: 'transfer' } as const
      const states = (order: readonly string[]) =>
        order.map((_status, last) => {
          const heard = order.slice(0, last + 1).map((status, index) => at(index, event({ ...named, status })))
          return stateOf([...sent, ...heard])[0]
        })
      const ranked = states(all).map((state) => ranks.indexOf(state === 'unknown' ? 'accepted' : state))
      expect(ranked).toEqual(ranked.toSorted((one, other) => one - other))
      expect(states(shuffled).at(-1)).toEqual(states(all).at(-1))
    }),
  )
})
