import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { webhookTarget } from './webhookTarget.ts'

it('lists the profiles, unless prompts are off', async () => {
  const world = emptyWorld()
  for (const name of ['shop', 'bakery']) {
    const place = ['--base-url', `https://${name}.example.com`, '--client-id', 'a', '--client-secret-env', 'SECRET']
    await world.prepare(['profile', 'add', name, ...place])
  }
  const terminal = onTerminalHere(world, ['profile', 'use'])
  await terminal.shows('https://shop.example.com')
  terminal.press('\x1b[B')
  await terminal.shows('https://bakery.example.com')
  terminal.press('\r')
  const { exit, cooked, screen } = await terminal.ended
  expect([exit, cooked]).toEqual([0, true])
  expect(screen).toContain('bakery is now the active profile: production, https://bakery.example.com')
  const { exit: other, screen: refused } = await onTerminalHere(world, ['profile', 'use', '--no-input']).ended
  expect([other, refused.split('\n')[0]]).toEqual([2, 'error: `pixgate profile use` needs `<name>`'])
})

itOnTerminal('lists the events, and leaves the terminal as it was after Ctrl-C', async () => {
  const target = await webhookTarget()
  const start = () => onTerminal(emptyWorld(), ['webhook', 'send', '--to', target.url])
  const terminal = start()
  await terminal.shows('❯ pix.received')
  terminal.press('\x1b[B')
  await terminal.shows('❯ refund.status')
  terminal.press('\r')
  expect((await terminal.ended).exit).toBe(0)
  expect(target.posted.map(({ body }) => JSON.parse(body).event)).toEqual(['refund.status'])

  const cancelled = start()
  await cancelled.shows('❯ pix.received')
  cancelled.press('\x03')
  const { exit, cooked, raw } = await cancelled.ended
  expect([exit, cooked, target.posted.length]).toEqual([130, true, 1])
  // The cursor, which a list hides, is shown again.
  expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'))
})

it('asks for an amount, and again in place', async () => {
  const world = await sandboxWorld()
  const create = onTerminalHere(world, ['qr', 'create', '--callback-url', 'http://127.0.0.1:9/', '-o', 'json'])
  await create.shows('Amount in reais')
  await typeWrongly(create, [['0', 'The amount is zero']])
  create.press('\x1512,50\r')
  expect((await create.ended).exit).toBe(0)
  expect((await world.json(['sandbox', 'state'])).payments).toMatchObject([{ amount: 12.5 }])
})
