import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSheet } from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { workbookText } from '../workbookText.ts'
import { emptyWorld, type World } from '../world.ts'
import { MonthLedger } from './monthLedger.ts'
import { inProduction, inThisProcess } from './payments.ts'
import { APART, NET, NET_BY_DAY, OWNER, SUMS, september, URL } from './september.ts'

async function septemberWorld(): Promise<World> {
  const world = await inProduction(emptyWorld(), URL, {
    company: 'Loja Exemplo Ltda',
    companyDocument: '11222333000181',
  })
  await september().write(world)
  return world
}

it('adds up a month by São Paulo days, each outflow once, and lists apart what is open or unknown', async () => {
  const world = inThisProcess(await septemberWorld())
  const document = await world.json(['history', 'report', '--month', '09/2026', '--out', join(world.home, 'm.xlsx')])
  expect(document).toMatchObject({
    month: '2026-09',
    from: '2026-09-01T03:00:00.000Z',
    until: '2026-10-01T03:00:00.000Z',
    profile: 'prod',
    environment: 'production',
    clientId: 'local',
    sums: SUMS,
    netCents: NET,
    unknownAmounts: 1,
    unverified: 0,
    days: NET_BY_DAY.map(([day, reais]) => ({ day, netCents: reais * 100 })),
    apart: APART.map(([group, payments, cents]) => ({ group, payments, cents, unknownAmounts: 0 })),
  })
  const october = await world.json(['history', 'report', '--month', '2026-10', '--out', join(world.home, 'o.xlsx')])
  // The charge that was paid at midnight, and the transfer that came back.
  expect(october).toMatchObject({ netCents: 17_000, days: [{ day: '2026-10-01' }, { day: '2026-10-02' }] })
  const august = await world.json(['history', 'report', '--month', '2026-08', '--out', join(world.home, 'a.xlsx')])
  expect(august).toMatchObject({
    netCents: 10_000 - 1000 - 14_000,
    apart: [{ group: 'transfers-unknown', cents: 2200 }],
  })
})

it('counts a refund once if a person settled it and its event names an id that nobody knows', async () => {
  const world = inThisProcess(await inProduction(emptyWorld(), URL))
  const ledger = new MonthLedger(OWNER)
  const { idTransaction } = ledger.charge('10/09/2026 10:00:00', 9000)
  ledger.chargeEvent('10/09/2026 10:05:00', idTransaction, 'PAID', 90, '10/09/2026 10:05:00')
  // Two refunds whose answers were lost, so that the event of one could be about either.
  const [settled] = [1, 2].map(() => ledger.refund('11/09/2026 10:00:00', idTransaction, 3000, 'unknown'))
  ledger.refundEvent('11/09/2026 10:01:00', 'unknown-id', idTransaction, 'COMPLETED', 30)
  ledger.find('12/09/2026 10:00:00', settled?.payment ?? '', 'paid')
  await ledger.write(world)
  const document = await world.json(['history', 'report', '--month', '09/2026', '--out', join(world.home, 'm.xlsx')])
  expect(document).toMatchObject({ netCents: 6000, apart: [{ group: 'refunds-unknown', payments: 1, cents: 3000 }] })
})

it('counts what an event says that moved, and says what had been requested', async () => {
  const world = inThisProcess(await inProduction(emptyWorld(), URL))
  const ledger = new MonthLedger(OWNER)
  const { idTransaction } = ledger.charge('10/09/2026 10:00:00', 9000)
  ledger.chargeEvent('10/09/2026 10:05:00', idTransaction, 'PAID', 89.99, '10/09/2026 10:05:00')
  await ledger.write(world)
  const path = join(world.home, 'september.xlsx')
  const empty = ['history', 'report', '--month', '09/2026', '--out', join(world.home, 'local.xlsx'), '-p', 'local']
  expect((await world.run(empty)).stderr).toBe(
    '→ Use `-p` for the payments of other accounts and environments in this month: 1\n',
  )
  const { stdout, stderr } = await world.run(['history', 'report', '--month', '09/2026', '--out', path])
  expect(stdout).toMatch(/^Net +1 +R\$ 89,99$/m)
  expect(stdout).toContain(`Wrote 09/2026 of the production account local at ${URL} to ${path}\n`)
  expect(stderr).toBe('In the net with the amount of their event, which is not what was requested: 1\n')
  expect(workbookText(path)).toMatch(/^R\$ 90,00 had been requested$/m)
})

