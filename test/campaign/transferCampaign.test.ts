import { expect, it } from 'vitest'
import { KINDS } from './kinds.ts'
import { campaignSeed, times } from './run.ts'
import { transferCampaign } from './transfers.ts'

const RUNS = 1

it(`pays a transfer once, whatever goes wrong, by every kind of fault`, { timeout: 240_000 }, async () => {
  expect(KINDS.length).toBeGreaterThanOrEqual(20)
  const kinds = KINDS.flatMap((kind) => times(RUNS, kind))
  await transferCampaign({ kinds, seed: campaignSeed(20261121), posts: 2 })
})
