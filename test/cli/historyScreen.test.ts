import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { displayWidth } from '../../src/text/cellLayout.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeRun, writeTransfer } from './sentPayments.ts'

const PAID = 'c6014eed-4e0d-4d17-aa13-f9e075d4c88c'
const OPEN = '08792edb-7281-4b61-82bb-9de6cfdb01c9'

/** Minutes before now; a list shows the year of nothing so new. */
function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString()
}

/** Thirty transfers, then the charges of two customers whose names begin alike, one of them paid by her husband. */
async function withCustomers(): Promise<World> {
  const world = emptyWorld()
  for (let n = 1; n <= 30; n++) {
    const facts = { key: '52998224725', keyType: 'document', amountCents: n * 100 } as const
    await writeTransfer(world, {
      externalId: `NF ${n}`,
      at: ago(100 - n),
      facts,
      answer: { idTransaction: randomUUID() },
    })
  }
  const charge = (requestNumber: string, payerName: string, idTransaction: string, at: string) =>
    writeCharge(world, {
      requestNumber,
      at,
      facts: { amountCents: 2500, payer: `${payerName} 52998224725`, payerName },
      answer: { idTransaction },
    })
  await charge('1005', 'Maria Aparecida da Silva', PAID, ago(10))
  await charge('1006', 'Mariana Souza Lima', OPEN, ago(9))
  const data = { idTransaction: PAID, status: 'PAID', amount: 25, payerName: 'Jonas da Silva' }
  await writeEvent(world, ago(8), { event: 'pix.received', data })
  return world
}

it('lists the newest thirty, each in one line that tells customers apart', async () => {
  const world = await withCustomers()
  const sums = ['qr pending: 1, R$ 25,00', 'qr paid: 1, R$ 25,00', 'transfer accepted: 30, R$ 465,00']
  const cut = ['These are the newest 30 of 32 payments; the sums are those of all 32', '→ Add `--all-rows` to list all']
  const narrow = (await onTerminalHere(world, ['history'], { columns: 80, rows: 24 }).ended).screen
    .trimEnd()
    .split('\n')
  expect(Math.max(...narrow.map(displayWidth))).toBeLessThanOrEqual(80)
  expect(narrow[0]).toMatch(/^date +kind +state +amount +party +ref +id$/)
  expect(narrow[1]).toMatch(/^\d\d\/\d\d \d\d:\d\d {2}transfer {2}accepted +-R\$ 3,00 {2}\*{3}\.982\.247-\*\* +NF 3 /)
  expect(narrow.slice(29, 31).map((line) => line.slice(13))).toEqual([
    'qr        pending    R$ 25,00  Mariana Souza Lima  1006   08792edb',
    'qr        paid       R$ 25,00  Jonas da Silva      1005   c6014eed',
  ])
  expect(narrow.slice(31)).toEqual([...cut, ...sums])
  const all = (await onTerminalHere(world, ['history', '--all-rows'], { columns: 200 }).ended).screen
    .trimEnd()
    .split('\n')
  expect(all).toHaveLength(1 + 32 + sums.length)
  expect(all[31]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT {2}qr .* 08792edb-7281-4b61-82bb-9de6cfdb01c9$/)
})

itOnTerminal('shows as much of an id as tells it from all others, which can be typed', async () => {
  const world = emptyWorld()
  const here = inThisProcess(world)
  const ids = ['0193a7b2-5c11-7001', '0193a7b2-5c11-7002', '0193A7B2-6d22-7003', '5e5e5e5e-7e33-4004'].map(
    (beginning, n) => `${beginning}-8000-00000000000${n}`,
  )
  for (const [n, idTransaction] of ids.entries()) {
    const facts = { payerName: n === 0 ? 'Maria Silva' : 'Jonas Lima', payer: n === 0 ? 'Maria Silva' : 'Jonas Lima' }
    await writeCharge(world, { requestNumber: `${1005 + n}`, at: ago(10), facts, answer: { idTransaction } })
  }
  const shown = async (...words: string[]) => {
    const { screen } = await onTerminal(world, words, { columns: 80 }).ended
    const rows = screen.split('\n').filter((line) => line.includes(' qr '))
    return rows.map((line) => line.trimEnd().split(' ').at(-1) ?? '')
  }
  const short = ['0193a7b2-5c11-7001', '0193a7b2-5c11-7002', '0193A7B2-6', '5e5e5e5e']
  expect(await shown('history')).toEqual(short)
  // The others are in the ledger, although not in this list.
  expect(await shown('history', 'find', 'maria')).toEqual(short.slice(0, 1))
  for (const [n, id] of short.entries()) {
    expect(await here.json(['history', 'show', id])).toMatchObject({ idTransaction: ids[n] })
  }
})

