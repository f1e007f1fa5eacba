import { loadPayment, type Payment } from '../ledger/payments.ts'
import { countAcceptedBefore, countRun, type RunCounts } from '../ledger/runRows.ts'
import { resendRefusal } from '../payments/unknownOutcome.ts'
import { type Database, textOf } from '../storage/sqlite.ts'

/** How far a run is. */
export interface RunProgress {
  counts: RunCounts
  /** How many of the accepted rows an earlier attempt had made, maybe another machine's. */
  acceptedBefore: number
  /**
   * Payments whose outcome is unknown and stays so when the run is resumed, because the gateway refused them when they were sent again:
   * how many, and the first of them.
   */
  refusedResends: { count: number; first: Payment | null }
}

/** Reads how far a run is. */
export function runProgress(database: Database, run: string): RunProgress {
  const payments = database
    .all("SELECT id FROM payment WHERE run = ? AND state = 'unknown' AND error_code IS NOT NULL ORDER BY line", run)
    .map((row) => loadPayment(database, textOf(row, 'id')))
    .filter(({ summary }) => resendRefusal(summary) !== null)
  return {
    counts: countRun(database, run),
    acceptedBefore: countAcceptedBefore(database, run),
    refusedResends: { count: payments.length, first: payments[0] ?? null },
  }
}
