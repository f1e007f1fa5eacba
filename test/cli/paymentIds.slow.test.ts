import { describe, expect, it } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeRefund, writeTransfer } from './sentPayments.ts'

const CHARGE = '21d59d8e-1111-4111-8111-111111111111'
const REFUND = '21d59dff-2222-4222-8222-222222222222'
const OTHER_CHARGE = 'c2599011-3333-4333-8333-333333333333'
const TRANSFER = 'c2599099-4444-4444-8444-444444444444'
/** A payment that was received for a charge of another program: only its event is known. */
const EXTERNAL = 'e7e7e7e7-5555-4555-8555-555555555555'

interface Stage {
  gateway: FaultGateway
  world: World
  /** The UUID of the transfer with an unknown outcome. */
  unknown: string
  /** Without a terminal, in a sandbox. */
  run(...words: readonly string[]): Promise<ProcessResult>
}

/** Two charges, a refund, two transfers, and what only an event tells, in one account. */
async function stage(): Promise<Stage> {
  const gateway = await startFaultGateway()
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const at = new Date(Date.now() - 60_000).toISOString()
  const own = { at, owner: { baseUrl: gateway.url } }
  const charge = (requestNumber: string, idTransaction: string, payer: string) =>
    writeCharge(world, { ...own, requestNumber, facts: { payer, payerName: payer }, answer: { idTransaction } })
  await charge('Pedido-1005', CHARGE, 'Maria Silva')
  await charge('Pedido-1006', OTHER_CHARGE, 'Mariana Souza')
  await writeRefund(world, { ...own, originalTransactionId: CHARGE, answer: { idTransaction: REFUND } })
  await writeTransfer(world, { ...own, externalId: 'NF 2000', answer: { idTransaction: TRANSFER } })
  await writeTransfer(world, { ...own, externalId: 'order-17' })
  const answer = { outcome: 'unknown', idTransaction: null, status: null } as const
  const unknown = await writeTransfer(world, { ...own, externalId: 'Nota-77', facts: { amountCents: 7700 }, answer })
  const paid = { typeTransaction: 'PIX', statusTransaction: 'PAID_OUT', value: 10.5 }
  await writeEvent(world, at, { idTransaction: EXTERNAL, ...paid }, own.owner)
  for (const idTransaction of [CHARGE, OTHER_CHARGE]) await writeEvent(world, at, { idTransaction, ...paid }, own.owner)
  return { gateway, world, unknown, run: (...words) => world.run([...words, '-o', 'json']) }
}

