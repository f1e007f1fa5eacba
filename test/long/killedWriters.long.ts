import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killedWriters } from '../ledger/killedWriters.ts'

const KILLS = Number(process.env.CAMPAIGN_RUNS ?? 150)

it(`keeps what was durable when each of three writers is killed ${KILLS} times`, async () => {
  console.log(`records that were durable: ${await killedWriters({ kills: KILLS, seed: campaignSeed(20261121) })}`)
})
