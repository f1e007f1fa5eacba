import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killedWriters } from './killedWriters.ts'

it('keeps what was durable where writers are killed while files are sealed', { timeout: 60_000 }, async () => {
  const { confirmed, sealed } = await killedWriters({ kills: 3, seed: campaignSeed(20261121) })
  expect(sealed).toBeGreaterThan(confirmed / 4)
})
