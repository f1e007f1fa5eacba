import { expect, it } from 'vitest'
import { REFUND_KINDS, refundCampaign } from './refunds.ts'
import { campaignSeed } from './run.ts'

it('never sends a refund with an unknown outcome again, whatever goes wrong', { timeout: 120_000 }, async () => {
  expect(REFUND_KINDS).toHaveLength(12)
  await refundCampaign({ kinds: REFUND_KINDS, seed: campaignSeed(20261121), posts: 3 })
})
