import { comparableTarget } from '../ledger/derivedTables.ts'
import { OF_ACCOUNT } from '../ledger/paymentList.ts'
import { paymentRow } from '../ledger/payments.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { isNamed } from './paymentRules.ts'

/** How the user accepts that a payment is made once more. */
export interface RepeatOptions {
  /** `--again`; enough in a sandbox only. */
  again: boolean
  /** `--in-addition-to`: externalIds of transfers, or ids of refunds. */
  inAdditionTo: readonly string[]
}

/**
 * The UUIDs of the earlier payments of the same target that the options accept to pay once more. What is recorded after this reading is
 * not among them, so it still counts as a repeat. `lastSeq` is the last record that was known when a person was asked, if this is called later.
 */
export function acceptedRepeats(
  database: Database,
  { url, clientId, environment }: Account,
  facts: MoneyPayment,
  { again, inAdditionTo }: RepeatOptions,
  lastSeq = Number.MAX_SAFE_INTEGER,
): ReadonlySet<string> {
  const isAnyAccepted = again && environment === 'sandbox'
  if (!isAnyAccepted && inAdditionTo.length === 0) return new Set()
  const rows = database
    .all(
      `SELECT * FROM payment WHERE comparable_key = ? AND kind = ? AND ${OF_ACCOUNT} AND +seq <= ?`,
      comparableTarget(facts),
      facts.kind,
      url,
      clientId,
      lastSeq,
    )
    .map(paymentRow)
  return new Set(
    rows.filter((row) => isAnyAccepted || inAdditionTo.some((typed) => isNamed(row, typed))).map(({ id }) => id),
  )
}
