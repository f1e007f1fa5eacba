import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killedListeners } from '../listener/killing.ts'
import { emptyWorld } from '../world.ts'

const KILLS = Number(process.env.CAMPAIGN_RUNS ?? 200)
const SEED = campaignSeed(Date.now())

it(`loses no event that it answered, and records none twice, over ${KILLS} kills`, async () => {
  console.log(`seed ${SEED}`)
  const { answered, repeated } = await killedListeners(emptyWorld(), KILLS, SEED)
  console.log(`${answered} events answered, ${repeated} sendings repeated`)
  expect(answered).toBeGreaterThan(KILLS)
})
