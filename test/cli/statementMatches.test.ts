import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatPaymentDate } from '../../src/pix/calendar.ts'
import { displayWidth } from '../../src/text/cellLayout.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { BANK_FILES, bytesOfBank } from '../reconcile/bankFiles.ts'
import { csvIn } from './batchFiles.ts'
import { writeCharge, writeRefund, writeTransfer } from './sentPayments.ts'
import { type CheckedLine, statementWorld, writePaid, writeReceived, writeReturned } from './statementWorld.ts'

const HEADER = 'Data;Histórico;Valor;Documento'
const NOON = '2026-11-10T15:00:00.000Z'

function saidOf(lines: readonly CheckedLine[]): string[] {
  return lines.map(({ pixgate }) => {
    const { verdict, name, statement, matchedBy, ambiguous, differences } = pixgate
    const line = statement === null ? '-' : String(statement.line)
    const words = [line, verdict, verdict === 'only-there' ? '-' : name, matchedBy ?? '-', ...differences]
    return [...words, ...(ambiguous ? ['ambiguous'] : [])].join(' ')
  })
}

it('matches by name if both sides have one, whatever the order of the lines', async () => {
  const world = await statementWorld()
  await writePaid(world, 'maria', 1000, NOON, { name: 'Maria Aparecida da Silva' })
  await writePaid(world, 'joao', 1000, NOON, { name: 'João Pereira' })
  await writePaid(world, 'nobody', 1000, NOON)
  const line = (text: string) => `10/11/2026;${text};-10,00;`
  const lines = [HEADER, line('PIX ENVIADO'), line('PIX ENVIADO JOAO PEREIRA'), line('PIX ENVIADO MARIA APARECIDA')]
  const all = await world.checked(lines.join('\n'))
  expect([all.exit, saidOf(all.lines)]).toEqual([
    0,
    ['2 match nobody by-amount', '3 match joao by-amount', '4 match maria by-amount'],
  ])
  const other = await world.checked([HEADER, line('PIX ENVIADO ANA'), line('PIX ENVIADO BETO')].join('\n'))
  expect([other.exit, saidOf(other.lines)]).toEqual([
    1,
    ['- only-here maria -', '- only-here joao -', '3 duplicate nobody by-amount', '2 match nobody by-amount'],
  ])
})

it('knows payers by the names that were typed for them, which exclude no line', async () => {
  const world = await statementWorld()
  const customers = { 'order-1': 'Maria Aparecida da Silva', 'order-2': 'Maria José Lima', 'order-3': 'Mariana Souza' }
  for (const [order, typedName] of Object.entries(customers))
    await writeReceived(world, order, 2500, NOON, { at: NOON, typedName })
  const line = (text: string) => `10/11/2026;${text};25,00;`
  const cut = [HEADER, line('PIX RECEBIDO MARIANA SOUZA'), line('PIX RECEBIDO MARIA APARECIDA DA S')]
  const named = await world.checked(cut.join('\n'))
  expect(saidOf(named.lines)).toEqual([
    '- only-here order-2 -',
    '2 match order-3 by-amount',
    '3 match order-1 by-amount',
  ])
  const husband = await world.checked([...cut, line('PIX RECEBIDO PEDRO ALVES')].join('\n'))
  expect([husband.exit, saidOf(husband.lines)[0]]).toEqual([0, '2 match order-3 by-amount'])
  const text = await world.run(['history', 'check', '--statement', world.path, '--lang', 'pt-BR'])
  expect(text.stdout).not.toMatch(/only-here|match/)
})

