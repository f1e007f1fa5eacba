import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'

const HOST = 'pay.invalid'
const CREDENTIALS = ['--client-id', 'shop-1', '--client-secret-env', 'SHOP_SECRET']
const BEYOND = ['--base-url', `https://${HOST}`, ...CREDENTIALS]
const CONFIRMED = ['--environment', 'sandbox', '--confirm-host', HOST]
const TRANSFER = 'transfer --key maria@example.com --amount 1 --callback-url http://127.0.0.1:9/ --external-id a'.split(
  ' ',
)

interface Stored {
  environment: string
  confirmedSandboxHost?: string
  maxAmountCents?: number
}

function shopIn(world: World): Stored {
  return JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).profiles.shop
}

/** A world with one stored profile, `shop`, which is active. */
function worldWith(shop: object): World {
  const world = emptyWorld({ SHOP_SECRET: 'a-secret-of-shop' })
  const rest = { baseUrl: `https://${HOST}`, clientId: 'shop-1', secret: { source: 'env', variable: 'SHOP_SECRET' } }
  mkdirSync(join(world.home, 'config'), { mode: 0o700 })
  const store = { version: 1, active: 'shop', profiles: { shop: { ...rest, ...shop } } }
  writeFileSync(join(world.home, 'config', 'profiles.json'), JSON.stringify(store), { mode: 0o600 })
  return world
}

/** Which environment each command takes the active profile for: `--yes` is enough in a sandbox only. */
async function environments(world: World, run = here(world)): Promise<string[]> {
  const [show, list, doctor, transfer, sign] = await Promise.all([
    run(['profile', 'show', '-o', 'json']),
    run(['profile', 'list', '-o', 'json']),
    run(['doctor', '--timeout', '50ms']),
    run([...TRANSFER, '--yes', '--timeout', '50ms', '-o', 'json']),
    run(['webhook', 'sign', '--body', '-', '--yes'], { stdin: '{}' }),
  ])
  const [listed] = JSON.parse(list.stdout)
  const asked = JSON.parse(transfer.stderr.trim().split('\n').at(-1) ?? '').error.code === 'CONFIRMATION_REQUIRED'
  return [
    JSON.parse(show.stdout).environment,
    listed.environment,
    /address .*, (sandbox|production) \(/.exec(doctor.stdout)?.[1] ?? 'none',
    asked ? 'production' : 'sandbox',
    sign.exit === 0 ? 'sandbox' : 'production',
  ]
}

/** Runs a profile command that must work in the process of the tests, and gives its document. */
async function changed(world: World, ...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await world.prepare(['profile', ...args, '-o', 'json']))
}

async function expectRejected(world: World, args: string[], sentence: string, run = here(world)): Promise<void> {
  const ran = await run(['profile', ...args, '-o', 'json'])
  expect([ran.exit, ran.stdout]).toEqual([2, ''])
  expect(JSON.parse(ran.stderr).error).toMatchObject({
    code: 'CONFIRMATION_REQUIRED',
    message: expect.stringContaining(sentence),
    details: expect.stringContaining('Nothing was stored'),
  })
}

describe('show, list, doctor, transfer and sign agree on the environment', () => {
  it.each<[what: string, shop: object, environment: string]>([
    ['a host that was confirmed', { environment: 'sandbox', confirmedSandboxHost: HOST }, 'sandbox'],
    ['a host that was never confirmed', { environment: 'sandbox' }, 'production'],
    [
      'another host than the confirmed one',
      { environment: 'sandbox', confirmedSandboxHost: 'a.invalid' },
      'production',
    ],
    ['production with a confirmed host', { environment: 'production', confirmedSandboxHost: HOST }, 'production'],
    ['loopback', { environment: 'sandbox', baseUrl: 'http://127.0.0.1:9' }, 'sandbox'],
    ['production on loopback', { environment: 'production', baseUrl: 'http://127.0.0.1:9' }, 'production'],
  ])('%s', async (_, shop, environment) => {
    expect(await environments(worldWith(shop))).toEqual(Array(5).fill(environment))
  })

  it('an unconfirmed sandbox beyond this machine, by the binary', async () => {
    const world = worldWith({ environment: 'sandbox' })
    expect(await environments(world, world.run)).toEqual(Array(5).fill('production'))
  })

  it('the built-in profile behind whose port is production', async () => {
    const world = worldWith({ environment: 'production', baseUrl: 'http://localhost:4010' })
    await world.prepare(['profile', 'use', 'local'])
    const shown = await changed(world, 'show')
    const doctor = await world.run(['doctor'])
    const transfer = await world.run([...TRANSFER, '--yes'])
    expect([shown.name, shown.environment]).toEqual(['local', 'production'])
    expect(doctor.stdout).toContain('http://127.0.0.1:4010, production')
    expect([transfer.exit, transfer.stderr]).toEqual([2, expect.stringContaining('not enough in production')])
  })

  it('and show says which address an option or variable puts in its place', async () => {
    const world = worldWith({ environment: 'sandbox', confirmedSandboxHost: HOST })
    const env = { PIXGATE_BASE_URL: 'https://other.invalid', PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'b' }
    const { stderr } = await world.run(['profile', 'show'], { env })
    expect(stderr).toContain(
      'Commands currently use another address: https://other.invalid, production (PIXGATE_BASE_URL)',
    )
  })
})

