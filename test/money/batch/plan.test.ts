import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CheckedRow } from '../../../src/money/batch/batchFile.ts'
import { LedgerIndex } from '../../../src/money/batch/ledgerIndex.ts'
import { Planner, standingOf } from '../../../src/money/batch/plan.ts'
import type { FollowedRecord } from '../../../src/timeline/timelineFollower.ts'
import type { Outcome } from '../../../src/wire/errors.ts'
import { answered, NOW_MS, OWNER, refunded, sent } from './ledger.ts'

const CONTEXT = { account: OWNER, reference: 'november', nowMs: NOW_MS }

function row(
  id: string,
  line: number,
  differences: Partial<Extract<CheckedRow, { kind: 'transfer' }>> = {},
): CheckedRow {
  const key = { key: 'maria@example.com', keyType: 'email', amountCents: 1000, documentValidation: null } as const
  return { kind: 'transfer', line, id, cells: [], ...key, callbackUrl: null, typedId: null, ...differences }
}

function refundRow(originalTransactionId: string, amountCents: number | null, line = 2): CheckedRow {
  const facts = { originalTransactionId, amountCents, refundReason: 'x', callbackUrl: null }
  return { kind: 'refund', line, id: `row-${line}`, cells: [], ...facts }
}

function planOf(records: readonly FollowedRecord[], rows: readonly CheckedRow[]) {
  const index = new LedgerIndex()
  for (const record of records) index.add(record)
  const planner = new Planner(index, CONTEXT)
  for (const each of rows) planner.add(each)
  return planner.plan(rows[0]?.kind ?? 'transfer')
}

function ledgerOf(outcome: Outcome | null, differences: Parameters<typeof sent>[1], code: string | null = null) {
  const intent = sent('a', differences)
  return outcome === null ? [intent] : [intent, answered(intent, outcome, { code })]
}

const OWN = { reference: 'november', run: 'r' }

it.each([
  ['accepted', 'accepted', null],
  ['accepted-before', 'accepted', null],
  ['refused', 'refused', null],
  ['refused', 'refused', 'DUPLICATE_EXTERNAL_ID'],
  ['unknown', 'unknown', null],
  [null, 'unknown', null],
] as const)('leaves out a row whose last outcome is %s', (outcome, as, code) => {
  const plan = planOf(ledgerOf(outcome, OWN, code), [row('a', 2), row('b', 3)])
  expect(plan).toMatchObject({ toSend: 1, toSendCents: 1000, obstacleCount: 0, missingCount: 0 })
  expect(plan.leftOut).toEqual({ accepted: 0, refused: 0, unknown: 0, [as]: 1 })
})

it('sends a row again that never left', () => {
  expect(planOf(ledgerOf('not-sent', OWN), [row('a', 2)])).toMatchObject({ toSend: 1, obstacleCount: 0 })
})

it.each<[string, FollowedRecord[], string | undefined]>([
  ['the same payment by itself', ledgerOf('accepted', {}), 'repeat'],
  ['the same payment under another reference', ledgerOf('accepted', { reference: 'october', run: 'q' }), 'repeat'],
  ['the same payment under this reference', ledgerOf('accepted', OWN), undefined],
  ['the same payment in doubt', ledgerOf('unknown', {}), 'doubt'],
  ['the same payment in doubt for long', ledgerOf(null, { at: '2026-01-01T00:00:00Z' }), 'doubt'],
  ['the same payment seven days ago', ledgerOf('accepted', { at: '2026-11-14T11:00:00Z' }), undefined],
  ['the same payment, refused', ledgerOf('refused', {}), undefined],
  ['another amount', ledgerOf('accepted', { amountCents: 999 }), undefined],
  ['the key in other letters', ledgerOf('accepted', { key: 'Maria@Example.com' }), 'repeat'],
  ['another account', ledgerOf('accepted', { clientId: 'other' }), undefined],
])('judges a row beside an earlier payment: %s', (_, records, why) => {
  const plan = planOf(records, [row('new', 2)])
  expect(plan.obstacles.map((each) => [each.line, each.why])).toEqual(why === undefined ? [] : [[2, why]])
})

it('tells a row whose id belongs to another payment', () => {
  const typed = { typedId: 'a', amountCents: 5 }
  expect(planOf(ledgerOf('accepted', {}), [row('a', 2, typed)])).toMatchObject({
    toSend: 0,
    obstacles: [{ why: 'id' }],
  })
  expect(planOf(ledgerOf('refused', {}), [row('a', 2, typed)])).toMatchObject({ toSend: 1, obstacles: [] })
})

it('lists what was paid under this reference and has no row any more', () => {
  const [paid, refused, elsewhere] = [
    sent('a', OWN),
    sent('b', OWN),
    sent('c', { reference: 'october', amountCents: 1 }),
  ]
  const records = [paid, answered(paid, 'accepted'), refused, answered(refused, 'refused'), elsewhere]
  expect(planOf(records, [row('d', 2, { amountCents: 7 })])).toMatchObject({ missing: [0], missingCount: 1 })
  expect(planOf(records, [row('a', 2)])).toMatchObject({ missing: [], missingCount: 0 })
})

it.each<[string, FollowedRecord[], number | null, string | undefined]>([
  ['another part was returned', [...settled(300, 'accepted')], 400, undefined],
  ['the same part was returned', [...settled(300, 'accepted')], 300, 'repeat'],
  ['a part is in doubt', [refunded('p', 300)], 400, 'doubt'],
  ['all was returned', [...settled(300, 'accepted', true)], 400, 'left'],
])('judges a refund where %s', (_, records, amountCents, why) => {
  const plan = planOf(records, [refundRow('p', amountCents)])
  expect(plan.obstacles.map((each) => each.why)).toEqual(why === undefined ? [] : [why])
})

function settled(amountCents: number, outcome: Outcome, isWhole = false): FollowedRecord[] {
  const intent = refunded('p', amountCents, { isWhole })
  return [intent, answered(intent, outcome)]
}

it('never takes rows of one file for repeats of each other, and sends each of them once', () => {
  const rowOf = fc.record({ person: fc.nat(2), amountCents: fc.constantFrom(100, 200) })
  fc.assert(
    fc.property(fc.array(rowOf, { minLength: 1, maxLength: 20 }), fc.nat(20), (people, sentBefore) => {
      const rows = people.map(({ person, amountCents }, place) =>
        row(`id-${place}`, place + 2, { key: `p${person}@example.com`, amountCents }),
      )
      const index = new LedgerIndex()
      for (const each of rows.slice(0, sentBefore)) {
        if (each.kind !== 'transfer') continue
        const intent = sent(each.id, { key: each.key, amountCents: each.amountCents, ...OWN })
        index.add(intent)
        index.add(answered(intent, 'accepted'))
      }
      const planner = new Planner(index, CONTEXT)
      const toSend = rows.filter((each) => planner.add(each))
      const plan = planner.plan('transfer')
      expect(toSend).toEqual(rows.slice(sentBefore))
      expect(plan).toMatchObject({ obstacleCount: 0, missingCount: 0, toSend: toSend.length })
      for (const each of rows.slice(0, sentBefore)) expect(standingOf(index, each, CONTEXT).as).toBe('accepted')
    }),
  )
})