it('calls no second line a duplicate that may have paid another charge', async () => {
  const world = await statementWorld()
  await writeReceived(world, 'order-1', 2500, NOON, { at: NOON, typedName: 'Maria Aparecida da Silva' })
  const line = (text: string) => `10/11/2026;${text};25,00;`
  const twice = [HEADER, line('PIX RECEBIDO MARIA'), line('PIX RECEBIDO MARIA')].join('\n')
  const only = await world.checked(twice)
  expect(saidOf(only.lines)).toEqual(['3 duplicate order-1 by-amount', '2 match order-1 by-amount'])
  // One that was created on a later day cannot have been paid by this line, and one of another amount neither.
  const charge = { owner: world.owner, facts: { amountCents: 2500, payerName: 'Maria José Lima' } }
  await writeCharge(world, { ...charge, requestNumber: 'order-2', at: '2026-11-11T15:00:00.000Z' })
  await writeCharge(world, { ...charge, requestNumber: 'order-3', at: NOON, facts: { amountCents: 2600 } })
  expect(saidOf((await world.checked(twice)).lines)[0]).toBe('3 duplicate order-1 by-amount')
  await writeCharge(world, { ...charge, requestNumber: 'order-4', at: '2026-11-08T15:00:00.000Z' })
  const open = await world.checked(twice)
  expect([open.exit, saidOf(open.lines)]).toEqual([1, ['3 only-there - -', '2 match order-1 by-amount']])
})

it('lists what differs in the order of the days, refunds by the order that they return', async () => {
  const world = await statementWorld()
  await writeReceived(world, 'order-9', 900, NOON, { at: NOON })
  await writeRefund(world, {
    originalTransactionId: 'id-order-9',
    at: '2026-11-12T15:00:00.000Z',
    owner: world.owner,
    facts: { amountCents: 100 },
  })
  const lines = ['11/11/2026;PIX;7,00;', '09/11/2026;PIX;8,00;', '12/11/2026;PIX;6,00;']
  const all = await world.checked([HEADER, ...lines].join('\n'))
  expect(saidOf(all.lines).map((said) => said.slice(0, 12))).toEqual([
    '3 only-there',
    '2 only-there',
    '4 only-there',
    '- only-here ',
    '- only-here ',
  ])
  const text = await world.run(['history', 'check', '--statement', world.path, '--fields', 'date,name'])
  expect(text.stdout.split('\n').slice(-3, -1)).toEqual(['10/11/2026\torder-9', '12/11/2026\torder-9'])
})

it('says which lines could be several payments', async () => {
  const world = await statementWorld()
  for (const name of ['a', 'b', 'c']) await writePaid(world, name, 1000, NOON)
  const line = '10/11/2026;PIX ENVIADO;-10,00;'
  const fewer = await world.checked([HEADER, line, line].join('\n'))
  expect([fewer.exit, saidOf(fewer.lines)]).toEqual([
    1,
    ['- only-here c - ambiguous', '2 match a by-amount ambiguous', '3 match b by-amount ambiguous'],
  ])
  const text = await world.run(['history', 'check', '--statement', world.path])
  expect(text.stderr).toContain(
    'It is not known which of the payments c, a, b of R$ 10,00 on 10/11/2026 are on the statement (lines 2–3)\n',
  )
  const equal = await world.checked([HEADER, line, line, line].join('\n'))
  expect([equal.exit, equal.lines.map(({ pixgate }) => pixgate.ambiguous)]).toEqual([0, [true, true, true]])
  const more = await world.checked([HEADER, line, line, line, line].join('\n'))
  expect(more.lines.map(({ pixgate }) => pixgate.verdict)).toEqual(['duplicate', 'match', 'match', 'match'])
})

it('matches what was surely paid first, and never guesses what became of an unknown payment', async () => {
  const world = await statementWorld()
  const answer = { outcome: 'unknown', idTransaction: null, status: null } as const
  await writeTransfer(world, {
    externalId: 'doubt',
    at: NOON,
    owner: world.owner,
    facts: { amountCents: 1000 },
    answer,
  })
  await writePaid(world, 'sure', 1000, NOON, {})
  const line = '10/11/2026;PIX ENVIADO;-10,00;'
  const one = await world.checked([HEADER, line].join('\n'))
  expect(saidOf(one.lines)).toEqual(['- only-here doubt - ambiguous', '2 match sure by-amount ambiguous'])
  expect((await world.run(['history', 'check', '--statement', world.path])).stderr).not.toContain('settle')
  const named = await world.checked([HEADER, '10/11/2026;;-10,00;doubt'].join('\n'))
  expect(saidOf(named.lines)).toEqual(['2 differs doubt id status', '- only-here sure -'])
  expect((await world.run(['history', 'check', '--statement', world.path])).stderr).toContain('history settle')
})

