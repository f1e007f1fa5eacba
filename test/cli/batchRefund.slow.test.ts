import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess, paidPayment } from './payments.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

function csv(world: World, rows: readonly string[]): string {
  return csvIn(world, 'returns.csv', 'originalTransactionId,amount,refundReason', rows)
}

it('returns all or parts of payments, and nothing of it again', async () => {
  const world = await sandboxWorld()
  const [first, second] = [await paidPayment(world.url, 30), await paidPayment(world.url, 12)]
  const path = csv(world, [`${first},10,damaged`, `${first},"10,00",damaged`, `${second},,late`])
  const without = failureOf(await world.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  expect(without).toMatchObject({ exit: 2, faults: [{ line: 4, column: 'amount' }] })
  const ran = await world.run(['batch', 'refund', path, '--full', '--yes', '-o', 'json'])
  expect(ran).toMatchObject({ exit: 0, stderr: '' })
  expect(linesOf(ran).at(-1)).toMatchObject({ rows: 3, accepted: 3, totalCents: 3200 })
  expect((await inThisProcess(world).run(['batch', 'refund', path, '--full', '--yes'])).exit).toBe(2)
  const { refunds } = await carriedOut(world.url)
  expect(refunds.map(({ originalTransactionId, amount }) => [originalTransactionId, amount])).toEqual(
    expect.arrayContaining([
      [first, 10],
      [first, 10],
      [second, 12],
    ]),
  )
  expect(refunds).toHaveLength(3)
  const more = csvIn(world, 'more.csv', 'originalTransactionId,amount,refundReason', [`${first},5,damaged`])
  const { stderr } = await world.run(['batch', 'refund', more, '--yes'])
  expect(stderr).toContain('Accepted does not mean refunded: a `refund.status` event reports the result')
})

it('compares every payment with the gateway before it asks', async () => {
  const world = inThisProcess(await sandboxWorld())
  const paid = await paidPayment(world.url, 30)
  const open = await openPayment(world.url)
  const unknown = 'aaaaaaaa-0000-4000-8000-000000000000'
  const path = csv(world, [`${paid},20,x`, `${paid},"10,01",x`, `${open},1,x`, `${unknown},1,x`])
  const failure = failureOf(await world.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  expect(failure).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(failure.faults).toEqual([
    { line: 3, column: 'amount', message: expect.stringContaining('R$ 30,01') },
    { line: 4, column: 'originalTransactionId', message: expect.stringContaining('PENDING') },
    { line: 5, column: 'originalTransactionId', message: expect.stringContaining(unknown) },
  ])
  csv(world, [`${paid},,x`, `${paid},1,x`])
  const twice = failureOf(await world.run(['batch', 'refund', path, '--full', '--yes', '--skip-query', '-o', 'json']))
  expect(twice.faults).toMatchObject([{ line: 2 }])
  expect((await carriedOut(world.url)).refunds).toEqual([])
})

it('returns no payment in full because its amount is in a column by another name', async () => {
  const world = inThisProcess(await sandboxWorld())
  const [first, second] = [await paidPayment(world.url, 30), await paidPayment(world.url, 12)]
  const path = csvIn(world, 'estb.csv', 'ID;Estorno', [`${first};10,00`, `${second};5,00`])
  const line = ['batch', 'refund', path, '--reason', 'x', '--yes', '-o', 'json']
  const toRefuse = [
    [],
    ['--map', 'originalTransactionId=ID'],
    ['--map', 'originalTransactionId=ID', '--full'],
    ['--map', 'originalTransactionId=ID', '--ignore-column', 'Estorno'],
    ['--map', 'originalTransactionId=ID,amount=Estorno', '--ignore-column', 'Taxa'],
  ]
  for (const words of toRefuse) expect(failureOf(await world.run([...line, ...words])).exit).toBe(2)
  expect((await carriedOut(world.url)).refunds).toEqual([])
  expect((await world.run([...line, '--map', 'originalTransactionId=ID,amount=Estorno'])).exit).toBe(0)
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount).toSorted()).toEqual([10, 5])
})

it('returns all that is left if that is asked for', async () => {
  const world = inThisProcess(await sandboxWorld())
  const [first, second] = [await paidPayment(world.url, 30), await paidPayment(world.url, 12)]
  const path = csvIn(world, 'all.csv', 'ID;Taxa', [`${first};1,00`, `${second};2,00`])
  const line = ['batch', 'refund', path, '--map', 'originalTransactionId=ID', '--ignore-column', 'Taxa', '--full']
  expect((await world.run([...line, '--reason', 'x', '--yes'])).exit).toBe(0)
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount).toSorted()).toEqual([12, 30])
})

