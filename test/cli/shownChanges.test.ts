import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { people } from './planPeople.ts'

const PLACE = ['--base-url', 'http://127.0.0.1:4010', '--client-id', 'a']

it('shows what was changed, from what to what, and nothing else', async () => {
  const world = inThisProcess(emptyWorld())
  const secret = ['--client-secret-stdin']
  const added = await world.run(['profile', 'add', 'shop', ...PLACE, ...secret, '--max-day', '5'], {
    stdin: 'hush-0123456789',
  })
  expect(added.stdout.split('\n')).toEqual([
    'environment    sandbox',
    'base URL       http://127.0.0.1:4010',
    'client id      a',
    'client secret  ••••',
    'limit per day  R$ 5,00',
    '',
  ])
  const edit = async (...words: string[]) => {
    const { exit, stdout, stderr } = await world.run(['profile', 'edit', 'shop', ...words], {
      stdin: 'hush-9876543210',
    })
    expect([exit, stderr]).toEqual([0, ''])
    return stdout.trimEnd().split('\n')
  }
  const approvers = join(world.home, 'approvers')
  const lines = Object.entries(people(afterAll, 'ana', 'bruno'))
  writeFileSync(approvers, lines.map(([name, { line }]) => `${name} namespaces="pixgate" ${line}\n`).join(''))
  const [first, second] = await edit('--approval-from', '1.000,00', '--approvers', approvers)
  expect(first).toBe('approval from  none → R$ 1.000,00')
  expect(second).toMatch(/^approvers +added /)
  expect(await edit('--max-amount', '500', '--callback-url', 'https://shop.example.com/pix')).toEqual([
    'callback URL       none → https://shop.example.com/pix',
    'limit per payment  no limit → R$ 500,00',
  ])
  expect(await edit('--client-secret-stdin')).toEqual(['client secret  replaced'])
  expect(await edit('--name', 'store')).toEqual(['name  shop → store'])
  expect((await world.run(['profile', 'edit', 'store', '--max-amount', '500'])).stdout).toBe('Nothing was changed\n')
})

it('shows no character of a secret, not even of the built-in one', async () => {
  const world = inThisProcess(emptyWorld())
  for (const words of [
    ['profile', 'show', 'local'],
    ['profile', 'list', '-o', 'json'],
  ]) {
    expect((await world.run(words)).stdout).not.toContain('local-secret')
  }
  expect(await world.json(['profile', 'show', 'local'])).toMatchObject({ secret: { masked: '••••' } })
})

it('shows the fields that are selected of one thing as text, too', async () => {
  const world = inThisProcess(emptyWorld())
  const shown = await world.run(['profile', 'show', 'local', '--fields', 'clientId,secret.source'])
  expect([shown.exit, shown.stdout]).toEqual([0, 'clientId       local\nsecret.source  built-in\n'])
})

it('shows what was changed of a payee, and nothing else', async () => {
  const world = inThisProcess(emptyWorld())
  await world.run(['payee', 'add', 'maria', '--key', 'maria@example.com'])
  const edit = async (...words: string[]) => {
    const { exit, stdout } = await world.run(['payee', 'edit', 'maria', ...words, '--yes'])
    expect(exit).toBe(0)
    return stdout.trimEnd().split('\n')
  }
  expect(await edit('--display-name', 'Maria Souza')).toEqual(['name  none → Maria Souza'])
  expect(await edit('--display-name', 'Maria Souza')).toEqual(['Nothing was changed'])
  expect(await edit('--no-display-name', '--key', 'other@example.com', '--owner', '52998224725')).toEqual([
    'name   Maria Souza → none',
    'key    maria@example.com (email) → other@example.com (email)',
    'owner  not checked → must be 529.982.247-25',
    expect.stringMatching(/^state {2}changed by .+; no payment confirmed since$/),
  ])
})
