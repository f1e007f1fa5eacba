import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { sealingKills } from '../campaign/sealingKills.ts'

const ROUNDS = Number(process.env.CAMPAIGN_RUNS ?? 60)

it(`loses no record and pays once, ${ROUNDS} times killed around the beginning of a new file`, async () => {
  const { killed, sealed } = await sealingKills({ rounds: ROUNDS, seed: campaignSeed(20261121) })
  console.log(`processes killed: ${killed}, after a file was sealed: ${sealed} of ${ROUNDS} rounds`)
  expect(killed).toBeGreaterThan(ROUNDS)
  expect(sealed).toBeGreaterThan(ROUNDS / 4)
})