describe('one kind of id', () => {
  it('in status: charges are queried by the id that is recorded, all else comes from the ledger', async () => {
    const { gateway, run, unknown } = await stage()
    const answered = async (id: string) => {
      const { exit, stdout } = await run('status', id)
      const { idTransaction, pixgate } = JSON.parse(stdout)
      return [exit, idTransaction, pixgate.knownBy, pixgate.name ?? null]
    }
    for (const id of ['21d59d8e', '21D59D8E-1111', CHARGE.toUpperCase(), 'Pedido-1005', 'pedido-1005']) {
      expect([id, ...(await answered(id))]).toEqual([id, 0, CHARGE, 'gateway', 'Pedido-1005'])
    }
    expect(await answered('E7E7E7')).toEqual([0, EXTERNAL, 'gateway', null])
    expect(new Set(gateway.arrivals.map(({ target }) => target.split('=')[1]))).toEqual(new Set([CHARGE, EXTERNAL]))
    for (const id of ['nf 2000', 'C259909', TRANSFER])
      expect(await answered(id)).toEqual([0, TRANSFER, 'ledger', 'NF 2000'])
    expect(await answered('21d59df')).toEqual([0, REFUND, 'ledger', CHARGE])
    for (const id of ['nota-77', unknown, unknown.slice(0, 8)]) {
      expect(await answered(id)).toEqual([0, null, 'ledger', 'Nota-77'])
    }
  })

  it('in history show, which suggests a search for what it does not find', async () => {
    const { run, unknown } = await stage()
    const shown = async (id: string) => JSON.parse((await run('history', 'show', id)).stdout).pixgate.name
    for (const id of ['nf 2000', 'NF 2000', 'c259909', TRANSFER.toUpperCase()]) expect(await shown(id)).toBe('NF 2000')
    for (const id of ['PEDIDO-1005', '21d59d8e', CHARGE]) expect(await shown(id)).toBe('Pedido-1005')
    expect(await shown(unknown.slice(0, 6).toUpperCase())).toBe('Nota-77')
    for (const id of ['2000', 'order-1', '21d59', 'e7e7e7']) {
      expect(failureOf(await run('history', 'show', id))).toMatchObject({
        exit: 3,
        hint: expect.stringContaining(`\`pixgate history find ${id}\``),
      })
    }
  })

  it('in refund, which sends the id that is recorded, and another one as typed', async () => {
    const { gateway, run } = await stage()
    const refund = async (id: string, amount: string) =>
      (await run('refund', id, '--reason', 'x', '--amount', amount, '--yes')).exit
    expect(await refund('PEDIDO-1005', '1,01')).toBe(0)
    expect(await refund('21d59d8e', '1,02')).toBe(0)
    expect(await refund(CHARGE.toUpperCase(), '1,03')).toBe(0)
    expect(await refund('e7e7e7', '1,04')).toBe(0)
    expect(await refund('order-1', '1,05')).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([
      ...[CHARGE, CHARGE, CHARGE, EXTERNAL],
      'order-1',
    ])
  })

  it('in resume, transfer --retry and history settle', async () => {
    const { gateway, run, unknown } = await stage()
    const dryRuns = ['nota-77', unknown.slice(0, 7).toUpperCase(), unknown]
    for (const id of dryRuns) expect((await run('resume', id, '--dry-run')).exit).toBe(0)
    expect((await run('transfer', '--retry', unknown.slice(0, 7), '--dry-run')).exit).toBe(0)
    expect(gateway.ledger).toEqual([])
    const settled = await run('history', 'settle', unknown.slice(0, 6), '--as', 'paid', '--because', 'x')
    expect(JSON.parse(settled.stdout)).toMatchObject({ externalId: 'Nota-77', pixgate: { state: 'paid' } })
  })
})

describe('an id that names several payments', () => {
  it.each<[words: string[], id: string, ids: string[], hint: string]>([
    [['refund', '--reason', 'x', '--yes'], '21d59d', [REFUND, CHARGE], `\`pixgate refund ${REFUND}\``],
    [['refund', '--reason', 'x', '--yes'], 'c25990', [TRANSFER, OTHER_CHARGE], `\`pixgate refund ${TRANSFER}\``],
    [['status'], 'C25990', [TRANSFER, OTHER_CHARGE], `\`pixgate status ${TRANSFER}\``],
    [['history', 'show'], '21d59d', [REFUND, CHARGE], `\`pixgate history show ${REFUND}\``],
    [['history', 'settle', '--as', 'paid', '--because', 'x'], '21d59d', [REFUND, CHARGE], `settle ${REFUND}\``],
    [['resume'], 'c25990', [TRANSFER, OTHER_CHARGE], `\`pixgate resume ${TRANSFER}\``],
  ])('%j %s is exit 2 and lists them', async (words, id, ids, hint) => {
    const { gateway, run } = await stage()
    const failure = failureOf(await run(...words, id))
    expect(failure).toMatchObject({
      exit: 2,
      message: `\`${id}\` names 2 payments`,
      hint: expect.stringContaining(hint),
    })
    expect(
      String(failure.details)
        .split('\n')
        .map((line) => line.slice(0, 36)),
    ).toEqual(ids)
    expect(gateway.arrivals).toEqual([])
  })

  it('is taken for the only one that a command can use, if it is whole', async () => {
    const { gateway, world, run } = await stage()
    const own = { at: new Date().toISOString(), owner: { baseUrl: gateway.url } }
    await writeTransfer(world, { ...own, externalId: 'pedido-1006' })
    expect((await run('refund', 'pedido-1006', '--reason', 'x', '--amount', '1', '--yes')).exit).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([OTHER_CHARGE])
    expect(failureOf(await run('status', 'pedido-1006'))).toMatchObject({ exit: 2 })
  })

  it('counts only payments of the account', async () => {
    const { gateway, world, run } = await stage()
    await writeCharge(world, {
      at: new Date().toISOString(),
      owner: { baseUrl: 'https://gateway.example', environment: 'production' },
      requestNumber: 'pedido-1005',
      answer: { idTransaction: '21d59d8e-9999-4999-8999-999999999999' },
    })
    for (const id of ['pedido-1005', '21d59d8e']) {
      expect(JSON.parse((await run('status', id)).stdout)).toMatchObject({ idTransaction: CHARGE })
    }
    expect((await run('refund', '21d59d8e', '--reason', 'x', '--amount', '2', '--yes')).exit).toBe(0)
    expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([CHARGE])
  })
})

