import type { Context } from '../../context.ts'
import { accountId } from '../../ledger/accounts.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/address.ts'
import type { TeamLedger } from '../../ledger/team/teamLedger.ts'
import { isAnswered } from '../../payments/consent.ts'
import { ledgerOfAccount } from '../../profiles/accountLedger.ts'
import type { AccountLedger } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { deleteSecret, storeSecret } from '../profile/newSecret.ts'
import type { Warnings } from '../profile/profileStore.ts'
import { type ChangedLedger, changeLedger, type LedgerAccount, type LedgerUpdate } from './changeLedger.ts'
import { newPassword, type PasswordOptions } from './passwordOptions.ts'

/** A copy of more records than this takes seconds. */
const LONG_COPY_RECORDS = 20_000

/**
 * Makes an account use a shared ledger on this machine. What this machine has recorded for the account is taken over. If the ledger never saw the account,
 * it asks. The password comes from the options, which replace the source that is stored for the same ledger; `store` stores what the update gives. Throws
 * UsageError if the account uses another ledger or this one cannot be used, Cancelled, and what the ledgers throw; then nothing was changed.
 */
export async function joinLedger(
  context: Context,
  account: LedgerAccount,
  { address, options }: { address: LedgerAddress; options: PasswordOptions },
  warnings: Warnings,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger> {
  const { url: baseUrl, clientId } = account
  const before = ledgerOfAccount(await readProfiles(context.configFolder()), account)
  if (before !== undefined && !isSameDatabase(readLedgerAddress(before.address), address)) {
    throw hasOtherLedger(account, before)
  }
  const earlier = before?.address === address.url ? before.password : undefined
  const password = await newPassword(context, address, options, earlier !== undefined, warnings)
  const saved = password && (await storeSecret(context, 'ledger', password, warnings))
  const source = saved?.source ?? earlier
  const after: AccountLedger = { baseUrl, clientId, address: address.url, ...(source && { password: source }) }
  // A server that is not reached is reported before anything is asked.
  const check = async (shared: TeamLedger) => {
    const { behind } = await shared.state()
    if (behind !== null && behind > LONG_COPY_RECORDS) {
      context.terminal.note(t`Copying ${behind} records of the shared ledger to this machine, which takes a while once`)
    }
    await shared.copyAll()
    const isKnown = await shared.write(({ database }) => accountId(database, account) !== 0)
    if (!isKnown) await askToBegin(context, account, address)
  }
  let changed: ChangedLedger
  try {
    changed = await changeLedger(context, { account, before, after }, check, store)
  } catch (error) {
    await saved?.undo()
    throw error
  }
  if (before?.password !== undefined && source !== before.password) {
    await deleteSecret(context, before.password, warnings)
  }
  return changed
}

/** True for two logins of one ledger. */
function isSameDatabase(one: LedgerAddress, other: LedgerAddress): boolean {
  return one.host === other.host && one.port === other.port && one.database === other.database
}

/** The ledger has no record of the account: the address may be the wrong one. */
export async function askToBegin(context: Context, account: LedgerAccount, address: LedgerAddress): Promise<void> {
  const { terminal, settings } = context
  terminal.warn(t`The ledger ${address.url} has no record of the account ${account.clientId} at ${account.url}`)
  if (isAnswered(account, settings, t`Nothing was changed`) || account.environment === 'sandbox') return
  if (!terminal.canAsk) {
    throw new UsageError(t`This ledger has no record of the account, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was changed`],
      hint: t`Add \`--confirm ${account.confirmName}\` if it is the ledger of your team`,
    })
  }
  if (await terminal.confirm(t`Is it the ledger of your team?`)) return
  throw new Cancelled(t`Declined; nothing was changed`, { hint: t`Check the address with your team` })
}

function hasOtherLedger({ clientId }: LedgerAccount, { address }: AccountLedger): UsageError {
  return new UsageError(t`${clientId} uses the shared ledger ${address} on this machine`, {
    details: [t`Nothing was changed`],
    hint: t`Run \`pixgate ledger leave\` first`,
  })
}
