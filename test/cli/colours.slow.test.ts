import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { sandboxWorld, type World } from '../world.ts'

/** Then Ctrl-C is pressed: it ends a question or a server, and comes long after a command that ends by itself. */
const PATIENCE_MS = 12_000
const COLOURED = { NO_COLOR: '', FORCE_COLOR: '1' }

/** A world with a payment of each kind, in several states. */
async function worldWithPayments(): Promise<World> {
  const world = await sandboxWorld()
  for (const order of ['order-1', 'order-2'])
    await world.json(['qr', 'create', '--amount', '25', '--request-number', order])
  await world.json(['sandbox', 'pay', 'order-1'])
  await world.json(['status', 'order-1'])
  await world.prepare(['refund', 'order-1', '--amount', '10', '--reason', 'damaged', '--yes'])
  await world.prepare(['payee', 'add', 'maria', '--key', 'maria@example.com'])
  await world.prepare(['transfer', '--to', 'maria', '--amount', '15', '--external-id', 'invoice-1', '--yes'])
  const refused = ['transfer', '--key', 'othername@example.com', '--amount', '999999', '--yes']
  expect((await world.run(refused)).exit).toBe(1)
  writeFileSync(
    join(world.home, 'payments.csv'),
    'key,amount,external_id\na@example.com,1,row-1\nb@example.com,2,row-2\n',
  )
  writeFileSync(join(world.home, 'statement.csv'), 'data;descricao;valor\n01/11/2026;PIX RECEBIDO MARIA;25,00\n')
  return world
}

/** Screens of commands that end by themselves, or where Ctrl-C ends the question. */
const SCREENS: readonly (readonly string[])[] = [
  ['--help'],
  ['transfer', '--help'],
  ['help', 'states'],
  ['doctor'],
  ['status', 'order-1'],
  ['status', 'order-2'],
  ['status', 'nothing'],
  ['history'],
  ['history', 'list'],
  ['history', 'find', 'maria'],
  ['history', 'show', 'order-1'],
  ['history', 'show', 'invoice-1'],
  ['history', 'check'],
  ['history', 'check', '--statement', 'statement.csv'],
  ['history', 'report'],
  ['payee', 'list'],
  ['payee', 'show', 'maria'],
  ['payee', 'edit', 'maria', '--key', 'other@example.com', '--yes'],
  ['profile', 'list'],
  ['profile', 'show'],
  ['profile', 'edit', 'nothing', '--max-day', '5'],
  ['batch', 'transfer', 'payments.csv', '--dry-run'],
  ['batch', 'transfer', 'payments.csv', '--yes'],
  ['batch', 'list'],
  ['batch', 'show'],
  ['webhook', 'events'],
  ['webhook', 'verify', '--body', 'payments.csv', '--signature', 'a'],
  ['sandbox', 'state'],
  ['qr', 'create', '--amount', '3', '--request-number', 'order-3'],
  ['qr', 'create', '--amount', '-3'],
  ['transfer', '--key', 'maria@example.com', '--amount', '3', '--dry-run'],
  ['transfer', '--key', 'maria@example.com', '--amount', '3', '--yes'],
  ['transfer', '--key', 'maria@example.com', '--amount', '3'],
  ['refund', 'order-1'],
  ['resume'],
  ['plan', 'list'],
  ['ledger', 'show'],
  ['sandbox', '--port', '0'],
  ['webhook', 'listen', '--port', '0'],
  ['inspect', '--port', '0'],
  ['demo'],
  ['nothing'],
]

itOnTerminal(
  'shows no escape sequence as text, on any screen',
  async () => {
    const world = await worldWithPayments()
    for (const words of SCREENS) {
      const typed = words.map((word) => (word.endsWith('.csv') ? join(world.home, word) : word))
      const terminal = onTerminal(world, typed, { env: COLOURED })
      const ending = setInterval(() => terminal.press('\x03'), PATIENCE_MS)
      const { raw, screen } = await terminal.ended.finally(() => clearInterval(ending))
      expect(screen, words.join(' ')).not.toMatch(/\\u\{|\\x1b|\\u001b|\^\[\[|\[\d+m/)
      // Without colours on it a screen would prove nothing.
      expect(raw, words.join(' ')).toMatch(/\u001b\[[\d;]*m/)
    }
  },
  300_000,
)
