import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'
import { sandboxWorld, type World } from '../world.ts'
import { linesOf } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess } from './payments.ts'

/** A workbook of an office: a cover, titles, Portuguese headings, and a total of this amount. Gives its path. */
function suppliersIn(world: World, total: string): string {
  const cover = { name: 'Capa', xml: `<sheetData>${rawRow(1, ['Pagamentos', 'Novembro'])}</sheetData>` }
  const rows = [
    rawRow(1, ['PAGAMENTO DE FORNECEDORES']),
    rawRow(3, ['Nota Fiscal', 'Fornecedor', 'Chave Pix', 'Valor a pagar']),
    rawRow(4, ['1041', 'Padaria do Zé Ltda', 'padaria@example.com', { number: '20' }]),
    rawRow(5, ['88', 'Gráfica Aurora', 'grafica@example.com', { number: '10.5' }]),
    rawRow(6, ['', 'TOTAL', '', { number: total }]),
    rawRow(8, ['Gerado em 22/11/2026 por Maria']),
  ]
  const path = join(world.home, 'fornecedores.xlsx')
  writeFileSync(path, rawWorkbook(cover, { name: 'Pagamentos', xml: `<sheetData>${rows.join('')}</sheetData>` }))
  return path
}

const TOLD = [
  'Only the sheet Pagamentos is read; the workbook also has Capa',
  'The lines above the header are not read: line 1 `PAGAMENTO DE FORNECEDORES`',
  'Line 6 is not sent: `TOTAL`, R$ 30,50, is the sum of the rows above it',
  'The lines below the payments are not read: line 8 `Gerado em 22/11/2026 por Maria`',
]

it('sends the payments of a workbook with a cover, titles and a total, and tells what it leaves out', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const wrong = await world.run(['batch', 'transfer', suppliersIn(world, '30'), '--yes', '-o', 'json'])
  expect(failureOf(wrong)).toMatchObject({
    exit: 2,
    outcome: 'not-sent',
    message: 'The total on line 6 differs from the sum of the rows above it',
    details: expect.stringContaining('Line 6, TOTAL: R$ 30,00\nSum of the rows above it: R$ 30,50\n'),
  })
  const path = suppliersIn(world, '30.5')
  const dryRun = await here.run(['batch', 'transfer', path, '--dry-run'])
  expect([dryRun.exit, dryRun.stderr]).toEqual([
    0,
    expect.stringContaining(TOLD.map((each) => `warning: ${each}\n`).join('')),
  ])
  for (const line of [
    'columns       `Chave Pix` is key, `Valor a pagar` is amount, `Fornecedor` is name',
    'not sent      `Nota Fiscal` (your reference)',
    'names         Padaria do Zé Ltda, Gráfica Aurora',
  ]) {
    expect(dryRun.stdout).toContain(`${line}\n`)
  }
  expect(await here.json(['batch', 'transfer', path, '--dry-run'])).toMatchObject({
    sheet: 'Pagamentos',
    headerLine: 3,
    skippedLines: [
      { line: 1, text: 'PAGAMENTO DE FORNECEDORES' },
      { line: 8, text: 'Gerado em 22/11/2026 por Maria' },
    ],
    columns: { key: 'Chave Pix', value: 'Valor a pagar', name: 'Fornecedor' },
    namedRows: 2,
    totalLines: [{ line: 6, totalCents: 3050 }],
    totalCents: 3050,
  })
  expect((await carriedOut(world.url)).transfers).toEqual([])
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  const summary = linesOf(ran).at(-1)
  expect([ran.exit, summary]).toMatchObject([0, { accepted: 2, totalCents: 3050, pixgate: { warnings: TOLD } }])
  expect(await here.json(['batch', 'show', String(summary?.run)])).toMatchObject({
    rowsDetail: [{ name: 'Padaria do Zé Ltda' }, { name: 'Gráfica Aurora' }],
  })
  const mapped = ['--map', 'name=Nota Fiscal', '--reference', 'other', '--again']
  const again = await here.run(['batch', 'transfer', path, ...mapped, '--yes', '-o', 'json'])
  const { run } = linesOf(again).at(-1) ?? {}
  expect(await here.json(['batch', 'show', String(run)])).toMatchObject({
    rowsDetail: [{ name: '1041' }, { name: '88' }],
  })
  const rehearsal = await here.json(['batch', 'transfer', path, '--header-row', '3', '--rehearse', '--seed', '7'])
  expect(rehearsal).toMatchObject({ rows: 2, paidOnce: 2, passed: true })
})