it('does not take a cancelled line for a transfer that was accepted', async () => {
  const world = await statementWorld()
  await writeTransfer(world, { externalId: 'rent', at: NOON, owner: world.owner, facts: { amountCents: 1000 } })
  const line = (status: string) => ['Data;Histórico;Valor;Status', `10/11/2026;PIX ENVIADO;-10,00;${status}`].join('\n')
  expect(saidOf((await world.checked(line('Efetuado'))).lines)).toEqual(['2 match rent by-amount'])
  const cancelled = await world.checked(line('Cancelado'))
  expect([cancelled.exit, saidOf(cancelled.lines)]).toEqual([1, ['2 differs rent by-amount status']])
})

it('leaves out a line that no payment belongs to if its own status says that it was not paid', async () => {
  const world = await statementWorld()
  await writeTransfer(world, { externalId: 'rent', at: NOON, owner: world.owner, facts: { amountCents: 1000 } })
  const rows = ['PIX ENVIADO;-10,00;Quitado', 'INTERNET;-149,90;Em aberto', 'VENDA;45,00;Cancelada']
  const { exit, lines } = await world.checked(
    ['Data;Histórico;Valor;Situação', ...rows.map((row) => `10/11/2026;${row}`)].join('\n'),
  )
  expect([exit, saidOf(lines)]).toEqual([0, ['2 match rent by-amount']])
  expect((await world.run(['history', 'check', '--statement', world.path])).stderr).toContain(
    'Skipped lines that by their own status (Em aberto, Cancelada) were not paid: 2 (lines 3–4)',
  )
})

it('takes no line that is still pending for a payment that was made', async () => {
  const world = await statementWorld()
  const answer = { outcome: 'unknown', idTransaction: null, status: null } as const
  const facts = { amountCents: 1000 }
  await writeTransfer(world, { externalId: 'doubt', at: NOON, owner: world.owner, facts, answer })
  await writePaid(world, 'sure', 2000, NOON, {})
  const statement = (status: string) =>
    [
      'Data;Histórico;Valor;Status;Documento',
      `10/11/2026;PIX;-10,00;${status};doubt`,
      `10/11/2026;PIX;-20,00;${status};sure`,
    ].join('\n')
  const pending = await world.checked(statement('Pendente'))
  expect(saidOf(pending.lines)).toEqual(['2 differs doubt id status', '3 differs sure id status'])
  expect((await world.run(['history', 'check', '--statement', world.path])).stderr).not.toContain('settle')
  await world.checked(statement('Efetuado'))
  expect((await world.run(['history', 'check', '--statement', world.path])).stderr).toContain('history settle')
})

it('matches a credit with no payout, and the return of a transfer with its credit', async () => {
  const world = await statementWorld()
  await writePaid(world, 'out', 1000, NOON, {})
  await writeReceived(world, 'in', 1000, '2026-09-01T15:00:00.000Z', { at: NOON, name: 'Maria' })
  await writePaid(world, 'back', 2000, NOON, {})
  await writeReturned(world, 'back', 2000, '2026-11-11T15:00:00.000Z')
  const signed = [
    HEADER,
    '10/11/2026;PIX RECEBIDO;10,00;',
    '10/11/2026;PIX ENVIADO;-10,00;',
    '10/11/2026;PIX ENVIADO;-20,00;',
    '11/11/2026;PIX DEVOLVIDO;20,00;',
  ]
  expect(saidOf((await world.checked(signed.join('\n'))).lines)).toEqual([
    '2 match in by-amount',
    '3 match out by-amount',
    '4 match back by-amount',
    '5 match back by-amount',
  ])
  const withIds = [
    HEADER,
    '10/11/2026;;10,00;out',
    '10/11/2026;;-20,00;id-back',
    '11/11/2026;;20,00;back',
    '10/11/2026;;-1,00;',
  ]
  expect(saidOf((await world.checked(withIds.join('\n'))).lines)).toEqual([
    '2 differs out id sign',
    '5 only-there - -',
    '- only-here in -',
    '3 match back id',
    '4 match back id',
  ])
})

