import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { flipBits } from './flippedBits.ts'

it('reports damage, and refuses repeats, whatever single bit of the ledger is flipped', {
  timeout: 120_000,
}, async () => {
  const seen = await flipBits(Number(process.env.FLIPS ?? 30), campaignSeed(20261121))
  console.log(JSON.stringify(seen))
  expect(seen.missed).toEqual([])
  expect(seen.repeatable).toEqual([])
})
