import { it } from 'vitest'
import { campaignSeed } from './run.ts'
import { playTwoPeople } from './twoPeople.ts'

it('pays nothing twice when two people work on the same payments at once', { timeout: 180_000 }, async () => {
  await playTwoPeople(6, campaignSeed(20261121))
})
