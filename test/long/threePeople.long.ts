import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { type CampaignFigures, playThreePeople } from '../campaign/threePeople.ts'

const SEQUENCES = Number(process.env.CAMPAIGN_RUNS ?? 1000)

it(`pays nothing twice in ${SEQUENCES} sequences of three people at two machines`, { timeout: 7_200_000 }, async () => {
  const seed = campaignSeed(Date.now() % 2 ** 31)
  console.log(`CAMPAIGN_SEED=${seed}`)
  const played = (figures: CampaignFigures) => {
    if (figures.sequences % 50 === 0) console.log(JSON.stringify(figures))
  }
  console.log(JSON.stringify(await playThreePeople(SEQUENCES, seed, { played })))
})
