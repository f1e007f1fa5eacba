import { expect, it } from 'vitest'
import { campaignSeed } from './run.ts'
import { playThreePeople } from './threePeople.ts'

it('pays nothing twice and hides nothing when three people at two machines do what they like', {
  timeout: 180_000,
}, async () => {
  const figures = await playThreePeople(2, campaignSeed(20261122), { commandsMax: 10 })
  expect(Math.min(figures.kills, figures.faults, figures.otherLedgers, figures.paid)).toBeGreaterThan(0)
})
