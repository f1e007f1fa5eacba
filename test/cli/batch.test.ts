import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess } from './payments.ts'

type Stage = World & { url: string }

const ROWS = ['maria@example.com,"10,50",Maria', 'joao@example.com,20,João', 'ana@example.com,5,Ana']
const UNEVEN = ['--yes', '--concurrency', '1', '-o', 'json']

function csv(world: World, rows: readonly string[]): string {
  return csvIn(world, 'payroll.csv', 'key,value,nome', rows)
}

function summaryOf(ran: ProcessResult): Record<string, unknown> {
  return linesOf(ran).at(-1) ?? {}
}

async function paidValues({ url }: Stage): Promise<number[]> {
  return (await carriedOut(url)).transfers.map(({ value }) => value).sort((one, other) => one - other)
}

it('sends the rows of a file, each once, and says so in JSON lines', async () => {
  const world = await sandboxWorld()
  const ran = await world.run(['batch', 'transfer', csv(world, ROWS), '--yes', '-o', 'json'])
  expect(ran).toMatchObject({ exit: 0, stderr: '' })
  const rows = linesOf(ran)
  const { run } = summaryOf(ran)
  expect(rows.pop()).toEqual({
    type: 'summary',
    run,
    rows: 3,
    accepted: 3,
    acceptedBefore: 0,
    acceptedBeforeCents: 0,
    sentElsewhere: 0,
    sentElsewhereCents: 0,
    refused: 0,
    unknown: 0,
    beingSent: 0,
    notSent: 0,
    totalCents: 3550,
    namesDiffer: 0,
  })
  expect(rows.map(({ line }) => line).sort()).toEqual([2, 3, 4])
  const { transfers } = await carriedOut(world.url)
  for (const row of rows) {
    const { externalId, idTransaction } = row
    expect(transfers).toContainEqual(expect.objectContaining({ externalId, idTransaction }))
    const known = { type: 'row', outcome: 'accepted', status: 'PROCESSING', errorCode: null }
    expect(row).toEqual({ ...known, line: row.line, externalId, idTransaction })
  }
  expect(JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))).toMatchObject([
    {
      run,
      kind: 'transfer',
      file: 'payroll.csv',
      reference: 'payroll',
      rows: 3,
      accepted: 3,
      refused: 0,
      unknown: 0,
      notSent: 0,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      finished: true,
      profile: 'local',
      environment: 'sandbox',
      baseUrl: world.url,
      clientId: 'local',
      acceptedBefore: 0,
      acceptedBeforeCents: 0,
      sentElsewhere: 0,
      sentElsewhereCents: 0,
    },
  ])
})

it('sends nothing a second time: the same file, sorted, corrected, from standard input', async () => {
  const binary = await sandboxWorld()
  const world = inThisProcess(binary)
  const path = csv(world, ROWS)
  await world.prepare(['batch', 'transfer', path, '--yes'])
  const again = failureOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json']))
  expect(again).toMatchObject({
    exit: 2,
    outcome: 'not-sent',
    details: 'Rows accepted before: 3',
  })
  csv(world, [...ROWS].reverse())
  expect((await world.run(['batch', 'transfer', path, '--yes'])).exit).toBe(2)
  const stdin = [
    'key,value',
    'ana@example.com,5',
    'nova@example.com,7',
    'maria@example.com,"10,50"',
    'joao@example.com,20',
  ]
  const ran = await binary.run(['batch', 'transfer', '-', '--reference', 'payroll', '--yes', '-o', 'json'], {
    stdin: stdin.join('\r\n'),
  })
  expect(ran.exit).toBe(0)
  expect(summaryOf(ran)).toMatchObject({ rows: 1, accepted: 1, totalCents: 700 })
  expect(await paidValues(world)).toEqual([5, 7, 10.5, 20])
  expect(readdirSync(join(world.home, 'data')).filter((name) => name.startsWith('input-'))).toEqual([])
})

it('lists rows that the file has lost, and payments that another reference made', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.prepare(['batch', 'transfer', csv(world, ROWS), '--yes'])
  const shorter = csv(world, [...ROWS.slice(1), 'nova@example.com,7,Nova'])
  const lost = failureOf(await world.run(['batch', 'transfer', shorter, '--yes', '-o', 'json']))
  expect(lost).toMatchObject({ exit: 2, details: expect.stringMatching(/^R\$ 10,50, Earlier: payroll-\w{16}, /) })
  const repeated = failureOf(
    await world.run(['batch', 'transfer', shorter, '--reference', 'december', '--yes', '-o', 'json']),
  )
  expect(repeated).toMatchObject({ exit: 2, code: 'REPEAT', faults: [{ line: 2 }, { line: 3 }] })
  expect(await paidValues(world)).toHaveLength(3)
  await world.prepare(['batch', 'transfer', shorter, '--yes', '--file-changed'])
  expect(await paidValues(world)).toEqual([5, 7, 10.5, 20])
  await world.prepare(['batch', 'transfer', shorter, '--reference', 'december', '--yes', '--again'])
  expect(await paidValues(world)).toEqual([5, 5, 7, 7, 10.5, 20, 20])
})

