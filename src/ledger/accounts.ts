import { type Database, integerOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import type { Owner } from './owner.ts'

/** What tells one account from another: the same ids of another address or client id are other payments. */
export interface AccountKey {
  /** The base address. */
  url: string
  clientId: string
}

/** An account in one of its environments. */
export type AccountInEnvironment = AccountKey & Pick<Owner, 'environment'>

/** The number of an account in the ledger; 0, which no account has, if nothing of it is recorded. */
export function accountId(database: Database, { url, clientId }: AccountKey): number {
  const found = database.get(
    'SELECT id FROM account WHERE base_url = ? AND client_id = ?',
    accountAddress(url),
    clientId,
  )
  return found === undefined ? 0 : integerOf(found, 'id')
}

/** The number of an account in the ledger, which is added if it is missing. */
export function addAccount(database: Database, account: AccountKey): number {
  const found = accountId(database, account)
  if (found !== 0) return found
  database.run('INSERT INTO account (base_url, client_id) VALUES (?, ?)', accountAddress(account.url), account.clientId)
  return accountId(database, account)
}
