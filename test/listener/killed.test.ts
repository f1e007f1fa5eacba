import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { emptyWorld } from '../world.ts'
import { killedListeners } from './killing.ts'

const SEED = campaignSeed(20261123)

it('loses no event that it answered, and records none twice, over 6 kills', { timeout: 90_000 }, async () => {
  console.log(`seed ${SEED}`)
  const { answered, repeated } = await killedListeners(emptyWorld(), 6, SEED)
  expect(answered).toBeGreaterThan(10)
  expect(repeated).toBeGreaterThan(0)
})
