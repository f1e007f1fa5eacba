import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { workbookText } from '../workbookText.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { control, inThisProcess } from './payments.ts'

const HEADER = 'key,value,nome,externalId'
const ROWS = [
  'maria@example.com,"1.000,10",Maria <b>&Co</b>,00420000000000000001',
  '+5511987654321,"0,20",=1+1,phone',
  'ana@example.com,"5,05",Ana,ana',
]

/** The parts of a sheet around its list: what is above its header, its rows up to an empty one, and what follows. */
function listIn<Cell>(sheet: readonly (readonly Cell[])[], firstHeading: string) {
  const headerAt = sheet.findIndex(([first]) => first === firstHeading)
  const isEmpty = (cells: readonly Cell[]) => cells.every((each) => each === null || each === '')
  const rows = sheet.slice(headerAt + 1)
  const length = rows.findIndex(isEmpty)
  return {
    above: sheet.slice(0, headerAt).map(([first]) => first),
    header: sheet[headerAt] ?? [],
    rows: length === -1 ? rows : rows.slice(0, length),
    below: length === -1 ? [] : rows.slice(length + 1),
  }
}

/** A run of which one row is accepted, one refused, and one not sent. */
async function reportedRun(): Promise<{ world: World; run: string }> {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', HEADER, ROWS)
  await control(world.url, 'fault', { kind: 'NO_FUNDS' })
  const here = inThisProcess(world)
  const ran = await here.run(['batch', 'transfer', path, '--concurrency', '1', '--yes', '-o', 'json'])
  const run = String(linesOf(ran).at(-1)?.run)
  const again = ['resume', run, '--refused', '--concurrency', '1', '--yes', '-o', 'json']
  await here.run([...again, '--limit', '1'])
  await control(world.url, 'fault', { kind: 'PIX_KEY_NOT_FOUND' })
  await here.run([...again, '--limit', '1', '--stop-after', '1'])
  return { world, run }
}

it('counts rows that an earlier run had sent in the sums, and says so', async () => {
  const { world } = await reportedRun()
  const path = csvIn(world, 'payroll.csv', HEADER, [...ROWS, 'rui@example.com,"7,00",Rui,rui'])
  const second = await inThisProcess(world).run([
    'batch',
    'transfer',
    path,
    '--concurrency',
    '1',
    '--yes',
    '-o',
    'json',
  ])
  const run = String(linesOf(second).at(-1)?.run)
  const out = join(world.home, 'report.xlsx')
  expect(await world.json(['batch', 'report', run, '--out', out])).toMatchObject({ rows: 4, totalCents: 101_235 })
  const { rows } = listIn(await readSheet(out, 'Payments'), 'Line')
  expect(rows.map((cells) => cells[13])).toEqual(['yes', 'yes', null, null])
  const summary = await readSheet(out, 'Summary')
  expect(summary.find(([label]) => label === 'of these sent before this run')?.slice(1, 3)).toEqual([2, 1000.3])
})

it('names states in the language of the command, also with -o json', async () => {
  const { world, run } = await reportedRun()
  const path = join(world.home, 'report.xlsx')
  const report = ['batch', 'report', run, '--out', path, '--lang', 'pt-BR', '-o', 'json']
  const { exit, stderr } = await world.run(report)
  expect([exit, stderr]).toEqual([0, ''])
  const text = workbookText(path)
  expect(text).toMatch(/^recusado$/m)
  expect(text).toMatch(/^Chave Pix$/m)
  expect(text).not.toMatch(/^(?:not-sent|refused|accepted|unknown|paid|not-paid|returned)$/m)
})

it('reports every row and sums that add up to the file, with amounts as numbers, ids as text, and no formula', async () => {
  const { world, run } = await reportedRun()
  const path = join(world.home, 'report.xlsx')
  const { exit, stdout } = await world.run(['batch', 'report', run, '--out', path])
  expect([exit, stdout]).toEqual([0, `Wrote 3 rows, R$ 1.005,35 in total, to ${path}\n`])
  const { above, header, rows, below } = listIn(await readSheet(path, 'Payments'), 'Line')
  expect(above[0]).toBe('PIX transfers - SANDBOX, NO REAL MONEY – Payments')
  expect(above[1]).toBe('Reference payroll, file payroll.csv')
  expect(header).toEqual([
    ...['Line', 'Payee', 'Name in the event', 'Names differ', 'PIX key', 'Amount (R$)', 'State'],
    ...[
      'Status at the gateway',
      'Error code',
      'Reason',
      'External id',
      'Transaction id',
      'Sent at (São Paulo)',
      'Sent before this run',
    ],
  ])
  expect(rows.map((cells) => cells.slice(0, 7))).toEqual([
    [2, 'Maria <b>&Co</b>', null, null, 'maria@example.com', 1000.1, 'accepted'],
    [3, '=1+1', null, null, '+55 (11) 98765-4321', 0.2, 'refused'],
    [4, 'Ana', null, null, 'ana@example.com', 5.05, 'not sent'],
  ])
  expect(below.map((cells) => [cells[1], cells[5]])).toEqual([
    ['All rows, paid or not', 1005.35],
    ['Of these paid', 0],
  ])
  expect(rows[0]?.[10]).toMatch(/^00420000000000000001/)
  expect(rows[0]?.[12]).toBeInstanceOf(Date)
  expect(rows[1]?.slice(7, 10)).toEqual(['FAILED', 'PIX_KEY_NOT_FOUND', expect.any(String)])
  const summary = listIn(await readSheet(path, 'Summary'), 'State')
  expect(new Map(summary.rows.slice(0, 7).map(([state, ...sums]) => [state, sums.slice(0, 2)]))).toEqual(
    new Map([
      ['paid', [0, 0]],
      ['accepted', [1, 1000.1]],
      ['unknown', [0, 0]],
      ['returned', [0, 0]],
      ['not paid', [0, 0]],
      ['refused', [1, 0.2]],
      ['not sent', [1, 5.05]],
    ]),
  )
  expect(summary.rows.find(([label]) => label === 'all rows')?.slice(1, 3)).toEqual([3, 1005.35])
  const about = new Map(summary.below.map(([label, value]) => [label, value]))
  expect(about.get('Started by')).toMatch(/ on /)
  expect(about.get('Fingerprint')).toMatch(/^[0-9a-f]{16}$/)
})

