import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'

const SECRET = 'a-long-secret-0123456789'
const PLACE = ['--base-url', 'https://gateway.example.com', '--client-id', 'shop-1']

function shopIn(world: World): Record<string, unknown> | undefined {
  return JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).profiles.shop
}

itOnTerminal('asks for address, client id and, hidden, the secret', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, ['profile', 'add', 'shop'])
  await terminal.shows('Base URL of the gateway')
  terminal.press('https://gateway.example.com\r')
  await terminal.shows('Client id')
  terminal.press('shop-1\r')
  await terminal.shows('Client secret')
  // Ctrl-T would reveal what is typed if the prompt allowed it.
  terminal.press(`${SECRET}\x14`)
  await terminal.shows('•'.repeat(SECRET.length))
  terminal.press('\r')
  const { exit, raw, screen } = await terminal.ended
  expect(exit).toBe(0)
  expect(raw).not.toContain('long-secret')
  expect(screen).toContain('Stored the profile `shop` and made it active')
  expect(shopIn(world)).toMatchObject({ clientId: 'shop-1', secret: { source: 'stored', value: SECRET } })
})

itOnTerminal('stores nothing if the question for the secret is not answered', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, ['profile', 'add', 'shop', ...PLACE])
  await terminal.shows('Client secret')
  terminal.press('half\x03')
  const { exit, raw, cooked } = await terminal.ended
  expect([exit, cooked]).toEqual([130, true])
  expect(raw).not.toContain('half')
  expect(() => shopIn(world)).toThrow('ENOENT')
})

itOnTerminal('asks for the secret of another address, and before it removes', async () => {
  const world = emptyWorld()
  await world.prepare(['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin'], { stdin: SECRET })
  const edit = onTerminal(world, ['profile', 'edit', 'shop', '--base-url', 'https://other.example.com'])
  await edit.shows('Client secret')
  edit.press('another-secret-9876543210\r')
  expect((await edit.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({
    baseUrl: 'https://other.example.com',
    secret: { value: 'another-secret-9876543210' },
  })

  const declined = onTerminal(world, ['profile', 'remove', 'shop'])
  await declined.shows('Remove the profile shop (production, https://other.example.com)?')
  declined.press('\r')
  expect((await declined.ended).exit).toBe(130)
  expect(shopIn(world)).toBeDefined()

  const accepted = onTerminal(world, ['profile', 'remove', 'shop'])
  await accepted.shows('Remove the profile shop')
  accepted.press('y\r')
  expect((await accepted.ended).exit).toBe(0)
  expect(shopIn(world)).toBeUndefined()
})

itOnTerminal('adds a sandbox beyond this machine after its host is typed, in capitals too', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, ['profile', 'add', 'shop', ...PLACE, '--environment', 'sandbox'])
  await terminal.shows('environment sandbox')
  await terminal.shows('Type the host name to confirm')
  terminal.press('Gateway.Example.com\r')
  await terminal.shows('Client secret')
  terminal.press(`${SECRET}\r`)
  expect((await terminal.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({ environment: 'sandbox', confirmedSandboxHost: 'gateway.example.com' })
})

itOnTerminal.each(['yes\r', 'shop\r', 'gateway.example.co\r', '\x03', '\x04'])(
  'stores no sandbox beyond this machine when %j answers for its host',
  async (keys) => {
    const world = emptyWorld()
    const terminal = onTerminal(world, ['profile', 'add', 'shop', ...PLACE, '--environment', 'sandbox'])
    await terminal.shows('Type the host name to confirm')
    terminal.press(keys)
    const { exit, cooked } = await terminal.ended
    expect([exit, cooked]).toEqual([130, true])
    expect(() => shopIn(world)).toThrow('ENOENT')
  },
)

itOnTerminal('makes a production profile less strict after its host is typed', async () => {
  const world = emptyWorld()
  const limits = ['--max-amount', '500', '--read-only']
  await world.prepare(['profile', 'add', 'shop', ...PLACE, ...limits, '--client-secret-stdin'], { stdin: SECRET })
  const edit = ['profile', 'edit', 'shop', '--max-amount', '1000', '--no-read-only', '--yes']

  const declined = onTerminal(world, edit)
  await declined.shows('limit per payment R$ 500,00 → R$ 1.000,00')
  await declined.shows('read-only yes → no')
  await declined.shows('Type the host name to confirm this change of a production profile')
  declined.press('shop\r')
  expect((await declined.ended).exit).toBe(130)
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 50_000, readOnly: true })

  const accepted = onTerminal(world, edit)
  await accepted.shows('Type the host name to confirm')
  accepted.press('gateway.example.com\r')
  expect((await accepted.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 100_000, readOnly: false })
})

itOnTerminal('refuses a limit that another edit made the higher one while the secret was typed', async () => {
  const world = emptyWorld()
  const limits = ['--max-amount', '1000', '--client-secret-stdin']
  await world.prepare(['profile', 'add', 'shop', ...PLACE, ...limits], { stdin: SECRET })
  const edit = onTerminal(world, ['profile', 'edit', 'shop', '--max-amount', '600', '--client-secret-stdin'])
  await edit.shows('Client secret')
  await world.json(['profile', 'edit', 'shop', '--max-amount', '500'])
  edit.press('another-secret-9876543210\r')
  const { exit, screen } = await edit.ended
  expect([exit, screen]).toEqual([2, expect.stringContaining('less strict')])
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 50_000, secret: { value: SECRET } })
})