describe('a sandbox beyond this machine', () => {
  it('is added only with its host confirmed', async () => {
    const world = inThisProcess(emptyWorld({ SHOP_SECRET: 'a-secret-of-shop' }))
    const add = ['add', 'shop', ...BEYOND, '--environment', 'sandbox']
    await expectRejected(world, add, 'counts as production until it is confirmed', world.run)
    await expectRejected(world, [...add, '--yes'], 'until it is confirmed')
    await expectRejected(world, [...add, '--confirm-host', 'other.invalid'], 'does not match the host')
    expect(() => shopIn(world)).toThrow('ENOENT')
    expect(await world.json(['profile', ...add, '--confirm-host', HOST])).toMatchObject({ environment: 'sandbox' })
    expect(shopIn(world)).toMatchObject({ environment: 'sandbox', confirmedSandboxHost: HOST })
  })

  it('is production when it is added without a word about its environment', async () => {
    const world = inThisProcess(emptyWorld({ SHOP_SECRET: 'a-secret-of-shop' }))
    const added = await world.run(['profile', 'add', 'shop', ...BEYOND, '--confirm-host', HOST])
    expect([added.exit, added.stdout]).toEqual([0, expect.stringMatching(/^environment +production$/m)])
    expect(added.stderr).toContain('commands now use production and move real money')
  })

  it('is made of a production profile only with its host confirmed', async () => {
    const world = worldWith({ environment: 'production' })
    const edit = ['edit', 'shop', '--environment', 'sandbox']
    await expectRejected(world, edit, 'counts as production until it is confirmed', world.run)
    await expectRejected(world, [...edit, '--yes', '--confirm', 'shop'], 'counts as production until it is confirmed')
    expect(shopIn(world).environment).toBe('production')
    expect(await world.json(['profile', ...edit, '--confirm-host', HOST])).toMatchObject({ environment: 'sandbox' })
    expect(await environments(world)).toEqual(Array(5).fill('sandbox'))
  })

  it('keeps its confirmation for another path, and needs a new one for another host or port', async () => {
    const world = worldWith({ environment: 'sandbox', confirmedSandboxHost: HOST })
    await changed(world, 'edit', 'shop', '--base-url', `https://${HOST}/v2`, '--max-amount', '1')
    expect(shopIn(world)).toMatchObject({ environment: 'sandbox', confirmedSandboxHost: HOST })
    for (const host of ['real.invalid', `${HOST}:8443`]) {
      const move = ['edit', 'shop', '--base-url', `https://${host}`]
      await expectRejected(world, move, 'counts as production until it is confirmed')
      await expectRejected(world, [...move, '--environment', 'sandbox'], 'counts as production until it is confirmed')
    }
    const move = ['edit', 'shop', '--base-url', 'https://real.invalid']
    expect(await changed(world, ...move, '--environment', 'production')).toMatchObject({ environment: 'production' })
    expect(shopIn(world).confirmedSandboxHost).toBeUndefined()
    await expectRejected(world, ['edit', 'shop', '--base-url', `https://${HOST}`, '--environment', 'sandbox'], HOST)
  })

  it('stays production after it left this machine', async () => {
    const world = worldWith({ environment: 'sandbox', baseUrl: 'http://127.0.0.1:9' })
    const moved = await changed(world, 'edit', 'shop', '--base-url', `https://${HOST}`)
    expect(moved).toMatchObject({ environment: 'production' })
  })
})

