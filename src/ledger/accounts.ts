import { ENVIRONMENTS } from '../profiles/settings.ts'
import { object, oneOf, orNull, type ReadBy, string, where } from '../schemas/jsonReader.ts'
import { type Database, integerOf, textOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/baseAddress.ts'

/** What tells one account from another: the same ids of another address or client id are other payments. */
export interface AccountKey {
  /** The base address. */
  url: string
  clientId: string
  /** Its number in the ledger, see {@link withNumber}. */
  number?: number
}

/** An account in one of its environments. */
export type AccountInEnvironment = AccountKey & Pick<Owner, 'environment'>

/** The number of an account in the ledger; 0, which no account has, if nothing of it is recorded. */
export function accountId(database: Database, { url, clientId, number }: AccountKey): number {
  if (number !== undefined) return number
  const query = 'SELECT id FROM account WHERE base_url = ? AND client_id = ?'
  return database.integer(query, accountAddress(url), clientId) ?? 0
}

/** An account with its number, once it has one, for a transaction that asks about many of its payments. Another transaction must look it up again. */
export function withNumber<Account extends AccountKey>(database: Database, account: Account): Account {
  const number = accountId(database, account)
  return number === 0 ? account : { ...account, number }
}

/** The number of an account in the ledger, which is added if it is missing. */
export function addAccount(database: Database, account: AccountKey): number {
  const found = accountId(database, account)
  if (found !== 0) return found
  database.run('INSERT INTO account (base_url, client_id) VALUES (?, ?)', accountAddress(account.url), account.clientId)
  return accountId(database, account)
}

const address = where(string, (value) => URL.canParse(value), 'url')
const place = { profile: orNull(string), environment: oneOf(ENVIRONMENTS) }

export const OWNER = object({ ...place, baseUrl: address, clientId: string })
/** Whose payment it is. The same ids of another base address or client id are other payments. */
export type Owner = ReadBy<typeof OWNER>

export const EVENT_OWNER = object({ ...place, baseUrl: orNull(address), clientId: orNull(string) })
/** The account of the secret that an event was signed with. A secret alone has neither address nor id. */
export type EventOwner = ReadBy<typeof EVENT_OWNER>

/** Everybody who has written to a ledger, the one who wrote last first. */
export function ledgerMembers(database: Database) {
  const rows = database.all(
    'SELECT user, machine, count(*) AS records, max(at) AS last_at FROM record GROUP BY user, machine ORDER BY last_at DESC',
  )
  return rows.map((row) => ({
    user: textOf(row, 'user'),
    machine: textOf(row, 'machine'),
    records: integerOf(row, 'records'),
    /** When the newest of them was written, RFC 3339, UTC. */
    lastAt: textOf(row, 'last_at'),
  }))
}
