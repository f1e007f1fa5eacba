import { saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'

/** A limit of the profile that a payment would exceed. */
export type LimitConflict =
  | { why: 'max-amount'; amountCents: number; maxCents: number }
  | { why: 'max-day'; amountCents: number; maxCents: number; sentTodayCents: number }
  /** The amount of a refund is not known, so no limit can allow it. */
  | { why: 'amount-unknown' }

/** True if the sum of today holds a payment that was sent at this time, so that sending it again adds nothing. */
export function isCountedToday(sentMs: number, nowMs: number): boolean {
  return sentMs >= startOfSaoPauloDayMs(saoPauloDay(nowMs))
}

/**
 * Compares a payment with the limits of its profile. `newTodayCents` is what it adds to the sum of the day: less than its amount if it
 * is sent again and counted already. `sentToday` gives that sum, see {@link sentTodayCents}.
 */
export function limitConflict(
  { maxAmountCents, maxDayCents }: Pick<Account, 'maxAmountCents' | 'maxDayCents'>,
  amountCents: number | null,
  newTodayCents: number,
  sentToday: () => number,
): LimitConflict | undefined {
  if (maxAmountCents === null && maxDayCents === null) return undefined
  if (amountCents === null) return { why: 'amount-unknown' }
  if (maxAmountCents !== null && amountCents > maxAmountCents) {
    return { why: 'max-amount', amountCents, maxCents: maxAmountCents }
  }
  if (maxDayCents === null) return undefined
  const sent = sentToday()
  if (sent + newTodayCents <= maxDayCents) return undefined
  return { why: 'max-day', amountCents: newTodayCents, maxCents: maxDayCents, sentTodayCents: sent }
}
