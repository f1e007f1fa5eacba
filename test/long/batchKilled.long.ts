import { it } from 'vitest'
import { killCampaign } from '../campaign/batchKills.ts'
import { campaignSeed } from '../campaign/run.ts'

it('pays every row of a batch once, over 100 kills', { timeout: 15 * 60_000 }, () =>
  killCampaign({ rows: 1000, kills: 100, seed: campaignSeed(20261122) }),
)
