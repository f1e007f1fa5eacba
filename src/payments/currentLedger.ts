import { assertNoOldLog } from '../ledger/ledgerFile.ts'
import { olderLedger } from '../ledger/witness.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import type { PaymentContext } from './paymentContext.ts'
import { warnOnce } from './paymentWarnings.ts'

/** The witnesses by which records are missing: what is seen of such a ledger must not take their place. */
const lacking = new WeakSet<PaymentContext['witness']>()

/**
 * Checks that the ledger can be trusted, before a question and again in the transaction that decides: no log of an earlier version, no records
 * missing, and no other ledger in use for the account. In a sandbox the last two are only a warning. False if records are missing, so that what
 * was seen must not be noted. Throws UsageError.
 */
export function checkLedgerIsCurrent(context: PaymentContext, database: Database): boolean {
  const { account, ledger, witness } = context
  const { folder } = ledger.environment
  assertNoOldLog(folder)
  const verdict = witness.compare(database, account)
  if (verdict.is === 'current') return true
  const failure = olderLedger(folder, verdict)
  if (account.environment === 'production') throw failure
  warnOnce(context, t`${failure.message}. In production nothing would be sent`)
  if (verdict.is === 'older') lacking.add(witness)
  return verdict.is === 'new-to-account'
}

/** True if records were found to be missing, which was only a warning. */
export function lacksRecords({ witness }: PaymentContext): boolean {
  return lacking.has(witness)
}