describe('a production profile', () => {
  const strict = { environment: 'production', maxAmountCents: 1000, maxDayCents: 5000, readOnly: true }

  it.each([
    [['--max-amount', '10,01'], 'limit per payment: R$ 10,00 → R$ 10,01'],
    [['--no-max-amount'], 'limit per payment: R$ 10,00 → no limit'],
    [['--max-day', '51'], 'limit per day: R$ 50,00 → R$ 51,00'],
    [['--no-max-day'], 'limit per day: R$ 50,00 → no limit'],
    [['--no-read-only'], 'read-only: yes → no'],
  ])('becomes less strict with %j only after its host is confirmed', async (options, change) => {
    const world = worldWith(strict)
    const refused = await here(world)(['profile', 'edit', 'shop', ...options])
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining(`  ${change}\n`)])
    expect(shopIn(world)).toMatchObject(strict)
    await changed(world, 'edit', 'shop', ...options, '--confirm-host', HOST)
    expect(shopIn(world)).not.toMatchObject(strict)
  })

  it('on loopback and one whose host was never confirmed are held to the same', async () => {
    for (const shop of [
      { ...strict, baseUrl: 'http://127.0.0.1:9443' },
      { ...strict, environment: 'sandbox' },
    ]) {
      const world = worldWith(shop)
      await expectRejected(world, ['edit', 'shop', '--no-read-only'], 'less strict')
    }
    const tunnel = worldWith({ ...strict, baseUrl: 'http://127.0.0.1:9443' })
    await expectRejected(tunnel, ['edit', 'shop', '--environment', 'sandbox'], 'less strict')
    await changed(tunnel, 'edit', 'shop', '--environment', 'sandbox', '--confirm-host', '127.0.0.1:9443')
    expect(shopIn(tunnel).environment).toBe('sandbox')
  })

  it('becomes stricter without a question', async () => {
    const world = worldWith({ environment: 'production' })
    await changed(world, 'edit', 'shop', '--max-amount', '10', '--max-day', '50', '--read-only')
    await changed(world, 'edit', 'shop', '--max-amount', '9,99', '--max-day', '50')
    expect(shopIn(world)).toMatchObject({ maxAmountCents: 999, maxDayCents: 5000, readOnly: true })
  })

  it('and a sandbox differ: limits of a sandbox are lifted without a question', async () => {
    const world = worldWith({ ...strict, environment: 'sandbox', confirmedSandboxHost: HOST })
    await changed(world, 'edit', 'shop', '--no-max-amount', '--no-max-day', '--no-read-only')
    expect(shopIn(world).maxAmountCents).toBeUndefined()
  })
})

it('stores the company and its tax document, without punctuation', async () => {
  const world = inThisProcess(emptyWorld({ SHOP_SECRET: 'a-secret-of-shop' }))
  const company = ['--company', ' Padaria São João Ltda ', '--company-document', '11.222.333/0001-81']
  const added = await world.json(['profile', 'add', 'shop', ...BEYOND, ...CONFIRMED, ...company])
  const expected = { company: 'Padaria São João Ltda', companyDocument: '11222333000181' }
  expect(added).toMatchObject(expected)
  expect(shopIn(world)).toMatchObject(expected)
  const { stdout } = await world.run(['profile', 'show'])
  expect(stdout).toContain('company\tPadaria São João Ltda\tprofile\ncompany document\t11222333000181\tprofile\n')
  const wrong = await world.run(['profile', 'edit', 'shop', '--company-document', '11.222.333/0001-82'])
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('`--company-document`: ')])
  const cleared = await world.json(['profile', 'edit', 'shop', '--no-company', '--no-company-document'])
  expect(cleared).toMatchObject({ company: null, companyDocument: null })
})

it.each([
  ['two\nlines', 'contains a character that is not allowed in an HTTP header'],
  ['a-secret\n', 'has a blank or a line end around its value'],
  ['a-secret\r', 'has a blank or a line end around its value'],
  ['ségredo', 'contains a character that is not allowed in an HTTP header'],
])('refuses a variable that holds %j now, without showing it', async (value, why) => {
  const world = inThisProcess(emptyWorld({ SHOP_SECRET: value }))
  const { exit, stdout, stderr } = await world.run(['profile', 'add', 'shop', ...BEYOND])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`\`SHOP_SECRET\` ${why}`)
  expect(stderr).not.toContain(value.trim())
  expect(() => shopIn(world)).toThrow('ENOENT')
})