it('returns what is left of a payment of which a part was returned before', async () => {
  const world = inThisProcess(await sandboxWorld())
  const [first, second] = [await paidPayment(world.url, 30), await paidPayment(world.url, 12)]
  const part = ['refund', first, '--amount', '10', '--reason', 'x', '--yes', '--skip-query']
  await world.prepare(part)
  const path = csv(world, [`${first},,x`, `${second},,x`])
  const line = ['batch', 'refund', path, '--full', '--yes', '-o', 'json']
  const blind = failureOf(await world.run([...line, '--skip-query']))
  expect(blind).toMatchObject({ exit: 2, faults: [{ line: 2, message: expect.stringContaining('R$ 10,00') }] })
  const ran = await world.run(line)
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([0, { accepted: 2, totalCents: 3200 }])
  const run = String(linesOf(ran).at(-1)?.run)
  expect(await world.json(['batch', 'show', run])).toMatchObject({
    rowsDetail: [{ amount: 20 }, { amount: 12 }],
  })
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount).toSorted()).toEqual([10, 12, 20])
})

it('sends a refund with an unknown outcome again only if that is requested', async () => {
  const world = inThisProcess(await sandboxWorld())
  const [first, second] = [await paidPayment(world.url, 30), await paidPayment(world.url, 12)]
  const path = csv(world, [`${first},10,x`, `${first},5,x`, `${second},3,x`])
  await control(world.url, 'fault', { kind: 'drop-before' })
  const results = join(world.home, 'results.csv')
  const line = ['batch', 'refund', path, '--skip-query', '--yes', '-o', 'json', '--concurrency', '1']
  const ran = await world.run([...line, '--results', results])
  expect(ran.exit).toBe(5)
  expect(linesOf(ran)).toMatchObject([
    { line: 2, outcome: 'unknown' },
    { line: 3, outcome: 'not-sent', errorCode: 'REPEAT' },
    { line: 4, outcome: 'accepted' },
    { accepted: 1, unknown: 1, notSent: 1 },
  ])
  const judged = await world.run(['status', '--from', results, '-o', 'json'])
  expect([judged.exit, JSON.parse(judged.stdout)]).toMatchObject([
    1,
    [
      { amount: 10, pixgate: { state: 'unknown', verdict: 'differs', differences: ['status'] } },
      { amount: null, pixgate: { state: 'not-sent', verdict: 'missing' } },
      { amount: 3, pixgate: { verdict: 'match' } },
    ],
  ])
  const run = String(linesOf(ran).at(-1)?.run)
  const careful = await world.run(['resume', run, '--yes'])
  expect(careful.exit).toBe(5)
  expect(careful.stderr).toContain('line 2, returns-')
  expect((await carriedOut(world.url)).refunds).toHaveLength(1)
  const meant = await world.run(['resume', run, '--include-unknown', '--yes', '-o', 'json', '--concurrency', '1'])
  expect([meant.exit, linesOf(meant).at(-1)]).toMatchObject([0, { accepted: 3, unknown: 0, notSent: 0 }])
  expect((await carriedOut(world.url)).refunds).toHaveLength(3)
})

it('takes no refund or transfer of another account for one of the active account', async () => {
  const world = inThisProcess(await sandboxWorld())
  const other = inThisProcess(await sandboxWorld())
  const elsewhere = { env: { PIXGATE_BASE_URL: other.url } }
  const paid = await paidPayment(world.url, 30)
  const path = csv(world, [`${paid},10,x`])
  const results = join(world.home, 'results.csv')
  const line = ['batch', 'refund', path, '--skip-query', '--yes', '-o', 'json']
  await control(world.url, 'fault', { kind: 'drop-before' })
  expect((await world.run([...line, '--results', results])).exit).toBe(5)
  await world.run(line, elsewhere)
  const [, cells = ''] = readFileSync(results, 'utf8').split('\n')
  const rowId = cells.split(',').find((cell) => cell.startsWith('returns-')) ?? ''
  const here = { state: 'unknown', baseUrl: world.url }
  expect(JSON.parse((await world.run(['status', '--from', results, '-o', 'json'])).stdout)).toMatchObject([
    { pixgate: { ...here, verdict: 'differs' } },
  ])
  expect(await world.json(['status', rowId])).toMatchObject({ pixgate: here })
  expect(await world.json(['status', paid])).toMatchObject({ pixgate: { refunds: [{ state: 'unknown' }] } })
  expect(await world.json(['status', rowId], elsewhere)).toMatchObject({ pixgate: { baseUrl: other.url } })

  const { url: third } = inThisProcess(await sandboxWorld())
  const foreign = await world.run(['status', '--from', results, '-o', 'json'], { env: { PIXGATE_BASE_URL: third } })
  expect([foreign.exit, JSON.parse(foreign.stdout)]).toMatchObject([
    5,
    [{ amount: null, pixgate: { verdict: 'missing' } }],
  ])

  const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '7', '--external-id', 'tried', '--yes']
  const { idTransaction } = await world.json(transfer, elsewhere)
  expect(await world.json(['status', 'tried'])).toMatchObject({ idTransaction, pixgate: { baseUrl: other.url } })
  const expected = csvIn(world, 'expected.csv', 'idTransaction,amount', ['tried,7'])
  const judged = async () => JSON.parse((await world.run(['status', '--from', expected, '-o', 'json'])).stdout)
  expect(await judged()).toMatchObject([{ idTransaction: 'tried', error: { code: 'INVALID_TRANSACTION_ID' } }])
  csvIn(world, 'expected.csv', 'idTransaction,amount', [`${idTransaction},7`])
  expect(await judged()).toMatchObject([{ pixgate: { verdict: 'match', baseUrl: other.url } }])
})

