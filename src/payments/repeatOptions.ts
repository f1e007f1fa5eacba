import { chainEnd } from '../ledger/chain.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { findPayments, isOfAccount } from '../ledger/payments.ts'
import { isSameTarget } from '../ledger/samePayment.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'

/** How the user accepts that a payment is made once more. */
export interface RepeatOptions {
  /** `--again`; enough in a sandbox only. */
  again: boolean
  /** `--in-addition-to`: externalIds of transfers, or ids of refunds. */
  inAdditionTo: readonly string[]
  /** `--despite-chargeback`: a payment with a known chargeback may be refunded. */
  despiteChargeback?: boolean
}

/** What a person accepted: earlier payments of the same target that are paid once more, and a known chargeback. */
export interface AcceptedRepeats {
  /** All whose first record has this number or a lower one; 0 for none. */
  throughSeq: number
  /** Their UUIDs. */
  ids: readonly string[]
  /** True if a refund may return what a chargeback returns, too. */
  despiteChargeback: boolean
}

export const NO_REPEATS: AcceptedRepeats = { throughSeq: 0, ids: [], despiteChargeback: false }

/** True if a payment, by the number of its first record and its UUID, was accepted to be paid once more. */
export function isAccepted({ throughSeq, ids }: AcceptedRepeats, { seq, id }: { seq: number; id: string }): boolean {
  return seq <= throughSeq || ids.includes(id)
}

/**
 * The earlier payments of the same target that the options accept to pay once more. What is recorded after this reading is not among them,
 * so it still counts as a repeat. `lastSeq` is the last record that was known when a person was asked, if this is called later.
 */
export function acceptedRepeats(
  database: Database,
  account: Account,
  facts: MoneyPayment,
  { again, inAdditionTo, despiteChargeback = false }: RepeatOptions,
  lastSeq?: number,
): AcceptedRepeats {
  if (!again && inAdditionTo.length === 0) return { ...NO_REPEATS, despiteChargeback }
  const throughSeq = lastSeq ?? chainEnd(database).seq
  if (again && account.environment === 'sandbox') return { throughSeq, ids: [], despiteChargeback }
  const named = inAdditionTo
    .flatMap((typed) => findPayments(database, typed))
    .filter((each) => isSameTarget(each.facts, facts) && isOfAccount(each, account) && each.first.seq <= throughSeq)
  return { throughSeq: 0, ids: named.map(({ id }) => id), despiteChargeback }
}
