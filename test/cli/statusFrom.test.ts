import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localServer } from '../localServer.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { inThisProcess } from './payments.ts'
import { writeEvent, writeTransfer } from './sentPayments.ts'

const UNKNOWN_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

it('accounts for every expected amount, also of ids that could not be looked up', async () => {
  const world = await sandboxWorld()
  const path = join(world.home, 'expected.csv')
  writeFileSync(path, `idTransaction,amount,status\nnot-a-uuid,12.50,PAID\n${UNKNOWN_ID},1,PAID\n`)
  const { exit, stdout, stderr } = await world.run([
    'status',
    '--from',
    path,
    '--fields',
    'idTransaction,verdict,expected,status',
  ])
  expect({ exit, stdout, stderr }).toEqual({
    exit: 3,
    stdout: [
      'idTransaction\tverdict\texpected\tstatus',
      'not-a-uuid\t\tR$ 12,50\tINVALID_TRANSACTION_ID',
      `${UNKNOWN_ID}\tmissing\tR$ 1,00\tTRANSACTION_NOT_FOUND\n`,
    ].join('\n'),
    stderr: [
      'warning: not-a-uuid: The gateway refused the query for `not-a-uuid`: INVALID_TRANSACTION_ID',
      'missing: 1, expected R$ 1,00, found R$ 0,00',
      'warning: Not compared, because the query failed: 1, expected R$ 12,50\n',
    ].join('\n'),
  })
})

it('says why a query of a list in CSV failed', async () => {
  const world = await sandboxWorld()
  const { exit, stdout, stderr } = await world.run([
    'status',
    UNKNOWN_ID,
    'paid-1',
    '-o',
    'csv',
    '--fields',
    'idTransaction,status',
  ])
  expect({ exit, stdout }).toEqual({ exit: 3, stdout: `idTransaction,status\n${UNKNOWN_ID},\npaid-1,PAID\n` })
  expect(stderr).toBe(`warning: ${UNKNOWN_ID}: The gateway has no transaction \`${UNKNOWN_ID}\`\n`)
})

it('reads what spreadsheets write', async () => {
  const url = await localServer((request, response) => {
    const idTransaction = new URL(request.url ?? '/', 'http://x').searchParams.get('idTransaction')
    response.end(JSON.stringify({ idTransaction, status: 'PAID', amount: 10.5 }))
  })
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: url }))
  const path = join(world.home, 'utf16.csv')
  writeFileSync(path, '\uFEFFidTransaction;amount\r\na;10,50\r\n', 'utf16le')
  const ran = await world.run(['status', '--from', path, '-o', 'csv', '--fields', 'idTransaction,pixgate.verdict'])
  expect(ran).toEqual({
    exit: 0,
    stdout: 'idTransaction,pixgate.verdict\na,match\n',
    stderr: 'match: 1, expected R$ 10,50, found R$ 10,50\n',
  })
})

const SENT = '2026-11-21T12:00:00.000Z'

/** A machine with a transfer of R$ 10,50 in each state, named for it. */
async function withStates(): Promise<World> {
  const world = inThisProcess(emptyWorld())
  const nothing = { idTransaction: null, status: null }
  for (const externalId of ['paid', 'accepted', 'not-paid', 'returned'])
    await writeTransfer(world, { externalId, at: SENT })
  for (const outcome of ['refused', 'unknown', 'not-sent'] as const)
    await writeTransfer(world, { externalId: outcome, at: SENT, answer: { ...nothing, outcome } })
  const event = (name: string, state: string, status: string) =>
    writeEvent(world, '2026-11-21T12:00:05.000Z', {
      event: `transfer.${name}`,
      data: { idTransaction: `id-${state}`, externalId: state, status, value: 10.5 },
    })
  await event('completed', 'paid', 'PAID_OUT')
  await event('failed', 'not-paid', 'ERROR')
  await event('failed', 'returned', 'RETURNED')
  return world
}