it('lists every fault with line and column, and sends nothing', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csv(world, ['maria@example.com,"10,505",x', '52998224726,1,x', 'ana@example.com,5,x'])
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  expect(failureOf(ran)).toMatchObject({
    exit: 2,
    faults: [
      { line: 2, column: 'value' },
      { line: 3, column: 'key' },
    ],
  })
  const { exit, stdout, stderr } = await world.run(['batch', 'transfer', path, '--yes'])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('line 2, value: ')
  expect(await paidValues(world)).toEqual([])
})

it('pays formatted keys without their punctuation, and the same payments under the same ids', async () => {
  const world = inThisProcess(await sandboxWorld())
  const rows = ['(11) 98765-4321;10,00;1,50', '11987654322;5,00;']
  const path = csvIn(world, 'folha.csv', 'Celular;Valor;Desconto', rows)
  const line = ['batch', 'transfer', path, '--map', 'key=Celular,value=Valor', '--yes', '-o', 'json']
  expect(failureOf(await world.run(line))).toMatchObject({ exit: 2, message: expect.stringContaining('`Desconto`') })
  const results = join(world.home, 'results.csv')
  const ignoring = [...line, '--ignore-column', 'Desconto']
  expect((await world.run([...ignoring, '--results', results])).exit).toBe(0)
  const keys = (await carriedOut(world.url)).transfers.map(({ key }) => key)
  expect(keys.toSorted()).toEqual(['11987654321', '11987654322'])
  csvIn(world, 'folha.csv', 'Celular;Valor;Desconto', ['+5511987654322;5;', '11987654321;10;1,50'])
  expect(failureOf(await world.run(ignoring)).message).toContain('left to send')
  // The results are a file of the same payments.
  const again = await world.run(['batch', 'transfer', results, ...ignoring.slice(3), '--reference', 'folha'])
  expect(failureOf(again).message).toContain('left to send')
})

it('rehearses a file with a column of amounts that is ignored', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'folha.csv', 'key;value;INSS', ['(11) 98765-4321;10,00;1,50'])
  const line = ['batch', 'transfer', path, '--rehearse', '--seed', '1']
  expect((await world.run(line)).exit).toBe(2)
  expect(await world.json([...line, '--ignore-column', 'INSS'])).toMatchObject({ passed: true, paidOnce: 1 })
})

it('stops at the totals with --dry-run, and asks once if no option has agreed', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csv(world, ROWS)
  expect(await world.json(['batch', 'transfer', path, '--dry-run'])).toMatchObject({
    reference: 'payroll',
    rows: 3,
    toSend: 3,
    totalCents: 3550,
    toSendCents: 3550,
  })
  expect(failureOf(await world.run(['batch', 'transfer', path, '-o', 'json']))).toMatchObject({
    exit: 2,
    code: 'CONFIRMATION_REQUIRED',
  })
  expect(await paidValues(world)).toEqual([])
  expect(await world.prepare(['batch', 'list', '-o', 'json'])).toBe('[]\n')
})

it('continues with the rows that a limit left, and stops at once if the balance is used up', async () => {
  const binary = await sandboxWorld()
  const world = inThisProcess(binary)
  const path = csv(world, ROWS)
  expect(await world.json(['batch', 'transfer', path, '--limit', '1', '--dry-run'])).toMatchObject({
    rows: 3,
    toSend: 1,
    toSendCents: 1050,
  })
  const limited = await world.run(['batch', 'transfer', path, '--limit', '1', ...UNEVEN])
  expect(limited.exit).toBe(0)
  const { run } = summaryOf(limited)
  expect(summaryOf(limited)).toMatchObject({ accepted: 1, notSent: 2 })
  await control(world.url, 'fault', { kind: 'NO_FUNDS' })
  const poor = await world.run(['resume', String(run), ...UNEVEN])
  expect(poor.exit).toBe(1)
  expect(linesOf(poor)).toMatchObject([
    { line: 3, outcome: 'refused', errorCode: 'NO_FUNDS' },
    { line: 4, outcome: 'not-sent', errorCode: null },
    { accepted: 1, refused: 1, notSent: 1 },
  ])
  const rest = await binary.run(['batch', 'resume', String(run), ...UNEVEN])
  expect([rest.exit, summaryOf(rest).accepted]).toEqual([1, 2])
  const finished = await world.run(['resume', String(run), ...UNEVEN])
  expect([finished.exit, ...linesOf(finished)]).toMatchObject([
    1,
    { line: 3, outcome: 'refused', errorCode: 'NO_FUNDS' },
    { type: 'summary' },
  ])
  const refused = await world.run(['resume', String(run), '--refused', ...UNEVEN])
  expect([refused.exit, linesOf(refused)]).toMatchObject([
    0,
    [
      { line: 3, externalId: expect.stringMatching(/-2$/), outcome: 'accepted' },
      { accepted: 3, refused: 0 },
    ],
  ])
  expect(await paidValues(world)).toEqual([5, 10.5, 20])
})

