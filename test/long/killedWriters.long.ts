import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killedWriters } from '../timeline/killedWriters.ts'

const KILLS = Number(process.env.CAMPAIGN_RUNS ?? 150)

it(`keeps what was durable where each of three writers is killed ${KILLS} times`, async () => {
  const { confirmed, sealed } = await killedWriters({ kills: KILLS, seed: campaignSeed(20261121) })
  console.log(`records that were durable: ${confirmed}, files that were sealed: ${sealed}`)
})
