import type { Context } from '../../context.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { type ProfileStore, type ProfileValues, profileEnvironment } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { LedgerUpdate } from '../ledger/changeLedger.ts'
import { chosenPasswordSource } from '../ledger/passwordOptions.ts'
import type { ProfileOptions } from './profileOptions.ts'
import { loadProfiles, type Warnings } from './profileStore.ts'

/** True if options choose the ledger of the account, or its password. */
export function choosesLedger(options: Partial<ProfileOptions>): boolean {
  return options.ledger !== undefined || chosenPasswordSource(options) !== undefined
}

/**
 * Stores a profile, together with the ledger that options choose for its account; `--ledger` is `ledger join`, and `--no-ledger` is `ledger leave`. `name` is
 * what `--confirm` takes, and `store` stores the profile and what the update gives. Throws UsageError, Cancelled, and what the ledgers throw; then nothing was
 * changed.
 */
export async function storeWithLedger(
  context: Context,
  { name, profile }: { name: string; profile: ProfileValues },
  options: Partial<ProfileOptions>,
  warnings: Warnings,
  store: (update?: LedgerUpdate) => Promise<void>,
): Promise<void> {
  if (!choosesLedger(options)) return store()
  const { baseUrl: url, clientId } = profile
  const account = { environment: profileEnvironment(profile), url, clientId, confirmName: name }
  if (options.ledger === false) {
    const { leaveLedger } = await import('../ledger/changeLedger.ts')
    const { left, brought } = await leaveLedger(context, account, options.confirmHost, warnings, store)
    context.terminal.note(
      brought === 1
        ? t`${clientId} no longer uses ${left}; 1 of its records was taken over`
        : t`${clientId} no longer uses ${left}; ${brought} of its records were taken over`,
    )
    return
  }
  const address = options.ledger ?? joinedLedger(await loadProfiles(context, warnings), profile)
  const { joinLedger } = await import('../ledger/changeLedger.ts')
  const { brought } = await joinLedger(context, account, { address, options }, warnings, store)
  context.terminal.note(
    brought === 1
      ? t`${clientId} uses the shared ledger ${address.url}; 1 record of this machine was taken over`
      : t`${clientId} uses the shared ledger ${address.url}; ${brought} records of this machine were taken over`,
  )
}

/** The ledger that a new source of the password is for. Throws UsageError. */
function joinedLedger(store: ProfileStore, profile: ProfileValues): LedgerAddress {
  const address = ledgerOfProfile(store, profile)
  if (address !== null) return readLedgerAddress(address)
  throw new UsageError(
    t`A password of a shared ledger is given, but ${profile.clientId} uses the ledger of this machine`,
    {
      details: [t`Nothing was changed`],
      hint: t`Add \`--ledger postgres://maria@db.example.com/payments\``,
    },
  )
}
