import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { COLUMNS, flipBits, INDEXES, payUndamaged, SCHEMA } from './flippedBits.ts'

const SEED = campaignSeed(20261121)

it('pays nothing again after a flipped bit anywhere in the file, and reports each in its data', {
  timeout: 120_000,
}, async () => {
  expect(await flipBits({ at: 'file' }, 6, SEED)).toMatchObject({ repeatable: [], defects: [], missed: [] })
})

it.each([INDEXES, ...COLUMNS, SCHEMA])(
  'pays nothing again after a flipped bit by which payments are found: $at',
  {
    timeout: 120_000,
  },
  async (aim) => {
    expect(await flipBits(aim, 3, SEED)).toMatchObject({ repeatable: [], defects: [], missed: [] })
  },
)

it('pays with an undamaged ledger', async () => {
  expect(await payUndamaged()).toEqual({ again: [], allowedNew: 2 })
})
