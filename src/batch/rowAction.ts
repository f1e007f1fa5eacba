import type { RunRowState } from '../ledger/runRows.ts'
import { isSafeToResend, type Proposal } from '../payments/decide.ts'

/** Which rows of a run are sent beside those that were never sent, and transfers with an unknown outcome for less than a day. */
export interface RowSelection {
  /** Refused, failed and returned rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds with an unknown outcome. */
  includeUnknown: boolean
}

/** What a file that is sent for the first time selects. */
export const UNSENT_ROWS: RowSelection = { refused: false, includeUnknown: false }

export type RowAction = Proposal['action']

/** What to do with a row of a run; null if it is not sent. */
export function rowAction(
  { row, state, mayHaveMoved, firstSentMs }: RunRowState,
  { refused, includeUnknown }: RowSelection,
  nowMs: number,
): RowAction | null {
  if (row.isLeftOut) return null
  switch (state) {
    case null:
    case 'not-sent':
      return 'pay'
    case 'unknown': {
      const isSafe = isSafeToResend(row.facts, firstSentMs ?? nowMs, nowMs)
      return isSafe || includeUnknown ? 'resend' : null
    }
    case 'refused':
    case 'not-paid':
    case 'returned':
      // The gateway holds a transfer under the id of one that may have moved, even if it refused ours.
      return refused && !mayHaveMoved ? 'retry' : null
    case 'accepted':
    case 'paid':
      return null
  }
}
