import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Finding } from '../../src/ledger/paymentState.ts'
import { textOf } from '../../src/storage/sqlite.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inThisProcess } from './payments.ts'

const ROWS = ['maria@example.com;10,50;Maria;0042', 'joao@example.com;20;João;7', 'ana@example.com;5;Ana;8']
const HEADER = 'key;value;nome;matricula'

/** Records the results of the payments to these keys, as a person who looks them up does. */
function find(world: World, found: Readonly<Record<string, Finding>>): Promise<void> {
  return writeTo(world, (writer) => {
    for (const [key, as] of Object.entries(found)) {
      const row = writer.database.get('SELECT id FROM payment WHERE comparable_key = ?', key)
      if (row === undefined) throw new Error(`there is no payment to ${key}`)
      writer.append({ type: 'finding', payment: textOf(row, 'id'), as, because: 'seen' })
    }
  })
}

it('shows the final states of a run, whose sums add up, and writes them to the results', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'payroll.csv', HEADER, ROWS)
  const here = world
  const ran = await here.run(['batch', 'transfer', path, '--limit', '2', '--concurrency', '1', '--yes', '-o', 'json'])
  const run = String(linesOf(ran).at(-1)?.run)
  await find(world, { 'maria@example.com': 'paid', 'joao@example.com': 'not-paid' })
  const shown = await world.json(['batch', 'show', run])
  expect(shown).toMatchObject({
    run,
    rows: 3,
    paid: 1,
    paidCents: 1050,
    failed: 1,
    failedCents: 2000,
    pending: 0,
    refused: 0,
    unknown: 0,
    notSent: 1,
    notSentCents: 500,
    leftOut: 0,
    rowsDetail: [
      { line: 2, key: 'maria@example.com', name: 'Maria', amount: 10.5, state: 'paid', status: 'PAID_OUT' },
      { line: 3, state: 'not-paid', status: 'ERROR' },
      { line: 4, state: 'not-sent', status: null, sentAt: null },
    ],
  })
  const some = await here.json(['batch', 'show', run, '--fields', 'paid,rowsDetail'])
  expect(some).toEqual({ paid: 1, rowsDetail: shown.rowsDetail })
  expect(await here.json(['batch', 'show', run, '--fields', 'paid'])).toEqual({ paid: 1 })
  expect((await here.run(['batch', 'show', run, '--fields', 'payed', '-o', 'json'])).exit).toBe(2)
  const named = await here.run(['batch', 'show', run, '--fields', 'payee,amount,state'])
  expect(named.stdout).toMatch(/\npayee\tamount\tstate\nMaria\tR\$ 10,50\tpaid\nJoão\tR\$ 20,00\tnot paid\n/)
  const listed = await world.run(['batch', 'list', '--fields', 'environment,reference,notSent'])
  expect(listed.stdout).toBe('environment\treference\tnotSent\nsandbox\tpayroll\t1\n')
  const runs = await here.run(['batch', 'list', '-o', 'csv'])
  expect(runs.stdout.split('\n')[0]).toBe(
    'run,kind,file,reference,rows,accepted,refused,unknown,notSent,startedAt,finished,environment,acceptedBefore,acceptedBeforeCents,sentElsewhere,sentElsewhereCents,pixgate.user,pixgate.machine,beingSent',
  )
  const csv = await world.run(['batch', 'show', run, '-o', 'csv'])
  expect(csv.stdout.split('\n')[1]).toMatch(/^2,maria@example\.com,Maria,10\.5,paid,PAID_OUT,/)
  const results = join(world.home, 'results.csv')
  expect((await world.run(['resume', run, '--results', results, '--excel', '--yes'])).exit).toBe(1)
  const [header, first, second] = readFileSync(results, 'utf8').split('\r\n')
  expect(header).toMatch(/^\ufeff"line";"key";"value";"nome";"matricula";"externalId";/)
  expect(first).toMatch(/^"2";"maria@example\.com";"10,50";"Maria";"=""0042""";.*;"PAID_OUT";/)
  expect(second).toContain('"ERROR"')
  expect((await carriedOut(world.url)).transfers).toHaveLength(3)
})

