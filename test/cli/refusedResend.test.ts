import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { commandsAfterHint, hintOf } from './followedHints.ts'
import { carriedOut, control, inThisProcess, TRANSFER } from './payments.ts'

const WORDS =
  "Wait for its event, or look for NF 2017 in the gateway's dashboard, because sending it again was refused " +
  "(DOCUMENT_VALIDATE); run `pixgate history show 'NF 2017'` to see all that is known"

it('says everywhere what tells the outcome of a row that was refused when it was sent again', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const rows = ['maria@example.com,10,NF 2017', 'joao@example.com,20,NF 2018']
  const file = csvIn(world, 'payroll.csv', 'key,value,externalId', rows)
  await control(world.url, 'fault', { kind: 'drop-after', times: 2 })
  const lost = await here.run(['batch', 'transfer', file, '--yes'])
  expect(lost.exit).toBe(5)
  const [run = ''] = /run-\w+/.exec(lost.stderr) ?? []
  expect(lost.stderr).toContain(`Continue this run:\n  pixgate resume ${run}\n`)

  await control(world.url, 'fault', { kind: 'DOCUMENT_VALIDATE', times: 2 })
  const resumed = await world.run(['resume', run, '--yes'])
  expect(resumed.exit).toBe(5)
  const next = `Rows whose outcome stays unknown although they were sent again: 2\n→ ${WORDS}\n  pixgate history show 'NF 2017'\n`
  for (const args of [
    ['batch', 'show', run],
    ['status', run],
  ]) {
    const shown = await here.run(args)
    expect(shown.stderr).toContain(next)
    expect(shown.stderr).not.toContain(`pixgate resume ${run}`)
  }
  expect(resumed.stderr).toContain(next)
  expect(resumed.stderr).not.toContain('pixgate resume')

  const check = await here.run(['history', 'check'])
  const status = await here.run(['status', 'NF 2017'])
  expect(check.stderr).toContain(`→ ${WORDS}\n`)
  expect(status.stderr).toMatch(/^→ .*record it with `pixgate history settle [-\da-f]{36}`$/m)
  const { findings } = JSON.parse((await here.run(['doctor', '-o', 'json'])).stdout)
  expect(findings).toContainEqual(
    expect.objectContaining({ finding: expect.stringContaining(': 2, the first is NF 2017'), hint: WORDS }),
  )
  const same = await here.run(['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'])
  expect([same.exit, hintOf(same)]).toEqual([2, WORDS])

  const known = await here.run(['history', 'show', 'NF 2017'])
  expect([known.exit, known.stdout]).toEqual([0, expect.stringContaining('DOCUMENT_VALIDATE')])
  expect(known.stderr).toMatch(
    /Wait until an event, the dashboard or the receiver tells its outcome, then record it with `pixgate history settle [-\w]{36}`/,
  )
  // Both had been carried out, and the gateway says so when nothing else is wrong.
  const found = await here.run(['resume', run, '--yes'])
  expect([found.exit, (await carriedOut(world.url)).transfers]).toMatchObject([0, [{ value: 10 }, { value: 20 }]])
})

it('says so of a single transfer, and offers to resume it while its last answer was lost or refused the caller', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const resume = ['resume', 'invoice-17', '--yes']
  const steps: [kind: string, isRefused: boolean][] = [
    ['drop-before', false],
    ['DOCUMENT_VALIDATE', true],
    ['drop-before', false],
    ['UNAUTHORIZED_IP', false],
    ['PIX_KEY_NOT_FOUND', true],
  ]
  for (const [index, [kind, isRefused]] of steps.entries()) {
    await control(world.url, 'fault', { kind })
    const ran = await here.run(index === 0 ? [...TRANSFER, '--yes'] : resume)
    expect([kind, ran.exit]).toEqual([kind, kind === 'UNAUTHORIZED_IP' ? 4 : 5])
    const { stderr } = await here.run(['history', 'check'])
    const commands = [...stderr.matchAll(/`(pixgate [^`]*)`/g)].map(([, command]) => command)
    expect([kind, commands]).toEqual([
      kind,
      [isRefused ? 'pixgate history show invoice-17' : 'pixgate resume invoice-17'],
    ])
    if (isRefused) expect(commandsAfterHint(ran)).toEqual(['pixgate history show invoice-17'])
  }
})
