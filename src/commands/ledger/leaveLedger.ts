import type { Context } from '../../context.ts'
import { ledgerOfAccount } from '../../profiles/accountLedger.ts'
import { readProfiles } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { readBaseAddress } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { confirmWeakening } from '../profile/hostConfirmation.ts'
import { deleteSecret } from '../profile/newSecret.ts'
import type { Warnings } from '../profile/profileStore.ts'
import { type ChangedLedger, changeLedger, type LedgerAccount, type LedgerUpdate } from './changeLedger.ts'

/**
 * Makes an account use the ledger of this machine again, which takes over what the shared one holds of the account. In production it asks, or `confirmHost`
 * confirms it; `store` stores what the update gives. Returns the address that was left, too. Throws UsageError if the account has no shared ledger,
 * Cancelled, and what the ledgers throw; then nothing was changed.
 */
export async function leaveLedger(
  context: Context,
  account: LedgerAccount,
  confirmHost: string | undefined,
  warnings: Warnings,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger & { left: string }> {
  const { url: baseUrl, clientId } = account
  const before = ledgerOfAccount(await readProfiles(context.configFolder()), account)
  if (before === undefined) {
    throw new UsageError(t`${clientId} at ${baseUrl} uses the ledger of this machine`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger show\` to see it`,
    })
  }
  await confirmLeaving(context, account, before.address, confirmHost)
  const changed = await changeLedger(context, { account, before, after: undefined }, async () => undefined, store)
  if (before.password !== undefined) await deleteSecret(context, before.password, warnings)
  return { ...changed, left: before.address }
}

/** Other machines no longer see what this one pays, so it asks as every weakening of production does. */
async function confirmLeaving(
  context: Context,
  { url: baseUrl, environment }: LedgerAccount,
  address: string,
  confirmHost: string | undefined,
): Promise<void> {
  if (environment === 'sandbox') return
  const step = {
    address: readBaseAddress(baseUrl, 'baseUrl'),
    consequence: t`Without the shared ledger, other machines do not see what this one pays`,
    rows: [[t`ledger`, address]] as const,
    question: t`Type the host name to leave the shared ledger`,
    nothingDone: t`Nothing was changed`,
  }
  await confirmWeakening(context, step, confirmHost)
}
