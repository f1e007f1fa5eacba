import { expect, it } from 'vitest'
import { DayGuard } from '../../../src/money/batch/dayLimit.ts'
import type { KeptRow } from '../../../src/money/batch/keptRow.ts'
import { LedgerIndex } from '../../../src/money/batch/ledgerIndex.ts'
import { planResume } from '../../../src/money/batch/resumePlan.ts'
import { answered, NOW_MS, ACCOUNT as OWN_ACCOUNT, OWNER, sent, triedAgain } from './ledger.ts'

const NOW = new Date(NOW_MS).toISOString()
const ACCOUNT = { ...OWN_ACCOUNT, maxDayCents: 1000 }
const YESTERDAY = new Date(NOW_MS - 20 * 60 * 60 * 1000).toISOString()

function rowsInDoubt(count: number, at: string) {
  return Array.from({ length: count }, (_, place) => sent(`row-${place}`, { amountCents: 100, at }))
}

it('counts what is sent again today, though it was asked for yesterday', () => {
  const index = new LedgerIndex()
  const doubts = rowsInDoubt(40, YESTERDAY)
  for (const intent of doubts) index.add(intent)
  const guard = new DayGuard(index, ACCOUNT, () => NOW_MS)
  const allowed = doubts.filter((intent) => {
    index.add({ ...triedAgain(intent), at: NOW })
    return guard.check() === null
  })
  expect(allowed).toHaveLength(10)
})

it('counts what another process sends, and not what was refused', () => {
  const index = new LedgerIndex()
  const guard = new DayGuard(index, ACCOUNT, () => NOW_MS)
  const allowed = rowsInDoubt(30, NOW).filter((intent, place) => {
    index.add(intent)
    const isAllowed = guard.check() === null
    if (place % 2 === 0) index.add(answered(intent, 'refused'))
    return isAllowed
  })
  expect(allowed.map(({ id }) => index.entryOf(id)).filter((entry) => (entry ?? 0) % 2 === 1)).toHaveLength(10)
})

it('says what would have been sent, not what was', () => {
  const index = new LedgerIndex()
  for (const intent of rowsInDoubt(11, NOW)) index.add(intent)
  expect(new DayGuard(index, ACCOUNT, () => NOW_MS).check()).toMatchObject({
    code: 'OVER_LIMIT',
    message:
      'With the rows that come next R$ 11,00 would have been sent today, and the limit of R$ 10,00 a day is passed',
  })
})

it('plans to send anew what was sent yesterday, but not what was sent today', async () => {
  const index = new LedgerIndex()
  const [old] = rowsInDoubt(1, YESTERDAY)
  const fresh = sent('other', { amountCents: 100, at: NOW })
  if (old !== undefined) index.add(old)
  index.add(fresh)
  async function* rows(): AsyncGenerator<KeptRow> {
    for (const [place, id] of ['row-0', 'other'].entries()) {
      const key = { key: 'maria@example.com', keyType: 'email', documentValidation: null, amountCents: 100 } as const
      yield {
        kind: 'transfer',
        line: place + 1,
        id,
        cells: [],
        ...key,
        callbackUrl: 'http://127.0.0.1/',
        typedId: null,
      }
    }
  }
  const context = { account: OWNER, reference: 'x', nowMs: NOW_MS }
  const plan = await planResume(index, rows(), context, { refused: false, includeUnknown: false })
  expect([plan.again, plan.cents, plan.newCents]).toEqual([2, 200, 100])
})
