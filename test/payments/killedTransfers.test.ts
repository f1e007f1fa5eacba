import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killTransfers } from './killedTransfers.ts'

it('pays once when a transfer is killed at any moment and then resumed', { timeout: 60_000 }, async () => {
  const seen = await killTransfers(5, campaignSeed(20261121))
  expect(seen.finished).toBeLessThan(5)
})