it('writes sheets that print one page wide with their header on every page, and filters the rows without the totals', async () => {
  const { world, run } = await reportedRun()
  const path = join(world.home, 'report.xlsx')
  await world.prepare(['batch', 'report', run, '--out', path])
  const parts = unzipSync(readFileSync(path))
  const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array())
  const [payments, summary] = [part('xl/worksheets/sheet1.xml'), part('xl/worksheets/sheet2.xml')]
  for (const sheet of [payments, summary]) {
    expect(sheet).toContain('<pageSetUpPr fitToPage="1"/>')
    expect(sheet).toMatch(/<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"\/>/)
  }
  // The header is in row 6, three rows follow, and the totals are below an empty row.
  expect(payments).toContain('<autoFilter ref="A6:N9"/>')
  expect(payments).toMatch(/r="B11".{0,80}All rows/)
  expect(summary).not.toContain('autoFilter')
  expect(part('xl/workbook.xml')).toContain(
    '<definedName name="_xlnm.Print_Titles" localSheetId="0">\'Payments\'!$6:$6</definedName>',
  )
})

it('writes a workbook that LibreOffice opens, with the same sums and two decimals', async (context) => {
  if (spawnSync('soffice', ['--version']).status !== 0) {
    context.skip('soffice is not installed, so LibreOffice was not tried')
  }
  const { world, run } = await reportedRun()
  const path = join(world.home, 'report.xlsx')
  await world.prepare(['batch', 'report', run, '--out', path])
  // A CSV in UTF-8 of every sheet, with the cells as they are shown.
  const format = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1'
  const profile = `-env:UserInstallation=file://${join(world.home, 'office')}`
  spawnSync('soffice', [profile, '--headless', '--convert-to', format, '--outdir', world.home, path])
  const records: string[][] = parse(readFileSync(join(world.home, 'report-Payments.csv')))
  const { rows } = listIn(records, 'Line')
  expect(rows.map((cells) => cells.slice(0, 7))).toEqual([
    ['2', 'Maria <b>&Co</b>', '', '', 'maria@example.com', '1,000.10', 'accepted'],
    ['3', '=1+1', '', '', '+55 (11) 98765-4321', '0.20', 'refused'],
    ['4', 'Ana', '', '', 'ana@example.com', '5.05', 'not sent'],
  ])
  expect(rows[0]?.[12]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
  const summary: string[][] = parse(readFileSync(join(world.home, 'report-Summary.csv')))
  expect(summary.find(([label]) => label === 'all rows')?.slice(1, 3)).toEqual(['3', '1,005.35'])
})

it('overwrites no file, and leaves nothing behind if it cannot write', async () => {
  const { world, run } = await reportedRun()
  const path = join(world.home, 'kept.xlsx')
  writeFileSync(path, 'kept')
  const existing = await world.run(['batch', 'report', run, '--out', path])
  expect([existing.exit, existing.stdout]).toEqual([2, ''])
  expect(existing.stderr).toContain(path)
  expect(readFileSync(path, 'utf8')).toBe('kept')
  const refused: [out: string[], exit: number][] = [
    [[], 2],
    [['--out', join(world.home, 'report.html')], 2],
    [['--out', join(world.home, 'missing', 'report.xlsx')], 2],
  ]
  for (const [out, exit] of refused) {
    expect((await inThisProcess(world).run(['batch', 'report', run, ...out])).exit).toBe(exit)
  }
  const csv = await inThisProcess(world).run(['batch', 'report', run, '--out', 'report.csv'])
  expect([csv.exit, csv.stderr]).toEqual([
    2,
    [
      'error: `--out` takes a file that ends in .xlsx, not `report.csv`',
      `hint: Use a name such as \`report.xlsx\`; for a CSV, run \`pixgate batch show ${run} -o csv\``,
      `  pixgate batch show ${run} -o csv\n`,
    ].join('\n'),
  ])
  const unknown = join(world.home, 'unknown.xlsx')
  expect((await world.run(['batch', 'report', 'run-of-nobody', '--out', unknown])).exit).toBe(3)
  expect(existsSync(unknown)).toBe(false)
  expect(readdirSync(world.home).filter((name) => name.endsWith('.part'))).toEqual([])
})
