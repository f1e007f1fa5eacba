import { expect, it } from 'vitest'
import { freePort } from '../freePort.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment, TRANSFER } from './payments.ts'

const REASON = ['--reason', 'ordered twice']

/** One payment of each kind that this machine remembers, and a transfer with an unknown outcome. */
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
    ',25,pending',
    'invoice-17,1500,accepted',
    ',4,accepted',
    'invoice-18,7,unknown',
    '',
  ])
  const text = (await world.run(['history'])).stdout.trimEnd().split('\n')
  expect(text.map((line) => line.split('\t').slice(1, 6))).toEqual([
    ['kind', 'state', 'amount', 'party', 'ref'],
    ['qr', 'pending', 'R$ 25,00', '—', 'order-1'],
    ['transfer', 'accepted', '-R$ 1.500,00', 'm***@example.com', 'invoice-17'],
    ['refund', 'accepted', '-R$ 4,00', '—', ids.original],
    ['transfer', 'unknown', '-R$ 7,00', 'j***@example.com', 'invoice-18'],
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
  expect(await ask('ORDER-1')).toEqual(['PENDING', 'gateway'])
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
    { type: 'attempt', kind: 'transfer', externalId: 'invoice-18', address: world.url },
    { type: 'answer', outcome: 'unknown' },
    { type: 'finding', as: 'paid', because: 'the receiver called' },
  ])
  expect(shown).toMatchObject({ answers: [{ outcome: 'unknown' }], events: [], findings: [{ as: 'paid' }] })
  expect(shown.attempts).toMatchObject([{ number: 1, externalId: 'invoice-18', outcome: 'unknown', state: 'paid' }])
  const { stdout } = await world.run(['history', 'show', 'invoice-18'])
  expect(stdout).toMatch(/^kind {9}transfer\nexternal id {2}invoice-18\n/)
  expect(stdout).toMatch(/about to be sent, by .+\n.*outcome: unknown\n.* found: paid, because the receiver called\n/)
  expect(failureOf(await world.run(['history', 'show', 'invoice-19', '--json']))).toMatchObject({ exit: 3 })
})

it('lets a payment be sent again that a person found unpaid, if that is typed', async () => {
  const { world } = await remembering()
  await world.json(['history', 'settle', 'invoice-18', '--as', 'not-paid', '--because', 'not in the dashboard'])
  expect(failureOf(await world.run(['resume', 'invoice-18', '--yes', '--json']))).toMatchObject({ exit: 1 })
  const again = ['transfer', '--key', 'joao@example.com', '--amount', '7', '--external-id', 'invoice-18b', '--yes']
  const repeat = failureOf(await world.run([...again, '--json']))
  expect(repeat).toMatchObject({ exit: 2, code: 'REPEAT', details: expect.stringContaining('settled it as not paid') })
  expect((await world.run([...again, '--again'])).exit).toBe(0)
})

it('shows why a payment failed, and takes the beginning of its UUID for it', async () => {
  const world = inThisProcess(await sandboxWorld())
  await control(world.url, 'fault', { kind: 'NO_FUNDS' })
  expect((await world.run([...TRANSFER, '--yes'])).exit).toBe(1)
  const [listed] = JSON.parse((await world.run(['history', '-o', 'json'])).stdout)
  const { id, attempts, state, errorCode } = listed.pixgate
  expect([attempts, state, errorCode]).toEqual([1, 'refused', 'NO_FUNDS'])
  for (const command of [['status'], ['history', 'show']]) {
    const { stdout } = await world.run([...command, id.slice(0, 8)])
    expect(stdout).toMatch(
      /\nstate +refused\nreason +The account has too little money \(NO_FUNDS\)\n +The gateway says: \w+.*\n/,
    )
  }
  expect(await world.json(['status', id])).toMatchObject({ externalId: 'invoice-17', pixgate: { knownBy: 'ledger' } })
})

it('says how much of a payment was refunded, and why', async () => {
  const { world, ids } = await remembering()
  const status = await world.json(['status', ids.original ?? ''])
  expect(status).toMatchObject({
    status: 'PAID',
    pixgate: { refundedAmount: 4, refunds: [{ reason: 'ordered twice' }] },
  })
  const { stdout } = await world.run(['status', ids.original ?? ''])
  expect(stdout).toMatch(/\nrefunded +R\$ 4,00 of R\$ 10,00\n/)
  expect(stdout).toContain(': ordered twice')
})

it('shows a refund with the reason that was sent, after one with another reason was not', async () => {
  const port = await freePort()
  const world = emptyWorld({ PIXGATE_BASE_URL: `http://127.0.0.1:${port}` })
  const original = crypto.randomUUID()
  const refund = (reason: string) =>
    world.run(['refund', original, '--amount', '2', '--reason', reason, '--skip-query', '--yes'])
  expect((await refund('ordered twice')).exit).toBe(6)
  await startFaultGateway({ port })
  expect((await refund('damaged')).exit).toBe(0)
  const lines: unknown = JSON.parse((await world.run(['history', '-o', 'json', '--unmask'])).stdout)
  expect(lines).toMatchObject([{ pixgate: { reason: 'damaged', attempts: 2, state: 'accepted' } }])
})
