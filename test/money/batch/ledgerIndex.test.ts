import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LedgerIndex } from '../../../src/money/batch/ledgerIndex.ts'
import type { MoneyIntent, TimelineRecord } from '../../../src/timeline/records.ts'
import type { FollowedRecord } from '../../../src/timeline/timelineFollower.ts'
import { foldLedger, mayHaveMoved } from '../../../src/timeline/transactions.ts'
import type { Outcome } from '../../../src/wire/errors.ts'
import { answered, OWNER, refunded, sent, told } from './ledger.ts'

function indexOf(
  records: readonly FollowedRecord[],
  events: Parameters<LedgerIndex['addEvents']>[0] = [],
): LedgerIndex {
  const index = new LedgerIndex()
  for (const record of records) index.add(record)
  index.addEvents(events)
  index.settle()
  return index
}

function stateOf(index: LedgerIndex, id: string): string | undefined {
  const entry = index.find(OWNER, 'transfer', id)
  return entry === undefined ? undefined : index.stateOf(entry)
}

it('knows a row by its id, of its own account alone', () => {
  const intent = sent('a')
  const index = indexOf([intent, answered(intent, 'accepted', { idTransaction: 't' })])
  expect(stateOf(index, 'a')).toBe('accepted')
  expect(stateOf(index, 'b')).toBeUndefined()
  expect(index.find({ ...OWNER, clientId: 'other' }, 'transfer', 'a')).toBeUndefined()
  expect(index.find(OWNER, 'refund', 'a')).toBeUndefined()
})

it('knows a new attempt under the id of the row and under its own', () => {
  const first = sent('a', { run: 'r', reference: 'x' })
  const second = sent('a-2', { run: 'r', reference: 'x', row: 'a' })
  const index = indexOf([first, answered(first, 'refused'), second, answered(second, 'accepted')])
  expect([stateOf(index, 'a'), stateOf(index, 'a-2')]).toEqual(['accepted', 'accepted'])
  expect(index.attemptOf(index.find(OWNER, 'transfer', 'a') ?? -1)).toBe(2)
})

it('keeps what is needed to send a payment in doubt again, until it is known', () => {
  const intent = sent('a')
  const index = indexOf([intent])
  expect(index.intentInDoubt(0)).toEqual(intent)
  index.add(answered(intent, 'accepted', { idTransaction: 't' }))
  expect(index.intentInDoubt(0)).toBeUndefined()
})

it.each([
  ['by its own id', { idTransaction: 't', externalId: null }],
  ['by the id that it was given', { idTransaction: 'u', externalId: 'b' }],
  ['from another port of this machine', { idTransaction: 't', baseUrl: 'http://127.0.0.1:9' }],
])('takes an event for what it is about: %s', (_, named) => {
  const [known, doubtful] = [sent('a'), sent('b', { amountCents: 5 })]
  const records = [known, answered(known, 'accepted', { idTransaction: 't' }), doubtful]
  const index = indexOf(records, [told({ ...named, status: 'RETURNED', event: 'transfer.failed' })])
  const [about, other] = named.idTransaction === 't' ? ['a', 'b'] : ['b', 'a']
  expect(stateOf(index, about)).toBe('returned')
  expect(stateOf(index, other)).not.toBe('returned')
})

it('believes a person over what had arrived before, and a later event over the person', () => {
  const intent = sent('a')
  const finding = {
    ...answered(intent, 'unknown'),
    at: '2026-11-20T14:00:00Z',
    type: 'finding',
    as: 'not-paid',
  } as const
  const index = indexOf([intent], [told({ externalId: 'a' })])
  expect(stateOf(index, 'a')).toBe('paid')
  index.add({ ...finding, because: 'x' })
  expect(stateOf(index, 'a')).toBe('not-paid')
  index.addEvents([told({ externalId: 'a', at: '2026-11-20T15:00:00Z' })])
  index.settle()
  expect(stateOf(index, 'a')).toBe('paid')
})

const OUTCOMES: readonly Outcome[] = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown']

it('says of every payment what the whole ledger says', () => {
  const step = fc.record({
    person: fc.nat(3),
    isRefund: fc.boolean(),
    cents: fc.constantFrom(100, 200),
    outcomes: fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 3 }),
    named: fc.boolean(),
    event: fc.option(fc.constantFrom('PAID_OUT', 'ERROR', 'RETURNED')),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, together) => {
      const records: FollowedRecord[] = []
      const intents: TimelineRecord<MoneyIntent>[] = []
      const events = steps.flatMap(({ person, isRefund, cents, outcomes, named, event }, place) => {
        const intent = isRefund ? refunded(`p${person}`, cents) : sent(`x${place}`, { amountCents: cents })
        intents.push(intent)
        const idTransaction = named ? `t${place}` : null
        records.push(intent, ...outcomes.map((outcome) => answered(intent, outcome, { idTransaction })))
        if (event === null || isRefund) return []
        return [told({ externalId: `x${place}`, idTransaction, status: event, event: null, amountCents: cents })]
      })
      const index = new LedgerIndex()
      for (const record of records) {
        index.add(record)
        if (!together) index.settle()
      }
      index.addEvents(events)
      index.settle()
      const plain = records.filter((record) => record.type !== 'run')
      for (const transaction of foldLedger([...plain, ...events]).transactions) {
        const entry = index.entryOf(transaction.intent.id) ?? -1
        expect([index.stateOf(entry), index.mayHaveMoved(entry)]).toEqual([
          transaction.state,
          mayHaveMoved(transaction),
        ])
      }
      expect(index.size).toBe(intents.length)
    }),
  )
})
