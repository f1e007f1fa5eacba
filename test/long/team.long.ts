import { expect } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { playTeam, type TeamFigures } from '../campaign/team.ts'
import { itOnPostgres, type TestPostgres, withOwnPostgres } from '../postgres.ts'

const SEQUENCES = Number(process.env.CAMPAIGN_RUNS ?? 20)
const INVOICES = Number(process.env.CAMPAIGN_INVOICES ?? 500)
const COMMANDS = Number(process.env.CAMPAIGN_COMMANDS ?? 40)

let postgres: TestPostgres
withOwnPostgres((started) => {
  postgres = started
})

itOnPostgres(
  `pays nothing twice in ${SEQUENCES} sequences of two to four machines with one ledger`,
  {
    timeout: 7_200_000,
  },
  async () => {
    const seed = campaignSeed(Date.now() % 2 ** 31)
    console.log(`CAMPAIGN_SEED=${seed}`)
    const played = (figures: TeamFigures) => console.log(JSON.stringify(figures))
    const size = { desks: 4, invoices: INVOICES, commandsEach: COMMANDS, maySleep: true }
    await playTeam(postgres, { sequences: SEQUENCES, seed, size, played })
  },
)

itOnPostgres(
  `pays nothing twice, above its sum or to a key that nobody typed in ${SEQUENCES} sequences with a liar among the machines`,
  {
    timeout: 7_200_000,
  },
  async () => {
    const seed = campaignSeed(Date.now() % 2 ** 31)
    console.log(`CAMPAIGN_SEED=${seed}`)
    const played = (figures: TeamFigures) => console.log(JSON.stringify(figures))
    const size = { desks: 3, invoices: INVOICES, commandsEach: COMMANDS, maySleep: true }
    const { lies } = await playTeam(postgres, { sequences: SEQUENCES, seed, size, hasLiar: true, played })
    expect(lies).toBeGreaterThan(0)
  },
)
