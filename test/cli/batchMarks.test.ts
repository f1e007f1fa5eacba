import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { hintOf, optionsIn } from './followedHints.ts'
import { carriedOut, control, failureOf, inThisProcess } from './payments.ts'

const BILLS = 'Fornecedor;Chave Pix;Valor;NF;Vencimento;Situação'
const DAY_MS = 24 * 60 * 60 * 1000

/** `28/11/2026`, so many days from now. */
function day(fromNow: number): string {
  const [year, month, date] = new Date(Date.now() + fromNow * DAY_MS - DAY_MS / 8).toISOString().slice(0, 10).split('-')
  return `${date}/${month}/${year}`
}

/** Moves the clock of this process, in which the gateway runs too. */
function clock(): (days: number) => void {
  const real = Date.now
  onTestFinished(() => {
    Date.now = real
  })
  return (days) => {
    Date.now = () => real() + days * DAY_MS
  }
}

it('sends nothing of a file with paid and cancelled rows until an option says which rows are meant', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const path = csvIn(world, 'contas.csv', BILLS, [
    `Água;agua@example.com;10,50;NF 1;${day(-20)};PAGO`,
    `Luz;not a key;30,30;NF 2;${day(-1)};Cancelado`,
    `Gás;gas@example.com;40,40;NF 3;${day(-3)};ABERTO`,
    `Rua;rua@example.com;1.000,00;NF 4;${day(12)};ABERTO`,
  ])
  const args = ['batch', 'transfer', path]
  const stopped = await world.run([...args, '--yes'])
  expect([stopped.exit, stopped.stdout]).toEqual([2, ''])
  expect(stopped.stderr).toMatch(
    /^error: By the file itself 2 rows are paid, cancelled, struck through, not by PIX or not clearly open, R\$ 40,80\n/,
  )
  expect(optionsIn(hintOf(stopped))).toEqual([
    ['--only', 'Situação=ABERTO'],
    ['--ignore-column', 'Situação'],
  ])
  for (const option of ['--dry-run', '--rehearse', '--yes']) {
    const failure = failureOf(await here.run([...args, option, '-o', 'json']))
    expect(failure).toMatchObject({ exit: 2, code: 'FILE_MARKS', outcome: 'not-sent' })
  }
  expect((await carriedOut(world.url)).transfers).toEqual([])
  const only = ['--only', 'Situação=ABERTO']
  expect(await here.json([...args, ...only, '--dry-run'])).toMatchObject({
    ...{ rows: 2, toSend: 2, notSelectedRows: 2, notSelectedCents: 4080 },
    ...{ dueLaterRows: 1, dueLaterCents: 100_000, overdueRows: 1, overdueCents: 4040 },
  })
  const asked = onTerminalHere(world, [...args, ...only])
  await asked.shows('Send 2 transfers, R$ 1.040,40 in total?')
  asked.press('\r')
  const { screen } = await asked.ended
  for (const line of [/not selected +2, R\$ 40,80/, /due later +1, R\$ 1\.000,00/, /overdue +1, R\$ 40,40/]) {
    expect(screen).toMatch(line)
  }
  const due = await here.run([...args, ...only, '--only', `Vencimento<=${day(0)}`, '--yes', '-o', 'json'])
  expect([due.exit, linesOf(due).at(-1)]).toMatchObject([0, { accepted: 1, totalCents: 4040 }])
  // What was sent and is marked now is still in the file.
  writeFileSync(path, readFileSync(path, 'utf8').replace(/ABERTO(?=\nRua)/, 'PAGO'))
  const rest = await here.run([...args, ...only, '--yes', '-o', 'json'])
  expect([rest.exit, linesOf(rest).at(-1)]).toMatchObject([0, { accepted: 1, totalCents: 100_000 }])
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([40.4, 1000])
})

it.each([
  ...['Data de agendamento', 'Agendado para', 'Data', 'Dt. Pgto', 'Data do débito', 'Pagar em', 'payout_date'],
  ...['Payment Date', 'Scheduled for', 'Data programada', 'Previsão'],
])('names the rows that are to be paid later by the column %s', async (heading) => {
  const world = inThisProcess(await sandboxWorld())
  const rows = [`luz@example.com;10,00;${day(12)};${day(-20)}`, `rua@example.com;2,00;;${day(-20)}`]
  const path = csvIn(world, 'pix.csv', `Chave Pix;Valor;${heading};Emissão`, rows)
  expect(await world.json(['batch', 'transfer', path, '--dry-run'])).toMatchObject({
    ...{ toSend: 2, dueLaterRows: 1, dueLaterCents: 1000, overdueRows: 0 },
  })
})

it('gives a row the same id whether the equal ones above it are selected or not', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'contas.csv', 'key;value;Turma', ['a@b.co;10;manhã', 'a@b.co;10;tarde', 'a@b.co;10;noite'])
  const idOf = async (...only: string[]) => {
    const sent = await inThisProcess(await sandboxWorld()).run([
      'batch',
      'transfer',
      path,
      '--yes',
      '-o',
      'json',
      ...only,
    ])
    return linesOf(sent).find(({ line }) => line === 3)?.externalId
  }
  expect(await idOf('--only', 'Turma=tarde')).toBe(await idOf())
})

