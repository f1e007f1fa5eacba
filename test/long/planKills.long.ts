import { afterAll, it, onTestFinished } from 'vitest'
import { killPlans } from '../campaign/planKills.ts'
import { campaignSeed } from '../campaign/run.ts'
import { people } from '../cli/planPeople.ts'
import { startTeam } from '../cli/teamDesks.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { sandboxWorld } from '../world.ts'

const PLANS = Number(process.env.CAMPAIGN_RUNS ?? 100)
const { maria, joao } = people(afterAll, 'maria', 'joao')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

it(`sends each payment of ${PLANS} plans once when approving and sending are killed`, async () => {
  const world = await sandboxWorld({}, {}, onTestFinished)
  const desks = { url: world.url, maker: world, approver: world, hosts: [world], maria, joao }
  console.log(JSON.stringify(await killPlans(desks, PLANS, campaignSeed(Date.now() % 2 ** 31))))
})

itOnPostgres(`sends each payment of ${PLANS} plans once when two hosts of a shared ledger are killed`, async () => {
  const team = await startTeam(postgres)
  const [maker, approver] = [await team.joinedDesk(), await team.joinedDesk()]
  const hosts = [await team.joinedDesk(), await team.joinedDesk()]
  const desks = { url: team.url, maker, approver, hosts, maria, joao }
  console.log(JSON.stringify(await killPlans(desks, PLANS, campaignSeed(Date.now() % 2 ** 31))))
})
