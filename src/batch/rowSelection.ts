import type { RunRowState } from '../ledger/runRows.ts'
import type { Proposal } from '../payments/decide.ts'
import type { RepeatOptions } from '../payments/repeatOptions.ts'
import { isSafeToResend } from '../payments/resendWindow.ts'

/** Which rows of a run are sent beside those that were never sent, and transfers with an unknown outcome for less than a day. */
export interface RowSelection {
  /** Refused, failed and returned rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds with an unknown outcome. */
  includeUnknown: boolean
}

/** The selection for a file that is sent for the first time. */
export const UNSENT_ROWS: RowSelection = { refused: false, includeUnknown: false }

/** What is asked for: which rows of a run are sent now, and which payments may be made once more. */
export interface RunOrder {
  run: string
  kind: 'transfer' | 'refund'
  reference: string
  selection: RowSelection
  /** The most rows to send now; null for all. */
  limit: number | null
  repeats: RepeatOptions
}

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
      // If money may have moved, the gateway may hold a transfer with this id, even if it refused our request.
      return refused && !mayHaveMoved ? 'retry' : null
    case 'accepted':
    case 'paid':
      return null
  }
}
