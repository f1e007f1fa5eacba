import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workbookText } from '../workbookText.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, inThisProcess } from './payments.ts'

const AMOUNTS = [10.5, 20, 5, 7.25, 100, 33.33]
const ONE_BY_ONE = ['--yes', '--concurrency', '1', '-o', 'json']

/** This world, with the folders of another machine. */
function machineIn(world: World, name: string): World {
  const folders = {
    PIXGATE_DATA_DIR: join(world.home, name, 'data'),
    PIXGATE_CONFIG_DIR: join(world.home, name, 'config'),
  }
  const env = { ...world.env, ...folders }
  const here = inThisProcess(world)
  const run: World['run'] = (args, options = {}) => here.run(args, { ...options, env: { ...env, ...options.env } })
  const json: World['json'] = (args, options = {}) => here.json(args, { ...options, env: { ...env, ...options.env } })
  return { ...here, env, run, json }
}

/** What the runs of a machine accepted less what they say was first sent elsewhere, in cents. */
async function madeBy(machine: World): Promise<number> {
  const runs = JSON.parse((await machine.run(['batch', 'list', '-o', 'json'])).stdout)
  const sums = await Promise.all(runs.map(({ run }: { run: string }) => machine.json(['batch', 'show', run])))
  return sums.reduce(
    (sum, { pendingCents, paidCents, sentElsewhereCents }) => sum + pendingCents + paidCents - sentElsewhereCents,
    0,
  )
}

async function sentToday(machine: World): Promise<string | undefined> {
  const { stderr } = await machine.run(['transfer', '--key', 'day@example.com', '--amount', '1', '--dry-run'])
  return /sent today +(R\$ [\d.,]*\d)/.exec(stderr)?.[1]
}

it('shows what another machine had sent from the same file as its own', async () => {
  const world = await sandboxWorld()
  const rows = AMOUNTS.map((amount, row) => `p${row}@example.com,${amount}`)
  const path = csvIn(world, 'payroll.csv', 'key,value', rows)
  const [desk, laptop] = [machineIn(world, 'desk'), machineIn(world, 'laptop')]
  const batch = ['batch', 'transfer', path, ...ONE_BY_ONE]

  // The desk sends three rows, and its first answer is lost; the laptop sends the whole file; the desk goes on.
  await control(world.url, 'fault', { kind: 'drop-after', times: 1 })
  const first = linesOf(await desk.run([...batch, '--limit', '3'])).at(-1)
  expect(first).toMatchObject({ accepted: 2, unknown: 1, acceptedBefore: 0 })
  const whole = linesOf(await laptop.run(batch)).at(-1)
  expect(whole).toMatchObject({
    accepted: 6,
    acceptedBefore: 3,
    acceptedBeforeCents: 3550,
    sentElsewhere: 3,
    sentElsewhereCents: 3550,
  })
  const resumed = await desk.run(['resume', String(first?.run), '--yes'])
  expect(resumed.stdout).toMatch(
    /accepted +6, R\$ 176,08\naccepted before +4, R\$ 151,08; the gateway has them from earlier attempts, 3 of them, R\$ 140,58, from attempts that this ledger does not have/,
  )

  const { transfers } = await carriedOut(world.url)
  const booked = transfers.reduce((sum, { value }) => sum + Math.round(value * 100), 0)
  expect(booked).toBe(17_608)
  const made = [await madeBy(desk), await madeBy(laptop)]
  expect(made).toEqual([3550, 14_058])
  expect([await sentToday(desk), await sentToday(laptop)]).toEqual(['R$ 35,50', 'R$ 140,58'])

  const run = String(whole?.run)
  const listed = await laptop.run(['batch', 'list'])
  expect(listed.stdout).toContain('accepted: 6 (accepted before: 3, R$ 35,50)')
  const shown = await laptop.run(['batch', 'show', run])
  expect(shown.stdout).toMatch(
    /accepted before +3, R\$ 35,50; the gateway has them from an attempt that this ledger does not have/,
  )
  expect((await laptop.run(['status', run])).stdout).toMatch(/accepted before +3, R\$ 35,50\n/)
  expect((await laptop.run(['history'])).stderr).toMatch(
    /of these first sent with another ledger or machine: 3, R\$ 35,50\n/,
  )
  expect((await desk.run(['history'])).stderr).toMatch(
    /of these first sent with another ledger or machine: 3, R\$ 140,58\n/,
  )
  const report = join(world.home, 'report.xlsx')
  expect((await laptop.run(['batch', 'report', run, '--out', report])).exit).toBe(0)
  expect(workbookText(report)).toMatch(/^of these from another ledger\n3\n/m)
})
