import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'

const HOST = ['--confirm-host', '127.0.0.1']
const CONFIRM = ['--confirm', 'prod', '-o', 'json']

async function account() {
  const { url } = await sandboxWorld()
  const world = inThisProcess(await inProduction(emptyWorld({ OTHER: 'local-secret' }), url))
  return { world, url }
}

function transferWith(world: World, ...words: string[]) {
  const amount = words.some((word) => word.startsWith('--amount')) ? [] : ['--amount', '1']
  return world.run(['transfer', '--key', 'a@example.com', ...amount, ...words, ...CONFIRM])
}

it('require an external id of every profile and variable that names the account, until a person confirms their end', async () => {
  const { world, url } = await account()
  const csv = join(world.home, 'payroll.csv')
  writeFileSync(csv, 'key,value\nb@example.com,2\n')
  await world.prepare(['profile', 'edit', 'prod', '--require-external-id'])
  const other = ['--base-url', url, '--client-id', 'local', '--client-secret-env', 'OTHER']
  await world.prepare(['profile', 'add', 'other', '--environment', 'production', ...other])

  for (const run of [
    await transferWith(world),
    await transferWith(world, '--dry-run'),
    await world.run(['batch', 'transfer', csv, ...CONFIRM]),
    await world.run([
      'transfer',
      '-p',
      'other',
      '--key',
      'a@example.com',
      '--amount',
      '1',
      '--confirm',
      'other',
      '--json',
    ]),
  ])
    expect(failureOf(run)).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect((await transferWith(world, '--external-id', 'invoice-1')).exit).toBe(0)
  expect((await world.run(['batch', 'transfer', csv, '--reference', 'payroll-11', ...CONFIRM])).exit).toBe(0)

  const weaken = ['profile', 'edit', 'other', '--no-require-external-id']
  expect(failureOf(await world.run([...weaken, '--json']))).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
  await world.prepare(['profile', 'remove', 'other', ...HOST])
  expect((await transferWith(world)).exit).toBe(2)
  const shown = await world.json(['profile', 'show', 'prod'])
  expect(shown).toMatchObject({
    rules: { requireExternalId: true },
    changes: [{ action: 'rule', changes: [{ setting: 'requireExternalId', from: false, to: true }] }],
  })
  await world.prepare(['profile', 'edit', 'prod', '--no-require-external-id', ...HOST])
  expect((await transferWith(world, '--amount=3')).exit).toBe(0)
  expect((await carriedOut(url)).transfers).toHaveLength(3)
  expect(await problemsOf(world)).toEqual([])
})