it('refunds nothing but a payment that was received', async () => {
  const { gateway, run } = await stage()
  for (const id of ['nf 2000', TRANSFER, REFUND, 'c259909']) {
    expect(failureOf(await run('refund', id, '--reason', 'x', '--skip-query', '--yes'))).toMatchObject({
      exit: 2,
      message: expect.stringContaining('only a payment that was received can be refunded'),
    })
  }
  expect(gateway.arrivals).toEqual([])
})

it('takes whole ids only in production without a terminal, and names them', async () => {
  const { gateway, world, run, unknown } = await stage()
  await inProduction(world, gateway.url)
  const refund = (id: string) => run('refund', id, '--reason', 'x', '--amount', '2', '--confirm', 'prod')
  const beginnings: [ProcessResult, string][] = [
    [await refund('21d59d8e'), `pixgate refund ${CHARGE}`],
    [await run('resume', unknown.slice(0, 8), '--confirm', 'prod'), `pixgate resume ${unknown}`],
    [
      await run('history', 'settle', unknown.slice(0, 8), '--as', 'paid', '--because', 'x', '--confirm', 'prod'),
      `pixgate history settle ${unknown}`,
    ],
  ]
  for (const [ran, command] of beginnings) {
    expect(failureOf(ran)).toMatchObject({ exit: 2, hint: expect.stringContaining(`\`${command}\``) })
  }
  expect(gateway.arrivals).toEqual([])
  expect((await run('status', '21d59d8e')).exit).toBe(0)
  expect((await refund('pedido-1005')).exit).toBe(0)
  expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([CHARGE])
})

it.each([
  ['refund', '<original-id>'],
  ['status', '<id>'],
  ['resume', '<id>'],
  ['sandbox pay', '<id>'],
  ['sandbox deliver', '<id>'],
  ['history show', '<id>'],
  ['history settle', '<id>'],
])('%s without an id and without a terminal says how to find one', async (command, argument) => {
  const { run } = inThisProcess(emptyWorld())
  expect(failureOf(await run([...command.split(' '), '-o', 'json']))).toMatchObject({
    exit: 2,
    message: `\`pixgate ${command}\` needs \`${argument}\``,
    hint: expect.stringContaining('`pixgate history find '),
  })
})

