import { it } from 'vitest'
import { killCampaign } from './batchKills.ts'
import { campaignSeed } from './run.ts'

it('pays every row of a batch once, however often it is killed', { timeout: 180_000 }, () =>
  killCampaign({ batches: 4, rows: 1000, kills: 100, seed: campaignSeed(20261121) }),
)