it('lists the newest thirty batches and events, too', async () => {
  const world = emptyWorld()
  const here = inThisProcess(world)
  for (let n = 1; n <= 31; n++) {
    const data = { idTransaction: randomUUID(), status: 'PAID', amount: n }
    await writeEvent(world, ago(100 - n), { event: 'pix.received', data })
    await writeRun(world, { run: `run-${n}`, at: ago(50 - n), file: `payroll-${n}.csv` })
  }
  const batches = (await onTerminalHere(world, ['batch', 'list'], { columns: 80, rows: 24 }).ended).screen.split('\n')
  expect(batches[1]).toMatch(/^\d\d\/\d\d \d\d:\d\d {2}run-31 {2}transfer {2}payroll-31\.csv {2}.* 1 {2}not sent: 1$/)
  expect(batches.slice(31)).toEqual(['These are the newest 30 of 31 batches', '→ Add `--all-rows` to list all', ''])
  const place = { run: 'run-31', line: 2, reference: 'run-31', isDerivedId: false }
  await writeTransfer(world, { externalId: 'run-31', at: ago(19), place, answer: { idTransaction: PAID } })
  const rows = (await onTerminalHere(world, ['batch', 'show', 'run-31'], { columns: 80 }).ended).screen
  expect(rows).toMatch(
    /\nline +payee +amount +state +status +date +id\n +2 .* PROCESSING {2}\d\d\/\d\d \d\d:\d\d {2}c6014eed\n/,
  )
  const events = (await onTerminalHere(world, ['webhook', 'events'], { columns: 80, rows: 24 }).ended).screen.split(
    '\n',
  )
  expect(events[1]).toMatch(/^ 2 .* R\$ 2,00 /)
  expect(events.slice(31)).toEqual(['These are the newest 30', '→ Add `--all-rows` to list all', ''])
  expect((await here.run(['webhook', 'events'])).stdout.trimEnd().split('\n')).toHaveLength(32)
  expect(
    (await here.run(['batch', 'list', '--limit', '2'])).stdout.split('\n').map((line) => line.split('\t')[1]),
  ).toEqual(['run', 'run-31', 'run-30', undefined])
  expect(JSON.parse((await here.run(['batch', 'list', '-o', 'json'])).stdout)).toHaveLength(31)
})

it('lists everything in a pipe, and says which sums a limit has', async () => {
  const world = inThisProcess(await withCustomers())
  const piped = await world.run(['history'])
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(33)
  expect(piped.stderr).not.toContain('newest')
  const limited = await world.run(['history', '--limit', '1'])
  expect(limited.stdout.trimEnd().split('\n').slice(1)).toEqual([expect.stringMatching(/\tJonas da Silva\t1005\t\t/)])
  expect(limited.stderr).toMatch(
    /^This is the newest of 32 payments; the sums are those of all 32\n→ Omit `--limit` to list all\nqr pending: 1,/,
  )
  const attempts = await world.run(['history', '--limit', '2', '--attempts'])
  expect(attempts.stderr).toContain('the newest 2 of 32 payments, and the counts are those of their attempts\n')
  expect(await world.run(['history', '--limit', '1', '--all-rows'])).toMatchObject({ exit: 2, stdout: '' })
  expect((await world.run(['history', '--limit', '1', '-o', 'json'])).stderr).toBe('')
})

it('shows customer and order wherever a charge or its refund is shown', async () => {
  const world = inThisProcess(await withCustomers())
  const facts = { party: 'Jonas da Silva', ownReference: '1005' }
  expect(await world.json(['history', 'show', PAID.slice(0, 8)])).toMatchObject({ idTransaction: PAID, pixgate: facts })
  const open = await world.run(['history', 'show', '1006'])
  expect(open.stdout).toMatch(/^kind {6}qr\norder {5}1006\n/)
  expect(open.stdout).toContain('\npayer     Mariana Souza Lima\n')
  const paid = await world.run(['history', 'show', '1005'])
  expect(paid.stdout).toContain('\npayer     Jonas da Silva\ncustomer  Maria Aparecida da Silva\n')
  const listed = await world.run(['status', 'NF 1', 'NF 2'])
  expect(listed.stdout.split('\n').map((line) => line.split('\t').slice(2, 5))).toEqual([
    ['amount', 'party', 'ref'],
    ['-R$ 1,00', '***.982.247-**', 'NF 1'],
    ['-R$ 2,00', '***.982.247-**', 'NF 2'],
    [],
  ])
  // The charge that was paid belongs to the day of that, which comes after the creation of the other.
  const found = await world.run(['history', 'find', 'maria', '--fields', 'party,ref'])
  expect(found.stdout).toBe('party\tref\nMariana Souza Lima\t1006\nJonas da Silva\t1005\n')
})