it('takes a second line for a duplicate, of which the first is the one that agrees', async () => {
  const world = await statementWorld()
  await writePaid(world, 'a', 1000, NOON, {})
  const lines = [
    HEADER,
    '10/11/2026;;-9,99;a',
    '10/11/2026;;-10,00;a',
    '10/11/2026;PIX;-10,00;',
    '12/11/2026;PIX;-10,00;',
  ]
  const { exit, lines: said } = await world.checked(lines.join('\n'))
  expect([exit, saidOf(said)]).toEqual([
    1,
    ['5 only-there - -', '2 duplicate a id', '4 duplicate a by-amount', '3 match a id'],
  ])
  const { stderr } = await world.run(['history', 'check', '--statement', world.path])
  expect(stderr.match(/^.* here, .* there$/gm)).toEqual([
    'only-there: 1, R$ 0,00 here, -R$ 10,00 there',
    'duplicate: 2, R$ 0,00 here, -R$ 19,99 there',
    'match: 1, -R$ 10,00 here, -R$ 10,00 there',
  ])
})

it('takes a number of the bank for one of our ids only if the amount or the day agrees', async () => {
  const world = await statementWorld()
  await writePaid(world, '1357', 1000, NOON, {})
  await writePaid(world, '2468', 3000, '2026-11-12T15:00:00.000Z', {})
  const lines = [HEADER, '12/11/2026;PIX;-30,00;1357', '10/11/2026;PIX;-10,01;1357', '10/11/2026;PIX;-10,00;99']
  expect(saidOf((await world.checked(lines.join('\n'))).lines)).toEqual([
    '3 differs 1357 id amount',
    '4 duplicate 1357 by-amount',
    '2 match 2468 by-amount',
  ])
})

it('expects what was paid in the period, whenever it was created, and nothing that was paid later', async () => {
  const world = await statementWorld()
  await writeReceived(world, 'early', 500, '2026-09-01T15:00:00.000Z', { at: NOON, name: 'Maria' })
  await writeReceived(world, 'late', 600, NOON, { at: '2026-12-01T15:00:00.000Z', name: 'Maria' })
  // Sent at 23:59 and carried out at 00:01 of the next day.
  await writePaid(world, 'night', 700, '2026-11-12T02:59:00.000Z', { at: '2026-11-12T03:01:00.000Z' })
  const first = await world.checked([HEADER, '09/11/2026;X;-1,00;', '11/11/2026;PIX;-7,00;'].join('\n'))
  expect(saidOf(first.lines)).toEqual(['2 only-there - -', '- only-here early -', '3 match night by-amount'])
  const next = await world.checked([HEADER, '12/11/2026;PIX;-7,00;'].join('\n'))
  expect(saidOf(next.lines)).toEqual(['2 match night by-amount'])
})

it('leaves out lines with the texts of --ignore, and says if there are none', async () => {
  const world = await statementWorld()
  const lines = [HEADER, '10/11/2026;Tarifa Pix;-1,00;', '10/11/2026;TARIFA CESTA;-2,00;', '11/11/2026;IOF;-3,00;']
  const ignored = await world.checked(lines.join('\n'), ['--ignore', 'tarifa', '--ignore', 'iof'])
  expect([ignored.exit, ignored.lines]).toEqual([0, []])
  const { stderr } = await world.run([
    'history',
    'check',
    '--statement',
    world.path,
    '--ignore',
    'tarifa',
    '--ignore',
    'juros',
  ])
  expect(stderr).toContain('Ignored because of `--ignore tarifa`: 2, -R$ 3,00 (lines 2–3)\n')
  expect(stderr).toContain('`--ignore juros` matches no line of the statement\n')
  const skipped = await world.checked(`${lines.join('\n')}\n12/11/2026;SALDO DO DIA;7,00;`, [
    '--ignore',
    'tarifa',
    '--ignore',
    'juros',
  ])
  expect(skipped.lines.map(({ pixgate }) => [pixgate.verdict, pixgate.warnings])).toEqual([
    [
      'only-there',
      [
        'Skipped lines that hold a balance: 1 (line 5)',
        'Ignored because of `--ignore tarifa`: 2, -R$ 3,00 (lines 2–3)',
        '`--ignore juros` matches no line of the statement',
      ],
    ],
  ])
})

