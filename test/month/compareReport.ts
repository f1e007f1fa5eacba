import { join } from 'node:path'
import { expect } from 'vitest'
import { paymentsOf } from './compareHistory.ts'
import { type BookedPayment, dayOf } from './gatewayBooks.ts'
import type { Month, MonthAccount } from './monthWorld.ts'

/** One kind of movement in `history report -o json`. */
interface ReportedSum {
  kind: string
  payments: number
  cents: number
}

/** Compares the sums of the accountant's report with the books of the gateway: what moved, and what is open or unknown. */
export async function compareReport(month: Month, account: MonthAccount): Promise<void> {
  const path = join(month.world.home, `${account.profile}-november.xlsx`)
  const args = ['history', 'report', '--month', '11/2026', '--out', path, '-o', 'json']
  const { stdout } = await month.runHere(account, args)
  const reported: {
    sums: ReportedSum[]
    netCents: number
    apart: { group: string; payments: number; cents: number }[]
  } = JSON.parse(stdout)
  const booked = paymentsOf(account).filter((each) => dayOf(each).startsWith('2026-11-'))
  const sumOf = (sign: 1 | -1, kind: string, ...states: string[]) => {
    const members = booked.filter((each) => each.kind === kind && states.includes(each.state))
    return { payments: members.length, cents: members.reduce((sum, each) => sum + sign * each.cents, 0) }
  }
  const expected = [
    { kind: 'received', ...sumOf(1, 'qr', 'paid', 'returned') },
    { kind: 'refunded', ...sumOf(-1, 'refund', 'paid') },
    { kind: 'charged-back', ...sumOf(-1, 'qr', 'returned') },
    { kind: 'sent', ...sumOf(-1, 'transfer', 'paid', 'returned') },
    { kind: 'returned', ...sumOf(1, 'transfer', 'returned') },
  ]
  expect(reported.sums.map(({ kind, payments, cents }) => ({ kind, payments, cents }))).toEqual(
    expected.map((each) => ({ ...each, cents: each.cents + 0 })),
  )
  expect(reported.netCents).toBe(expected.reduce((sum, each) => sum + each.cents, 0))
  const groups: [group: string, kind: BookedPayment['kind'], states: BookedPayment['state'][]][] = [
    ['transfers-unknown', 'transfer', ['unknown']],
    ['transfers-open', 'transfer', ['accepted']],
    ['refunds-open', 'refund', ['accepted']],
    ['charges-open', 'qr', ['pending']],
    ['charges-without-money', 'qr', ['not-paid', 'refused']],
    ['transfers-without-money', 'transfer', ['not-paid', 'refused']],
    ['refunds-without-money', 'refund', ['not-paid', 'refused']],
  ]
  const apart = groups.map(([group, kind, states]) => ({ group, ...sumOf(1, kind, ...states) }))
  expect(reported.apart.map(({ group, payments, cents }) => ({ group, payments, cents }))).toEqual(
    apart.filter(({ payments }) => payments > 0),
  )
}
