import { expect, it } from 'vitest'
import { checkOriginals, type OriginalsDesk } from '../../../src/money/batch/originals.ts'
import { NotFound, RateLimited } from '../../../src/wire/errors.ts'
import { NOW_MS } from './ledger.ts'

type Asked = [line: number, original: string, amountCents: number | null]

const DAY_MS = 86_400_000

async function* rowsOf(asked: readonly Asked[]) {
  for (const [line, originalTransactionId, amountCents] of asked) {
    const facts = { originalTransactionId, amountCents, refundReason: 'x', callbackUrl: null }
    yield { kind: 'refund', line, id: `row-${line}`, cells: [], ...facts } as const
  }
}

/** Payments of R$ 10,00 each; the number behind `paid-` says how many days ago, `part-` ones were returned in part. */
function desk(differences: Partial<OriginalsDesk> = {}): OriginalsDesk {
  return {
    async consult(id) {
      const [kind, days] = id.split('-')
      if (kind === 'none') throw new NotFound('no such payment', { hint: 'x' })
      const paidAt = kind === 'undated' ? {} : { paidAt: new Date(NOW_MS - Number(days) * DAY_MS).toISOString() }
      return { httpStatus: 200, fields: { status: kind === 'open' ? 'PENDING' : 'PAID', amount: 10, ...paidAt } }
    },
    returnedCents: (id) => (id.startsWith('part') ? 400 : id.startsWith('all') ? Number.POSITIVE_INFINITY : 0),
    concurrency: 2,
    now: () => NOW_MS,
    waitForLimit: async () => undefined,
    progress: () => undefined,
    ...differences,
  }
}

it.each<[string, Asked[], number[]]>([
  [
    'parts of one payment up to all of it',
    [
      [2, 'paid-1', 400],
      [3, 'paid-1', 600],
    ],
    [],
  ],
  [
    'a cent too much together',
    [
      [2, 'paid-1', 400],
      [3, 'paid-1', 601],
    ],
    [3],
  ],
  ['more than what is left of a payment returned in part', [[2, 'part-1', 601]], [2]],
  ['all that is left', [[2, 'part-1', null]], []],
  [
    'all of it beside a part',
    [
      [2, 'paid-1', 1],
      [3, 'paid-1', null],
    ],
    [3],
  ],
  ['a payment of 30 days', [[2, 'paid-30', 1]], []],
  ['a payment of 31 days', [[2, 'paid-31', 1]], [2]],
  [
    'a payment that was not paid',
    [
      [2, 'open-1', 1],
      [3, 'paid-1', 1],
    ],
    [2],
  ],
  [
    'a payment that nobody knows',
    [
      [2, 'none-1', 1],
      [3, 'none-1', 2],
    ],
    [2, 3],
  ],
  ['a payment returned before', [[2, 'all-1', 1]], [2]],
])('judges %s', async (_, asked, faulty) => {
  const { faults } = await checkOriginals(rowsOf(asked), desk())
  expect([...new Set(faults.map(({ line }) => line))]).toEqual(faulty)
})

it('knows what a row returns, and the sum', async () => {
  const originals = await checkOriginals(
    rowsOf([
      [2, 'paid-1', null],
      [3, 'part-1', null],
      [4, 'undated-1', 250],
    ]),
    desk(),
  )
  expect(originals).toMatchObject({ totalCents: 1850, unknownAmounts: 0, withoutDate: 1, faults: [] })
  const facts: unknown[] = []
  for await (const row of rowsOf([
    [2, 'paid-1', null],
    [3, 'part-1', null],
  ])) {
    facts.push(originals.factsOf(row))
  }
  expect(facts).toEqual([
    { paidCents: 1000, amountCents: 1000, isWhole: true },
    { paidCents: 1000, amountCents: 600, isWhole: false },
  ])
})

it('asks for each payment once, and waits where the limit of queries is reached', async () => {
  const asked: string[] = []
  let waits = 0
  const base = desk()
  const originals = await checkOriginals(
    rowsOf([
      [2, 'paid-1', 1],
      [3, 'paid-1', 2],
      [4, 'paid-2', 3],
    ]),
    desk({
      concurrency: 1,
      async consult(id) {
        asked.push(id)
        if (waits === 0) throw new RateLimited('the limit', { hint: 'x' })
        return (base.consult ?? (() => Promise.reject(new Error(id))))(id)
      },
      async waitForLimit() {
        waits += 1
      },
    }),
  )
  expect([asked, waits, originals.faults]).toEqual([['paid-1', 'paid-1', 'paid-2'], 1, []])
})

it('takes a refusal of the gateway to be asked for the end', async () => {
  const limited = () => Promise.reject(new RateLimited('429', { hint: 'x', httpStatus: 429 }))
  await expect(checkOriginals(rowsOf([[2, 'paid-1', 1]]), desk({ consult: limited }))).rejects.toThrow('429')
})
