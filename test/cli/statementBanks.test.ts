import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'
import { statementWorld, writePaid, writeReceived, writeReturned } from './statementWorld.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'statements')

/**
 * What is right of each line, in the order in which they are shown, whatever the bank: its signed amount, the verdict, and the payment.
 * On Saturday 7 November R$ 250,00 went to Maria and on Monday the same to João; some banks book both on Monday.
 */
const RIGHT = [
  [10.5, 'only-there', null],
  [-40, 'only-there', null],
  [null, 'only-here', 'nf-106'],
  [-80, 'duplicate', 'nf-104'],
  [-1234.56, 'match', 'nf-101'],
  [150, 'match', 'pedido-1'],
  [-250, 'match', 'nf-102'],
  [-250, 'match', 'nf-103'],
  [-80, 'match', 'nf-104'],
  [25, 'match', 'pedido-2'],
  [-99.9, 'match', 'nf-105'],
  [99.9, 'match', 'nf-105'],
]

/** The files, and how many balances and other lines without a payment they have. */
const FILES = [
  ['itau.ofx', 3, 0],
  ['banco-do-brasil.ofx', 2, 0],
  ['bradesco.ofx', 0, 0],
  ['nubank.ofx', 0, 0],
  ['version2.ofx', 0, 0],
  ['bradesco.csv', 1, 6],
  ['nubank.csv', 0, 0],
  ['inter.csv', 0, 4],
  ['banco-do-brasil.csv', 2, 0],
] as const

async function november() {
  const world = await statementWorld()
  await writeReceived(world, 'pedido-1', 15_000, '2026-10-30T15:00:00.000Z', {
    at: '2026-11-03T11:12:00.000Z',
    name: 'Carlos Eduardo Nunes',
  })
  await writePaid(world, 'nf-101', 123_456, '2026-11-03T13:00:00.000Z', { name: 'PADARIA DO ZE LTDA' })
  // 21:30 on Saturday in São Paulo.
  await writePaid(world, 'nf-102', 25_000, '2026-11-08T00:30:00.000Z', { name: 'Maria Aparecida da Silva' })
  await writePaid(world, 'nf-103', 25_000, '2026-11-09T12:30:00.000Z', { name: 'João Pereira Alves' })
  await writePaid(world, 'nf-104', 8_000, '2026-11-10T12:30:00.000Z')
  await writeReceived(world, 'pedido-2', 2_500, '2026-11-11T20:00:00.000Z', {
    at: '2026-11-11T20:40:00.000Z',
    name: 'Maria Aparecida da Silva',
  })
  await writePaid(world, 'nf-105', 9_990, '2026-11-12T14:00:00.000Z', { name: 'Ana Souza Lima' })
  await writeReturned(world, 'nf-105', 9_990, '2026-11-13T12:00:00.000Z')
  await writePaid(world, 'nf-106', 1_050, '2026-11-16T13:00:00.000Z')
  return world
}

function workbook(): Uint8Array {
  const row = (number: number, day: string, text: string, amount: string, balance = '') =>
    rawRow(number, [day, text, '', amount === '' ? '' : { number: amount }, balance === '' ? '' : { number: balance }])
  const rows = [
    rawRow(1, ['Logotipo']),
    rawRow(3, ['Atualização:', '18/11/2026 às 10:00:00']),
    rawRow(4, ['Agência:', '1000']),
    rawRow(7, ['Lançamentos']),
    rawRow(8, ['data', 'lançamento', 'ag./origem', 'valor (R$)', 'saldos (R$)']),
    row(9, '30/10/2026', 'SALDO ANTERIOR', '', '18345.67'),
    row(10, '03/11/2026', 'PIX TRANSF PADARIA03/11', '-1234.56'),
    row(11, '03/11/2026', 'PIX TRANSF CARLOS 03/11', '150'),
    row(12, '09/11/2026', 'PIX TRANSF JOÃO P 09/11', '-250'),
    row(13, '09/11/2026', 'PIX TRANSF MARIA A07/11', '-250'),
    row(14, '09/11/2026', 'TAR PIX PGTO', '-1.45'),
    row(15, '10/11/2026', 'SISPAG PIX QR-CODE', '-80'),
    row(16, '10/11/2026', 'SISPAG PIX QR-CODE', '-80'),
    row(17, '11/11/2026', 'PIX TRANSF MARIA A11/11', '25'),
    row(18, '12/11/2026', 'PIX TRANSF ANA SOU12/11', '-99.9'),
    row(19, '13/11/2026', 'DEV PIX ANA SOU13/11', '99.9'),
    row(20, '16/11/2026', 'PIX TRANSF LUIZA F16/11', '10.5'),
    row(21, '17/11/2026', 'PIX TRANSF GRAFICA17/11', '-40'),
    row(22, '17/11/2026', 'SALDO TOTAL DISPONÍVEL DIA', '', '17703.05'),
  ]
  return rawWorkbook({ name: 'Lançamentos', xml: `<sheetData>${rows.join('')}</sheetData>` })
}

it("says the same of every bank's statement of a month", async () => {
  const world = await november()
  const files = [
    ...FILES.map(([name, balances, others]) => ({
      name,
      content: readFileSync(join(FIXTURES, name)),
      balances,
      others,
    })),
    { name: 'itau.xlsx', content: workbook(), balances: 2, others: 4 },
  ]
  for (const { name, content, balances, others } of files) {
    const { exit, lines } = await world.checked(content, ['--ignore', 'tar'])
    const said = lines.map(({ pixgate }) => [
      pixgate.statement?.amount ?? null,
      pixgate.verdict,
      pixgate.verdict === 'only-there' ? null : pixgate.name,
    ])
    const sorted = (rows: readonly unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()
    expect([name, exit, sorted(said)]).toEqual([name, 1, sorted(RIGHT)])
    expect([name, said.map(([, verdict]) => verdict)]).toEqual([name, RIGHT.map(([, verdict]) => verdict)])
    expect([name, lines.filter(({ pixgate }) => pixgate.ambiguous)]).toEqual([name, []])
    const { stderr } = await world.run(['history', 'check', '--statement', world.path, '--ignore', 'tar'])
    const counts = ['a balance', 'no payment'].map((kind) =>
      Number(new RegExp(`hold ${kind}: (\\d+)`).exec(stderr)?.[1] ?? 0),
    )
    expect([name, ...counts]).toEqual([name, balances, others])
    expect(stderr).toContain('Ignored because of `--ignore tar`: 1, -R$ 1,45')
  }
})