async function openPayment(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v2/gateway/request-qrcode`, {
    method: 'POST',
    headers: { authorization: 'Bearer local-secret' },
    body: JSON.stringify({ requestNumber: '2', dueDate: '2099-12-31', amount: 5, callbackUrl: 'http://127.0.0.1:1/' }),
  })
  return ((await response.json()) as { idTransaction: string }).idTransaction
}

const ORDERS = 'Pedido;Cliente;Valor a devolver;Motivo'

/** A sandbox with three charges that were paid, two of them with the name of their payer. */
async function shop() {
  const world = inThisProcess(await sandboxWorld())
  const charge = async (request: string, amount: string, ...words: string[]) => {
    const create = ['qr', 'create', '--request-number', request, '--amount', amount, ...words]
    const { idTransaction } = await world.json([...create, '--no-qr'])
    await control(world.url, 'pay', { id: String(idTransaction) })
    return String(idTransaction)
  }
  const maria = await charge('pedido-1', '25', '--payer-name', 'Maria Aparecida da Silva')
  const jose = await charge('pedido-2', '30', '--payer-name', 'José Lima')
  const nobody = await charge('1003', '40')
  const refunded = async () =>
    (await carriedOut(world.url)).refunds.map((each) => [each.originalTransactionId, each.amount])
  return { world, maria, jose, nobody, refunded }
}

it('takes order numbers, beginnings of ids and ids, and shows who paid', async () => {
  const { world, maria, jose, nobody, refunded } = await shop()
  const path = csvIn(world, 'orders.csv', ORDERS, [
    'PEDIDO-1;Maria Aparecida;5;x',
    `${jose.slice(0, 9)};José Lima Ltda;6;x`,
    '1003;Ana;7;x',
    `${maria};;1;x`,
  ])
  const sent = await world.run(['batch', 'refund', path, '--yes'])
  expect(sent.stderr).toMatch(/^columns {6}`Pedido` is original payment, `Valor a devolver` is amount/m)
  expect(sent.stderr).toMatch(
    /^payers {7}Maria Aparecida da Silva, José Lima, Maria Aparecida da Silva; rows without a name: 1$/m,
  )
  expect(sent.exit).toBe(0)
  const carried = await refunded()
  expect(carried.toSorted()).toEqual(
    [
      [maria, 5],
      [jose, 6],
      [nobody, 7],
      [maria, 1],
    ].toSorted(),
  )
  // The same payments by their ids, in the same file.
  csvIn(world, 'orders.csv', 'ID da transação;Valor a devolver;Motivo', [
    `${maria};5;x`,
    `${jose};6;x`,
    `${nobody};7;x`,
    `${maria};1;x`,
  ])
  const again = failureOf(await world.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  expect(again).toMatchObject({ exit: 2, message: expect.stringContaining('Nothing of this file is left to send') })
})

it('refuses an order number that names nothing, several payments or no received one, before anything is sent', async () => {
  const { world, maria, jose, refunded } = await shop()
  await world.prepare(['qr', 'create', '--request-number', 'pedido-2', '--amount', '9', '--no-qr', '--again'])
  await world.prepare(['transfer', '--key', 'a@b.co', '--amount', '1', '--external-id', 'nf-7', '--yes'])
  const digits = maria.replaceAll(/\D/g, '').slice(0, 6)
  const rows = [
    'pedido-1;;1;x',
    'pedido-9;;1;x',
    'pedido-2;;1;x',
    'nf-7;;1;x',
    `${digits};;1;x`,
    `${jose.slice(0, 7)};;1;x`,
  ]
  const path = csvIn(world, 'orders.csv', ORDERS, rows)
  const failure = failureOf(await world.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  expect(failure.faults).toEqual([
    {
      row: 3,
      line: 3,
      column: 'Pedido',
      message: 'No received payment of this account has the order number `pedido-9`',
    },
    {
      row: 4,
      line: 4,
      column: 'Pedido',
      message: expect.stringMatching(/^`pedido-2` names 2 payments\. Write the id of one/),
    },
    { row: 5, line: 5, column: 'Pedido', message: expect.stringContaining('`nf-7` is a transfer') },
    { row: 6, line: 6, column: 'Pedido', message: expect.stringContaining(`order number \`${digits}\``) },
    { row: 7, line: 7, column: 'Pedido', message: expect.stringMatching(/has the order number|its digits are lost/) },
  ])
  const both = csvIn(world, 'both.csv', `ID da transação;${ORDERS}`, [`${maria};pedido-9;Maria Aparecida;2;x`])
  expect((await world.run(['batch', 'refund', both, '--yes'])).exit).toBe(0)
  expect(await refunded()).toEqual([[maria, 2]])
})

