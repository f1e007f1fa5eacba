import { expect, it } from 'vitest'
import { campaignSeed } from './run.ts'
import { SIGNALLED, signalCommand } from './signals.ts'

const seed = campaignSeed(20261126)

it.each(['transfer', 'batch transfer', 'profile add'])(
  'tells the truth when a signal ends `%s` at any moment',
  { timeout: 60_000 },
  async (command) => {
    const endings = await signalCommand(command, 3, seed)
    expect(Object.values(endings).reduce((sum, each) => sum + each)).toBe(3)
    expect(Object.keys(SIGNALLED)).toContain(command)
  },
)
