import { it } from 'vitest'
import { REFUND_KINDS, refundCampaign } from '../campaign/refunds.ts'
import { campaignSeed, times } from '../campaign/run.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 20)

it.each(REFUND_KINDS)(`sends a refund once in ${RUNS} runs: $name`, async (kind) => {
  await refundCampaign({ kinds: times(RUNS, kind), seed: campaignSeed(Date.now() % 2 ** 31), posts: 3, isAlone: true })
})
