import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cents, paymentsOf, reais } from './compareHistory.ts'
import type { BookedPayment } from './gatewayBooks.ts'
import type { Month } from './monthWorld.ts'
import type { PlayedMonth } from './playMonth.ts'

/** Compares `status --from` of all charges of the shop with the books, then with books that are wrong in one amount and one status. */
export async function compareCharges(month: Month): Promise<void> {
  const { shop, world } = month
  const charges = shop.books.gateway.ledger.filter(({ kind, secret }) => kind === 'qr' && secret === shop.secret)
  const expected = charges.map((charge) => ({
    id: charge.idTransaction,
    cents: shop.books.centsOf(charge),
    status: shop.books.statusOf(charge),
  }))
  const path = join(world.home, 'charges.csv')
  const judged = async (rows: typeof expected, exit: number) => {
    const lines = rows.map(({ id, cents: amount, status }) => [id, (amount / 100).toFixed(2), status].join(','))
    writeFileSync(path, `${['idTransaction,amount,status', ...lines].join('\n')}\n`)
    return (await month.runHere(shop, ['status', '--from', path], exit)).stderr.trimEnd().split('\n')
  }
  const sumOf = (rows: typeof expected) => rows.reduce((all, charge) => all + charge.cents, 0)
  const moved = (rows: typeof expected) => rows.filter(({ status }) => status === 'PAID' || status === 'REFUNDED')
  const sums = `expected ${reais(sumOf(expected))}, found ${reais(sumOf(moved(expected)))}`
  expect(await judged(expected, 0)).toEqual([`match: ${charges.length}, ${sums}`])
  const [first, second] = expected
  if (first === undefined || second === undefined) throw new Error('there are too few charges')
  const wrong = expected.map((charge) => {
    if (charge === first) return { ...charge, cents: charge.cents + 1 }
    return charge === second ? { ...charge, status: 'PENDING' as const } : charge
  })
  const found = reais(sumOf(moved([first, second])))
  const both = reais(sumOf([first, second]) + 1)
  expect((await judged(wrong, 1)).at(-1)).toBe(`differs: 2, expected ${both}, found ${found}`)
}

/** Compares the run of the refunds, and what is said of the payment of which two parts were refunded. */
export async function compareRefunds(month: Month, { returns, partlyRefunded }: PlayedMonth): Promise<void> {
  const { shop } = month
  const booked = paymentsOf(shop).filter(({ kind }) => kind === 'refund')
  const shown = JSON.parse((await month.runHere(shop, ['batch', 'show', returns, '-o', 'json'])).stdout)
  const rows: { originalTransactionId: string; amount: number; state: string }[] = shown.rowsDetail
  for (const { originalTransactionId, amount, state } of rows) {
    const payment = booked.find((each) => each.target === originalTransactionId && each.cents === cents(amount))
    expect(state, originalTransactionId).toBe(payment?.state)
  }
  const sumOf = (state: BookedPayment['state']) =>
    rows.filter((row) => row.state === state).reduce((sum, { amount }) => sum + cents(amount), 0)
  expect(shown).toMatchObject({
    rows: 9,
    paidCents: sumOf('paid'),
    failedCents: sumOf('not-paid'),
    pendingCents: sumOf('accepted'),
    refusedCents: sumOf('refused'),
    unknown: 0,
    notSent: 0,
  })
  for (const command of [['status'], ['history', 'show']]) {
    const { stdout } = await month.runHere(shop, [...command, partlyRefunded])
    expect(stdout).toContain('R$ 19,75 of R$ 80,00')
    expect(stdout).toMatch(/R\$ 12,50, .*one item was broken/s)
    expect(stdout).toMatch(/R\$ 7,25, .*as agreed with ana@example/s)
  }
  const [refund = ''] = booked.find(({ cents: amount }) => amount === 725)?.ids ?? []
  const receipt = (await month.runHere(shop, ['history', 'show', refund, '--receipt'])).stdout
  expect(receipt).toMatch(/PIX REFUND - RECEIPT.*R\$ 7,25.*ana@example\.com/s)
  // Only the shop itself has named the payer.
  expect(receipt).not.toContain('receiver')
  const list = (await month.runHere(shop, ['history', '--kind', 'refund', '--fields', 'payee', '--unmask'])).stdout
  expect(list.trimEnd().split('\n').slice(1)).toEqual(booked.map(() => '—'))
}