it('compares the order number beside an id with it, and takes it where there is no id', async () => {
  const { world, maria, jose, refunded } = await shop()
  const rows = [
    `${maria};pedido-1;;1;x`,
    `${maria.toUpperCase()};pedido-2;;2;x`,
    `;pedido-2;José Lima;3;x`,
    `${jose};${maria};;4;x`,
  ]
  const path = csvIn(world, 'both.csv', `ID da transação;${ORDERS}`, rows)
  const failure = failureOf(await world.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  const of = (id: string) => expect.stringContaining(`is another payment, \`${id}\``)
  expect(failure.faults).toMatchObject([
    { line: 3, column: 'Pedido', message: of(jose) },
    { line: 5, column: 'Pedido', message: of(maria) },
  ])
  csvIn(world, 'both.csv', `ID da transação;${ORDERS}`, [rows[0] ?? '', rows[2] ?? ''])
  const sent = await world.run(['batch', 'refund', path, '--yes'])
  expect([sent.exit, sent.stderr]).toEqual([0, expect.stringContaining('`Pedido` is original payment')])
  expect((await refunded()).toSorted()).toEqual(
    [
      [maria, 1],
      [jose, 3],
    ].toSorted(),
  )
})

it('takes the beginning of an id in production only where a person reads the question', async () => {
  const { world, maria } = await shop()
  const production = inThisProcess(await inProduction(world, world.url))
  await storeIn(
    production,
    receivedEvent(
      JSON.stringify({ event: 'pix.received', data: { idTransaction: maria, status: 'PAID', amount: 25 } }),
      {
        owner: { profile: 'prod', environment: 'production', baseUrl: world.url, clientId: 'local' },
        receivedAtMs: Date.now(),
      },
    ),
  )
  const path = csvIn(production, 'ids.csv', 'ID da transação;Valor a devolver;Motivo', [`${maria.slice(0, 10)};1;x`])
  const words = ['batch', 'refund', path]
  const message = expect.stringMatching(new RegExp(`not a whole id, .*: ${maria}$`))
  expect(failureOf(await production.run([...words, '--confirm', 'prod', '-o', 'json']))).toMatchObject({
    faults: [{ line: 2, message }],
  })
  const terminal = onTerminalHere(production, [...words, '--dry-run'], { columns: 120 })
  expect((await terminal.ended).exit).toBe(0)
})

it('shows and counts names that are not the payer’s, and refuses them where nobody reads the question', async () => {
  const { world, refunded } = await shop()
  const rows = ['pedido-1;Mariana Souza;5;x', 'pedido-2;JOSE LIMA;6;x', '1003;Ana;7;x']
  const path = csvIn(world, 'orders.csv', ORDERS, rows)
  for (const words of [['--yes'], ['--dry-run']]) {
    const message = expect.stringMatching(
      /^`Mariana Souza` is not its payer, who is `Maria Aparecida da Silva`\. .* `--ignore-column Cliente`/,
    )
    expect(failureOf(await world.run(['batch', 'refund', path, ...words, '-o', 'json']))).toMatchObject({
      exit: 2,
      faults: [{ line: 2, column: 'Cliente', message }],
    })
  }
  const terminal = onTerminalHere(world, ['batch', 'refund', path], { columns: 200 })
  await terminal.shows("Names that are not the payer's: 1, line 2 `Mariana Souza`, paid by `Maria Aparecida da Silva`")
  await terminal.shows('(y/N)')
  terminal.press('n\r')
  expect((await terminal.ended).exit).toBe(130)
  const ignored = ['batch', 'refund', path, '--ignore-column', 'Cliente']
  expect(await world.json([...ignored, '--dry-run'])).toMatchObject({ toSend: 3, namesDiffer: 0 })
  expect(await refunded()).toEqual([])
})