it('counts both attempts of a transfer that were paid, and the day of the request that the gateway held', async () => {
  const world = inThisProcess(await inProduction(emptyWorld(), URL))
  const ledger = new MonthLedger(OWNER)
  const first = ledger.transfer('29/08/2026 10:00:00', 5000, 'unknown')
  // Sent again in September, when the gateway says that it holds the request of August.
  ledger.resend('01/09/2026 10:00:00', first.payment, 'accepted-before')
  ledger.event('01/09/2026 10:00:05', 'transfer.completed', {
    idTransaction: 'of-august',
    externalId: first.externalId,
    statusTransaction: 'PAID_OUT',
    value: 50,
  })
  const again = ledger.transfer('02/09/2026 10:00:00', 700, 'refused')
  const second = ledger.retry('03/09/2026 10:00:00', again.payment, 'accepted')
  ledger.transferEvent('03/09/2026 10:00:05', second, 'PAID_OUT', 7)
  ledger.event('04/09/2026 10:00:00', 'transfer.completed', {
    idTransaction: 'late',
    externalId: again.externalId,
    statusTransaction: 'PAID_OUT',
    value: 7,
  })
  await ledger.write(world)
  const document = await world.json(['history', 'report', '--month', '09/2026', '--out', join(world.home, 'm.xlsx')])
  expect(document).toMatchObject({ netCents: -1400, days: [{ day: '2026-09-02' }, { day: '2026-09-03' }] })
  const august = await world.json(['history', 'report', '--month', '08/2026', '--out', join(world.home, 'a.xlsx')])
  expect(august).toMatchObject({ netCents: -5000, days: [{ day: '2026-08-29' }] })
})

it('writes a workbook with the notes without which the sums could be misread', async () => {
  const world = await septemberWorld()
  const path = join(world.home, 'september.xlsx')
  // Days are those of São Paulo wherever the machine is.
  const env = { TZ: 'Asia/Tokyo' }
  const { exit, stdout, stderr } = await world.run(['history', 'report', '--month', '09/2026', '--out', path], { env })
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^Charges received +8 +R\$ 835,00$/m)
  expect(stdout).toMatch(/^Net +21 +-R\$ 143,00\n {2}without unknown amounts: 1$/m)
  expect(stderr).toBe(`The net is INCOMPLETE: it lacks movements whose amount is not known: 1
Not in the net, although the money may have moved: 4
Not in the net, because only events tell of them and this ledger did not create them: 3
In the net, although only a person recorded them: 1
In the net, but first sent with another ledger, whose report may count them too: 1, R$ 21,00
`)
  const summary = await readSheet(path, 'Summary')
  expect(summary.find(([label]) => label === 'Net')?.slice(0, 4)).toEqual(['Net', 21, -143, 1])
  expect(summary.flat()).toContain('The net is INCOMPLETE: it lacks movements whose amount is not known: 1')
  const about = new Map(summary.map(([label, value]) => [label, value]))
  expect(
    ['Company', 'CPF/CNPJ', 'Environment', 'Profile', 'Client id', 'Gateway'].map((label) => about.get(label)),
  ).toEqual(['Loja Exemplo Ltda', '11.222.333/0001-81', 'production', 'prod', 'local', URL])
  const movements = (await readSheet(path, 'Movements')).filter(([time]) => time instanceof Date)
  expect(movements).toHaveLength(21)
  expect(movements.map(([, , amount]) => Math.round(Number(amount) * 100)).reduce((sum, cents) => sum + cents, 0)).toBe(
    NET,
  )
  // Wall-clock time, which the reader takes for UTC.
  expect(movements.at(-2)?.slice(0, 3)).toEqual([new Date('2026-09-30T22:30:00Z'), 'charge received', 25])
  // A refund has the reference of the charge that it returns.
  const [charge, ...parts] = movements.filter(
    ([time]) => time instanceof Date && [10, 12, 13].includes(time.getUTCDate()),
  )
  expect(parts.map(([, kind, , , , , reference]) => [kind, reference])).toEqual([
    ['refund', charge?.[6]],
    ['refund', charge?.[6]],
  ])
  // Keys and documents are whole, as people write them.
  expect(movements.at(-1)?.slice(0, 6)).toEqual([
    new Date('2026-09-30T23:59:59Z'),
    'transfer sent',
    -11,
    'Maria da Silva',
    '529.982.247-25',
    '529.982.247-25',
  ])
})