it('never reports a match for a payment that was not made, came back, or may not have been made', async () => {
  const world = await withStates()
  const judged = async (header: string, rows: readonly string[]) => {
    const path = csvIn(world, 'expected.csv', header, rows)
    const { stdout } = await world.run(['status', '--from', path, '-o', 'json'])
    const documents: { pixgate: { verdict: string; differences: string[] } }[] = JSON.parse(stdout)
    const verdicts = documents.map(({ pixgate }) => [pixgate.verdict, ...pixgate.differences].join(' '))
    const ran = await world.run(['status', '--from', path])
    return { exit: ran.exit, verdicts, totals: ran.stderr.trimEnd().split('\n') }
  }
  const states = ['paid', 'accepted', 'not-paid', 'returned', 'refused', 'unknown', 'not-sent']
  const verdicts = [...Array<string>(2).fill('match'), ...Array<string>(5).fill('differs status')]
  const amounts = await judged(
    'idTransaction,amount',
    states.map((state) => `${state},10.50`),
  )
  expect(amounts).toEqual({
    exit: 1,
    verdicts,
    totals: ['match: 2, expected R$ 21,00, found R$ 21,00', 'differs: 5, expected R$ 52,50, found R$ 10,50'],
  })
  const none = await judged(
    'idTransaction,amount',
    states.map((state) => `${state},`),
  )
  expect(none).toMatchObject({ exit: 1, verdicts, totals: [expect.any(String), expect.stringContaining('R$ 0,00')] })
  const exact = ['Pago', 'PROCESSING', 'ERROR', 'Devolvido', 'FAILED', 'unknown', 'not-sent']
  expect(
    await judged(
      'idTransaction,status',
      states.map((state, place) => `${state},${exact[place]}`),
    ),
  ).toEqual({
    exit: 0,
    verdicts: Array(7).fill('match'),
    totals: ['match: 7, expected R$ 0,00, found R$ 0,00'],
  })
  expect((await judged('idTransaction,status', ['unknown,PAID', 'unknown,pendente'])).verdicts).toEqual(
    Array(2).fill('differs status'),
  )
})

it('shows amounts without a sign if nothing is expected of them', async () => {
  const world = await withStates()
  const path = csvIn(world, 'ids.txt', 'paid', ['refused'])
  const { stdout } = await world.run(['status', '--from', path])
  expect([stdout.match(/-?R\$ 10,50/g), stdout]).toEqual([['R$ 10,50', 'R$ 10,50'], expect.stringContaining('FAILED')])
})

it('says what the results of a batch say of rows that the ledger has no record of', async () => {
  const world = inThisProcess(emptyWorld())
  const header = 'line,originalTransactionId,amount,externalId,idTransaction,outcome,status,errorCode,message,sentAt'
  const outcomes = ['unknown', 'accepted', 'refused', 'not-sent']
  const row = (outcome: string) => `2,x,10,row-${outcome},,${outcome},,,,`
  const path = csvIn(world, 'results.csv', header, outcomes.map(row))
  const listed = await world.run(['status', '--from', path, '-o', 'json'])
  const sentence = (id: string) => `The ledger has no record of ${id} for this account, so its outcome is unknown`
  expect([listed.exit, JSON.parse(listed.stdout)]).toMatchObject([
    5,
    [
      {
        externalId: 'row-unknown',
        pixgate: { state: 'unknown', verdict: 'missing', warnings: [sentence('row-unknown')] },
      },
      { externalId: 'row-accepted', pixgate: { state: 'unknown', verdict: 'missing' } },
      { externalId: 'row-refused', pixgate: { state: 'refused', verdict: 'missing', warnings: [] } },
      { externalId: 'row-not-sent', pixgate: { state: 'not-sent', verdict: 'missing', warnings: [] } },
    ],
  ])
  const shown = await world.run(['status', '--from', path])
  expect(shown.stderr).toContain(sentence('row-unknown'))
  expect(shown.stderr).toContain(sentence('row-accepted'))
  csvIn(world, 'results.csv', header, outcomes.slice(2).map(row))
  expect((await world.run(['status', '--from', path])).exit).toBe(1)
})
