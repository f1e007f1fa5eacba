import { expect, it, onTestFinished } from 'vitest'
import { problemsOf } from '../ledger/storedLedger.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'

const HEADER = 'name,key,typeKey,owner,displayName'
const CNPJ = '11.222.333/0001-81'
const CONFIRM = ['--confirm', 'prod']

/** A production account, which nothing is asked of, with three payees. */
async function account(): Promise<World> {
  const world = inThisProcess(await inProduction(emptyWorld({}, onTestFinished), 'http://127.0.0.1:1'))
  const rows = [
    `acme,${CNPJ},,${CNPJ},Acme Ltda`,
    'João,joao@example.com,,,João Souza',
    'celular,62999998888,phoneNumber,,',
  ]
  await world.prepare(['payee', 'import', csvIn(world, 'first.csv', HEADER, rows)])
  return world
}

async function listed(world: World): Promise<Record<string, unknown>[]> {
  return JSON.parse(await world.prepare(['payee', 'list', '--unmask', '-o', 'json']))
}

it('adds and changes payees in one step, and asks before one is paid elsewhere', async () => {
  const world = await account()
  const before = await listed(world)
  expect(before.map(({ name, key, keyType, owner, state }) => [name, key, keyType, owner, state])).toEqual([
    ['acme', '11222333000181', 'document', '11222333000181', 'new'],
    ['celular', '62999998888', 'phoneNumber', null, 'new'],
    ['João', 'joao@example.com', 'email', null, 'new'],
  ])
  // Without a column of owners, these stay; another spelling of a key is no other key.
  const path = csvIn(world, 'second.csv', 'favorecido;chave pix;display name', [
    'ana;ana@example.com;Ana',
    'ACME;pix@acme.example.com;Acme Ltda',
    'joão;joao@example.com;João S.',
    'celular;+55 (62) 99999-8888;',
  ])
  const asked = failureOf(await world.run(['payee', 'import', path, '-o', 'json']))
  expect(asked).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
  expect(asked.details).toMatch(
    /^payee: acme\nkey: 11\.222\.333\/0001-81 \(document\) → pix@acme\.example\.com \(email\)/,
  )
  expect(failureOf(await world.run(['payee', 'import', path, '--yes', '-o', 'json']))).toMatchObject({ exit: 2 })
  expect(await listed(world)).toEqual(before)
  expect(await world.json(['payee', 'import', path, ...CONFIRM])).toEqual({
    new: 1,
    changed: 3,
    changedKeys: 1,
    unchanged: 0,
    payees: [
      {
        name: 'ana',
        change: 'new',
        displayName: 'Ana',
        key: 'ana@example.com',
        keyType: 'email',
        owner: null,
        before: null,
      },
      {
        name: 'acme',
        change: 'key',
        displayName: 'Acme Ltda',
        key: 'pix@acme.example.com',
        keyType: 'email',
        owner: '11222333000181',
        before: { displayName: 'Acme Ltda', key: '11222333000181', keyType: 'document', owner: '11222333000181' },
      },
      expect.objectContaining({ name: 'João', change: 'other', displayName: 'João S.' }),
      expect.objectContaining({ name: 'celular', change: 'other', key: '+5562999998888' }),
    ],
  })
  expect((await listed(world)).map(({ name, state }) => [name, state])).toEqual([
    ['acme', 'changed'],
    ['ana', 'new'],
    ['celular', 'new'],
    ['João', 'new'],
  ])
  expect(await problemsOf(world)).toEqual([])
})

