import { it } from 'vitest'
import { killCampaign } from './batchKills.ts'
import { campaignSeed } from './run.ts'

it('pays every row of a batch once, however often it is killed', { timeout: 180_000 }, () =>
  killCampaign({ batches: 2, rows: 120, kills: 10, seed: campaignSeed(20261121), faultIn: 6 }),
)