it('warns of an amount far above what its key was paid before, for a file and for the rest of its run', async () => {
  const world = inThisProcess(await sandboxWorld())
  const before = csvIn(world, 'before.csv', 'key,value', Array(3).fill('maria@example.com,1'))
  expect((await world.run(['batch', 'transfer', before, '--yes'])).exit).toBe(0)
  const path = csv(world, ['ana@example.com,5,Ana', 'maria@example.com,500,Maria'])
  const limited = await world.run(['batch', 'transfer', path, '--limit', '1', ...UNEVEN])
  const fresh = await world.run(['batch', 'transfer', path, '--reference', 'other', '--again', '--dry-run'])
  const resumed = await world.run(['batch', 'resume', String(summaryOf(limited).run), '--dry-run'])
  for (const { exit, stdout } of [fresh, resumed]) {
    expect([exit, stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining('the first on line 3: R$ 500,00 to maria@example.com, which usually gets R$ 1,00'),
    ])
  }
})

it('stops after consecutive refusals', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csv(
    world,
    Array.from({ length: 9 }, (_, row) => `p${row}@example.com,${row + 1},x`),
  )
  await control(world.url, 'fault', { kind: 'PIX_KEY_NOT_FOUND', times: 9 })
  const ran = await world.run(['batch', 'transfer', path, '--stop-after', '3', ...UNEVEN])
  expect([ran.exit, summaryOf(ran)]).toMatchObject([1, { refused: 3, notSent: 6 }])
})

it('sends rows with an unknown outcome again under their ids, and writes the results of all rows', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csv(world, ROWS)
  await control(world.url, 'fault', { kind: 'drop-after', times: 2 })
  const results = join(world.home, 'results.csv')
  const ran = await world.run(['batch', 'transfer', path, '--results', results, ...UNEVEN])
  expect([ran.exit, summaryOf(ran)]).toMatchObject([5, { accepted: 1, unknown: 2 }])
  expect(readFileSync(results, 'utf8')).toMatch(/^2,maria@example\.com,"10,50",Maria,payroll-\w+,,unknown,/m)
  expect(statSync(results).mode & 0o077).toBe(0)
  const left = failureOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json']))
  expect(left).toMatchObject({ exit: 5, details: 'Rows accepted before: 1\nRows with an unknown outcome: 2' })
  const resumed = await world.run(['resume', String(summaryOf(ran).run), '--results', results, ...UNEVEN])
  expect([resumed.exit, linesOf(resumed)]).toMatchObject([
    0,
    [{ outcome: 'accepted-before' }, { outcome: 'accepted-before' }, { accepted: 3, acceptedBefore: 2, unknown: 0 }],
  ])
  expect(readFileSync(results, 'utf8').split('\n')[1]).toContain(',accepted-before,')
  expect(await paidValues(world)).toHaveLength(3)
})

it('treats payments sent from another machine as sent', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csv(world, ROWS)
  await world.prepare(['batch', 'transfer', path, '--yes'])
  const env = { PIXGATE_DATA_DIR: join(world.home, 'other-machine') }
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'], { env })
  expect(ran.exit).toBe(0)
  expect(linesOf(ran).map(({ outcome }) => outcome)).toEqual([...Array(3).fill('accepted-before'), undefined])
  expect(summaryOf(ran)).toMatchObject({ accepted: 3, acceptedBefore: 3, sentElsewhere: 3 })
  expect(await paidValues(world)).toHaveLength(3)
})

it('respects the limits of the profile, and requires its name in production', async () => {
  const base = inThisProcess(await sandboxWorld())
  const world = await inProduction(base, base.url, { maxAmountCents: 1500, maxDayCents: 3000 })
  const env = { PIXGATE_BASE_URL: '' }
  const path = csv(world, ROWS)
  const single = failureOf(await world.run(['batch', 'transfer', path, '--confirm', 'prod', '-o', 'json'], { env }))
  expect(single).toMatchObject({ exit: 2, code: 'OVER_LIMIT', faults: [{ line: 3, column: 'value' }] })
  csv(world, ['a@example.com,15,x', 'b@example.com,15,x', 'c@example.com,1,x'])
  const day = failureOf(await world.run(['batch', 'transfer', path, '--confirm', 'prod', '-o', 'json'], { env }))
  expect(day).toMatchObject({ exit: 2, code: 'OVER_LIMIT' })
  csv(world, ['a@example.com,15,x', 'b@example.com,15,x'])
  expect(failureOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'], { env }))).toMatchObject({
    exit: 2,
    code: 'CONFIRMATION_REQUIRED',
  })
  expect((await world.run(['batch', 'transfer', path, '--confirm', 'prod'], { env })).exit).toBe(0)
  expect(await paidValues(base)).toEqual([15, 15])
})
