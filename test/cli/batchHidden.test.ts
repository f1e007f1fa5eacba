import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'
import { sandboxWorld, type World } from '../world.ts'
import { linesOf } from './batchFiles.ts'
import { hintOf, optionsIn } from './followedHints.ts'
import { carriedOut, failureOf, inThisProcess, paidPayment } from './payments.ts'

const STOPPED = 'The workbook has 1 hidden row, R$ 20,00'

/** A workbook of three rows; `hide` says what is hidden of it. Gives its path. */
function payrollIn(world: World, hide: 'row' | 'column' | 'sheet'): string {
  const rows = [
    rawRow(1, ['key', 'value', 'nome']),
    rawRow(2, ['maria@example.com', { number: '10.5' }, 'Maria']),
    rawRow(3, ['joao@example.com', { number: '20' }, 'Extra'], hide === 'row' ? 'hidden="1"' : ''),
    rawRow(4, ['ana@example.com', { number: '5' }, 'Ana']),
  ]
  const columns = hide === 'column' ? '<cols><col min="2" max="2" width="0" hidden="1"/></cols>' : ''
  const sheet = { name: 'Folha', xml: `${columns}<sheetData>${rows.join('')}</sheetData>` }
  const notes = { name: 'Notas', xml: '<sheetData/>' }
  const path = join(world.home, 'payroll.xlsx')
  writeFileSync(path, hide === 'sheet' ? rawWorkbook(notes, { ...sheet, state: 'veryHidden' }) : rawWorkbook(sheet))
  return path
}

it('stops at hidden rows with their count and sum, and sends nothing, until they are left out or included', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = payrollIn(world, 'row')
  const args = ['batch', 'transfer', path, '--yes']
  const stopped = await world.run(args)
  expect([stopped.exit, stopped.stdout]).toEqual([2, ''])
  expect(stopped.stderr).toMatch(
    /^error: The workbook has 1 hidden row, R\$ 20,00\n {2}Row 3\n {2}Nothing was sent\nhint: .*--skip-hidden/,
  )
  const here = world
  expect(optionsIn(hintOf(stopped))).toEqual([['--skip-hidden'], ['--include-hidden']])
  for (const option of ['--dry-run', '--rehearse']) {
    const other = failureOf(await here.run(['batch', 'transfer', path, option, '-o', 'json']))
    expect(other).toMatchObject({ exit: 2, code: 'USAGE', message: STOPPED, outcome: 'not-sent' })
  }
  const both = await here.run([...args, '--skip-hidden', '--include-hidden'])
  expect([both.exit, both.stderr]).toEqual([
    2,
    expect.stringContaining('`--include-hidden` and `--skip-hidden` conflict'),
  ])
  expect((await carriedOut(world.url)).transfers).toEqual([])
  const checked = await here.run(['batch', 'transfer', path, '--skip-hidden', '--dry-run'])
  expect([checked.exit, checked.stdout]).toEqual([
    0,
    expect.stringMatching(/^hidden\s+1 hidden row, R\$ 20,00, left out$/m),
  ])
  const skipped = await world.run([...args, '--skip-hidden', '-o', 'json'])
  expect([skipped.exit, linesOf(skipped).at(-1)]).toMatchObject([0, { accepted: 2, totalCents: 1550 }])
  const preview = await here.json(['batch', 'transfer', path, '--include-hidden', '--dry-run'])
  expect(preview).toMatchObject({ rows: 3, toSend: 1, toSendCents: 2000, hiddenRows: 1, hiddenCents: 2000 })
  expect((await here.run([...args, '--include-hidden'])).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([10.5, 5, 20])
  const rehearsed = await here.json(['batch', 'transfer', path, '--skip-hidden', '--rehearse', '--seed', '7'])
  expect(rehearsed).toMatchObject({ rows: 2, paidOnce: 2, passed: true })
})

it('stops at a hidden column of amounts until it is included, whatever is done with hidden rows', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = payrollIn(world, 'column')
  const here = world
  const stopped = { exit: 2, message: 'The column `value` is hidden, but its cells would be sent' }
  const args = ['batch', 'transfer', path, '--yes', '-o', 'json']
  const failure = failureOf(await world.run(args))
  expect([failure, optionsIn(String(failure.hint))]).toMatchObject([stopped, [['--include-hidden']]])
  expect(failureOf(await here.run([...args, '--skip-hidden']))).toMatchObject(stopped)
  expect((await carriedOut(world.url)).transfers).toEqual([])
  const included = await here.run([...args, '--include-hidden'])
  expect([included.exit, linesOf(included).at(-1)]).toMatchObject([0, { accepted: 3, totalCents: 3550 }])
})

it('reads a hidden sheet only if it is named', async () => {
  const world = await sandboxWorld()
  const path = payrollIn(world, 'sheet')
  const first = await world.run(['batch', 'transfer', path, '--yes'])
  expect([first.exit, first.stdout]).toEqual([2, ''])
  expect(await inThisProcess(world).json(['batch', 'transfer', path, '--sheet', 'Folha', '--dry-run'])).toMatchObject({
    sheet: 'Folha',
    rows: 3,
  })
})

it('stops at hidden refunds too', async () => {
  const world = inThisProcess(await sandboxWorld())
  const original = await paidPayment(world.url, 50)
  const rows = [
    rawRow(1, ['originalTransactionId', 'amount', 'refundReason']),
    rawRow(2, [original, { number: '20' }, 'ordered twice'], 'hidden="1"'),
  ]
  const path = join(world.home, 'returns.xlsx')
  writeFileSync(path, rawWorkbook({ name: 'Folha', xml: `<sheetData>${rows.join('')}</sheetData>` }))
  const args = ['batch', 'refund', path, '--yes', '-o', 'json']
  expect(failureOf(await world.run(args))).toMatchObject({ exit: 2, message: STOPPED })
  const here = world
  expect(failureOf(await here.run([...args, '--skip-hidden']))).toMatchObject({
    exit: 2,
    message: 'The file has no rows',
  })
  expect((await carriedOut(world.url)).refunds).toEqual([])
  expect((await here.run([...args, '--include-hidden'])).exit).toBe(0)
  expect((await carriedOut(world.url)).refunds).toHaveLength(1)
})
