import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

const DOWN = '\x1b[B'
const SECRET = 'a-long-secret-0123456789'
const REMOTE_SANDBOX = ['--environment', 'sandbox', '--client-secret-stdin', '--no-test']
/** Without the tool of a keychain, wherever the tests run. */
const NO_KEYCHAIN = { PATH: '' }
const PLACE = ['--base-url', 'https://gateway.example.com', '--client-id', 'shop-1']

function shopIn(world: World): Record<string, unknown> | undefined {
  return JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).profiles.shop
}

itOnTerminal('asks in place for everything, tests it, and says what to type next', async () => {
  const world = await sandboxWorld()
  const terminal = onTerminal(world, ['profile', 'add', 'shop'], { env: NO_KEYCHAIN })
  /** Types an answer that is refused, then, in the same place, one that is accepted. */
  const correct = async (question: string, wrong: string, message: string, right: string) => {
    await terminal.shows(question)
    await typeWrongly(terminal, [[wrong, message]])
    terminal.press(`\x15${right}\r`)
  }
  await correct(
    'Base URL of the gateway',
    'shop invalid',
    '`shop invalid` is not a base address. Write',
    'shop.invalid',
  )
  await terminal.shows('What is shop.invalid?')
  terminal.press('\x1b[B\r')
  await correct('Client id', 'shop 1', 'A client id contains no spaces', ' local ')
  await correct('Type the host name', 'shop', 'Type `shop.invalid`, not `shop`', 'shop.invalid')
  // Ctrl-T would reveal what is typed if the prompt allowed it.
  await correct('Client secret', 'segrédo', 'contains a character', ` ${SECRET}\x14 `)
  await terminal.shows('Spaces around the secret were removed')
  await correct('Callback URL', 'shop', '`shop` is not a valid URL', 'https://shop.example.com/pix')
  await correct('Largest amount of one payment', '1.500', 'is ambiguous', '1500,00')
  await terminal.shows('Largest total per day')
  terminal.press('\r')
  await terminal.shows('Company')
  terminal.press(' Loja do Zé \r')
  await correct('CPF or CNPJ', '12', '`12` is neither', '529.982.247-25')
  await terminal.shows('could not be resolved')
  await terminal.shows('What should be changed in shop?')
  terminal.press('\r')
  await terminal.shows('Base URL of the gateway')
  terminal.press(`${world.url}\r`)
  await terminal.shows('Store the profile')
  terminal.press('\r')
  await terminal.shows('rejected the credentials')
  await terminal.shows('What should be changed in shop?')
  terminal.press(`${DOWN}\r`)
  await terminal.shows('Client secret')
  terminal.press('local-secret\r')
  await terminal.shows('Store the profile')
  terminal.press('\r')
  await terminal.shows('accepts the credentials')
  const { exit, raw, screen, cooked } = await terminal.ended
  expect([exit, cooked]).toEqual([0, true])
  expect(raw).not.toMatch(/long-secret|local-secret|segr/)
  expect(screen).toMatch(/made it active\n→ Run this next, to create a charge\n {2}pixgate qr create --amount 10,00\n$/)
  expect(shopIn(world)).toEqual({
    environment: 'sandbox',
    baseUrl: world.url,
    clientId: 'local',
    secret: { source: 'stored', value: 'local-secret' },
    callbackUrl: 'https://shop.example.com/pix',
    maxAmountCents: 150_000,
    company: 'Loja do Zé',
    companyDocument: '52998224725',
  })
})

itOnTerminal('keeps the secret in the keychain of the system if that is chosen', async () => {
  const world = emptyWorld()
  const env = { PATH: join(world.home, 'bin') }
  mkdirSync(env.PATH)
  // A keychain that keeps one secret in a file; `cat` is given by its path, because PATH has only this tool.
  const script = '#!/bin/sh\ncase "$1" in store) /bin/cat > "$HOME/kept" ;; lookup) /bin/cat "$HOME/kept" ;; esac\n'
  for (const tool of ['secret-tool', 'security']) writeFileSync(join(env.PATH, tool), script, { mode: 0o755 })
  const terminal = onTerminal(world, ['profile', 'add', 'shop', ...PLACE, '--no-test'], { env })
  await terminal.shows('Where should the client secret be kept?')
  terminal.press('\r')
  await terminal.shows('Client secret')
  terminal.press(`${SECRET}\r`)
  for (const question of ['Callback URL', 'Largest amount', 'Largest total', 'Company', 'CPF or CNPJ']) {
    await terminal.shows(question)
    terminal.press('\r')
  }
  expect((await terminal.ended).exit).toBe(0)
  expect(readFileSync(join(world.home, 'kept'), 'utf8')).toBe(SECRET)
  expect(shopIn(world)).toMatchObject({ secret: { source: 'keychain' } })
})

