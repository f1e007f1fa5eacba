import { expect, it } from 'vitest'
import { KINDS } from './kinds.ts'
import { campaignSeed } from './run.ts'
import { transferCampaign } from './transfers.ts'

it('has at least twenty kinds', () => {
  expect(KINDS.length).toBeGreaterThanOrEqual(20)
})

it.each(KINDS)('pays a transfer once: $name', async (kind) => {
  await transferCampaign({ kind, runs: 2, seed: campaignSeed(20261121), posts: 2 })
})
