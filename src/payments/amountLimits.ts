import { saoPauloDay } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'

/** A limit of the profile that a payment would exceed. */
export type LimitConflict =
  | { why: 'max-amount'; amountCents: number; maxCents: number }
  | { why: 'max-day'; amountCents: number; maxCents: number; sentTodayCents: number }
  /** The amount of a refund is not known, so no limit can allow it. */
  | { why: 'amount-unknown' }

/**
 * What this ledger sent for an account since midnight in São Paulo, in cents: transfers and refunds, also those with an unknown
 * outcome.
 */
export function sentTodayCents(database: Database, account: Pick<Account, 'url' | 'clientId'>, nowMs: number): number {
  const row = database.get(
    `SELECT cents FROM day_total JOIN account ON account.id = day_total.account
     WHERE base_url = ? AND client_id = ? AND day = ?`,
    account.url,
    account.clientId,
    saoPauloDay(nowMs),
  )
  return row === undefined ? 0 : integerOf(row, 'cents')
}

/** True if the sum of today holds a payment that was sent at this time, so that sending it again adds nothing. */
export function isCountedToday(sentMs: number, nowMs: number): boolean {
  return saoPauloDay(sentMs) === saoPauloDay(nowMs)
}

/**
 * Compares a payment with the limits of its profile. `newTodayCents` is what it adds to the sum of the day: less than its amount if it
 * is sent again and counted already.
 */
export function limitConflict(
  database: Database,
  account: Account,
  amountCents: number | null,
  newTodayCents: number,
  nowMs: number,
): LimitConflict | undefined {
  const { maxAmountCents, maxDayCents } = account
  if (maxAmountCents === null && maxDayCents === null) return undefined
  if (amountCents === null) return { why: 'amount-unknown' }
  if (maxAmountCents !== null && amountCents > maxAmountCents) {
    return { why: 'max-amount', amountCents, maxCents: maxAmountCents }
  }
  if (maxDayCents === null) return undefined
  const sentToday = sentTodayCents(database, account, nowMs)
  if (sentToday + newTodayCents <= maxDayCents) return undefined
  return { why: 'max-day', amountCents: newTodayCents, maxCents: maxDayCents, sentTodayCents: sentToday }
}
