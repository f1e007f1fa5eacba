import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { verdictAlone, verdictWith } from '../../src/commands/history/gatewayCheck.ts'
import { foldTransactions } from '../../src/timeline/transactions.ts'
import { acceptedTransfer, doubtfulTransfer } from '../timeline/ledger.ts'
import { sandboxWorld, type World } from '../world.ts'
import { control, inThisProcess, timelineOf } from './payments.ts'
import { accepted, writeLedger } from './writtenLedger.ts'

const OWN = { baseUrl: '', clientId: 'local' }

async function checking() {
  const world = inThisProcess(await sandboxWorld())
  return { ...world, own: { ...OWN, baseUrl: world.url } }
}

async function verdicts(world: World, words: readonly string[] = []) {
  const ran = await world.run(['history', 'check', ...words, '-o', 'json'])
  const documents = JSON.parse(ran.stdout) as { pixgate: { name: string; verdict: string } }[]
  return { exit: ran.exit, said: documents.map(({ pixgate }) => [pixgate.name, pixgate.verdict]) }
}

async function code(world: World, requestNumber: string): Promise<string> {
  const { idTransaction } = await world.json(['qr', 'create', '--amount', '5', '--request-number', requestNumber])
  return String(idTransaction)
}

it('says what is open, late and unknown, and records nothing', async () => {
  const world = await checking()
  expect(await verdicts(world)).toEqual({ exit: 0, said: [] })
  await code(world, 'order-1')
  await control(world.url, 'pay', { id: await code(world, 'order-2') })
  expect(await verdicts(world)).toEqual({
    exit: 0,
    said: [
      ['order-1', 'open'],
      ['order-2', 'agrees'],
    ],
  })
  writeLedger(world, accepted({ externalId: 'old', at: '2026-01-01T00:00:00.000Z', ...world.own }))
  expect((await verdicts(world)).exit).toBe(1)
  expect(await verdicts(world, ['--since', '1h', '--kind', 'transfer'])).toEqual({ exit: 0, said: [] })
  await control(world.url, 'fault', { kind: 'drop-after' })
  await world.run(['transfer', '--key', 'joao@example.com', '--amount', '7', '--external-id', 'doubt', '--yes'])
  const before = await timelineOf(world).read()
  expect(await verdicts(world, ['--kind', 'transfer'])).toEqual({
    exit: 5,
    said: [
      ['old', 'late'],
      ['doubt', 'unknown'],
    ],
  })
  expect(await timelineOf(world).read()).toEqual(before)
})

it('says where the gateway contradicts what was paid, and what it does not know', async () => {
  const world = await checking()
  await code(world, 'order-1')
  await world.json(['history', 'settle', 'order-1', '--as', 'paid', '--because', 'the payer says so'])
  await control(world.url, 'pay', { id: await code(world, 'order-2') })
  await world.json(['history', 'settle', 'order-2', '--as', 'paid', '--because', 'the payer says so'])
  expect(await verdicts(world)).toEqual({
    exit: 1,
    said: [
      ['order-1', 'differs'],
      ['order-2', 'agrees'],
    ],
  })
  await fetch(`${world.url}/sandbox/reset`, { method: 'POST', body: '{}' })
  expect((await verdicts(world)).said.map(([, verdict]) => verdict)).toEqual(['differs', 'differs'])
})

it('leaves other accounts out', async () => {
  const world = await checking()
  writeLedger(world, accepted({ externalId: 'other', at: '2026-01-01T00:00:00.000Z' }))
  const ran = await world.run(['history', 'check'])
  const others = `Payments of other accounts than the one at ${world.url}: 1. They are checked with their \`--profile\``
  expect(ran).toEqual({ exit: 0, stdout: '', stderr: `${others}\nNothing is open\n` })
})

it('is late after an hour, or once a code is past its expiry', () => {
  const [sent] = foldTransactions(acceptedTransfer())
  const [doubtful] = foldTransactions(doubtfulTransfer())
  if (sent === undefined || doubtful === undefined) throw new Error('both were folded')
  const hour = 60 * 60_000
  expect(verdictAlone(sent, sent.atMs + hour)).toBe('open')
  expect(verdictAlone(sent, sent.atMs + hour + 1)).toBe('late')
  expect(verdictAlone(doubtful, doubtful.atMs)).toBe('unknown')
  const nowMs = Date.UTC(2026, 0, 1)
  const answer = (fields: object) => verdictWith(sent, { amount: 10.5, ...fields }, nowMs)
  expect(answer({ status: 'PENDING', expiresAt: '2025-12-31T23:59:59Z' })).toBe('late')
  expect(answer({ status: 'PENDING', expiresAt: '2026-01-01T00:00:01Z' })).toBe('open')
  expect(answer({ status: 'EXPIRED' })).toBe('agrees')
  expect(answer({ status: 'PENDING', amount: 10.49 })).toBe('differs')
})

it('holds a statement against the ledger', async () => {
  const world = await checking()
  const at = '2026-11-21T12:00:00.000Z'
  for (const externalId of ['a', 'b', 'c', 'd']) writeLedger(world, accepted({ externalId, at, amountCents: 1050 }))
  const text = [
    'data;código;valor;situação',
    '21/11/2026;a;-10,50;PAID_OUT',
    '21/11/2026 10:00;id-b;10,51;',
    '21/11/2026;elsewhere;R$ 1.000,00;',
    '21/11/2026;a;10,50;',
    '',
  ].join('\n')
  const path = join(world.home, 'statement.csv')
  writeFileSync(path, text, 'latin1')
  const map = ['--map', 'id=código,amount=valor', '--map', 'status=situação,date=data']
  const compared = async (words: readonly string[]) => {
    const ran = await world.run(['history', 'check', '--statement', path, ...map, ...words, '-o', 'json'])
    const documents = JSON.parse(ran.stdout) as { pixgate: { name: string; verdict: string } }[]
    return [ran.exit, documents.map(({ pixgate }) => `${pixgate.name} ${pixgate.verdict}`)]
  }
  const rows = ['a match', 'b differs', 'elsewhere only-there', 'a only-there']
  expect(await compared([])).toEqual([1, [...rows, 'c only-here', 'd only-here']])
  expect(await compared(['--month', '2026-10'])).toEqual([1, rows])
  expect(await compared(['--kind', 'qr'])).toEqual([1, rows])
  writeFileSync(path, 'id,amount\na,10.50\nid-b,10.50\nc,10.50\nid-d,10.50\n')
  const all = await world.run(['history', 'check', '--statement', path])
  expect([all.exit, all.stdout]).toEqual([0, ''])
  expect(all.stderr).toMatch(/^match: 4\nNo dates are known/)
})