it('sends the rows of one file in parts, and knows the equal ones of the other part as rows of the same file', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'lotes.csv', 'key;value;NF;Lote', [
    'a@b.co;10;NF 1;1',
    'a@b.co;10;NF 2;2',
    'a@b.co;10;NF 3;3',
  ])
  const part = (number: number) => ['batch', 'transfer', path, '--only', `Lote=${number}`, '--yes', '-o', 'json']
  for (const number of [2, 1, 3]) {
    const sent = await world.run(part(number))
    expect([sent.exit, linesOf(sent).at(-1)]).toMatchObject([0, { accepted: 1, totalCents: 1000 }])
  }
  expect((await carriedOut(world.url)).transfers).toHaveLength(3)
  // Another file does not hold them.
  const other = csvIn(world, 'outro.csv', 'key;value;NF', ['a@b.co;10;NF 9'])
  expect(failureOf(await world.run(['batch', 'transfer', other, '--yes', '-o', 'json']))).toMatchObject({
    code: 'REPEAT',
  })
})

it('gives no further attempt the id of a row that was not selected', async () => {
  const world = inThisProcess(await sandboxWorld())
  await control(world.url, 'fault', { kind: 'NO_FUNDS' })
  const path = csvIn(world, 'ids.csv', 'key;value;externalId;Lote', ['a@b.co;1;x;1', 'b@b.co;2;x-2;2'])
  const args = ['batch', 'transfer', path, '--yes', '-o', 'json']
  const refused = linesOf(await world.run([...args, '--only', 'Lote=1'])).at(-1)
  expect(refused).toMatchObject({ refused: 1 })
  const again = await world.run(['resume', String(refused?.run), '--refused', '--yes', '-o', 'json'])
  expect([again.exit, linesOf(again).at(0)]).toMatchObject([0, { externalId: 'x-3' }])
  expect((await world.run([...args, '--only', 'Lote=2'])).exit).toBe(0)
})

const INVOICES = 'Fornecedor;Chave PIX;Valor;NF'

it('refuses the same invoice twice in one file, and takes equal rows with different ones', async () => {
  const world = inThisProcess(await sandboxWorld())
  const row = (invoice: string) => `Água;agua@example.com;120,00;${invoice}`
  const faultsOf = async (...rows: string[]) => {
    const path = csvIn(world, 'contas.csv', INVOICES, rows)
    const ran = await world.run(['batch', 'transfer', path, '--dry-run', '-o', 'json'])
    return ran.exit === 0 ? [] : failureOf(ran).faults
  }
  for (const other of ['NF 1', 'nf 001', '1', ' NF-1 ']) {
    expect(await faultsOf(row('NF 1'), row('NF 2'), row(other))).toMatchObject([
      { line: 4, column: 'NF', message: expect.stringContaining('is on line 2 already') },
    ])
  }
  expect(await faultsOf(row('NF 1'), row('NF 2'), row(''), row(''), row('s/n'), row('S/N'))).toEqual([])
  expect(await faultsOf(row('NF 1'), row('NF 1').replace('120', '121'), row('NF 1').replace('agua', 'luz'))).toEqual([])
  const twice = csvIn(world, 'contas.csv', INVOICES, [row('NF 1'), row('NF 1')])
  const meant = await world.run(['batch', 'transfer', twice, '--repeat-reference', '--yes', '-o', 'json'])
  expect([meant.exit, linesOf(meant).at(-1)]).toMatchObject([0, { accepted: 2 }])
  const ids = csvIn(world, 'ids.csv', 'key;value;externalId', ['a@b.co;1;x-1', 'a@b.co;1;x-1'])
  const typed = failureOf(await world.run(['batch', 'transfer', ids, '--repeat-reference', '--yes', '-o', 'json']))
  expect(typed).toMatchObject({ exit: 2, faults: [{ line: 3, column: 'externalId' }] })
})

it('takes the instalments of one invoice for different payments', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'contas.csv', `${INVOICES};Parcela`, ['A;a@b.co;10;7;1/2', 'A;a@b.co;10;7;2/2'])
  expect(await world.json(['batch', 'transfer', path, '--dry-run'])).toMatchObject({ toSend: 2, equalRows: 1 })
})

