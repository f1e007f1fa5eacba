import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'

const SECRET = 'a-long-secret-0123456789'
const SHOP = ['profile', 'add', 'shop', '--base-url', 'https://gateway.example.com/', '--client-id', 'shop-1']

function fileOf(world: World): string {
  return join(world.home, 'config', 'profiles.json')
}

function withShopAndDev(): World {
  const world = emptyWorld()
  const shop = {
    environment: 'production',
    baseUrl: 'https://gateway.example.com',
    clientId: 'shop-1',
    secret: { source: 'stored', value: SECRET },
    callbackUrl: 'http://shop.example.com/pix',
  }
  const secret = { source: 'env', variable: 'DEV_SECRET' }
  const dev = { environment: 'sandbox', baseUrl: 'http://localhost:4010', clientId: 'dev', secret }
  mkdirSync(join(world.home, 'config'), { mode: 0o700 })
  const store = { version: 1, active: 'shop', profiles: { shop, dev } }
  writeFileSync(fileOf(world), JSON.stringify(store), { mode: 0o600 })
  return world
}

it('adds a profile from a pipe, with all its settings', async () => {
  const world = emptyWorld()
  const limits = ['--max-amount', '1.500,50', '--max-day', 'R$ 10000', '--read-only']
  const callback = ['--callback-url', 'http://shop.example.com/pix']
  const ran = await world.run([...SHOP, ...limits, ...callback, '--client-secret-stdin'], { stdin: `${SECRET}\r\n` })
  expect(ran.exit).toBe(0)
  expect(ran.stdout).toBe(
    [
      'environment        production',
      'base URL           https://gateway.example.com',
      'client id          shop-1',
      'client secret      ••••',
      'callback URL       http://shop.example.com/pix',
      'limit per payment  R$ 1.500,50',
      'limit per day      R$ 10.000,00',
      'read-only          yes',
      '',
    ].join('\n'),
  )
  expect(ran.stderr).toBe(
    'Stored the profile `shop` and made it active: commands now use production, and only look up and check\n',
  )
  expect(JSON.parse(readFileSync(fileOf(world), 'utf8'))).toEqual({
    version: 1,
    active: 'shop',
    profiles: {
      shop: {
        environment: 'production',
        baseUrl: 'https://gateway.example.com',
        clientId: 'shop-1',
        secret: { source: 'stored', value: SECRET },
        callbackUrl: 'http://shop.example.com/pix',
        maxAmountCents: 150_050,
        maxDayCents: 1_000_000,
        readOnly: true,
      },
    },
  })
  expect(statSync(fileOf(world)).mode & 0o777).toBe(0o600)
  expect(statSync(join(world.home, 'config')).mode & 0o777).toBe(0o700)
})

it('lists what is stored, the active one marked, secrets masked', async () => {
  const world = inThisProcess(withShopAndDev())
  const rest = {
    checkCommand: null,
    ledger: null,
    maxAmount: null,
    maxDay: null,
    readOnly: false,
    company: null,
    companyDocument: null,
    lang: null,
  }
  const list = await world.run(['profile', 'list', '-o', 'json'])
  expect(JSON.parse(list.stdout)).toEqual([
    {
      name: 'shop',
      active: true,
      environment: 'production',
      baseUrl: 'https://gateway.example.com',
      clientId: 'shop-1',
      callbackUrl: 'http://shop.example.com/pix',
      secret: { source: 'stored', masked: '••••' },
      ...rest,
    },
    {
      name: 'dev',
      active: false,
      environment: 'sandbox',
      baseUrl: 'http://localhost:4010',
      clientId: 'dev',
      callbackUrl: null,
      secret: { source: 'env', masked: '••••', variable: 'DEV_SECRET' },
      ...rest,
    },
  ])
  expect((await world.run(['profile', 'list'])).stdout).toBe(
    [
      'active\tname\tenvironment\tbaseUrl',
      '*\tshop\tproduction\thttps://gateway.example.com',
      '\tdev\tsandbox\thttp://localhost:4010',
      '',
    ].join('\n'),
  )
  const csv = await world.prepare(['profile', 'list', '-o', 'csv', '--fields', 'name,secret.source,active'])
  expect(csv).toBe('name,secret.source,active\nshop,stored,true\ndev,env,false\n')
})

it('lists the built-in profile for people if nothing is stored, and nothing for programs', async () => {
  const world = inThisProcess(emptyWorld())
  const list = await world.run(['profile', 'list'])
  expect(list.stdout).toBe('active\tname\tenvironment\tbaseUrl\n*\tlocal (built-in)\tsandbox\thttp://127.0.0.1:4010\n')
  expect(await world.prepare(['profile', 'list', '-o', 'json'])).toBe('[]\n')
  expect(() => statSync(join(world.home, 'config'))).toThrow('ENOENT')
})

