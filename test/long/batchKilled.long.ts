import { it } from 'vitest'
import { killCampaign } from '../campaign/batchKills.ts'
import { campaignSeed } from '../campaign/run.ts'

const KILLS = Number(process.env.CAMPAIGN_RUNS ?? 1000)
const BATCHES = 10

it(`pays every row of ${BATCHES} batches once, over ${KILLS} kills`, { timeout: 60 * 60_000 }, () =>
  killCampaign({ batches: BATCHES, rows: KILLS * 10, kills: KILLS, seed: campaignSeed(20261122), faultIn: 40 }),
)
