import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'

const CONFIRM = ['--confirm', 'prod', '-o', 'json']

/** A production profile whose check keeps what it is asked in `asked` and ends as `verdict` says. */
async function checked(verdict: string) {
  const { url } = await sandboxWorld()
  const asked = (home: string) => join(home, 'asked')
  const world = await inProduction(emptyWorld({ PIXGATE_PREVIOUS_CLIENT_SECRET: 'earlier-secret' }), url)
  const file = asked(world.home)
  const checkCommand = `cat >> '${file}'; env >> '${file}.env'; ${verdict}`
  await inThisProcess(world).prepare(['profile', 'edit', 'prod', '--check-command', checkCommand])
  const documents = () => (existsSync(file) ? readFileSync(file, 'utf8') : '').split(/\n(?=\{"stage)/).filter(Boolean)
  return { world, url, file, documents: () => documents().map((text) => JSON.parse(text)) }
}

it('gets each command as one document before anything is sent, and no secret', async () => {
  const { world, url, file, documents } = await checked('exit 0')
  const csv = join(world.home, 'payroll.csv')
  writeFileSync(csv, 'key,value\nb@example.com,2\nc@example.com,3\n')
  const transfer = ['transfer', '--key', 'a@example.com', '--amount', '1,50', '--external-id', 'invoice-1']
  expect((await world.run([...transfer, '--dry-run', '-o', 'json'])).exit).toBe(0)
  expect((await world.run([...transfer, ...CONFIRM])).exit).toBe(0)
  const sent = await world.run(['batch', 'transfer', csv, ...CONFIRM])
  expect([sent.exit, sent.stderr]).toEqual([0, ''])
  const [dryRun, single, batch, ...others] = documents()
  const one = { value: 1.5, key: 'a@example.com', typeKey: 'email', externalId: 'invoice-1' }
  expect(dryRun).toMatchObject({ stage: 'dry-run', kind: 'transfer', requests: [one], totalCents: 150 })
  expect(single).toMatchObject({ stage: 'send', profile: 'prod', account: { baseUrl: url, clientId: 'local' } })
  expect(batch).toMatchObject({ stage: 'send', requests: [{ value: 2 }, { value: 3 }], totalCents: 500 })
  expect(others).toEqual([])
  expect(readFileSync(`${file}.env`, 'utf8')).not.toMatch(/earlier-secret|local-secret/)
  expect((await carriedOut(url)).transfers).toHaveLength(3)
})

it.each([
  ['a non-zero exit', 'echo "invoice 7 is not in our books" >&2; exit 3', 'invoice 7 is not in our books'],
  ['a signal', 'kill -9 $$', 'SIGKILL'],
  ['a missing command', 'no-such-command-here', 'not found'],
])('refuses what it is asked with %s', async (_name, verdict, reason) => {
  const { world, url } = await checked(verdict)
  const failure = failureOf(await world.run(['transfer', '--key', 'a@example.com', '--amount', '1', ...CONFIRM]))
  expect(failure).toMatchObject({ exit: 1, outcome: 'not-sent' })
  expect(failure.message).toContain(reason)
  expect((await carriedOut(url)).transfers).toEqual([])
})

it('is not changed in production without the host', async () => {
  const { world } = await checked('exit 1')
  for (const change of [['--no-check-command'], ['--check-command', 'true']]) {
    const edit = ['profile', 'edit', 'prod', ...change]
    expect(failureOf(await world.run([...edit, '-o', 'json']))).toMatchObject({
      exit: 2,
      code: 'CONFIRMATION_REQUIRED',
    })
  }
})