it('takes the beginning of a name to show a run, never to send one', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'payroll.csv', HEADER, ROWS)
  const sent = await world.run(['batch', 'transfer', path, '--limit', '1', '--yes', '-o', 'json'])
  const run = String(linesOf(sent).at(-1)?.run)
  expect(await world.json(['batch', 'show', run.slice(0, 7)])).toMatchObject({ run, rows: 3, notSent: 2 })
  const out = join(world.home, 'run.xlsx')
  expect(await world.json(['batch', 'report', run.slice(0, 7), '--out', out])).toMatchObject({ run })
  const others = ['run-', `${run.slice(0, 7)}zz`, 'payroll']
  for (const typed of others) expect((await world.run(['batch', 'show', typed])).exit).toBe(3)
  expect((await world.run(['batch', 'resume', run.slice(0, 7), '--yes'])).exit).toBe(3)
})

it('lists what this run sends, and only the rows in one state if that is asked', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'payroll.csv', HEADER, ROWS)
  await world.run(['batch', 'transfer', path, '--limit', '2', '--concurrency', '1', '--yes'])
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  const run = String(linesOf(ran).at(-1)?.run)
  const linesIn = async (...words: string[]) => {
    const shown = await world.run(['batch', 'show', run, '--fields', 'line,state', ...words])
    return shown.stdout.split('line\tstate\n').at(-1)
  }
  expect(await linesIn()).toBe('4\taccepted\n')
  expect(await linesIn('--state', 'refused')).toBe('')
  const all = await world.run(['batch', 'show', run])
  expect(all.stderr).toContain('had been sent before this run: 2;')
  const csv = await world.run(['batch', 'show', run, '-o', 'csv', '--fields', 'line'])
  expect(csv.stdout).toBe('line\n2\n3\n4\n')
})

it('never invents an id that another row of the file has', async () => {
  const world = inThisProcess(await sandboxWorld())
  const path = csvIn(world, 'payroll.csv', 'key,value,externalId', [
    'joao@example.com,5,joao',
    'joao@example.com,5,joao-2',
  ])
  await control(world.url, 'fault', { kind: 'PIX_KEY_NOT_FOUND' })
  const first = ['batch', 'transfer', path, '--concurrency', '1', '--yes', '-o', 'json']
  const ran = await world.run(first)
  const run = String(linesOf(ran).at(-1)?.run)
  const again = await world.run(['resume', run, '--refused', '--yes', '-o', 'json'])
  expect([again.exit, linesOf(again)[0]]).toMatchObject([0, { line: 2, externalId: 'joao-3', outcome: 'accepted' }])
  expect((await carriedOut(world.url)).transfers.map(({ externalId }) => externalId).toSorted()).toEqual([
    'joao-2',
    'joao-3',
  ])
})

it('groups faults of one kind in one line with the lines, and lists all of them in JSON', async () => {
  const world = await sandboxWorld()
  const path = csvIn(
    world,
    'payroll.csv',
    'key,value',
    Array.from({ length: 1000 }, (_, row) => `p${row}@example.com,`),
  )
  const { exit, stderr } = await world.run(['batch', 'transfer', path, '--yes'])
  expect(exit).toBe(2)
  expect(stderr.split('\n').filter((line) => line.includes('value'))).toEqual([
    expect.stringMatching(/^ {2}1000 rows, value: .*\(lines 2, 3, 4, .*, 30, 31, …\)$/),
  ])
  const phones = Array.from({ length: 7 }, (_, row) => `3199876543${row},1`)
  const words = ['batch', 'transfer', csvIn(world, 'phones.csv', 'key,value', ['x,1', ...phones]), '--yes']
  const grouped = await world.run(words)
  expect(grouped.stderr.split('\n').filter((line) => line.includes(' key'))).toEqual([
    expect.stringMatching(
      /^ {2}7 rows, key, such as line 3: `31998765430` looks like .*\(lines 3, 4, 5, 6, 7, 8, 9\)$/,
    ),
    expect.stringMatching(/^ {2}line 2, key: `x` is not a PIX key/),
  ])
  expect(failureOf(await world.run([...words, '-o', 'json'])).faults).toHaveLength(8)
})
