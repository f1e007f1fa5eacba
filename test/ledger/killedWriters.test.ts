import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killedWriters } from './killedWriters.ts'

it('keeps what was durable when writers are killed, also while they close the ledger', {
  timeout: 60_000,
}, async () => {
  expect(await killedWriters({ kills: 4, seed: campaignSeed(20261121) })).toBeGreaterThan(0)
})
