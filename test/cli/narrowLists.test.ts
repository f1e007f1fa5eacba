import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { displayWidth } from '../../src/text/cellLayout.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { people, planned } from './planPeople.ts'
import { writeCharge, writeEvent, writeTransfer } from './sentPayments.ts'

const { maria } = people(afterAll, 'maria')
const WIDTHS = [40, 60, 80]

/** What a person sees of a list; each line fits the terminal. */
async function seen(world: World, words: readonly string[], columns: number): Promise<string> {
  const { exit, screen } = await onTerminalHere(world, words, { columns, rows: 24 }).ended
  expect(exit).toBe(0)
  const wide = screen.split('\n').filter((line) => displayWidth(line) > columns)
  expect(wide).toEqual([])
  return screen
}

/** The columns that a list says it has left out. */
function leftOut(screen: string): string[] {
  const joined = screen.replaceAll('\n', ' ')
  return /Too narrow for (.*?):/.exec(joined)?.[1]?.split(', ') ?? []
}

/** Each value is shown whole, or with a mark where it was cut, or its column is named as left out. */
function expectShown(screen: string, values: Readonly<Record<string, string>>): void {
  const missing = leftOut(screen)
  const shown = screen.split(/ {2,}|\n/)
  const isShown = (value: string) =>
    shown.some((cell) => cell.startsWith(value) || (/.…$/.test(cell) && value.startsWith(cell.slice(0, -1))))
  const lost = Object.entries(values).filter(([column, value]) => !missing.includes(column) && !isShown(value))
  expect(lost, screen).toEqual([])
}

it.each(WIDTHS)('shows all of a payment on %i columns, or says what is left out', async (columns) => {
  const world = emptyWorld()
  const at = new Date().toISOString()
  await writeTransfer(world, {
    at,
    externalId: 'nota-fiscal-2026',
    facts: { key: 'financeiro@example.com', keyType: 'email', amountCents: 1234567890 },
    answer: { idTransaction: 'c6014eed-4e0d-4d17-aa13-f9e075d4c88c' },
  })
  await writeCharge(world, { at, requestNumber: 'pedido-77', facts: { amountCents: 2500, payerName: 'Maria José' } })
  const screen = await seen(world, ['history'], columns)
  const transfer = { kind: 'transfer', state: 'accepted', amount: '-R$ 12.345.678,90', ref: 'nota-fiscal-2026' }
  expectShown(screen, { ...transfer, id: 'c6014eed', party: 'f***@example.com' })
  expectShown(screen, { kind: 'qr', state: 'pending', amount: 'R$ 25,00', ref: 'pedido-77', party: 'Maria José' })
  // Blocks have room for everything; a table keeps what says which way the money went as long as it can.
  if (columns < 80) expect([leftOut(screen), screen.includes('…')]).toEqual([[], false])
})

it.each(WIDTHS)('shows all of a plan on %i columns, or says what is left out', async (columns) => {
  const world = inThisProcess(await sandboxWorld())
  await planned(world, ['transfer', '--key', 'joana@example.com', '--amount', '12345,67'], maria)
  const screen = await seen(world, ['plan', 'list'], columns)
  expectShown(screen, { state: 'open', total: 'R$ 12.345,67', kind: 'transfer' })
})

it('keeps the kind of each payment beside a name of 18 letters on 80 columns', async () => {
  const world = emptyWorld()
  const at = new Date().toISOString()
  const answer = { idTransaction: 'c6014eed-4e0d-4d17-aa13-f9e075d4c88c' }
  await writeCharge(world, { at, requestNumber: 'pedido-77', facts: { amountCents: 250000 }, answer })
  const data = { ...answer, status: 'PAID', amount: 2500, payerName: 'Maria Souza e Lima' }
  await writeEvent(world, at, { event: 'pix.received', data })
  await writeTransfer(world, {
    at,
    externalId: 'nota-123',
    facts: { amountCents: 150000 },
    answer: { idTransaction: 'd5585110-4a9b-4d0e-8f3a-3d1a7b0f6a11' },
  })
  const screen = await seen(world, ['history', '--lang', 'pt-BR'], 80)
  expect(screen).toMatch(/^data +tipo +estado +valor +contraparte +ref\. +id$/m)
  expect(screen).toMatch(/ cobrança +pago +R\$ 2\.500,00 +Maria .*… +pedido-77 +c6014eed$/m)
})

it('counts a charge in the month in which it was paid, and nowhere else', async () => {
  const world = emptyWorld()
  // São Paulo is three hours behind UTC: recorded on 30/09 at 17:00, paid on 01/10 at 00:30.
  const answer = { idTransaction: 'c6014eed-4e0d-4d17-aa13-f9e075d4c88c' }
  await writeCharge(world, {
    at: '2026-09-30T20:00:00.000Z',
    requestNumber: 'pedido-1',
    facts: { amountCents: 2500 },
    answer,
  })
  const data = { ...answer, status: 'PAID', amount: 25, paidAt: '2026-10-01T03:30:00.000Z' }
  await writeEvent(world, '2026-10-01T03:30:01.000Z', { event: 'pix.received', data })
  for (const [month, count] of [
    ['2026-09', 0],
    ['2026-10', 1],
  ] as const) {
    const listed = await world.run(['history', '--month', month])
    expect([month, listed.stderr.includes('qr paid: 1, R$ 25,00')]).toEqual([month, count === 1])
    const out = join(world.home, `${month}.xlsx`)
    expect(await world.prepare(['history', 'report', '--month', month, '--out', out])).toMatch(
      count === 1 ? /^Charges received +1 +R\$ 25,00$/m : /^Charges received +0 +R\$ 0,00$/m,
    )
    expect((await world.json(['history', '--month', month])) as unknown).toHaveLength(count)
  }
})