it('writes real dates, and a total row outside of the filter', async () => {
  const world = await septemberWorld()
  const path = join(world.home, 'september.xlsx')
  await world.prepare(['history', 'report', '--month', '09/2026', '--out', path])
  const summary = await readSheet(path, 'Summary')
  expect(summary[0]?.[0]).toBe('PIX in 09/2026 – Summary')
  expect(summary.find(([label]) => label === 'Net')?.slice(1, 4)).toEqual([21, -143, 1])
  const days = await readSheet(path, 'Days')
  const listed = days.filter(([day]) => day instanceof Date)
  expect(
    listed.map(([day, ...sums]) => [day instanceof Date ? day.toISOString().slice(0, 10) : day, sums.at(-1)]),
  ).toEqual(NET_BY_DAY)
  expect(days.at(-1)).toEqual(['All days', 8, 835, 4, -380, 1, -60, 6, -798, 2, 260, -143])
  expect(days.at(-2)?.every((cell) => cell === null)).toBe(true)
  const movements = await readSheet(path, 'Movements')
  // Wall-clock time, which the reader takes for UTC.
  expect(movements.at(-4)?.[0]).toEqual(new Date('2026-09-30T22:30:00Z'))
  expect(movements.at(-1)?.slice(0, 3)).toEqual([null, 'Net', -143])
  const open = await readSheet(path, 'Open and unknown')
  const openRows = open.filter(([created]) => created instanceof Date)
  expect(openRows.map(([, kind, state, amount]) => [kind, state, amount])).toEqual([
    ['refund', 'unknown', 30],
    ['charge', 'pending', 55],
    ['charge', 'paid', 33],
    ['transfer', 'accepted', 19],
    ['transfer', 'unknown', 15],
  ])
})

it('marks the month of a sandbox, one that is not over, and one without payments', async () => {
  const world = inThisProcess(emptyWorld())
  const path = join(world.home, 'month.xlsx')
  const today = new Date().toISOString().slice(0, 7)
  const { exit, stdout, stderr } = await world.run(['history', 'report', '--month', today, '--out', path])
  expect([exit, stdout.includes('R$ 0,00')]).toEqual([0, true])
  expect(stderr).toMatch(/^The month is not over: it ends at \d\d\/\d\d\/\d{4} 23:59:59 BRT$/m)
  expect(workbookText(path)).toContain('SANDBOX, NO REAL MONEY')
})

it.each<[args: readonly string[], hint: string]>([
  [['--out', 'x.xlsx'], '--month 11/2026'],
  [['--month', '11/2026'], '--out report-2026-11.xlsx'],
  [['--month', '13/2026', '--out', 'x.xlsx'], '2026-11'],
  [['--month', '01/2999', '--out', 'x.xlsx'], '--month 11/2026'],
  [['--month', '09/2026', '--out', 'x.pdf'], 'report-2026-09.xlsx'],
  [['--month', '09/2026', '--out', 'x.csv'], 'pixgate history --month 09/2026 -o csv'],
])('refuses %j', async (args, hint) => {
  const world = inThisProcess(emptyWorld())
  const { exit, stdout, stderr } = await world.run(['history', 'report', ...args])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(hint)
  expect(['x.csv', 'x.xlsx'].filter((name) => existsSync(name))).toEqual([])
})
