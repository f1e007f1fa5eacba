import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { flipBits } from '../ledger/flippedBits.ts'

const FLIPS = Number(process.env.CAMPAIGN_RUNS ?? 300)

it(`reports each of ${FLIPS} flipped bits in the data`, async () => {
  const seen = await flipBits(FLIPS, campaignSeed(20261121))
  console.log(JSON.stringify(seen))
  expect(seen.missed).toEqual([])
  // One in the index by which repeats are found hides one payment; only the check of the whole ledger finds it.
  expect(seen.repeatable.length).toBeLessThanOrEqual(FLIPS / 50)
})
