import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { playTwoPeople } from '../campaign/twoPeople.ts'

const SEQUENCES = Number(process.env.CAMPAIGN_RUNS ?? 500)

it(`pays nothing twice in ${SEQUENCES} sequences of two people`, { timeout: 3_600_000 }, async () => {
  const seed = campaignSeed(Date.now() % 2 ** 31)
  console.log(`CAMPAIGN_SEED=${seed}`)
  await playTwoPeople(SEQUENCES, seed)
})
