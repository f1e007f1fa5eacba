import type { SeenLedger } from '../ledger/ledgerId.ts'
import { assertNotStopped } from '../ledger/stopFailure.ts'
import type { SeenLedgers } from '../ledger/witness.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { olderLedger } from './ledgerFailures.ts'
import type { PaymentContext } from './paymentContext.ts'
import { warnOnce } from './paymentWarnings.ts'

/**
 * The witnesses that were compared with the ledger and found nothing missing. Only then may what is seen of the ledger take the place of what was
 * seen before: creating a charge compares nothing, and would otherwise make an older copy the newest.
 */
const agreeing = new WeakSet<PaymentContext['witness']>()

/**
 * Checks that the ledger can be trusted, before a question and again in the transaction that decides: no records missing, and no other ledger in use for the account. In a sandbox the last two are only a warning. In a transaction that only reads, `seen` must
 * have been read before it began. Throws UsageError.
 */
export function checkLedgerIsCurrent(
  context: PaymentContext,
  database: Database,
  seen: SeenLedgers = context.witness.read(),
): void {
  const { account, ledger, witness } = context
  const { folder, sharedAt } = ledger.environment
  assertNotStopped(database, ledger.environment)
  const verdict = witness.compare(database, account, seen)
  if (verdict.is === 'older') agreeing.delete(witness)
  else if (verdict.is === 'current' || account.environment === 'sandbox') agreeing.add(witness)
  if (verdict.is === 'current') return
  const failure = olderLedger(folder, verdict, sharedAt)
  if (account.environment === 'production') throw failure
  warnOnce(context, t`${failure.message}. In production nothing would be sent`)
}

/** Notes what was seen of the ledger, if it was compared before a payment and nothing was missing. Throws UsageError if it cannot be written. */
export function noteLedger({ account, witness }: PaymentContext, seen: SeenLedger): void {
  if (agreeing.has(witness)) witness.note(seen, account)
}
