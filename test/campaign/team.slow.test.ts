import { expect } from 'vitest'
import { itOnPostgres, type TestPostgres, withOwnPostgres } from '../postgres.ts'
import { campaignSeed } from './run.ts'
import { playTeam } from './team.ts'

let postgres: TestPostgres
withOwnPostgres((started) => {
  postgres = started
})

itOnPostgres(
  'pays nothing twice and shows the same everywhere when people at two machines do what they like',
  {
    timeout: 180_000,
  },
  async () => {
    const size = { desks: 2, invoices: 6, commandsEach: 3, maySleep: false }
    const figures = await playTeam(postgres, { sequences: 1, seed: campaignSeed(20261124), size })
    expect(figures.commands).toBeGreaterThan(0)
  },
)

itOnPostgres(
  'pays nothing twice, above its sum or to a key that nobody typed when a member writes false records meanwhile',
  {
    timeout: 600_000,
  },
  async () => {
    const size = { desks: 3, invoices: 8, commandsEach: 5, maySleep: false }
    const figures = await playTeam(postgres, { sequences: 2, seed: campaignSeed(20261129), size, hasLiar: true })
    expect([figures.lies, figures.booked]).toEqual([expect.any(Number), expect.any(Number)])
    expect(Math.min(figures.lies, figures.booked)).toBeGreaterThan(0)
  },
)
