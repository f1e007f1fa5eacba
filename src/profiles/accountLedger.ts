import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/address.ts'
import { Failure, UsageError } from '../wire/errors.ts'
import { chooseAccount, type TypedSource } from './account.ts'
import type { AccountLedger, ProfileStore, ProfileValues } from './profile.ts'
import { readProfilesNow } from './store.ts'

/** What tells one account from another. */
interface AccountName {
  url: string
  clientId: string
}

/** The variable with the address of a shared ledger, for credentials in variables. */
export const LEDGER_VARIABLE = 'PIXGATE_LEDGER'

/**
 * The shared ledger of the account that options and variables choose; undefined if its ledger is that of this machine, or if they choose none. Its secret
 * is not read.
 */
export function chosenLedger(typed: TypedSource, configFolder: string): AccountLedger | undefined {
  const address = typed.env[LEDGER_VARIABLE]
  const { account, own } = chosenAccount(typed, configFolder) ?? {}
  if (account === undefined || own !== undefined || !address || account.profile !== null) return own
  return { baseUrl: account.url, clientId: account.clientId, address }
}

/** The profile that is chosen, if its account has no shared ledger, so that {@link LEDGER_VARIABLE} has no effect; undefined otherwise. */
export function profileWithoutLedger(typed: TypedSource, configFolder: string): string | undefined {
  const { account, own } = chosenAccount(typed, configFolder) ?? {}
  return own === undefined ? (account?.profile ?? undefined) : undefined
}

/** The account that options and variables choose, and its ledger; undefined if they choose none, or if no ledger is shared. */
function chosenAccount(typed: TypedSource, configFolder: string) {
  try {
    const store = readProfilesNow(configFolder)
    if ((store.ledgers ?? []).length === 0 && !typed.env[LEDGER_VARIABLE]) return undefined
    const account = chooseAccount(typed, store)
    return { account, own: ledgerOfAccount(store, account) }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Checks that the account still uses the ledger that a command opened; `address` is that of a shared one. To be called in the transaction that decides: with
 * another ledger, others would not see what is paid. Throws UsageError.
 */
export function assertLedgerInUse(typed: TypedSource, configFolder: string, address: string | undefined): void {
  if (chosenLedger(typed, configFolder)?.address === address) return
  throw new UsageError(t`The account uses another ledger than when this command began, so nothing was sent`, {
    hint: t`Look at it with \`pixgate ledger show\`, then run the command again`,
  })
}

/** The shared ledger of an account that this machine has joined; undefined if there is none. */
export function ledgerOfAccount(
  { ledgers = [] }: Pick<ProfileStore, 'ledgers'>,
  account: AccountName,
): AccountLedger | undefined {
  return ledgers.find((each) => isOfAccount(each, account))
}

/** The address of the shared ledger of a profile's account; null for the ledger of this machine. */
export function ledgerOfProfile(
  store: Pick<ProfileStore, 'ledgers'>,
  { baseUrl: url, clientId }: Pick<ProfileValues, 'baseUrl' | 'clientId'>,
): string | null {
  return ledgerOfAccount(store, { url, clientId })?.address ?? null
}

/** The ledgers with this one for its account in the place of another, or with none. */
export function withLedger(
  { ledgers = [] }: ProfileStore,
  account: AccountName,
  ledger: AccountLedger | undefined,
): AccountLedger[] {
  const others = ledgers.filter((each) => !isOfAccount(each, account))
  return ledger === undefined ? others : [...others, ledger]
}

function isOfAccount(ledger: AccountLedger, { url: baseUrl, clientId }: AccountName): boolean {
  return isSameAccount(ledger, { baseUrl, clientId })
}