it('names the payment of the same invoice however long ago it was, and refuses it within six days', async () => {
  const setDays = clock()
  const world = inThisProcess(await sandboxWorld())
  const first = csvIn(world, 'novembro.csv', `${INVOICES};Parcela;Pedido`, [
    'Aluguel;rua@example.com;80,00;3;;',
    'Obra;obra@example.com;50;;1/2;91',
  ])
  expect((await world.run(['batch', 'transfer', first, '--yes'])).exit).toBe(0)
  expect(
    (await world.run(['transfer', '--key', 'luz@example.com', '--amount', '9', '--external-id', 'nf-8', '--yes'])).exit,
  ).toBe(0)
  const paidOn = day(0)
  const second = csvIn(world, 'outro.csv', 'Nome;Chave;Valor;Nota Fiscal;Parc.;Ordem de compra', [
    'Imobiliária;rua@example.com;80;NF 03;;',
    'Luz;luz@example.com;9;8;;',
    'Rui;rua@example.com;80;4;;',
    'Obra;obra@example.com;50;12;1ª;0091',
    'Obra;obra@example.com;50;12;2ª;0091',
  ])
  const again = failureOf(await world.run(['batch', 'transfer', second, '--dry-run', '-o', 'json']))
  expect(again).toMatchObject({ exit: 2, code: 'REPEAT', faults: [2, 3, 4, 5, 6].map((line) => ({ line })) })
  setDays(23)
  expect(await world.json(['batch', 'transfer', second, '--dry-run'])).toMatchObject({
    toSend: 5,
    sentReferences: [
      { line: 2, reference: 'NF 03' },
      { line: 3, reference: 'Nota Fiscal 8' },
      { line: 5, reference: 'Ordem de compra 0091' },
    ],
  })
  const shown = await world.run(['batch', 'transfer', second, '--dry-run'])
  expect(shown.stdout).toMatch(new RegExp(`check +line 2: NF 03 was (?:sent|paid) on ${paidOn}, the same amount`))
})

it('knows an invoice in every spelling, in a file as in the ledger, typed as an id or not', async () => {
  const setDays = clock()
  const world = inThisProcess(await sandboxWorld())
  const spellings = ['NF-3', 'nf 3', 'NF nº 3', 'nf-3', '003', 'N.F. 3']
  const file = (name: string, shift: number) =>
    csvIn(
      world,
      name,
      'key;value;externalId;NF',
      spellings.map((_, place) => `a${place}@b.co;10;;${spellings[(place + shift) % spellings.length]}`),
    )
  const typed = csvIn(world, 'ids.csv', 'key;value;externalId;NF', ['a@b.co;10;NF-3;', 'a@b.co;10;;NF nº 3'])
  const twice = failureOf(await world.run(['batch', 'transfer', typed, '--dry-run', '-o', 'json']))
  expect(twice).toMatchObject({ exit: 2, faults: [{ line: 3, message: expect.stringContaining('is on line 2') }] })
  expect((await world.run(['batch', 'transfer', file('novembro.csv', 0), '--yes'])).exit).toBe(0)
  const pay = ['transfer', '--key', 'a@b.co', '--amount', '10', '--external-id', 'NF-3', '--yes']
  expect((await world.run(pay)).exit).toBe(0)
  setDays(23)
  for (const shift of [1, 2, 3]) {
    const named = await world.json(['batch', 'transfer', file(`dezembro-${shift}.csv`, shift), '--dry-run'])
    expect(named.sentReferences).toMatchObject(spellings.map((_, place) => ({ line: place + 2 })))
  }
  for (const spelling of spellings) {
    const again = csvIn(world, `de-novo-${spelling}.csv`, 'key;value;NF', [`a@b.co;10;${spelling}`, `a@b.co;10;4`])
    const named = await world.json(['batch', 'transfer', again, '--dry-run'])
    expect(named.sentReferences).toMatchObject([{ line: 2 }])
  }
})

it('names the rows that are left out because of a payment of another day or invoice', async () => {
  const setDays = clock()
  const world = inThisProcess(await sandboxWorld())
  const args = (path: string) => ['batch', 'transfer', path, '--reference', 'folha']
  const november = csvIn(world, 'novembro.csv', INVOICES, [
    'Aluguel;rua@example.com;80,00;3',
    'Ana;ana@example.com;5;4',
  ])
  expect((await world.run([...args(november), '--yes'])).exit).toBe(0)
  const sentOn = day(0)
  const rows = ['Aluguel;rua@example.com;80,00;13', 'Ana;ana@example.com;5;4', 'Luz;luz@example.com;50;7']
  const december = csvIn(world, 'dezembro.csv', INVOICES, rows)
  expect(await world.json([...args(december), '--dry-run'])).toMatchObject({
    leftOut: { accepted: 2 },
    leftOutRows: [{ line: 2, payee: 'Aluguel', reference: 'NF 13', sentReference: 'NF 3' }],
  })
  setDays(8)
  const later = await world.run([...args(december), '--dry-run'])
  expect(later.stdout).toContain(`line 2: Aluguel, NF 13, accepted on ${sentOn} as NF 3\n`)
  expect(later.stdout).toContain(`line 3: Ana, NF 4, accepted on ${sentOn}\n`)
  const nothing = await world.run([...args(november), '--yes'])
  expect([nothing.exit, nothing.stderr]).toEqual([
    2,
    expect.stringContaining(`line 2: Aluguel, NF 3, accepted on ${sentOn}`),
  ])
})
