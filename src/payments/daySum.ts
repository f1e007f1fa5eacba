import type { Writer } from '../ledger/writer.ts'
import type { Account } from '../profiles/account.ts'
import { sentTodayCents } from './paymentLookup.ts'

/** What an account sent today, as a transaction sees it. */
export interface DaySum {
  /** The sum of the day with what was allowed so far, in cents. */
  sentToday(): number
  /** Adds to that sum what was just allowed. */
  addToday(cents: number): void
}

/** The sum of the day, which is read once: a group of a batch asks for it with each row. */
export function daySum({ database, nowMs }: Writer, account: Account): DaySum {
  let [sum, added]: [number | null, number] = [null, 0]
  return {
    sentToday() {
      sum ??= sentTodayCents(database, account, nowMs) - added
      return sum + added
    },
    addToday(cents) {
      added += cents
    },
  }
}
