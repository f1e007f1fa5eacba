import { expect, it } from 'vitest'
import { knownIds } from '../../src/timeline/knownIds.ts'
import type { OutcomeRecord, RefundIntent, TimelineEntry, TimelineRecord } from '../../src/timeline/records.ts'
import { at, event } from './ledger.ts'

const STAMP = { id: 'r', at: '2026-01-02T03:04:05.000Z', user: 'ana', machine: 'till' }

function recordsOf(...entries: TimelineEntry[]): TimelineRecord[] {
  return entries.map((entry) => ({ ...STAMP, ...entry }))
}

function answered(idTransaction: string | null): OutcomeRecord {
  const answer = { status: 'PENDING', code: null, httpStatus: 200, amountCents: 100 }
  return { type: 'outcome', of: 'x', outcome: 'accepted', idTransaction, ...answer }
}

const REFUND: RefundIntent = {
  type: 'intent',
  kind: 'refund',
  profile: null,
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
  originalTransactionId: 'original',
  amountCents: null,
  isWhole: true,
  refundReason: 'damaged',
  body: '{}',
}

it('gives each id once, newest first', () => {
  const records = recordsOf(answered('first'), answered('second'), answered(null), answered('first'), REFUND)
  expect(knownIds(records, 200)).toEqual(['original', 'first', 'second'])
})

it('gives the ids that events name', () => {
  const arrived = at(1, event({ idTransaction: 'arrived' }))
  expect(knownIds([...recordsOf(answered('first')), arrived, at(2, event({ idTransaction: null }))], 9)).toEqual([
    'arrived',
    'first',
  ])
})

it('gives no more than asked for', () => {
  const records = recordsOf(...['a', 'b', 'c', 'd'].map(answered))
  expect(knownIds(records, 2)).toEqual(['d', 'c'])
  expect(knownIds([], 2)).toEqual([])
})
