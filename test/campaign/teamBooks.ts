import { expect } from 'vitest'
import { parseAmount } from '../../src/pix/amount.ts'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import type { TeamDesk } from './teamDesk.ts'
import { bookedFor, type ShownLine, shownAt } from './teamSteps.ts'

/** What the fault gateway says of every payment that is refunded. */
const ORIGINAL = 10.5
/** The states of a payment that moved money. */
const MOVED = ['accepted', 'paid']

/** Asserts by the gateway's books that nothing was paid twice, nothing was refunded above what was paid, and no day's limit was exceeded. */
export function judgeBooks(books: readonly LedgerEntry[], maxDay: string | null): void {
  const transfers = books.filter(({ kind }) => kind === 'transfer')
  const paid = transfers.map(({ body }) => `${body.key} ${body.value}`)
  expect(
    paid.filter((each, index) => paid.indexOf(each) !== index),
    'paid twice',
  ).toEqual([])
  const refunded = new Map<unknown, number>()
  for (const entry of books) {
    if (entry.kind !== 'refund') continue
    const original = entry.body.originalTransactionId
    refunded.set(original, (refunded.get(original) ?? 0) + centsIn(entry))
  }
  for (const [original, cents] of refunded) expect(cents, `refunded of ${original}`).toBeLessThanOrEqual(ORIGINAL * 100)
  if (maxDay === null) return
  const sentCents = books.reduce((sum, entry) => sum + centsIn(entry), 0)
  expect(sentCents, 'sent today').toBeLessThanOrEqual(parseAmount(maxDay))
}

/** Asserts that every desk shows the same history, and that it says what the books say: nothing is lost, added or of another sum. */
export async function judgeHistories(books: readonly LedgerEntry[], desks: readonly TeamDesk[]): Promise<void> {
  let first: ShownLine[] | undefined
  for (const desk of desks) {
    await bringUpToDate(desk)
    const lines = await shownAt(desk)
    first ??= lines
    expect(lines, `the history of ${desk.login}`).toEqual(first)
    const checked = await desk.here(['history', 'check'])
    expect(checked.exit, checked.stderr).toBe(0)
  }
  const lines = first ?? []
  const moved = lines.filter(({ pixgate }) => MOVED.includes(pixgate.state))
  expect(lines.filter(({ pixgate }) => pixgate.state === 'unknown')).toEqual([])
  const shown = moved.map((line) => {
    const entry = bookedFor(books, line)
    if (entry === undefined) throw new Error(`${line.pixgate.state}, and not in the books: ${JSON.stringify(line)}`)
    expect(line.amount, JSON.stringify(entry.body)).toBe(amountIn(entry))
    return entry
  })
  const lost = books.filter((entry) => !shown.includes(entry)).map(({ body }) => body)
  expect(lost, 'in the books, and in no history').toEqual([])
  expect(shown).toHaveLength(books.length)
}

/** Brings the copy of a desk up to date, which one command does not do if the machine is so busy that the server is not reached in time. */
async function bringUpToDate(desk: TeamDesk): Promise<void> {
  await expect
    .poll(
      async () => {
        await shownAt(desk)
        return desk.document(['ledger', 'show'])
      },
      { timeout: 60_000 },
    )
    .toMatchObject({ behind: 0, pending: 0 })
}

/** A refund without an amount is one of all. */
function amountIn({ kind, body }: LedgerEntry): number {
  return Number(kind === 'transfer' ? body.value : (body.amount ?? ORIGINAL))
}

function centsIn(entry: LedgerEntry): number {
  return Math.round(amountIn(entry) * 100)
}
