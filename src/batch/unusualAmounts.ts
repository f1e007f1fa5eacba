import type { TransferPayment } from '../ledger/records.ts'
import { comparableKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'

/** A row that pays a key far more than it was paid before. */
export interface UnusualRow {
  line: number
  key: string
  amountCents: number
  medianCents: number
}

const EARLIER_MIN = 3
const EARLIER_MAX = 100
const TIMES = 5

/** Compares a transfer with what its key was paid before; undefined if that is too little to compare with, or if it is usual. */
export function unusualAmount(
  database: Database,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  line: number,
  { key, amountCents }: TransferPayment,
): UnusualRow | undefined {
  const before = database
    .all(
      `SELECT moved_cents FROM payment JOIN account ON account.id = payment.account
       WHERE comparable_key = ? AND kind = 'transfer' AND base_url = ? AND client_id = ? AND may_have_moved = 1
       ORDER BY seq DESC LIMIT ${EARLIER_MAX}`,
      comparableKey(key),
      url,
      clientId,
    )
    .map((row) => integerOf(row, 'moved_cents'))
  if (before.length < EARLIER_MIN) return undefined
  const medianCents = median(before)
  return amountCents > TIMES * medianCents ? { line, key, amountCents, medianCents } : undefined
}

function median(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2)
}
