import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { derivedId } from '../../src/batch/rowIds.ts'
import { problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'
import { recordEvent } from './recordedEvents.ts'

const CNPJ = '11222333000181'
const CONFIRM = ['--confirm', 'prod']

/** A production account with three payees, of which `acme` has an owner. */
async function account() {
  const { url } = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(await inProduction(emptyWorld({}, onTestFinished), url))
  const rows = [`acme,${CNPJ},,${CNPJ},Acme Ltda`, 'João,joao@example.com,,,', 'fone,62999998888,celular,,']
  await world.prepare(['payee', 'import', csvIn(world, 'payees.csv', 'name,key,typeKey,owner,displayName', rows)])
  return { world, url }
}

it('pays payees by their names, with their owners, under the ids of their keys', async () => {
  const { world, url } = await account()
  const path = join(world.home, 'folha.xlsx')
  const rows = [
    ['Acme', 10.5, 'nf-1'],
    ['joão', 20, 'nf-2'],
    ['fone', 30, 'nf-3'],
    ['Total', 60.5, ''],
  ]
  await writeExcelFile([{ sheet: 'Folha', data: [['quem', 'valor', 'nf'], ...rows] }]).toFile(path)
  const results = join(world.home, 'results.csv')
  const batch = ['batch', 'transfer', path, '--map', 'payee=quem']
  const checked = await world.json([...batch, '--dry-run'])
  expect(checked).toMatchObject({
    columns: { payee: 'quem' },
    rows: 3,
    newPayees: 3,
    changedPayees: 0,
    totalCents: 6050,
  })
  const sent = await world.run([...batch, '--results', results, ...CONFIRM])
  expect([sent.exit, sent.stdout]).toEqual([0, expect.stringContaining('accepted  3, R$ ')])
  expect(sent.stderr).toMatch(/names +acme, João, fone\n/)
  expect(sent.stderr).toMatch(/check +Rows to new payees: 3\n.*check +Line 2, acme, new: added by /s)
  const target = { kind: 'transfer', amountCents: 1050, documentValidation: CNPJ } as const
  const id = derivedId('folha', { ...target, key: CNPJ, keyType: 'document' }, 0)
  expect((await carriedOut(url)).transfers).toMatchObject([
    { externalId: id, key: CNPJ, value: 10.5 },
    { value: 20 },
    { value: 30 },
  ])
  // The gateway refuses the owner if it is another one, so what it took was sent.
  const keys = csvIn(world, 'folha.csv', 'chave,valor,tipo,cpf/cnpj', [
    `${CNPJ},"10,50",,${CNPJ}`,
    'joao@example.com,20,,',
    '62999998888,30,celular,',
  ])
  expect(failureOf(await world.run(['batch', 'transfer', keys, ...CONFIRM, '-o', 'json']))).toMatchObject({
    message: 'Nothing of this file is left to send under this reference',
  })
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const { rowsDetail } = await world.json(['batch', 'show', run])
  expect(rowsDetail).toMatchObject([
    { name: 'Acme Ltda', payeeName: 'acme' },
    { name: 'João', payeeName: 'João' },
    { payeeName: 'fone' },
  ])
  const report = join(world.home, 'report.xlsx')
  await world.prepare(['batch', 'report', run, '--out', report])
  const [found] = JSON.parse(await world.prepare(['history', 'find', 'acme', '-o', 'json']))
  expect(found.pixgate).toMatchObject({ payeeName: 'acme', party: 'Acme Ltda', ownReference: 'nf-1' })
  expect(await problemsOf(world)).toEqual([])
})

it('compares what a row says beside its payee, and suggests names', async () => {
  const { world, url } = await account()
  const rows = [
    'acme,11.222.333/0001-81,,CNPJ,1,fine',
    'fone,(62) 99999-8888,,,2,fine',
    'joao,,,,3,other accent',
    'jo,,,,4,unknown',
    'acme,maria@example.com,,,5,other key',
    'acme,,529.982.247-25,,6,other owner',
    'fone,,529.982.247-25,,7,no owner',
    'fone,,,CPF,8,other type',
    ',,,,9,neither',
    ',maria@example.com,,,10,fine',
  ]
  const path = csvIn(world, 'p.csv', 'payee,key,documentValidation,typeKey,value,why', rows)
  const { faults } = failureOf(await world.run(['batch', 'transfer', path, '--dry-run', '-o', 'json']))
  expect(faults).toMatchObject([
    { line: 4, column: 'payee', message: 'There is no payee `joao`. Did you mean `João`?' },
    { line: 5, column: 'payee' },
    { line: 6, column: 'key', message: expect.stringContaining('is not the key of the payee `acme`') },
    { line: 7, column: 'documentValidation' },
    { line: 8, column: 'documentValidation' },
    { line: 9, column: 'typeKey' },
    { line: 10, column: 'payee', message: 'The row has neither a payee nor a key' },
  ])
  const named = csvIn(world, 'names.csv', 'payee,key,value', ['Maria Souza,maria@example.com,1'])
  expect(failureOf(await world.run(['batch', 'transfer', named, '--dry-run', '-o', 'json']))).toMatchObject({
    faults: [{ line: 2, column: 'payee', message: expect.stringContaining('--map name=payee') }],
  })
  const shown = await world.json(['batch', 'transfer', named, '--map', 'name=payee', '--dry-run'])
  expect(shown).toMatchObject({ columns: { key: 'key', name: 'payee' }, firstNames: ['Maria Souza'] })
  expect((await carriedOut(url)).transfers).toEqual([])
})

it('pays no payee that changed after its file was read, and marks it until an event confirms a payment', async () => {
  const { world, url } = await account()
  const path = csvIn(world, 'p.csv', 'payee,value', ['acme,1', 'João,2'])
  const [first] = linesOf(await world.run(['batch', 'transfer', path, '--limit', '1', ...CONFIRM, '-o', 'json']))
  expect(first).toMatchObject({ line: 2, outcome: 'accepted' })
  await world.prepare(['payee', 'edit', 'João', '--key', 'mallory@example.com', ...CONFIRM])
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  expect(failureOf(await world.run(['resume', run, ...CONFIRM, '-o', 'json']))).toMatchObject({
    exit: 1,
    code: 'USAGE',
    faults: [{ line: 3, column: 'payee', message: expect.stringContaining('João was changed or removed') }],
  })
  expect((await carriedOut(url)).transfers).toHaveLength(1)
  const asked = await world.run([
    'batch',
    'transfer',
    path,
    '--dry-run',
    '--reference',
    'other',
    '--in-addition-to',
    String(first?.externalId),
  ])
  expect(asked.stdout).toMatch(
    /Rows to payees that were changed: 1\n.*Line 3, João, changed by .*Rows to new payees: 1\n.*Line 2, acme/s,
  )
  const owner = { profile: 'prod', environment: 'production', baseUrl: url, clientId: 'local' } as const
  const data = { idTransaction: first?.idTransaction, status: 'COMPLETED' }
  await recordEvent(world, JSON.stringify({ event: 'transfer.completed', data }), { owner })
  const confirmed = await world.json([
    'batch',
    'transfer',
    path,
    '--dry-run',
    '--reference',
    'other',
    '--in-addition-to',
    String(first?.externalId),
  ])
  expect(confirmed).toMatchObject({ newPayees: 0, changedPayees: 1 })
})
