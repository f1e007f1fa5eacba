import type { RunRowState } from '../ledger/runRows.ts'
import type { Proposal } from '../payments/decide.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import type { RowAction } from './rowAction.ts'

/** What a proposal for a row of a run needs beside the row. */
export interface ProposalOptions {
  run: string
  reference: string
  /** How the user accepts that payments are made once more. */
  repeats: RepeatOptions
  /** The last record when the plan was made: what was recorded later was not shown, and is not accepted. */
  lastSeq: number
  includeUnknown: boolean
}

/** The proposal to make the payment of a row. */
export function rowProposal(
  database: Database,
  account: Account,
  { row, payment }: RunRowState,
  action: RowAction,
  { run, reference, repeats, lastSeq, includeUnknown }: ProposalOptions,
): Proposal {
  const { facts, originalCents, rowId, line, isTypedId } = row
  if (action === 'resend') return { action, payment: known(payment), includeUnknown }
  const accepted = acceptedRepeats(database, account, facts, repeats, lastSeq)
  if (action === 'retry') return { action, payment: known(payment), accepted, originalCents, run }
  const externalId = facts.kind === 'transfer' ? rowId : null
  const place = { run, line, reference, isDerivedId: !isTypedId }
  return { action, facts, externalId, rowId, place, accepted, originalCents }
}

/**
 * True if a payment has records after the one that the plan knew last: what a person was asked about is not what would be sent now. The
 * summary shows its new state.
 */
export function isChangedSince(database: Database, payment: string | null, lastSeq: number): boolean {
  if (payment === null) return false
  const row = database.get(
    `SELECT 1 FROM record WHERE payment = $payment AND seq > $lastSeq
     UNION ALL SELECT 1 FROM event WHERE payment = $payment AND seq > $lastSeq LIMIT 1`,
    { payment, lastSeq },
  )
  return row !== undefined
}

function known(payment: string | null): string {
  if (payment === null) throw new Error('a row without a payment cannot be sent again')
  return payment
}
