import { assertNoOldLog } from '../ledger/ledgerFile.ts'
import { olderLedger } from '../ledger/witness.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import type { PaymentContext } from './paymentContext.ts'

/** The warning that was already shown for a witness, because a batch decides many times. */
const warned = new WeakMap<PaymentContext['witness'], string>()

/** The witnesses by which records are missing: what is seen of such a ledger must not take their place. */
const lacking = new WeakSet<PaymentContext['witness']>()

/** The warning about the ledger, if one was given: it belongs in the documents of the payments that are sent all the same. */
export function ledgerWarnings({ witness }: PaymentContext): string[] {
  const warning = warned.get(witness)
  return warning === undefined ? [] : [warning]
}

/**
 * Checks that the ledger can be trusted, before a question and again in the transaction that decides: no log of an earlier version, no records
 * missing, and no other ledger in use for the account. In a sandbox the last two are only a warning. False if records are missing, so that what
 * was seen must not be noted. Throws UsageError.
 */
export function checkLedgerIsCurrent(
  { account, ledger, terminal, witness }: PaymentContext,
  database: Database,
): boolean {
  const { folder } = ledger.environment
  assertNoOldLog(folder)
  const verdict = witness.compare(database, account)
  if (verdict.is === 'current') return true
  const failure = olderLedger(folder, verdict)
  if (account.environment === 'production') throw failure
  if (!warned.has(witness)) {
    const warning = t`${failure.message}. In production nothing would be sent`
    terminal.warn(warning)
    warned.set(witness, warning)
  }
  if (verdict.is === 'older') lacking.add(witness)
  return verdict.is === 'new-to-account'
}

/** True if records were found to be missing, which was only a warning. */
export function lacksRecords({ witness }: PaymentContext): boolean {
  return lacking.has(witness)
}
