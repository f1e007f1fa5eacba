import { assertNoOldLog } from '../ledger/ledgerFile.ts'
import { olderLedger } from '../ledger/witness.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import type { PaymentContext } from './paymentContext.ts'
import { warnOnce } from './paymentWarnings.ts'

/**
 * The witnesses that were compared with the ledger and found nothing missing. Only then may what is seen of the ledger take the place of what was
 * seen before: creating a charge compares nothing, and would otherwise make an older copy the newest.
 */
const agreeing = new WeakSet<PaymentContext['witness']>()

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
  if (verdict.is === 'older') agreeing.delete(witness)
  else if (verdict.is === 'current' || account.environment === 'sandbox') agreeing.add(witness)
  if (verdict.is === 'current') return true
  const failure = olderLedger(folder, verdict)
  if (account.environment === 'production') throw failure
  warnOnce(context, t`${failure.message}. In production nothing would be sent`)
  return verdict.is === 'new-to-account'
}

/** True if the ledger was compared with what was seen before a payment, and nothing was missing. */
export function wasFoundCurrent({ witness }: PaymentContext): boolean {
  return agreeing.has(witness)
}