it('imports what payee list writes, but nothing masked', async () => {
  const world = await account()
  const whole = await world.prepare(['payee', 'list', '--unmask', '-o', 'csv'])
  const again = await world.run(['payee', 'import', '-', '-o', 'json'], { stdin: whole })
  expect([again.exit, JSON.parse(again.stdout), again.stderr]).toEqual([
    0,
    { new: 0, changed: 0, changedKeys: 0, unchanged: 3, payees: [] },
    '',
  ])
  const copy = { env: { PIXGATE_DATA_DIR: `${world.home}/copy` } }
  await world.prepare(['payee', 'import', '-'], { ...copy, stdin: whole })
  expect(
    await world.prepare(
      ['payee', 'list', '--unmask', '--fields', 'name,displayName,key,keyType,owner', '-o', 'csv'],
      copy,
    ),
  ).toBe(
    await world.prepare(['payee', 'list', '--unmask', '--fields', 'name,displayName,key,keyType,owner', '-o', 'csv']),
  )
  const masked = await world.prepare(['payee', 'list', '-o', 'csv'])
  const refused = failureOf(await world.run(['payee', 'import', '-', '-o', 'json', ...CONFIRM], { stdin: masked }))
  expect(refused.faults).toMatchObject([
    { line: 2, column: 'key' },
    { line: 2, column: 'owner' },
    { line: 3, column: 'key' },
    { line: 4, column: 'key' },
  ])
})

it('lists every fault with its line and column, and changes nothing', async () => {
  const world = await account()
  const before = await listed(world)
  const rows = [
    'Joao,other@example.com,,,',
    'bia,bia@example.com,,,',
    'BIA,bia@example.com,,,',
    'bía,bia@example.com,,,',
    '"=HYPERLINK(""http://evil.example"")",a@example.com,,,',
    'safe,a@example.com,,,@SUM(1)',
    '\u202eemca,a@example.com,,,',
    'ａcmé,a@example.com,,,',
    'maria@example.com,a@example.com,,,',
    `${'x'.repeat(65)},a@example.com,,,`,
    ',a@example.com,,,',
    'digits,21987654329,,,',
    'code,00020126330014br.gov.bcb.pix0111123456789015204000053039865802BR5901A6001B62070503***6304A1B2,,,',
    'owner,a@example.com,,123,',
    'type,a@example.com,pager,,',
    'short,a@example.com',
    'good,good@example.com,,,',
  ]
  const failed = failureOf(
    await world.run(['payee', 'import', csvIn(world, 'bad.csv', HEADER, rows), ...CONFIRM, '-o', 'json']),
  )
  const faults = failed.faults as { line: number; column: string; message: string }[]
  expect({ ...failed, faults: faults.map(({ line, column }) => `${line} ${column}`) }).toMatchObject({
    exit: 2,
    outcome: 'not-sent',
    faults: [
      '2 name',
      '4 name',
      '5 name',
      '6 name',
      '7 displayName',
      '8 name',
      '9 name',
      '10 name',
      '11 name',
      '12 name',
      '13 key',
      '14 key',
      '15 owner',
      '16 typeKey',
      '17 typeKey',
    ],
  })
  expect(faults[0]?.message).toContain('looks like the payee `João`')
  expect(await listed(world)).toEqual(before)
  for (const [header, column] of [
    ['name,owner', 'key'],
    ['key,owner', 'name'],
    ['name,key,chave', 'key'],
  ]) {
    const wrong = failureOf(await world.run(['payee', 'import', '-', '-o', 'json'], { stdin: `${header}\na,b,c\n` }))
    expect(wrong.faults).toMatchObject([{ line: 1, column }])
  }
  for (const name of ['joao', '=cmd', 'ana\u200b', 'maria@example.com']) {
    expect(failureOf(await world.run(['payee', 'add', name, '--key', 'a@example.com', '-o', 'json']))).toMatchObject({
      exit: 2,
    })
  }
})

itOnTerminal('shows changed keys first, and changes nothing that changed while the question was open', async () => {
  const world = await account()
  const rows = ['nova,nova@example.com,,,', 'João,joao2@example.com,,,']
  const asking = onTerminal(world, ['payee', 'import', csvIn(world, 'changed.csv', HEADER, rows)])
  await asking.shows('(y/N)')
  await world.prepare(['payee', 'edit', 'João', '--key', 'mallory@example.com', ...CONFIRM])
  asking.press('y\r')
  const { exit, screen } = await asking.ended
  expect(screen).toMatch(/payee +João\s+key +joao@example\.com \(email\) → joao2@example\.com \(email\)\s+new +1\s/)
  expect([exit, screen]).toEqual([2, expect.stringContaining('was changed while this command ran')])
  expect((await listed(world)).map(({ key }) => key)).toEqual(['11222333000181', '62999998888', 'mallory@example.com'])
})
