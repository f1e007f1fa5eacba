import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

const PLAIN = { TERM: 'dumb', PATH: '' }
const ADD = ['profile', 'add', 'shop', '--client-id', 'shop-1', '--no-test']
const TRANSFER = ['transfer', '--key', 'ana@example.com', '--amount', '10.00']

function shopIn(world: World): unknown {
  return JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).profiles.shop
}

itOnTerminal('asks for text, a choice and a secret in lines that are written once', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, ADD, { env: PLAIN })
  await terminal.shows('Base URL of the gateway')
  terminal.press('shop\r')
  await terminal.shows('> `shop` is not a base address')
  await terminal.shows('Base URL of the gateway')
  terminal.press('https://pix.example.com\r')
  await terminal.shows('What is pix.example.com?')
  await terminal.shows('  2  sandbox')
  await terminal.shows('Number (1):')
  terminal.press('3\r')
  await terminal.shows('> Answer with a number from 1 to 2')
  await terminal.shows('Number (1):')
  terminal.press('\r')
  await terminal.shows('Client secret')
  terminal.press('first-half-012345\rsecond-half-012345\r')
  await terminal.shows('> The secret was pasted with a line break in it')
  await terminal.shows('Client secret')
  terminal.press('wrong\x15a-long-secret-0123456x\x7f\r')
  for (const question of ['Callback URL', 'Largest amount', 'Largest total', 'Company', 'CPF or CNPJ']) {
    await terminal.shows(question)
    terminal.press('\r')
  }
  const { exit, raw, cooked } = await terminal.ended
  expect([exit, cooked]).toEqual([0, true])
  expect(raw).not.toMatch(/\x1b|half|long-secret|✔/)
  expect(raw.split('Client secret')).toHaveLength(3)
  expect(shopIn(world)).toMatchObject({
    baseUrl: 'https://pix.example.com',
    environment: 'production',
    secret: { source: 'stored', value: 'a-long-secret-0123456' },
  })
})

itOnTerminal('pays once after `y`, and not at all after Enter, Ctrl-C or Ctrl-D', async () => {
  const world = await sandboxWorld()
  const answers = { '\r': 130, '\x03': 130, '\x04': 130, 'y\r': 0 }
  for (const [keys, exit] of Object.entries(answers)) {
    const terminal = onTerminal(world, TRANSFER, { env: PLAIN })
    await terminal.shows('(y/N)')
    terminal.press(keys)
    const seen = await terminal.ended
    expect([keys, seen.exit, seen.cooked]).toEqual([keys, exit, true])
    expect(seen.raw).not.toContain('\x1b')
  }
  expect(await world.json(['history'])).toHaveLength(1)
})

itOnTerminal('names a line break in a secret that was pasted on any terminal', async () => {
  const world = emptyWorld()
  const terminal = onTerminal(world, [...ADD, '--base-url', 'https://pix.example.com'], { env: { PATH: '' } })
  await terminal.shows('Client secret')
  terminal.press('first-half-012345\nsecond-half-012345')
  await terminal.shows('The secret was pasted with a line break in it. Ctrl-U clears the line')
  terminal.press('\x15a-long-secret-0123456\r')
  await terminal.shows('Callback URL')
  terminal.press('\x03')
  expect((await terminal.ended).exit).toBe(130)
})
