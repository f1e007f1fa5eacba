import { it } from 'vitest'
import { KINDS } from '../campaign/kinds.ts'
import { campaignSeed, times } from '../campaign/run.ts'
import { transferCampaign } from '../campaign/transfers.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 50)

it.each(KINDS)(`pays a transfer once in ${RUNS} runs: $name`, async (kind) => {
  await transferCampaign({
    kinds: times(RUNS, kind),
    seed: campaignSeed(Date.now() % 2 ** 31),
    posts: 3,
    isAlone: true,
  })
})
