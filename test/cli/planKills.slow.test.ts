import { afterAll, expect, it, onTestFinished } from 'vitest'
import { killPlans } from '../campaign/planKills.ts'
import { sandboxWorld } from '../world.ts'
import { people } from './planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')

it('sends each payment of a plan once when approving and sending are killed, and finishes the plan', async () => {
  const world = await sandboxWorld({}, {}, onTestFinished)
  const desks = { url: world.url, maker: world, approver: world, hosts: [world], maria, joao }
  expect(await killPlans(desks, 2, 3)).toMatchObject({ plans: 2 })
}, 60_000)