it('shows one profile with the source of every value', async () => {
  const world = inThisProcess(withShopAndDev())
  const show = async (words: string[], env = {}) =>
    JSON.parse(await world.prepare(['profile', 'show', ...words, '-o', 'json'], { env }))
  expect(await show([])).toMatchObject({ name: 'shop', active: true })
  expect(await world.json(['profile', 'show', 'dev'], { env: { DEV_SECRET: SECRET } })).toMatchObject({
    name: 'dev',
    active: false,
    secret: { source: 'env', masked: '••••', variable: 'DEV_SECRET' },
    sources: { baseUrl: 'profile', secret: 'variable DEV_SECRET', callbackUrl: 'default', maxDay: 'default' },
  })
  expect(await show(['-p', 'dev'])).toMatchObject({ name: 'dev' })
  expect(await show([], { PIXGATE_PROFILE: 'dev' })).toMatchObject({ name: 'dev' })
  expect(await show(['local'])).toMatchObject({
    name: 'local',
    active: false,
    baseUrl: 'http://127.0.0.1:4010',
    secret: { source: 'built-in' },
  })
})

it('chooses the active profile, the built-in one too', async () => {
  const world = inThisProcess(withShopAndDev())
  expect(await world.json(['profile', 'use', 'dev'])).toMatchObject({ name: 'dev', active: true })
  expect(JSON.parse(await world.prepare(['profile', 'show', '-o', 'json']))).toMatchObject({
    name: 'dev',
    active: true,
  })
  const local = await world.prepare(['profile', 'use', 'local', '-o', 'json'])
  expect(JSON.parse(local)).toMatchObject({ name: 'local', active: true })
  const list = await world.prepare(['profile', 'list'])
  expect(list.split('\n')[1]).toMatch(/^\*\tlocal \(built-in\)\t/)
  const unknown = await world.run(['profile', 'use', 'shp'])
  expect([unknown.exit, unknown.stderr]).toEqual([
    2,
    'error: There is no profile `shp`\nhint: Did you mean `shop`? List all profiles with `pixgate profile list`\n  pixgate profile list\n',
  ])
})

it('removes a production profile with its host, a sandbox with --yes, and says what is active then', async () => {
  const world = withShopAndDev()
  const asked = await world.run(['profile', 'remove', 'shop', '-o', 'json'])
  expect(asked.exit).toBe(2)
  expect(JSON.parse(asked.stderr)).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED' } })
  for (const wrong of [['--yes'], ['--confirm-host', 'other.example.com']]) {
    const refused = await world.run(['profile', 'remove', 'shop', ...wrong, '-o', 'json'])
    expect([refused.exit, JSON.parse(refused.stderr).error.code]).toEqual([2, 'CONFIRMATION_REQUIRED'])
  }
  const removed = await world.run(['profile', 'remove', 'shop', '--confirm-host', 'gateway.example.com'])
  expect(removed).toEqual({
    exit: 0,
    stdout: 'Removed the profile shop\n',
    stderr: 'It was the active profile; choose another with `pixgate profile use`\n',
  })
  expect((await here(world)(['profile', 'show'])).exit).toBe(4)
  const last = await world.prepare(['profile', 'remove', 'dev', '--yes', '-o', 'json'])
  expect(JSON.parse(last)).toEqual({ name: 'dev', removed: true, wasActive: false })
  expect(await world.prepare(['profile', 'list', '-o', 'json'])).toBe('[]\n')
  expect((await here(world)(['profile', 'remove', 'dev', '--yes'])).exit).toBe(2)
  expect(readFileSync(fileOf(world), 'utf8')).not.toContain(SECRET)
})

it('keeps what a newer version may have written', async () => {
  const world = inThisProcess(withShopAndDev())
  const document = JSON.parse(readFileSync(fileOf(world), 'utf8'))
  document.colour = 'blue'
  document.profiles.shop['x.y'] = { constructor: 1 }
  writeFileSync(fileOf(world), JSON.stringify(document))
  await world.json(['profile', 'edit', 'shop', '--name', 'store', '--client-id', 'shop-2'])
  await world.prepare(['profile', 'use', 'dev'])
  const after = JSON.parse(readFileSync(fileOf(world), 'utf8'))
  expect(after.colour).toBe('blue')
  expect(after.profiles.store).toEqual({ ...document.profiles.shop, clientId: 'shop-2' })
})

it('names a damaged file in every command and leaves it as it is', async () => {
  const world = inThisProcess(withShopAndDev())
  writeFileSync(fileOf(world), '[]')
  const lines = [['list'], ['edit', 'shop', '--read-only'], ['remove', 'shop', '--yes']]
  const rans = await Promise.all([
    ...lines.map((line) => world.run(['profile', ...line])),
    world.run([...SHOP, '--client-secret-env', 'X']),
  ])
  for (const { exit, stdout, stderr } of rans) {
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: The file ${fileOf(world)} is damaged: it is not a JSON object\nhint: `)
  }
  expect(readFileSync(fileOf(world), 'utf8')).toBe('[]')
})

it('says that others could read the file, and fixes it', async () => {
  const world = inThisProcess(withShopAndDev())
  chmodSync(fileOf(world), 0o644)
  const { stderr } = await world.run(['profile', 'list'])
  expect(stderr).toBe(`warning: Other users had access to \`${fileOf(world)}\` (mode 0644); it is now 0600\n`)
  expect(statSync(fileOf(world)).mode & 0o777).toBe(0o600)
})
