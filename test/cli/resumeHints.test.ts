import { describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { hintOf, optionsIn, type Sandbox } from './followedHints.ts'
import { control, inProduction, TRANSFER } from './payments.ts'

async function sandbox(): Promise<Sandbox> {
  return sandboxWorld()
}

/** A machine whose active profile is a sandbox that is said to be production. */
async function production(): Promise<Sandbox> {
  const { url } = await sandboxWorld()
  return { ...(await inProduction(emptyWorld(), url)), url }
}

describe('what was sent with other options is resumed with those of the hint', () => {
  it.each<[title: string, named: RegExp, stage: () => Promise<Sandbox>, sending: string[]]>([
    ['the built-in profile', /^--base-url http:\S+$/, sandbox, ['--yes']],
    [
      'the built-in profile while another is active',
      /^--profile local --base-url http:\S+$/,
      async () => inProduction(await sandbox(), 'http://127.0.0.1:9'),
      ['--yes'],
    ],
    ['a stored profile', /^--profile prod$/, production, ['--profile', 'prod', '--confirm', 'prod']],
  ])('%s', async (_, named, stage, sending) => {
    const world = await stage()
    const elsewhere = { env: { PIXGATE_BASE_URL: undefined } }
    const isStored = sending.includes('prod')
    const typed = isStored ? sending : [...sending, '--profile', 'local', '--base-url', world.url]
    const file = csvIn(world, 'payroll.csv', 'key,value', ['joao@example.com,10'])
    await control(world.url, 'fault', { kind: 'drop-after' })
    expect((await here(world)([...TRANSFER, ...typed], elsewhere)).exit).toBe(5)
    await control(world.url, 'fault', { kind: 'drop-after' })
    const batch = await here(world)(['batch', 'transfer', file, ...typed], elsewhere)
    expect(batch.exit).toBe(5)
    const [batchRun = ''] = /run-\w+/.exec(batch.stderr) ?? []
    for (const id of ['invoice-17', batchRun]) {
      const resume = ['resume', id, ...(isStored ? ['--confirm', 'prod'] : ['--yes'])]
      const run = isStored ? world.run : here(world)
      const failure = await run([...resume, ...(isStored ? ['--profile', 'local'] : [])], elsewhere)
      const [words = []] = optionsIn(hintOf(failure))
      expect([failure.exit, named.test(words.join(' ')) ? '' : failure.stderr]).toEqual([2, ''])
      const resumed = await run([...resume, ...words], elsewhere)
      expect(resumed.exit, resumed.stderr).toBe(0)
    }
  })
})

it('says of a charge that it is not sent again, by the number that was typed for it', async () => {
  const world = await sandboxWorld()
  await world.prepare(['qr', 'create', '--amount', '3,50', '--request-number', 'Table 7'])
  expect(await world.run(['resume', 'table 7', '--yes'])).toEqual({
    exit: 2,
    stdout: '',
    stderr: [
      'error: Table 7 is a charge, and a charge is not sent again',
      "hint: Run `pixgate status 'Table 7'` to look it up",
      "  pixgate status 'Table 7'\n",
    ].join('\n'),
  })
})
