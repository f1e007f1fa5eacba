import { valueOr } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { Failure, UsageError } from '../wire/errors.ts'
import { chooseAccount, type TypedSource } from './account.ts'
import type { AccountLedger, ProfileStore, ProfileValues } from './profile.ts'
import { readProfilesNow } from './store.ts'

interface AccountName {
  url: string
  clientId: string
}

/**
 * The shared ledger of the account that options and variables choose; undefined if its ledger is that of this machine, or if they choose none. Its secret
 * is not read.
 */
export function chosenLedger(typed: TypedSource, configFolder: string): AccountLedger | undefined {
  const ledgerIn = (store: ProfileStore) =>
    (store.ledgers ?? []).length === 0 ? undefined : ledgerOfAccount(store, chooseAccount(typed, store))
  return valueOr(undefined, Failure, () => ledgerIn(readProfilesNow(configFolder)))
}

/**
 * Checks that the account still uses the ledger that a command opened; `address` is that of a shared one. To be called in the transaction that decides: with
 * another ledger, others would not see what is paid. Throws UsageError.
 */
export function assertLedgerInUse(typed: TypedSource, configFolder: string, address: string | undefined): void {
  if (chosenLedger(typed, configFolder)?.address !== address) throw otherLedger()
}

/** The same for a command that stays with its account, whatever profile becomes the active one, or is damaged, meanwhile. */
export function assertLedgerOfAccount(account: AccountName, configFolder: string, address: string | undefined): void {
  const store = valueOr(null, Failure, () => readProfilesNow(configFolder))
  if (store !== null && ledgerOfAccount(store, account)?.address !== address) throw otherLedger()
}

function otherLedger(): UsageError {
  return new UsageError(t`The account uses another ledger than when this command began`, {
    details: [t`Nothing was sent or recorded`],
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
