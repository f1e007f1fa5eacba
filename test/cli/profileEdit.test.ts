import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'

const SECRET = 'a-long-secret-0123456789'

function storeText(world: World): string {
  return readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')
}

/** A world with the profile `shop`, whose secret is stored, and `env`, whose secret is in a variable. */
function profileWorld(): World {
  const world = emptyWorld({ SHOP_SECRET: 'x' })
  const place = { environment: 'production', baseUrl: 'https://gateway.example.com/v1', clientId: 'shop-1' }
  const shop = { ...place, secret: { source: 'stored', value: SECRET } }
  const env = { ...place, secret: { source: 'env', variable: 'SHOP_SECRET' } }
  mkdirSync(join(world.home, 'config'), { mode: 0o700 })
  const store = { version: 1, active: 'shop', profiles: { shop, env } }
  writeFileSync(join(world.home, 'config', 'profiles.json'), JSON.stringify(store), { mode: 0o600 })
  return world
}

it('changes what is typed and clears what is to be cleared', async () => {
  const world = profileWorld()
  const before = JSON.parse(storeText(world)).profiles.shop
  const values = [
    '--max-amount',
    '10,50',
    '--max-day',
    '100',
    '--read-only',
    '--callback-url',
    'https://shop.example.com',
  ]
  expect(await world.json(['profile', 'edit', 'shop', ...values])).toMatchObject({
    name: 'shop',
    active: true,
    callbackUrl: 'https://shop.example.com',
    maxAmount: 10.5,
    maxDay: 100,
    readOnly: true,
  })
  const cleared = ['--no-max-amount', '--no-max-day', '--no-read-only', '--no-callback-url']
  await world.json(['profile', 'edit', 'shop', ...cleared, '--confirm-host', 'gateway.example.com'])
  expect(JSON.parse(storeText(world)).profiles.shop).toEqual({ ...before, readOnly: false })
})

it('gives a profile another name in its place, and keeps it active', async () => {
  const world = inThisProcess(profileWorld())
  expect(await world.json(['profile', 'edit', 'shop', '--name', 'store'])).toMatchObject({
    name: 'store',
    active: true,
  })
  const { active, profiles } = JSON.parse(storeText(world))
  expect([active, Object.keys(profiles), profiles.store.secret.value]).toEqual(['store', ['store', 'env'], SECRET])
  const taken = await world.run(['profile', 'edit', 'env', '--name', 'store'])
  expect([taken.exit, taken.stderr]).toEqual([2, expect.stringContaining('A profile `store` already exists')])
})

it.each([
  ['shop', '--name', 'constructor'],
  ['shop'],
  ['shp', '--read-only'],
  ['local', '--read-only'],
  ['shop', '--client-secret-stdin', '--client-secret-env', 'X'],
  ['__proto__', '--read-only'],
])('refuses %s %s %s and changes nothing', async (...line) => {
  const world = inThisProcess(profileWorld())
  const before = storeText(world)
  const run = line.length === 1 ? world.run : here(world)
  const { exit, stdout, stderr } = await run(['profile', 'edit', ...line])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^error: .*\n(?: {2}.*\n)*hint: /)
  expect(storeText(world)).toBe(before)
})

it('sends no stored secret to an address that is not its own', async () => {
  const world = inThisProcess(profileWorld())
  const before = storeText(world)
  const move = ['profile', 'edit', 'shop', '--base-url', 'https://gateway.example.com:8443']
  const { exit, stderr } = await world.run(move)
  expect(exit).toBe(2)
  expect(stderr).toContain('The stored secret belongs to https://gateway.example.com/v1')
  expect(storeText(world)).toBe(before)
  const moved = await world.json([...move, '--client-secret-stdin'], { stdin: 'another-secret-9876543210' })
  expect(moved).toMatchObject({ baseUrl: 'https://gateway.example.com:8443', secret: { masked: '••••' } })
  expect(storeText(world)).not.toContain(SECRET)
})

it('keeps the secret for another path of its address, and one that it does not hold for any', async () => {
  const world = inThisProcess(profileWorld())
  const path = await world.json(['profile', 'edit', 'shop', '--base-url', 'https://gateway.example.com/v2/'])
  expect(path).toMatchObject({ baseUrl: 'https://gateway.example.com/v2', secret: { masked: '••••' } })
  const env = await world.json(['profile', 'edit', 'env', '--base-url', 'https://other.example.com'])
  expect(env).toMatchObject({ baseUrl: 'https://other.example.com', secret: { variable: 'SHOP_SECRET' } })
})

it('takes a new secret and another source for it', async () => {
  const world = inThisProcess(profileWorld())
  await world.json(['profile', 'edit', 'shop', '--client-secret-stdin'], { stdin: 'another-secret-9876543210' })
  expect(JSON.parse(storeText(world)).profiles.shop.secret).toEqual({
    source: 'stored',
    value: 'another-secret-9876543210',
  })
  await world.json(['profile', 'edit', 'shop', '--client-secret-env', 'SHOP_SECRET'])
  expect(JSON.parse(storeText(world)).profiles.shop.secret).toEqual({ source: 'env', variable: 'SHOP_SECRET' })
})
