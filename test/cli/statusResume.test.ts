import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../gateway/running.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { inThisProcess } from './payments.ts'
import { writeEvent, writeTransfer } from './sentPayments.ts'

/** A gateway that says PAID to every query but those of these ids, which are left to `treat`. */
async function gatewayTreating(ids: readonly string[], treat: (response: ServerResponse) => void) {
  const asked: string[] = []
  const special = new Set(ids)
  const url = await localServer((request, response) => {
    const id = new URL(request.url ?? '/', 'http://x').searchParams.get('idTransaction') ?? ''
    asked.push(id)
    if (special.has(id)) treat(response)
    else response.end(JSON.stringify({ idTransaction: id, status: 'PAID', amount: 10.5 }))
  })
  return { url, special, takeAsked: () => asked.splice(0).sort() }
}

function withFile(world: World): string {
  const path = join(world.home, 'payments.csv')
  writeFileSync(path, 'idTransaction,amount,status\na,10.50,PAID\nb,10.51,PAID\nc,10.50,PAID\n')
  return path
}

function kept(world: World): string[] {
  const folder = join(world.home, 'data', 'checks')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}

const REUSED = (count: number) =>
  `${count} of them were answered within the last hour in an interrupted run, and are not queried again; \`--fresh\` queries all\n`

it('continues after it was killed, and asks for all again once it has ended', async () => {
  const gateway = await gatewayTreating(['c'], () => undefined)
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const path = withFile(world)
  const running = start(world, ['status', '--from', path])
  await expect.poll(() => kept(world).join('').split('\n').length, { timeout: 10_000 }).toBe(3)
  running.signal('SIGKILL')
  await running.ended
  expect(gateway.takeAsked()).toEqual(['a', 'b', 'c'])
  gateway.special.clear()

  const again = inThisProcess(world)
  const ran = await again.run(['status', '--from', path])
  const totals = 'match: 2, expected R$ 21,00, found R$ 21,00\ndiffers: 1, expected R$ 10,51, found R$ 10,50\n'
  expect([ran.exit, ran.stderr]).toEqual([1, REUSED(2) + totals])
  expect(ran.stdout.split('\n').map((line) => line.split('\t')[1] ?? '')).toEqual([
    'verdict',
    'match',
    'differs',
    'match',
    '',
  ])
  expect(gateway.takeAsked()).toEqual(['c'])
  expect(kept(world)).toEqual([])
  expect((await again.run(['status', '--from', path])).stderr).toBe(totals)
  expect(gateway.takeAsked()).toEqual(['a', 'b', 'c'])
})

it('queries only failed ids again, unless --fresh is given or the file is different', async () => {
  const gateway = await gatewayTreating(['c'], (response) => response.writeHead(500).end())
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const path = withFile(world)
  const asking = async (words: readonly string[] = []) => {
    const { exit } = await world.run(['status', '--from', path, ...words])
    return [exit, gateway.takeAsked()]
  }
  expect(await asking()).toEqual([6, ['a', 'b', 'c']])
  expect(await asking()).toEqual([6, ['c']])
  expect(await asking(['--fresh'])).toEqual([6, ['a', 'b', 'c']])
  writeFileSync(path, 'idTransaction,amount\na,10.50\nc,10.50\n')
  expect(await asking()).toEqual([6, ['a', 'c']])
  const listed = JSON.parse((await world.run(['status', '--from', path, '-o', 'json'])).stdout)
  expect(listed).toMatchObject([
    {
      idTransaction: 'a',
      status: 'PAID',
      pixgate: { verdict: 'match', knownBy: 'gateway', askedAt: expect.any(String) },
    },
    { idTransaction: 'c', error: { exitCode: 6 } },
  ])
})

it('reads what spreadsheets write', async () => {
  const gateway = await gatewayTreating([], () => undefined)
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const path = join(world.home, 'utf16.csv')
  writeFileSync(path, '\uFEFFidTransaction;amount\r\na;10,50\r\n', 'utf16le')
  const ran = await world.run(['status', '--from', path, '-o', 'csv', '--fields', 'idTransaction,pixgate.verdict'])
  expect(ran).toEqual({
    exit: 0,
    stdout: 'idTransaction,pixgate.verdict\na,match\n',
    stderr: 'match: 1, expected R$ 10,50, found R$ 10,50\n',
  })
})

it('takes `--fresh` for a file alone', async () => {
  const ran = await inThisProcess(emptyWorld()).run(['status', 'x', '--fresh'])
  expect([ran.exit, ran.stderr]).toEqual([
    2,
    'error: `--fresh` is given without `--from`\nhint: Omit `--fresh`: typed ids are always queried\n',
  ])
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
    'id,amount',
    states.map((state) => `${state},10.50`),
  )
  expect(amounts).toEqual({
    exit: 1,
    verdicts,
    totals: ['match: 2, expected R$ 21,00, found R$ 21,00', 'differs: 5, expected R$ 52,50, found R$ 10,50'],
  })
  const none = await judged(
    'id,amount',
    states.map((state) => `${state},`),
  )
  expect(none).toMatchObject({ exit: 1, verdicts, totals: [expect.any(String), expect.stringContaining('R$ 0,00')] })
  const exact = ['Pago', 'PROCESSING', 'ERROR', 'Devolvido', 'FAILED', 'unknown', 'not-sent']
  expect(
    await judged(
      'id,status',
      states.map((state, place) => `${state},${exact[place]}`),
    ),
  ).toEqual({
    exit: 0,
    verdicts: Array(7).fill('match'),
    totals: ['match: 7, expected R$ 0,00, found R$ 0,00'],
  })
  expect((await judged('id,status', ['unknown,PAID', 'unknown,pendente'])).verdicts).toEqual(
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
