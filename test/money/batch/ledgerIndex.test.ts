import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LedgerIndex } from '../../../src/money/batch/ledgerIndex.ts'
import { FINDINGS, type MoneyIntent, type TimelineRecord } from '../../../src/timeline/records.ts'
import type { FollowedRecord } from '../../../src/timeline/timelineFollower.ts'
import { foldLedger, mayHaveMoved } from '../../../src/timeline/transactions.ts'
import type { Outcome } from '../../../src/wire/errors.ts'
import { answered, found, OWNER, refunded, sent, told, triedAgain } from './ledger.ts'

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
  ['by the id that it was given', { idTransaction: 'u', externalId: 'b', amountCents: 5 }],
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
  const index = indexOf([intent], [told({ externalId: 'a', status: 'RETURNED', event: 'transfer.failed' })])
  expect(stateOf(index, 'a')).toBe('returned')
  index.add(found(intent, 'not-paid', '2026-11-20T14:00:00Z'))
  expect(stateOf(index, 'a')).toBe('not-paid')
  index.addEvents([told({ externalId: 'a', at: '2026-11-20T15:00:00Z' })])
  index.settle()
  expect(stateOf(index, 'a')).toBe('paid')
})

it('lets nobody make a payment possible of which an event says that it was made', () => {
  const intent = sent('a')
  const index = indexOf([intent], [told({ externalId: 'a' })])
  index.add(found(intent, 'not-paid', '2026-11-20T14:00:00Z'))
  expect(stateOf(index, 'a')).toBe('paid')
})

it('does not take the failure of one attempt for that of another', () => {
  const [named, unnamed] = [sent('a'), sent('b')]
  const failure = { status: 'ERROR', event: 'transfer.failed', errorCode: 'NO_FUNDS' }
  const index = indexOf(
    [named, triedAgain(named), answered(named, 'accepted', { idTransaction: 't' }), unnamed],
    [told({ ...failure, idTransaction: 't' }), told({ ...failure, externalId: 'b' })],
  )
  expect([stateOf(index, 'a'), stateOf(index, 'b')]).toEqual(['accepted', 'not-paid'])
  index.add(triedAgain(unnamed))
  expect(stateOf(index, 'b')).toBe('unknown')
})

it('does not take the failure of a row for that of its new attempt', () => {
  const first = sent('a', { run: 'r', reference: 'x' })
  const second = sent('a-2', { run: 'r', reference: 'x', row: 'a', at: '2026-11-20T12:30:00Z' })
  const answers = [answered(first, 'accepted', { idTransaction: 't' }), second, answered(second, 'accepted')]
  const index = indexOf([first, ...answers], [told({ externalId: 'a', status: 'ERROR', event: 'transfer.failed' })])
  expect(index.stateOf(0)).toBe('not-paid')
  expect(stateOf(index, 'a')).toBe('accepted')
})

it.each([
  ['came before it', { at: '2026-11-20T11:00:00Z' }],
  ['is of another amount', { amountCents: 7 }],
  ['has another id', { idTransaction: 'u' }],
])('takes no event by the externalId that %s', (_, differences) => {
  const intent = sent('a')
  const records = [intent, answered(intent, 'accepted', { idTransaction: 't' })]
  const index = indexOf(records, [told({ externalId: 'a', status: 'ERROR', event: null, ...differences })])
  expect(stateOf(index, 'a')).toBe('accepted')
})

const OUTCOMES: readonly Outcome[] = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown']

const EVENT_TIMES = ['2026-11-20T11:00:00Z', '2026-11-20T13:00:00Z', '2026-11-20T15:00:00Z'] as const
const EVENT = fc.record({
  at: fc.constantFrom(...EVENT_TIMES),
  status: fc.constantFrom('PAID_OUT', 'ERROR', 'RETURNED', 'PROCESSING'),
  cents: fc.constantFrom(100, 100, 200),
  by: fc.constantFrom('externalId', 'idTransaction', 'both'),
})
const ANSWER = fc.oneof(
  fc.constantFrom(...OUTCOMES).map((outcome) => ({ outcome })),
  fc.constant({ again: true } as const),
  fc.constantFrom(...FINDINGS).map((finding) => ({ finding })),
)

it('says of every payment what the whole ledger says', () => {
  const step = fc.record({
    person: fc.nat(3),
    id: fc.nat(5),
    isRefund: fc.boolean(),
    cents: fc.constantFrom(100, 100, 200),
    answers: fc.array(ANSWER, { maxLength: 4 }),
    named: fc.boolean(),
    events: fc.array(EVENT, { maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, together) => {
      const records: FollowedRecord[] = []
      const intents: TimelineRecord<MoneyIntent>[] = []
      const events = steps.flatMap(({ person, id, isRefund, cents, answers, named, events }, place) => {
        const intent = isRefund ? refunded(`p${person}`, cents) : sent(`x${id}`, { amountCents: cents })
        intents.push(intent)
        const idTransaction = named ? `t${place}` : null
        records.push(intent)
        for (const answer of answers) {
          if ('outcome' in answer) records.push(answered(intent, answer.outcome, { idTransaction }))
          else if ('again' in answer) records.push(triedAgain(intent))
          else records.push(found(intent, answer.finding, '2026-11-20T14:00:00Z'))
        }
        if (isRefund) return []
        return events.map(({ at, status, cents: amountCents, by }) => {
          // The gateway names its own id only of what this payment is; see the order of the events.
          const isItsOwn = at !== EVENT_TIMES[0] && amountCents === cents
          const ids = {
            externalId: by === 'idTransaction' ? null : `x${id}`,
            idTransaction: by === 'externalId' || !isItsOwn ? null : `t${place}`,
          }
          return told({ at, status, event: null, amountCents, ...ids })
        })
      })
      const index = new LedgerIndex()
      for (const record of records) {
        index.add(record)
        if (!together) index.settle()
      }
      // What an id is about may be known only later, which the index sees and the fold does not.
      events.sort((one, other) => Number(one.externalId === null) - Number(other.externalId === null))
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
