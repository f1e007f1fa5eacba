import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess } from './payments.ts'
import { people } from './planPeople.ts'
import { writeTransfer } from './sentPayments.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')

it('tries out without a secret what a rule allows, and asks the gateway nothing', async () => {
  const { url } = await sandboxWorld()
  const world = inThisProcess(emptyWorld())
  const add = ['profile', 'add', 'desk', '--base-url', url, '--client-id', 'local', '--no-secret', '--callback-url']
  await world.prepare([...add, 'http://127.0.0.1:1/', '--max-amount', '50'])
  const order = '0b935d10-3c90-4af3-8776-dd18622a7941'
  const refund = ['refund', order, '--reason', 'x', '--amount', '3']
  const file = csvIn(world, 'p.csv', 'key,value', ['maria@example.com,20'])
  const refunds = csvIn(world, 'r.csv', 'originalTransactionId,amount,refundReason', [`${order},3,x`])
  const transfer = (amount: string) => ['transfer', '--key', 'maria@example.com', '--amount', amount]
  const lost = { outcome: 'unknown', idTransaction: null, status: null } as const
  const at = new Date().toISOString()
  await writeTransfer(world, { at, owner: { profile: 'desk', baseUrl: url }, externalId: 'lost-1', answer: lost })
  const again = [
    ['resume', 'lost-1'],
    ['transfer', '--retry', 'lost-1'],
  ]
  const tried = [transfer('10'), refund, ['qr', 'create', '--amount', '1'], ...again]
  for (const words of tried) {
    const shown = await world.json([...words, '--dry-run'])
    expect(shown).toHaveProperty('headers.accept')
    expect(shown).not.toHaveProperty('headers.authorization')
    expect(shown).not.toHaveProperty('headers.cs')
  }
  expect((await world.run([...refund, '--dry-run'])).stderr).toContain('not queried')
  await world.prepare(['batch', 'transfer', file, '--dry-run'])
  expect((await world.run(['batch', 'refund', refunds, '--dry-run'])).stderr).toContain('not queried')
  expect(failureOf(await world.run([...transfer('51'), '--dry-run', '-o', 'json']))).toMatchObject({
    exit: 2,
    code: 'OVER_LIMIT',
  })
  // So does a profile whose secret is on another machine.
  const elsewhere = [
    '--client-secret-env',
    'NOT_HERE',
    '--environment',
    'sandbox',
    '--callback-url',
    'http://127.0.0.1:1/',
  ]
  const added = ['profile', 'add', 'elsewhere', '--base-url', url, '--client-id', 'local', ...elsewhere]
  await world.run(added, { env: { NOT_HERE: 'local-secret' } })
  expect(await world.json([...transfer('10'), '--dry-run', '-p', 'elsewhere'])).not.toHaveProperty('headers.cs')
  expect((await world.run([...refund, '--dry-run', '-p', 'elsewhere'])).stderr).toContain('not queried')
  await world.prepare(['batch', 'transfer', file, '--dry-run', '-p', 'elsewhere'])
  expect((await world.run([...transfer('10'), '--yes', '-p', 'elsewhere'])).exit).toBe(4)
  const requests = await world.json(['sandbox', 'requests', '--profile', 'local', '--base-url', url])
  expect(requests).toEqual([])
})

it('plans, approves and reads without a secret, and says of all else what to type', async () => {
  const { url } = await sandboxWorld()
  const world = inThisProcess(emptyWorld())
  const add = [
    'profile',
    'add',
    'desk',
    '--base-url',
    url,
    '--client-id',
    'local',
    '--callback-url',
    'http://127.0.0.1:1/',
  ]
  expect(failureOf(await world.run([...add, '-o', 'json']))).toMatchObject({
    exit: 2,
    hint: expect.stringContaining('--no-secret'),
  })
  expect(failureOf(await world.run([...add, '--no-secret', '--keychain', '-o', 'json']))).toMatchObject({ exit: 2 })
  expect(await world.json([...add, '--no-secret'])).toMatchObject({ secret: { source: 'none', masked: '' } })
  const [listed] = JSON.parse(await world.prepare(['profile', 'list', '-o', 'json']))
  expect(listed.secret).toEqual({ source: 'none', masked: '' })
  for (const shown of [['profile', 'list'], ['profile', 'show'], ['doctor']]) {
    expect(await world.prepare(shown)).toContain('no secret')
  }

  await world.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com'])
  const key = (person: typeof maria) => ['--ssh-key', person.file]
  const pay = ['transfer', '--to', 'acme', '--amount', '10', '--external-id', 'invoice-1']
  const single = join(world.home, 'single.json')
  const batch = join(world.home, 'batch.json')
  const file = csvIn(world, 'p.csv', 'payee,value', ['acme,20'])
  await world.prepare([...pay, '--plan', single, ...key(maria)])
  await world.prepare(['batch', 'transfer', file, '--plan', batch, ...key(maria)])
  for (const plan of [single, batch]) {
    expect(JSON.parse(readFileSync(plan, 'utf8')).warnings).toContain('New payees without a confirmed payment: 1')
    const shown = await world.json(['plan', 'show', plan])
    expect(shown.payments).toMatchObject([{ payee: 'acme', payeeState: 'new' }])
    await world.prepare(['plan', 'approve', plan, ...key(joao), '--yes'])
  }
  for (const reading of ['plan list', 'history', 'payee list', 'batch list', 'ledger show', 'history check']) {
    await world.prepare(reading.split(' '))
  }

  const needs = [
    pay,
    ['batch', 'transfer', file],
    ['plan', 'send', single],
    ['refund', 'paid-1', '--reason', 'x'],
    ['resume', 'invoice-1'],
    ['qr', 'create', '--amount', '1'],
    ['status', 'paid-1'],
    ['webhook', 'listen', '--port', '0'],
  ]
  for (const words of needs) {
    expect([words[0], failureOf(await world.run([...words, '--yes', '-o', 'json']))]).toMatchObject([
      words[0],
      {
        exit: 4,
        code: 'NO_CREDENTIALS',
        hint: expect.stringContaining('Add `--plan`'),
      },
    ])
  }
  expect(await carriedOut(url)).toMatchObject({ transfers: [], refunds: [] })

  await world.prepare(['profile', 'edit', 'desk', '--client-secret-stdin'], { stdin: 'local-secret' })
  await world.prepare(['plan', 'send', single, '--yes'])
  expect((await carriedOut(url)).transfers).toMatchObject([{ externalId: 'invoice-1', key: 'acme@example.com' }])
  await world.prepare(['profile', 'edit', 'desk', '--no-secret'])
  expect(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).not.toContain('local-secret')
})
