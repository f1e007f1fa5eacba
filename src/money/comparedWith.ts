import { saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Wanted } from '../timeline/ledgerCandidates.ts'
import type { MoneyIntent } from '../timeline/records.ts'

/**
 * What a payment is compared with before it is made, whenever that was: what has the same key, id or original, and what was
 * sent since midnight in São Paulo, which the limit of a day counts.
 */
export function comparedWith(intent: MoneyIntent, nowMs: number): Wanted {
  const sinceMs = startOfSaoPauloDayMs(saoPauloDay(nowMs))
  if (intent.kind === 'refund') return { names: [intent.originalTransactionId], sinceMs }
  return { names: [intent.externalId], keys: [intent.key], sinceMs }
}
