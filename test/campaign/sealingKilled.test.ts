import { it } from 'vitest'
import { campaignSeed } from './run.ts'
import { sealingKills } from './sealingKills.ts'

it('loses no record and pays once where processes are killed while they begin a new file', {
  timeout: 60_000,
}, async () => {
  await sealingKills({ rounds: 1, seed: campaignSeed(20261121) })
})
