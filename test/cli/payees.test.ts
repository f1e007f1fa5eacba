import { expect, it } from 'vitest'
import { problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'
import { recordEvent } from './recordedEvents.ts'

const CONFIRM = ['--confirm', 'prod']
const CNPJ = '11.222.333/0001-81'

async function account() {
  const { url } = await sandboxWorld()
  const world = inThisProcess(await inProduction(emptyWorld(), url))
  return { world, url }
}

function pay(world: World, amount: string, ...words: string[]) {
  return world.run(['transfer', '--amount', amount, ...words, ...CONFIRM, '-o', 'json'])
}

async function stateOf(world: World, name: string): Promise<unknown> {
  return (await world.json(['payee', 'show', name])).state
}

it('pays a payee by its name to its key, with its owner', async () => {
  const { world, url } = await account()
  await world.prepare(['payee', 'add', 'Acme', '--key', CNPJ, '--owner', CNPJ, '--display-name', 'Acme Papéis Ltda'])
  expect((await pay(world, '10', '--to', 'acme')).exit).toBe(0)
  const [sent] = (await carriedOut(url)).transfers
  expect(sent).toMatchObject({ key: '11222333000181', value: 10 })
  const [listed] = JSON.parse(await world.prepare(['history', 'find', 'papéis', '-o', 'json']))
  expect(listed.pixgate).toMatchObject({ payeeName: 'Acme', party: 'Acme Papéis Ltda' })
  expect(listed.pixgate.owner).not.toContain('11222333000181')
  const list = JSON.parse(await world.prepare(['payee', 'list', '--unmask', '-o', 'json']))
  expect(list).toEqual([
    {
      name: 'Acme',
      displayName: 'Acme Papéis Ltda',
      key: '11222333000181',
      keyType: 'document',
      owner: '11222333000181',
      state: 'new',
      changedAt: expect.stringMatching(/^20.*Z$/),
      changedBy: expect.stringMatching(/./),
    },
  ])
  expect(failureOf(await pay(world, '11', '--to', 'acmee'))).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(failureOf(await pay(world, '11', '--to', 'acme', '--owner', CNPJ))).toMatchObject({ exit: 2 })
  expect(await problemsOf(world)).toEqual([])
})

it('marks a payee until an event confirms a payment to its key, and asks before the key changes', async () => {
  const { world, url } = await account()
  await world.prepare(['payee', 'add', 'maria', '--key', 'maria@example.com'])
  const edit = ['payee', 'edit', 'maria', '--key', 'other@example.com']
  expect(failureOf(await world.run([...edit, '-o', 'json']))).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
  await world.prepare(['payee', 'edit', 'maria', '--display-name', 'Maria Souza'])
  expect(await stateOf(world, 'maria')).toBe('new')
  await world.prepare([...edit, ...CONFIRM])
  expect(await stateOf(world, 'maria')).toBe('changed')
  const asked = await world.run(['transfer', '--to', 'maria', '--amount', '1', ...CONFIRM])
  expect(asked.stderr).toMatch(/check +changed by .+; no payment confirmed since/)
  const [paid] = (await carriedOut(url)).transfers
  await world.prepare(['history', 'settle', paid?.externalId ?? '', '--as', 'paid', '--because', 'seen', ...CONFIRM])
  expect(await stateOf(world, 'maria')).toBe('changed')
  const owner = { profile: 'prod', environment: 'production', baseUrl: url, clientId: 'local' } as const
  const facts = { idTransaction: paid?.idTransaction, status: 'COMPLETED' }
  await recordEvent(world, JSON.stringify({ event: 'transfer.completed', data: facts }), { owner })
  expect(await stateOf(world, 'maria')).toBe('confirmed')
  await world.prepare(['payee', 'edit', 'maria', '--owner', CNPJ, ...CONFIRM])
  expect(await stateOf(world, 'maria')).toBe('changed')
  await world.prepare(['payee', 'remove', 'maria'])
  expect((await pay(world, '2', '--to', 'maria')).exit).toBe(2)
  expect(await problemsOf(world)).toEqual([])
})

it('pays payees only, with their owner, and new ones after a time, if the account has these rules', async () => {
  const { world, url } = await account()
  await world.prepare(['payee', 'add', 'acme', '--key', CNPJ, '--owner', CNPJ])
  await world.prepare(['profile', 'edit', 'prod', '--payees-only'])
  expect(failureOf(await pay(world, '1', '--key', 'other@example.com'))).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(failureOf(await pay(world, '1', '--key', CNPJ))).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect((await pay(world, '1', '--key', CNPJ, '--owner', CNPJ)).exit).toBe(0)
  await world.prepare(['profile', 'edit', 'prod', '--payee-wait', '24h'])
  expect(failureOf(await pay(world, '2', '--to', 'acme'))).toMatchObject({ exit: 2, outcome: 'not-sent' })
  const weaken = ['profile', 'edit', 'prod', '--payee-wait']
  expect(failureOf(await world.run([...weaken, '23h', '-o', 'json']))).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  await world.prepare([...weaken, '25h'])
  await world.prepare([...weaken, '1ms', '--confirm-host', '127.0.0.1'])
  expect((await pay(world, '2', '--to', 'acme')).exit).toBe(0)
  expect((await carriedOut(url)).transfers).toHaveLength(2)
})

it('asks which is meant of the CPF of the owner that is called a mobile number', async () => {
  const { world } = await account()
  const [both, phone] = ['11987654374', ['--key-type', 'phoneNumber', '-o', 'json']]
  for (const command of [
    ['payee', 'add', 'x'],
    ['transfer', '--amount', '1', '--dry-run'],
  ]) {
    const failure = failureOf(await world.run([...command, '--key', both, '--owner', both, ...phone]))
    expect(failure).toMatchObject({ exit: 2, hint: expect.stringContaining(`+55${both}`) })
    const plain = await world.run([...command, '--key', `+55${both}`, '--owner', both, ...phone, ...CONFIRM])
    expect(plain.exit).toBe(0)
  }
  const csv = `name,key,typeKey,owner\nq,${both},Celular,${both}\n`
  const { faults } = failureOf(await world.run(['payee', 'import', '-', '-o', 'json'], { stdin: csv }))
  expect(faults).toMatchObject([{ line: 2, message: expect.stringContaining('is the CPF in the column `owner`') }])
})

it('refuses a name that looks like that of a payee, or has letters of several alphabets', async () => {
  const { world } = await account()
  const add = (name: string) => world.run(['payee', 'add', name, '--key', CNPJ, '-o', 'json'])
  for (const name of ['acme', 'paypal', 'webshop', 'Itaú', 'Obra 1.1']) expect((await add(name)).exit).toBe(0)
  const refused = [
    '\u0430cme',
    '\u0430\u0441\u043c\u0435',
    'ACM\u0415',
    'acme.',
    'ac me',
    'acrne',
    'vvebshop',
    'paypaI',
    'paypa1',
    'ITAU',
    'Obra 1.1.',
    'new\u0435r',
  ]
  const said = await Promise.all(refused.map(async (name) => [name, failureOf(await add(name)).message]))
  expect(Object.fromEntries(said)).toEqual({
    '\u0430cme': expect.stringContaining('several alphabets'),
    '\u0430\u0441\u043c\u0435': expect.stringContaining('looks like the payee `acme`'),
    'ACM\u0415': expect.stringContaining('several alphabets'),
    'acme.': expect.stringContaining('looks like the payee `acme`'),
    'ac me': expect.stringContaining('looks like the payee `acme`'),
    acrne: expect.stringContaining('looks like the payee `acme`'),
    vvebshop: expect.stringContaining('looks like the payee `webshop`'),
    paypaI: expect.stringContaining('looks like the payee `paypal`'),
    paypa1: expect.stringContaining('looks like the payee `paypal`'),
    ITAU: expect.stringContaining('looks like the payee `Itaú`'),
    'Obra 1.1.': expect.stringContaining('looks like the payee `Obra 1.1`'),
    'new\u0435r': expect.stringContaining('several alphabets'),
  })
  const csv = 'name,key\n\u0430\u0441\u043c\u0435,a@example.com\nneo\u0432,b@example.com\nAcrne,c@example.com\n'
  const { faults } = failureOf(await world.run(['payee', 'import', '-', '-o', 'json'], { stdin: csv }))
  expect(faults).toMatchObject([{ line: 2 }, { line: 3 }, { line: 4 }])
  for (const name of ['acme 2', 'paypai', 'Obra 11', 'São João'])
    expect([name, (await add(name)).exit]).toEqual([name, 0])
})
