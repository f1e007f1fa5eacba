import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
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

it('lists only stored profiles where the built-in one would be refused', async () => {
  const world = emptyWorld()
  const place = ['--base-url', 'https://shop.example.com', '--client-id', 'a', '--client-secret-env', 'SECRET']
  await world.prepare(['profile', 'add', 'shop', ...place])
  for (const command of ['edit', 'remove']) {
    const terminal = onTerminalHere(world, ['profile', command])
    await terminal.shows('https://shop.example.com')
    terminal.press('\x03')
    expect((await terminal.ended).screen).not.toContain('127.0.0.1')
  }
})

it('lists the runs, and asks for the words of a search', async () => {
  const world = await sandboxWorld()
  const file = csvIn(world, 'suppliers.csv', 'key,value', ['ana@example.com,10.5'])
  await world.prepare(['batch', 'transfer', file, '--yes'])
  const show = onTerminalHere(world, ['batch', 'show'])
  await show.shows('Which run?')
  await show.shows('suppliers.csv 1 row, R$ 10,50')
  show.press('\r')
  expect((await show.ended).screen).toMatch(/file +suppliers\.csv/)
  const find = onTerminalHere(world, ['history', 'find'])
  await find.shows('? beginnings of words in any order, amounts and days')
  find.press('ana today\r')
  const { exit, screen } = await find.ended
  expect([exit, screen]).toEqual([0, expect.stringContaining('transfer accepted: 1')])
  const nothing = await onTerminalHere(emptyWorld(), ['batch', 'show']).ended
  expect([nothing.exit, nothing.screen.split('\n')[0]]).toEqual([2, 'error: `pixgate batch show` needs `<run>`'])
})

it('asks how much of a payment to refund that was picked from the list', async () => {
  const world = await sandboxWorld()
  await world.json(['qr', 'create', '--amount', '25', '--request-number', 'order-1'])
  await world.json(['sandbox', 'pay', 'order-1'])
  await world.json(['status', 'order-1'])
  const refund = onTerminalHere(world, ['refund', '--reason', 'damaged'])
  await refund.shows('Which payment should be refunded?')
  refund.press('\r')
  await refund.shows('all that is left, R$ 25,00')
  refund.press('\x1b[B\r')
  await refund.shows('Amount to refund')
  refund.press('12,50\r')
  await refund.shows('Refund R$ 12,50')
  refund.press('y\r')
  expect((await refund.ended).exit).toBe(0)
  expect((await world.json(['sandbox', 'state'])).refunds).toMatchObject([{ amount: 12.5 }])
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