it('matches a refund by the id of the payment that it returns', async () => {
  const world = await statementWorld()
  await writeReceived(world, 'in', 1000, NOON, { at: NOON, name: 'Maria' })
  const facts = { amountCents: 400 }
  await writeRefund(world, { originalTransactionId: 'id-in', at: NOON, owner: world.owner, facts })
  const { exit, lines } = await world.checked(
    [HEADER, '10/11/2026;PIX RECEBIDO;10,00;id-in', '10/11/2026;DEVOLUCAO PIX;-4,00;id-in'].join('\n'),
  )
  expect([exit, saidOf(lines)]).toEqual([0, ['2 match in id', '3 match id-in id']])
})

it('matches by the names in the file of a batch', async () => {
  const world = await statementWorld()
  const rows = ['a@example.com;10;Alfa Comércio Ltda;nf-1', 'b@example.com;10;Beta Serviços;nf-2']
  const path = csvIn(world, 'november.csv', 'key;value;Fornecedor;externalId', rows)
  const callback = ['--callback-url', 'http://127.0.0.1:1/']
  expect((await world.run(['batch', 'transfer', path, ...callback, '--yes'])).exit).toBe(0)
  const [{ pixgate }] = JSON.parse((await world.run(['history', '-o', 'json'])).stdout)
  const day = formatPaymentDate(Date.parse(pixgate.at)).slice(0, 10)
  const line = (name: string) => `${day};PIX ENVIADO ${name};-10,00;`
  const { exit, lines } = await world.checked([HEADER, line('BETA SERVICOS'), line('ALFA COMERCIO')].join('\n'))
  expect([exit, saidOf(lines)]).toEqual([0, ['2 match nf-2 by-amount', '3 match nf-1 by-amount']])
})

it('keeps date, name and id on 80 columns, what differs first', async () => {
  const world = await statementWorld()
  const id = '58db5a56-4e0d-4d17-aa13-f9e075d4c88c'
  const answer = { idTransaction: id }
  await writeTransfer(world, {
    externalId: 'nf-1',
    at: NOON,
    owner: world.owner,
    facts: { amountCents: 123_456 },
    answer,
  })
  await writePaid(world, 'nf-2', 1000, NOON, { name: 'Maria Aparecida da Silva Santos' })
  const lines = [
    '10/11/2026;PIX ENVIADO DISTRIBUIDORA DE ALIMENTOS SAO JORGE LTDA;-1.000,00;',
    '11/11/2026;PIX ENVIADO;-1.243,56;nf-1',
    '10/11/2026;PIX ENVIADO;-10,00;nf-2',
    '10/11/2026;PIX ENVIADO;-10,00;nf-2',
  ]
  writeFileSync(world.path, [HEADER, ...lines].join('\n'))
  const { screen, exit } = await onTerminalHere(world, ['history', 'check', '--statement', world.path], { columns: 80 })
    .ended
  const shown = screen.split('\n').filter((line) => /^line |^ +\d+ /.test(line))
  expect([exit, shown]).toEqual([
    1,
    [
      expect.stringMatching(/^line {2}verdict +date +statement +here +name +id$/),
      expect.stringMatching(/^ +3 {2}differs: amount +11\/11 +-R\$ 1\.243,56 +-R\$ 1\.234,56 +nf-1 +58db5a56$/),
      expect.stringMatching(/^ +2 {2}only-there +10\/11 +-R\$ 1\.000,00 +— +DISTRIBUIDO… +—$/),
      expect.stringMatching(/^ +5 {2}duplicate +10\/11 +-R\$ 10,00 +— +nf-2 +id-nf-2$/),
    ],
  ])
  expect(Math.max(...screen.split('\n').map(displayWidth))).toBeLessThanOrEqual(80)
})

it('never matches by the amount alone a line that names somebody else, wherever the bank writes the name', async () => {
  const world = await statementWorld()
  await writePaid(world, 'nf-1', 43_000, '2026-11-28T12:00:00.000Z', { name: 'Rita Moraes' })
  for (const file of BANK_FILES.filter(({ hasNames }) => hasNames)) {
    const { exit, lines } = await world.checked(bytesOfBank(file))
    const verdicts = lines.map(({ pixgate }) => pixgate.verdict)
    expect([file.bank, file.format, exit, verdicts]).toEqual([
      file.bank,
      file.format,
      1,
      ['only-there', 'only-there', 'only-there', 'only-here'],
    ])
  }
})
