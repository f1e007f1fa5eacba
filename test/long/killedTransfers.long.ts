import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { killTransfers } from '../payments/killedTransfers.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 1000)

it(`pays once when ${RUNS} transfers are killed at any moment and then resumed`, async () => {
  console.log(JSON.stringify(await killTransfers(RUNS, campaignSeed(Date.now() % 2 ** 31))))
})
