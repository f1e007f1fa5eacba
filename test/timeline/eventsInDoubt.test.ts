import { describe, expect, it } from 'vitest'
import { possibleEvents } from '../../src/timeline/eventLinks.ts'
import type { EventRecord, LedgerRecord } from '../../src/timeline/records.ts'
import { foldLedger } from '../../src/timeline/transactions.ts'
import {
  acceptedTransfer,
  at,
  doubtfulRefund,
  doubtfulTransfer,
  event,
  only,
  outcome,
  PAYMENT_ID,
  refundStatus,
  stateOf,
  transfer,
  transferFailed,
} from './ledger.ts'

const DAY_MINUTES = 24 * 60

describe('a transfer in doubt', () => {
  it.each<[string, LedgerRecord[], EventRecord, number]>([
    ['its key is the receiver', doubtfulTransfer(), event(), 1],
    [
      'its owner is',
      doubtfulTransfer(0, { typeKey: 'email', key: 'a@b.c', documentValidation: '52998224725' }),
      event(),
      1,
    ],
    ['with points and dashes', doubtfulTransfer(), event({ taxId: '529.982.247-25' }), 1],
    ['on the last minute of a day', doubtfulTransfer(), event(), DAY_MINUTES],
    ['never answered at all', [at(0, transfer(), 'transfer')], event(), 1],
  ])('is settled as paid where %s', (_name, records, arrived, minute) => {
    expect(stateOf([...records, at(minute, arrived)])).toEqual(['paid', true])
  })

  it.each<[string, LedgerRecord[], EventRecord, number]>([
    ['another receiver', doubtfulTransfer(), event({ taxId: '11144477735' }), 1],
    ['a masked receiver', doubtfulTransfer(), event({ taxId: '***.982.247-**' }), 1],
    ['no receiver', doubtfulTransfer(), event({ taxId: null }), 1],
    ['a key that is no document', doubtfulTransfer(0, { typeKey: 'email', key: 'a@b.c' }), event(), 1],
    ['another amount', doubtfulTransfer(), event({ amountCents: 1051 }), 1],
    ['another account', doubtfulTransfer(), event({ clientId: 'other' }), 1],
    ['no signature', doubtfulTransfer(), event({ isSigned: false }), 1],
    ['an event from before it was sent', doubtfulTransfer(5), event(), 4],
    ['an event a day later', doubtfulTransfer(), event(), DAY_MINUTES + 1],
    ['a failure, which names nobody', doubtfulTransfer(), transferFailed({ taxId: '52998224725' }), 1],
    ['a status that is not final', doubtfulTransfer(), event({ status: 'PROCESSING' }), 1],
    ['no id', doubtfulTransfer(), event({ idTransaction: null }), 1],
    ["somebody else's external id", doubtfulTransfer(), event({ externalId: 'theirs' }), 1],
    [
      'its own external id with another amount',
      doubtfulTransfer(),
      event({ externalId: 'invoice-17', amountCents: 1 }),
      1,
    ],
    [
      'its own external id from before it was sent',
      doubtfulTransfer(5),
      transferFailed({ externalId: 'invoice-17' }),
      4,
    ],
  ])('stays in doubt for %s', (_name, records, arrived, minute) => {
    expect(stateOf([...records, at(minute, arrived)])).toEqual(['unknown', false])
  })

  it('stays in doubt where two could be meant', () => {
    const { transactions, unlinked } = foldLedger([
      ...doubtfulTransfer(0, {}, 'one'),
      ...doubtfulTransfer(1, { externalId: 'invoice-18' }, 'two'),
      at(2, event()),
    ])
    expect(transactions.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
    expect(transactions.map((each) => possibleEvents(each, unlinked).length)).toEqual([1, 1])
  })

  it('is not given an event whose id another transaction has', () => {
    const { transactions } = foldLedger([
      ...acceptedTransfer({ externalId: 'invoice-1' }),
      ...doubtfulTransfer(0, {}, 'doubtful'),
      at(1, event()),
    ])
    expect(transactions.map(({ state }) => state)).toEqual(['paid', 'unknown'])
  })

  it('is not given an event whose id is that of another account', () => {
    const { transactions } = foldLedger([
      ...acceptedTransfer({ externalId: 'invoice-1', clientId: 'other' }),
      ...doubtfulTransfer(0, {}, 'doubtful'),
      at(1, event()),
    ])
    expect(transactions.map(({ state }) => state)).toEqual(['accepted', 'unknown'])
  })

  it('is settled once: a second such event is about another payment', () => {
    const { transactions, unlinked } = foldLedger([
      ...doubtfulTransfer(),
      at(1, event()),
      at(2, event({ idTransaction: 'id-2' })),
    ])
    expect(transactions.map(({ state, idTransaction }) => [state, idTransaction])).toEqual([['paid', 'id-1']])
    expect(unlinked).toHaveLength(1)
  })

  it('hears of its return even where that arrived before the event that made its id known', () => {
    const returned = transferFailed({ status: 'RETURNED' })
    expect(stateOf([...doubtfulTransfer(), at(1, returned), at(2, event())])).toEqual(['returned', true])
  })

  it('may be what a failure of the same amount is about, which a person must say', () => {
    const ledger = foldLedger([
      ...doubtfulTransfer(),
      at(1, transferFailed()),
      at(2, transferFailed({ amountCents: 1 })),
    ])
    expect(possibleEvents(only(ledger), ledger.unlinked).map(({ amountCents }) => amountCents)).toEqual([1050])
  })
})

describe('a transfer that was sent twice', () => {
  it.each<[string, EventRecord, string]>([
    ['the failure of one attempt', transferFailed({ errorCode: 'NO_FUNDS' }), 'accepted'],
    ['the refusal of a second one', transferFailed({ errorCode: 'DUPLICATE_EXTERNAL_ID' }), 'accepted'],
    ['its success', event(), 'paid'],
  ])('is after %s', (_name, arrived, state) => {
    const attempt = at(2, { type: 'attempt', of: 'transfer' } as const, 'attempt')
    const answer = at(3, outcome('transfer', { idTransaction: 'id-1' }), 'answer')
    expect(stateOf([...doubtfulTransfer(), attempt, answer, at(4, arrived)])).toEqual([state, true])
  })
})

describe('a refund in doubt', () => {
  it.each<[string, LedgerRecord[], EventRecord, string]>([
    ['the same payment and amount', doubtfulRefund(), refundStatus(), 'paid'],
    ['all of the payment', doubtfulRefund(0, { isWhole: true, amountCents: null }), refundStatus(), 'paid'],
  ])('is settled by %s', (_name, records, arrived, state) => {
    expect(stateOf([...records, at(1, arrived)])).toEqual([state, true])
  })

  it.each<[string, EventRecord, number]>([
    ['a failure, which may be of another refund', refundStatus({ status: 'FAILED' }), 1],
    ['progress', refundStatus({ status: 'PROCESSING' }), 1],
    ['another amount', refundStatus({ amountCents: 401 }), 1],
    ['another payment', refundStatus({ originalTransactionId: 'payment-2' }), 1],
    ['no id of its own', refundStatus({ idTransaction: null }), 1],
    ['another account', refundStatus({ clientId: 'other' }), 1],
    ['the time before it', refundStatus(), -1],
    ['a payment', event({ event: 'pix.received', subject: 'payment', originalTransactionId: PAYMENT_ID }), 1],
  ])('is not settled by %s', (_name, arrived, minute) => {
    expect(stateOf([...doubtfulRefund(), at(minute, arrived)])).toEqual(['unknown', false])
  })

  it('is not settled by a part of it where all was asked for', () => {
    const whole = doubtfulRefund(0, { isWhole: true, amountCents: 10_000 })
    expect(stateOf([...whole, at(1, refundStatus({ amountCents: 100 }))])).toEqual(['unknown', false])
  })

  it('is not settled where two could be meant', () => {
    const { transactions } = foldLedger([
      ...doubtfulRefund(0, {}, 'one'),
      ...doubtfulRefund(0, {}, 'two'),
      at(1, refundStatus()),
    ])
    expect(transactions.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
  })
})
