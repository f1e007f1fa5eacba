import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import writeExcelFile, { type Cell } from 'write-excel-file/node'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, inThisProcess } from './payments.ts'

async function workbookIn(world: World, rows: readonly Cell[][]): Promise<string> {
  const path = join(world.home, 'payroll.xlsx')
  const notes = { sheet: 'Notes', data: [['nothing to pay here']] }
  const header = ['key', 'value', 'nome']
  await writeExcelFile([notes, { sheet: 'Folha', data: [header, ...rows] }]).toFile(path)
  return path
}

it('sends the payments of a sheet, and asks for the same ones as the CSV does', async () => {
  const binary = await sandboxWorld()
  const world = inThisProcess(binary)
  const path = await workbookIn(world, [
    ['maria@example.com', 10.5, 'Maria'],
    ['joao@example.com', { value: 20, format: '#,##0.00' }, 'João'],
  ])
  const sheet = ['--sheet', 'folha']
  const checked = await world.json(['batch', 'transfer', path, '--dry-run'])
  expect(checked).toMatchObject({ sheet: 'Folha', encoding: null, reference: 'payroll', rows: 2, totalCents: 3050 })
  const wrong = await world.run(['batch', 'transfer', path, '--sheet', 'Notes', '--yes'])
  expect([wrong.exit, wrong.stdout]).toEqual([2, ''])
  const ran = await binary.run(['batch', 'transfer', '-', '--reference', 'payroll', ...sheet, '--yes', '-o', 'json'], {
    stdin: readFileSync(path),
  })
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([0, { accepted: 2, totalCents: 3050 }])
  const csv = csvIn(world, 'payroll.csv', 'key;value;nome', [
    'maria@example.com;10,50;Maria',
    'joao@example.com;20;João',
  ])
  const again = await world.run(['batch', 'transfer', csv, '--yes'])
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('Nothing of this file is left to send')])
  expect((await carriedOut(world.url)).transfers).toHaveLength(2)
})

it('reads a workbook of many rows, and rehearses one of its sheets', async () => {
  const world = inThisProcess(await sandboxWorld())
  const rows = Array.from({ length: 5_000 }, (_, row): Cell[] => [
    `person${row}@example.com`,
    row + 0.01,
    `Nome ${row}`,
  ])
  const path = await workbookIn(world, rows)
  const sheet = ['--sheet', 'Folha']
  const checked = await world.json(['batch', 'transfer', path, ...sheet, '--dry-run'])
  expect(checked).toMatchObject({ rows: 5_000, totalCents: 1_249_750_000 + 5_000 })
  const few = await workbookIn(world, rows.slice(1, 6))
  const rehearsed = await world.json(['batch', 'transfer', few, ...sheet, '--rehearse', '--seed', '7'])
  expect(rehearsed).toMatchObject({ rows: 5, paidOnce: 5, passed: true })
})

it('names the fault of a cell by its row in the sheet', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = await workbookIn(world, [['maria@example.com', 10.5], [], ['joao@example.com', 'ten']])
  const { exit, stderr } = await world.run(['batch', 'transfer', path, '--sheet', 'Folha', '--yes', '-o', 'json'])
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  expect([exit, error.faults]).toMatchObject([2, [{ row: 4, line: 4, column: 'value' }]])
  writeFileSync(path, 'PK\x03\x04 not a workbook', 'latin1')
  expect((await world.run(['batch', 'transfer', path, '--yes'])).exit).toBe(2)
})
