import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment, TRANSFER } from './payments.ts'

const REASON = ['--reason', 'ordered twice']

/** One payment of each kind that this machine remembers, and a transfer in doubt. */
async function remembering() {
  const world = inThisProcess(await sandboxWorld())
  const qr = await world.json(['qr', 'create', '--amount', '25', '--request-number', 'order-1'])
  await world.json([...TRANSFER, '--yes'])
  const original = await paidPayment(world.url, 10)
  const refund = await world.json(['refund', original, ...REASON, '--amount', '4', '--yes'])
  await control(world.url, 'fault', { kind: 'drop-after' })
  await world.run(['transfer', '--key', 'joao@example.com', '--amount', '7', '--external-id', 'invoice-18', '--yes'])
  const [transfer] = (await carriedOut(world.url)).transfers
  return {
    world,
    ids: { qr: qr.idTransaction, original, refund: refund.idTransaction, transfer: transfer?.idTransaction },
  }
}

it('lists what was asked for, oldest first', async () => {
  const { world, ids } = await remembering()
  const { stdout } = await world.run(['history', '-o', 'json'])
  const list = JSON.parse(stdout) as unknown
  expect(list).toMatchObject([
    { idTransaction: ids.qr, requestNumber: 'order-1', amount: 25, pixgate: { kind: 'qr', outcome: 'accepted' } },
    { idTransaction: ids.transfer, externalId: 'invoice-17', amount: 1500, pixgate: { state: 'accepted' } },
    { idTransaction: ids.refund, originalTransactionId: ids.original, amount: 4, pixgate: { kind: 'refund' } },
    { idTransaction: null, externalId: 'invoice-18', amount: 7, pixgate: { outcome: 'unknown', state: 'unknown' } },
  ])
  const csv = (await world.run(['history', 'list', '-o', 'csv', '--fields', 'externalId,amount,pixgate.state'])).stdout
  expect(csv.split(/\r?\n/)).toEqual([
    'externalId,amount,pixgate.state',
    ',25,accepted',
    'invoice-17,1500,accepted',
    ',4,accepted',
    'invoice-18,7,unknown',
    '',
  ])
  const text = (await world.run(['history'])).stdout.trimEnd().split('\n')
  expect(text.map((line) => line.split('\t').slice(1, 5))).toEqual([
    ['kind', 'state', 'amount', 'name'],
    ['qr', 'accepted', 'R$ 25,00', 'order-1'],
    ['transfer', 'accepted', 'R$ 1.500,00', 'invoice-17'],
    ['refund', 'accepted', 'R$ 4,00', ids.original],
    ['transfer', 'unknown', 'R$ 7,00', 'invoice-18'],
  ])
})

it('answers status from the ledger for what the gateway has no query for', async () => {
  const { world, ids } = await remembering()
  const ask = async (id: unknown) => {
    const { status, pixgate } = await world.json(['status', String(id)])
    return [status, (pixgate as { knownBy: string }).knownBy]
  }
  expect(await ask('invoice-17')).toEqual(['PROCESSING', 'ledger'])
  expect(await ask(ids.transfer)).toEqual(['PROCESSING', 'ledger'])
  expect(await ask(ids.refund)).toEqual(['PROCESSING', 'ledger'])
  expect(await ask('order-1')).toEqual(['PENDING', 'ledger'])
  expect(await ask('invoice-18')).toEqual([null, 'ledger'])
  expect(await ask(ids.qr)).toEqual(['PENDING', 'gateway'])
  expect(await ask(ids.original)).toEqual(['PAID', 'gateway'])
})

it('records what a person found out, once and for all who ask', async () => {
  const { world } = await remembering()
  const settle = ['history', 'settle', 'invoice-18', '--because', 'the receiver called']
  expect(failureOf(await world.run([...settle, '--as', 'perhaps', '--json']))).toMatchObject({ exit: 2 })
  expect(failureOf(await world.run([...settle, '--json']))).toMatchObject({ exit: 2 })
  expect(await world.json([...settle, '--as', 'paid'])).toMatchObject({
    externalId: 'invoice-18',
    status: 'PAID_OUT',
    pixgate: { state: 'paid', knownBy: 'person', finding: { as: 'paid', because: 'the receiver called' } },
  })
  expect(await world.json(['status', 'invoice-18'])).toMatchObject({
    status: 'PAID_OUT',
    pixgate: { knownBy: 'person' },
  })
  expect(await world.json(['resume', 'invoice-18', '--yes'])).toMatchObject({ pixgate: { outcome: 'accepted-before' } })
  const again = ['transfer', '--key', 'joao@example.com', '--amount', '7', '--yes', '--json']
  expect(failureOf(await world.run(again))).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'invoice-18' })

  const shown = await world.json(['history', 'show', 'invoice-18'])
  expect(shown.timeline).toMatchObject([
    { type: 'intent', kind: 'transfer', address: world.url },
    { type: 'outcome', outcome: 'unknown' },
    { type: 'finding', as: 'paid', because: 'the receiver called' },
  ])
  const { stdout } = await world.run(['history', 'show', 'invoice-18'])
  expect(stdout).toMatch(/^kind {5}transfer\nname {5}invoice-18\n/)
  expect(stdout).toMatch(/BRT {2}about to be sent\n.*BRT {2}outcome: unknown\n.*BRT {2}.+ found: paid, because the rec/)
  expect(failureOf(await world.run(['history', 'show', 'invoice-19', '--json']))).toMatchObject({ exit: 3 })
})

it('lets a payment be sent again that a person found unpaid', async () => {
  const { world } = await remembering()
  await world.json(['history', 'settle', 'invoice-18', '--as', 'not-paid', '--because', 'not in the dashboard'])
  expect(failureOf(await world.run(['resume', 'invoice-18', '--yes', '--json']))).toMatchObject({ exit: 1 })
  const again = ['transfer', '--key', 'joao@example.com', '--amount', '7', '--external-id', 'invoice-18b', '--yes']
  expect((await world.run(again)).exit).toBe(0)
})

it('settles the attempt that may have moved money where several have its id', async () => {
  const world = inThisProcess(await sandboxWorld())
  await control(world.url, 'fault', { kind: 'NO_FUNDS' })
  expect((await world.run([...TRANSFER, '--yes'])).exit).toBe(1)
  await world.json([...TRANSFER, '--yes'])
  const settled = await world.json([
    'history',
    'settle',
    'invoice-17',
    '--as',
    'returned',
    '--because',
    'bank statement',
  ])
  expect(settled).toMatchObject({ status: 'RETURNED', pixgate: { state: 'returned' } })
  expect(await world.json(['status', 'invoice-17'])).toMatchObject({ status: 'RETURNED' })
})
