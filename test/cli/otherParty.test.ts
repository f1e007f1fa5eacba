import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeRefund } from './sentPayments.ts'

it('names a payment by its file until an event names the receiver, and a refund by who had paid elsewhere', async () => {
  const world = await sandboxWorld({ autoSettleMs: 60_000 }, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const { run, json } = inThisProcess(world)
  const owner = { baseUrl: world.url, clientId: 'local' }
  const path = csvIn(world, 'november.csv', 'key;value;Fornecedor;Nota Fiscal;Pedido', [
    'a@example.com;1;Alfa Ltda;NF 1;',
    'b@example.com;2;-;;PO 2',
    'c@example.com;3;Gama;;',
  ])
  await run(['batch', 'transfer', path, '--yes'])
  const id = randomUUID()
  const received = { idTransaction: id, status: 'PAID', amount: 25, payerName: 'Rui Lima' }
  await writeEvent(world, new Date().toISOString(), { event: 'pix.received', data: received }, owner)
  await run(['refund', id, '--amount', '5', '--reason', 'x', '--skip-query', '--yes'])
  const shown = async () => (await run(['history', '--fields', 'party,ref'])).stdout.trimEnd().split('\n').slice(1)
  expect(await shown()).toEqual(['Alfa Ltda\tNF 1', 'b***@example.com\tPO 2', 'Gama\tnovember', `Rui Lima\t${id}`])
  const [first] = JSON.parse((await run(['history', '-o', 'json'])).stdout)
  const paid = { idTransaction: first.idTransaction, externalId: first.externalId, status: 'PAID_OUT', value: 1 }
  const data = { ...paid, destinationName: 'ALFA COMERCIO LTDA' }
  await writeEvent(world, new Date().toISOString(), { event: 'transfer.completed', data }, owner)
  expect((await shown())[0]).toBe('ALFA COMERCIO LTDA\tNF 1')
  expect(await json(['history', 'show', first.externalId])).toMatchObject({
    key: 'a@example.com',
    pixgate: { party: 'ALFA COMERCIO LTDA', ownReference: 'NF 1', nameInFile: 'Alfa Ltda' },
  })
})

it('finds a refund by who paid what it returns, whenever that becomes known', async () => {
  const world = emptyWorld()
  const { run } = inThisProcess(world)
  const [id, elsewhere] = [randomUUID(), randomUUID()]
  const at = new Date(Date.now() - 60_000).toISOString()
  const found = async (...words: string[]) => {
    const { stdout } = await run(['history', 'find', ...words, '--fields', 'kind,amount'])
    return stdout.trimEnd().split('\n').slice(1).join(' ').replaceAll('\t', ' ')
  }
  const paid = (idTransaction: string, payerName: string) => {
    const data = { idTransaction, status: 'PAID', amount: 10.5, payerName, payerTaxId: '529.982.247-25' }
    return writeEvent(world, at, { event: 'pix.received', data })
  }
  await writeRefund(world, { at, originalTransactionId: id })
  await writeRefund(world, { at, originalTransactionId: elsewhere, facts: { amountCents: 200 } })
  await writeCharge(world, {
    at,
    requestNumber: 'pedido-1005',
    facts: { payer: 'Maria Silva 11222333000181', payerName: 'Maria Silva' },
    answer: { idTransaction: id },
  })
  expect([await found('maria'), await found('pedido-1005')]).toEqual(Array(2).fill('refund -R$ 1,00 qr R$ 10,50'))
  expect([await found('jonas'), await found('rui')]).toEqual(['', ''])
  const documents = await run(['history', '--document', '11.222.333/0001-81', '--fields', 'kind'])
  expect(documents.stdout).toBe('kind\nrefund\nqr\n')
  expect((await run(['history', '--reference', 'PEDIDO-1005', '--fields', 'kind'])).stdout).toBe('kind\nrefund\nqr\n')
  await paid(id, 'Jonas Silva')
  await paid(elsewhere, 'Rui Lima')
  expect(await found('jonas')).toBe('refund -R$ 1,00 qr R$ 10,50')
  expect([await found('rui'), await found('52998224725', 'R$ 2,00')]).toEqual(Array(2).fill('refund -R$ 2,00'))
  expect(await problemsOf(world)).toEqual([])
})
