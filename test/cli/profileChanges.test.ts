import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inLedger } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'

const HOST = ['--confirm-host', '127.0.0.1']
const URL = 'http://127.0.0.1:4999'
const EDIT = ['profile', 'edit', 'prod']

function profilesOf(world: World): string {
  return readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')
}

/** A production profile with a limit for each payment, in a world whose ledger has one record. */
async function stage() {
  const world = inThisProcess(await inProduction(emptyWorld(), URL, { maxAmountCents: 10_000 }))
  await world.prepare([...EDIT, '--max-day', '500'])
  return world
}

async function changesOf(world: World, name: string): Promise<{ action: string; changes: object[] }[]> {
  const { changes } = await world.json(['profile', 'show', name])
  return Array.isArray(changes) ? changes : []
}

it('records who changed what concerns money, from what to what, but no secret', async () => {
  const world = inThisProcess(emptyWorld({ SHOP: 'x' }))
  const add = ['profile', 'add', 'shop', '--base-url', URL, '--client-id', 'shop-1', '--client-secret-stdin']
  await world.prepare([...add, '--max-amount', '100', '--company', 'Loja'], { stdin: 'first-secret-0123456789' })
  await world.prepare(['profile', 'edit', 'shop', '--name', 'store', '--no-max-amount', '--read-only'])
  await world.prepare(['profile', 'edit', 'store', '--client-secret-stdin'], { stdin: 'other-secret-0123456789' })
  await world.prepare(['profile', 'edit', 'store', '--client-secret-command', 'TOKEN=abc show'])
  // These concern no money.
  await world.prepare(['profile', 'edit', 'store', '--company', 'Other', '--callback-url', 'http://127.0.0.1:1/'])
  await world.prepare(['profile', 'use', 'local'])

  expect(await changesOf(world, 'store')).toMatchObject([
    { action: 'edit', changes: [{ setting: 'secret', from: 'stored', to: 'command …' }] },
    { action: 'edit', changes: [{ setting: 'secret', from: 'stored', to: 'stored' }] },
    {
      action: 'edit',
      changes: [
        { setting: 'name', from: 'shop', to: 'store' },
        { setting: 'maxAmount', from: 100, to: null },
        { setting: 'readOnly', from: false, to: true },
      ],
    },
    {
      action: 'add',
      user: expect.stringMatching(/./),
      machine: expect.stringMatching(/./),
      changes: [
        { setting: 'environment', from: null, to: 'sandbox' },
        { setting: 'baseUrl', from: null, to: URL },
        { setting: 'clientId', from: null, to: 'shop-1' },
        { setting: 'maxAmount', from: null, to: 100 },
        { setting: 'secret', from: null, to: 'stored' },
      ],
    },
  ])
  const shown = await world.run(['profile', 'show', 'store'])
  expect(shown.stdout).toMatch(/changed by .+ on .+\n(?:.*\n)*?limit per payment\s+R\$ 100,00 → no limit\n/)

  await world.prepare(['profile', 'edit', 'store', '--client-id', 'shop-2', '--client-secret-env', 'SHOP'])
  const [moved, ...earlier] = await changesOf(world, 'store')
  expect(earlier).toEqual([])
  expect(moved?.changes).toContainEqual({ setting: 'clientId', from: 'shop-1', to: 'shop-2' })
  // It holds in the new account from now on, although it did not change.
  expect(moved?.changes).toContainEqual({ setting: 'readOnly', from: false, to: true })
  await world.prepare(['profile', 'remove', 'store', ...HOST])

  const exported = await world.prepare(['history', 'export'])
  expect(exported).not.toMatch(/secret-0123|TOKEN|abc show/)
  const records = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(records.map(({ type, action, owner }) => [type, action, owner.profile, owner.clientId])).toEqual([
    ['profile-change', 'add', 'shop', 'shop-1'],
    ['profile-change', 'edit', 'store', 'shop-1'],
    ['profile-change', 'edit', 'store', 'shop-1'],
    ['profile-change', 'edit', 'store', 'shop-1'],
    ['profile-change', 'edit', 'store', 'shop-1'],
    ['profile-change', 'edit', 'store', 'shop-2'],
    ['profile-change', 'remove', 'store', 'shop-2'],
  ])
  expect((await world.run(['history', 'check'])).exit).toBe(0)
})

it.each([
  ['damaged', 'LEDGER_DAMAGED', 2],
  ['busy', 'LEDGER_BUSY', 6],
])('makes no production profile less strict while the ledger is %s, but stricter', async (which, code, exit) => {
  const world = await stage()
  const whileUnusable = (work: () => Promise<void>) => {
    if (which === 'busy')
      return inLedger(world, async (database) => {
        database.exec('BEGIN IMMEDIATE')
        await work().finally(() => database.exec('ROLLBACK'))
      })
    const data = join(world.home, 'data')
    rmSync(data, { recursive: true })
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(join(data, 'ledger.db'), 'not a database, but long enough to be one'.repeat(100))
    return work()
  }
  await whileUnusable(async () => {
    const before = profilesOf(world)
    for (const weaker of [
      [...EDIT, '--max-amount', '100.01', ...HOST],
      [...EDIT, '--no-max-day', ...HOST],
      ['profile', 'remove', 'prod', ...HOST],
    ]) {
      const failed = failureOf(await world.run([...weaker, '--timeout', '100ms', '-o', 'json']))
      expect(failed).toMatchObject({ exit, code })
      expect(failed.message).toContain('less strict, and it could not be recorded')
      expect(profilesOf(world)).toBe(before)
    }
    const stricter = await world.json([...EDIT, '--read-only', '--timeout', '100ms'])
    expect(stricter).toMatchObject({ readOnly: true, pixgate: { warnings: [expect.stringContaining('not recorded')] } })
    const added = ['profile', 'add', 'first', '--base-url', URL, '--client-id', 'c', '--client-secret-env', 'S']
    expect((await world.run([...added, '--timeout', '100ms'])).exit).toBe(0)
    const shown = await world.run(['profile', 'show', 'first', '--timeout', '100ms', '-o', 'json'])
    expect(shown.exit).toBe(0)
    expect(JSON.parse(shown.stdout).changes).toEqual(which === 'busy' ? [] : null)
  })
})

it('records that a recorded change could not be stored', async (context) => {
  if (process.platform === 'win32') return context.skip('SKIPPED: no keychain whose tool can be replaced')
  const world = emptyWorld()
  await inProduction(world, URL)
  const bin = join(world.home, 'bin')
  mkdirSync(bin)
  // Another program changes the profiles at the same time.
  const store = `echo >> '${join(world.home, 'config', 'profiles.json')}'`
  for (const tool of ['secret-tool', 'security']) {
    writeFileSync(join(bin, tool), `#!/bin/sh\n${store}\necho secret\n`)
    chmodSync(join(bin, tool), 0o755)
  }
  const PATH = `${bin}:${world.env.PATH}`
  const ran = await world.run([...EDIT, '--keychain', '--max-day', '9'], { env: { PATH }, stdin: 'secret' })
  expect(ran.exit).toBe(2)
  expect(ran.stderr).toContain('was changed by another process')
  expect(await changesOf(world, 'prod')).toMatchObject([
    { action: 'undo', changes: [{ setting: 'maxDay', from: 9, to: null }, { setting: 'secret' }] },
    { action: 'edit', changes: [{ setting: 'maxDay', from: null, to: 9 }, { setting: 'secret' }] },
  ])
})
