import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { flipBits } from './flippedBits.ts'

it('reports every flipped bit of its data, and never crashes', { timeout: 120_000 }, async () => {
  const seen = await flipBits(30, campaignSeed(20261121))
  expect(seen.missed).toEqual([])
  expect(seen.repeatable.length).toBeLessThanOrEqual(1)
})