it('stores nothing if the question for the secret is not answered, and draws it without colours', async () => {
  const world = emptyWorld()
  const env = { ...NO_KEYCHAIN, NO_COLOR: '' }
  const terminal = onTerminalHere(world, ['profile', 'add', 'shop', ...PLACE, '--no-color'], { env })
  await terminal.shows('Client secret')
  terminal.press('half')
  await terminal.shows('••••')
  terminal.press('\x03rest\r')
  const { exit, raw, cooked } = await terminal.ended
  expect([exit, cooked]).toEqual([130, true])
  expect(raw).not.toMatch(/half|rest/)
  expect(raw.match(/\x1b\[[\d;]*m/)).toBeNull()
  expect(() => shopIn(world)).toThrow('ENOENT')
})

it('asks for the secret of another address, and before it removes', async () => {
  const world = emptyWorld()
  await world.prepare(['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin'], { stdin: SECRET })
  const edit = onTerminalHere(world, ['profile', 'edit', 'shop', '--base-url', 'https://other.example.com'])
  await edit.shows('Client secret')
  edit.press('another-secret-9876543210\r')
  expect((await edit.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({
    baseUrl: 'https://other.example.com',
    secret: { value: 'another-secret-9876543210' },
  })

  const declined = onTerminalHere(world, ['profile', 'remove', 'shop'])
  await declined.shows('Type the host name to remove this production profile')
  declined.press('\x03')
  expect((await declined.ended).exit).toBe(130)
  expect(shopIn(world)).toBeDefined()

  const accepted = onTerminalHere(world, ['profile', 'remove', 'shop'])
  await accepted.shows('Type the host name')
  accepted.press('other.example.com\r')
  expect((await accepted.ended).exit).toBe(0)
  expect(shopIn(world)).toBeUndefined()
})

it('adds a sandbox beyond this machine after its host is typed, in capitals too', async () => {
  const world = emptyWorld()
  const terminal = onTerminalHere(world, ['profile', 'add', 'shop', ...PLACE, ...REMOTE_SANDBOX])
  await terminal.shows('environment sandbox')
  await terminal.shows('Type the host name to confirm')
  terminal.press('Gateway.Example.com\r')
  await terminal.shows('Client secret')
  terminal.press(`${SECRET}\r`)
  expect((await terminal.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({ environment: 'sandbox', confirmedSandboxHost: 'gateway.example.com' })
})

it('does not ask again for a host that is confirmed when something else is corrected after a failed test', async () => {
  const world = emptyWorld()
  const place = ['--base-url', 'https://shop.invalid', '--environment', 'sandbox', '--confirm-host', 'shop.invalid']
  const secret = ['--client-id', 'shop-1', '--client-secret-stdin']
  const terminal = onTerminalHere(world, ['profile', 'add', 'shop', ...place, ...secret], { env: NO_KEYCHAIN })
  await terminal.shows('Client secret')
  terminal.press(`${SECRET}\r`)
  await terminal.shows('What should be changed in shop?')
  terminal.press(`${DOWN}${DOWN}${DOWN}\r`)
  await terminal.shows('Callback URL')
  terminal.press('https://shop.example.com/pix\r')
  await terminal.shows('Store the profile')
  terminal.press('\r')
  expect((await terminal.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({
    callbackUrl: 'https://shop.example.com/pix',
    confirmedSandboxHost: 'shop.invalid',
  })
})

it('stores no sandbox beyond this machine when other answers are given for its host', async () => {
  const world = emptyWorld()
  const terminal = onTerminalHere(world, ['profile', 'add', 'shop', ...PLACE, ...REMOTE_SANDBOX])
  await terminal.shows('Type the host name to confirm')
  await typeWrongly(
    terminal,
    ['yes', 'shop', 'gateway.example.co'].map((answer) => [answer, `Type \`gateway.example.com\`, not \`${answer}\``]),
  )
  const { exit, cooked } = await terminal.ended
  expect([exit, cooked]).toEqual([130, true])
  expect(() => shopIn(world)).toThrow('ENOENT')
})

it('makes a production profile less strict after its host is typed', async () => {
  const world = emptyWorld()
  const limits = ['--max-amount', '500', '--read-only']
  await world.prepare(['profile', 'add', 'shop', ...PLACE, ...limits, '--client-secret-stdin'], { stdin: SECRET })
  const edit = ['profile', 'edit', 'shop', '--max-amount', '1000', '--no-read-only', '--yes']

  const declined = onTerminalHere(world, edit)
  await declined.shows('limit per payment R$ 500,00 → R$ 1.000,00')
  await declined.shows('read-only yes → no')
  await declined.shows('Type the host name to confirm this change of a production profile')
  declined.press('shop\r\x03')
  expect((await declined.ended).exit).toBe(130)
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 50_000, readOnly: true })

  const accepted = onTerminalHere(world, edit)
  await accepted.shows('Type the host name to confirm')
  accepted.press('gateway.example.com\r')
  expect((await accepted.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 100_000, readOnly: false })
})

it('lets a person change one setting after the other, and asks for the host at the end', async () => {
  const world = emptyWorld({ SHOP_SECRET: SECRET })
  const secret = ['--client-secret-env', 'SHOP_SECRET', '--max-amount', '500', '--callback-url', 'http://127.0.0.1:1/']
  await world.prepare(['profile', 'add', 'shop', ...PLACE, ...secret])
  const before = shopIn(world)
  const stopped = onTerminalHere(world, ['profile', 'edit', 'shop'])
  await stopped.shows('limit per payment R$ 500,00')
  await stopped.shows('Change nothing')
  stopped.press(`${DOWN.repeat(6)}\r`)
  await stopped.shows('Largest amount of one payment (Enter keeps it, - removes it)')
  stopped.press('-\r')
  await stopped.shows('limit per payment no limit')
  stopped.press('\x03')
  const { exit, cooked } = await stopped.ended
  expect([exit, cooked, shopIn(world)]).toEqual([130, true, before])

  const edit = onTerminalHere(world, ['profile', 'edit', 'shop'])
  await edit.shows('Change nothing')
  edit.press(`${DOWN.repeat(6)}\r`)
  await edit.shows('Largest amount of one payment')
  await typeWrongly(edit, [['1.500', 'is ambiguous']])
  edit.press('\x15600\r')
  await edit.shows('limit per payment R$ 600,00')
  await edit.shows('Store these changes')
  edit.press(`${'\x1b[A'.repeat(8)}\r`)
  await edit.shows('Callback URL (Enter keeps it, - removes it)')
  edit.press('-\r')
  await edit.shows('callback URL none')
  await edit.shows('Store these changes')
  edit.press(`${'\x1b[A'.repeat(2)}\r`)
  await edit.shows('Language of what people read')
  edit.press(`${DOWN.repeat(2)}\r`)
  await edit.shows('language pt-BR')
  edit.press('\r')
  await edit.shows('limit per payment R$ 500,00 → R$ 600,00')
  await edit.shows('Type the host name to confirm')
  edit.press('gateway.example.com\r')
  expect((await edit.ended).exit).toBe(0)
  expect(shopIn(world)).toEqual({ ...before, maxAmountCents: 60_000, callbackUrl: undefined, lang: 'pt-BR' })
})

it('tests another address that was chosen from the list, with the secret for it', async () => {
  const world = await sandboxWorld()
  await world.prepare(['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin'], { stdin: SECRET })
  const edit = onTerminalHere(world, ['profile', 'edit', 'shop'], { env: { ...NO_KEYCHAIN, PIXGATE_BASE_URL: '' } })
  /** Chooses the base URL, from the first or the last line of the list. */
  const move = async (keys: string, url: string, secret: string) => {
    edit.press(`${keys}\r`)
    await edit.shows('Base URL of the gateway')
    edit.press(`${url}\r`)
    await edit.shows('Client secret')
    edit.press(`${secret}\r`)
    await edit.shows('Store these changes')
    edit.press('\r')
  }
  await edit.shows('Change nothing')
  await move(DOWN.repeat(2), 'https://other.invalid', SECRET)
  await edit.shows('could not be resolved')
  await edit.shows('What should be changed in shop?')
  await move('', world.url, 'local-secret')
  await edit.shows('accepts the credentials')
  expect((await edit.ended).exit).toBe(0)
  expect(shopIn(world)).toMatchObject({ baseUrl: world.url, secret: { value: 'local-secret' } })
})

itOnTerminal('asks again after the process was stopped and goes on', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, ['profile', 'add', 'shop', ...PLACE], { env: NO_KEYCHAIN })
  await terminal.shows('Client secret')
  terminal.press('half')
  await terminal.shows('••••')
  // As after Ctrl-Z and `fg`.
  terminal.signal('SIGCONT')
  await terminal.shows('Client secret')
  terminal.press('\x03')
  expect((await terminal.ended).exit).toBe(130)
})

it('refuses a limit that another edit made the higher one while the secret was typed', async () => {
  const world = emptyWorld()
  const limits = ['--max-amount', '1000', '--client-secret-stdin']
  await world.prepare(['profile', 'add', 'shop', ...PLACE, ...limits], { stdin: SECRET })
  const edit = onTerminalHere(world, ['profile', 'edit', 'shop', '--max-amount', '600', '--client-secret-stdin'])
  await edit.shows('Client secret')
  await world.json(['profile', 'edit', 'shop', '--max-amount', '500'])
  edit.press('another-secret-9876543210\r')
  const { exit, screen } = await edit.ended
  expect([exit, screen]).toEqual([2, expect.stringContaining('less strict')])
  expect(shopIn(world)).toMatchObject({ maxAmountCents: 50_000, secret: { value: SECRET } })
})
