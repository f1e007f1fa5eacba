import { afterAll, expect } from 'vitest'
import { here } from '../inProcess.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { failureOf } from './payments.ts'
import { people } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
const PAY = ['transfer', '--key', 'loja@example.com', '--amount', '5', '--external-id', 'one']

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres(
  'shows a plan to everybody, refuses the login that made it, and is sent once from two machines',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
    await one.prepare([...PAY, '--plan', '--ssh-key', maria.file])
    const [listed] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json']))
    expect(listed).toMatchObject({ state: 'open', maker: 'maria', totalCents: 500 })
    const approve = ['plan', 'approve', listed.plan, '--ssh-key', joao.file, '--yes']
    expect(failureOf(await one.run([...approve, '-o', 'json']))).toMatchObject({
      exit: 2,
      message: `${one.login} made the plan ${listed.plan} and cannot approve it, too`,
    })
    await two.prepare(approve)
    const sent = await Promise.all([one, two].map((desk) => desk.run(['plan', 'send', listed.plan, '--yes'])))
    // The slower one may find the payment unknown, and its answer when it resumes it.
    expect(sent.map(({ exit }) => exit)).toContain(0)
    for (const { exit } of sent) expect(exit).toBeOneOf([0, 2])
    expect(await team.booked()).toEqual(['loja@example.com 5'])
    // A machine that comes later gets the attempt and its answer together.
    const late = await team.joinedDesk()
    expect((await here(late)(['plan', 'send', listed.plan, '--yes'])).exit).toBe(2)
    for (const desk of [one, two, late]) {
      expect(JSON.parse(await desk.prepare(['plan', 'list', '-o', 'json']))).toMatchObject([{ state: 'sent' }])
      await desk.prepare(['history', 'check'])
    }
  },
)

itOnPostgres('stops a payment of all machines once something of the plan was rejected on another one', async () => {
  const team = await startTeam(postgres)
  const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
  await one.prepare([...PAY, '--plan', '--ssh-key', maria.file])
  const [{ plan }] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json']))
  await two.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
  await two.prepare(['plan', 'reject', plan, '--because', 'paid'])
  expect(failureOf(await here(one)(['plan', 'send', plan, '--yes', '-o', 'json']))).toMatchObject({ exit: 2 })
  expect(await team.booked()).toEqual([])
})
