import type { Context } from '../../context.ts'
import { findPayments, isNamedByGateway, isOfAccount } from '../../ledger/payments.ts'
import type { Account } from '../../profiles/account.ts'
import type { Expectation } from '../../reconcile/expectations.ts'

/** The account whose ledger entries count; undefined for all accounts. */
export type EntryOwner = Pick<Account, 'url' | 'clientId'> | undefined

/**
 * Whose entries answer for an id. External ids, request numbers and ids of rows say nothing of the account, and a file tried in a sandbox
 * has the same ones as in production: of several accounts only the active one answers, and a comparison never takes another account's
 * payment for its own unless the file has the gateway's id or the UUID of it. `active` is called only if that matters.
 */
export async function entryOwner(
  context: Context,
  { idTransaction: id, isLocal, isJudged }: Expectation,
  active: () => Promise<NonNullable<EntryOwner>>,
): Promise<EntryOwner> {
  const named = await context.namedAccount()
  if (named !== undefined) return named
  if (isLocal) return active()
  const ledger = await context.ledger()
  const found = await ledger.read((database) => findPayments(database, id))
  const accounts = new Set(found.map(({ owner }) => JSON.stringify([owner.baseUrl, owner.clientId])))
  const isOwnOnly = isJudged && !found.some((payment) => isNamedByGateway(payment, id) || payment.id === id)
  if (accounts.size === 0 || (accounts.size === 1 && !isOwnOnly)) return undefined
  const account = await active()
  return isOwnOnly || found.some((payment) => isOfAccount(payment, account)) ? account : undefined
}