itOnTerminal('a person picks from the payments that a command can use', async () => {
  const { world, gateway } = await stage()
  const refund = onTerminal(world, ['refund', '--reason', 'x', '--amount', '1,50'])
  await refund.shows('Which payment should be refunded?')
  await refund.shows(EXTERNAL.slice(0, 8))
  await refund.shows('Choose with the arrow keys')
  expect(refund.written()).not.toMatch(/NF 2000|order-17|Nota-77/)
  refund.press('\x1b[B')
  await refund.shows('Choose with the arrow keys')
  refund.press('\r')
  // The question shows it whole.
  await refund.shows('payer Maria Silva')
  await refund.shows(`original ${CHARGE}`)
  await refund.shows('Refund R$ 1,50 to Maria Silva, for Pedido-1005')
  refund.press('y\r')
  expect((await refund.ended).exit).toBe(0)
  expect(gateway.ledger.map(({ body }) => body.originalTransactionId)).toEqual([CHARGE])

  const resume = onTerminal(world, ['resume'])
  await resume.shows('Which transfer or batch should be resumed?')
  await resume.shows('Nota-77')
  expect(resume.written()).not.toContain('NF 2000')
  resume.press('\x03')
  expect(await resume.ended).toMatchObject({ exit: 130, cooked: true })

  const several = onTerminal(world, ['status', 'c25990'])
  await several.shows('c25990 names several payments. Which one?')
  await several.shows('Choose with the arrow keys')
  several.press('\r')
  const seen = await several.ended
  expect(seen.exit).toBe(0)
  expect(seen.screen).toContain(`id ${TRANSFER}`)
})

it('in the control commands of the sandbox, which take the ids of the ledger, too', async () => {
  const world = await sandboxWorld({ autoSettleMs: 60_000 }, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const { run, json } = inThisProcess(world)
  const charge = async (number: string) => {
    const words = ['qr', 'create', '--amount', '10', '--request-number', number, '--again']
    return String((await json(words)).idTransaction)
  }
  const control = (name: string, id: string) => run(['sandbox', name, id, '-o', 'json'])
  const [first, second] = [await charge('order-1'), await charge('Order-1')]
  const failure = failureOf(await control('pay', 'ORDER-1'))
  expect(failure).toMatchObject({ exit: 2, message: '`ORDER-1` names 2 payments' })
  const listed = String(failure.details).split('\n')
  expect(listed.map((line) => line.slice(0, 36)).sort()).toEqual([first, second].sort())
  expect(failure.hint).toContain(`\`pixgate sandbox pay ${listed[0]?.slice(0, 36)}\``)
  const statusAfter = async (name: string, id: string) => {
    const { exit, stdout, stderr } = await control(name, id)
    expect([name, id, exit, stderr]).toEqual([name, id, 0, ''])
    const { idTransaction, status } = JSON.parse(stdout)
    return [idTransaction, status]
  }
  expect(await statusAfter('pay', second.slice(0, 6).toUpperCase())).toEqual([second, 'PAID'])
  // The number names both, though only one can still be paid.
  expect(failureOf(await control('pay', 'order-1'))).toMatchObject({ exit: 2, message: '`order-1` names 2 payments' })
  expect(await statusAfter('pay', first)).toEqual([first, 'PAID'])

  await json(['sandbox', 'fault', 'drop-after', '--on', 'transfer'])
  await run(['transfer', '--key', 'a@example.com', '--amount', '5', '--external-id', 'nf-1', '--yes'])
  const payments = JSON.parse((await run(['history', '-o', 'json'])).stdout)
  const [own, , lost] = payments.map(({ pixgate }: { pixgate: { id: string } }) => pixgate.id)
  expect(await statusAfter('chargeback', own.slice(0, 8).toUpperCase())).toEqual([first, 'PAID'])
  expect((await statusAfter('fail', lost))[1]).toBe('FAILED')
  expect(failureOf(await control('pay', 'order-2'))).toMatchObject({ exit: 3, code: 'TRANSACTION_NOT_FOUND' })
})

it('sandbox pay offers the open charges of the sandbox', async () => {
  const world = await sandboxWorld()
  for (const number of ['order-1', 'order-2', 'order-3']) {
    await world.prepare(['qr', 'create', '--amount', '10', '--request-number', number])
  }
  await world.prepare(['sandbox', 'pay', 'ORDER-3'])
  const pay = onTerminalHere(world, ['sandbox', 'pay'])
  await pay.shows('Which transaction?')
  await pay.shows('Choose with the arrow keys')
  expect(pay.written()).not.toContain('order-3')
  pay.press('\r')
  const { exit, screen } = await pay.ended
  expect(exit).toBe(0)
  expect(screen).toMatch(/order +order-2\n/)
  expect(screen).toMatch(/state +paid\n/)
})
