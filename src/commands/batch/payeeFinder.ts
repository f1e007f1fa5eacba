import type { FindPayee } from '../../batch/rowPayee.ts'
import type { Context } from '../../context.ts'
import { findPayee, payeeNames } from '../../ledger/payees.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { closestName } from '../payee/payeeLedger.ts'

/** So many unknown names of a file get a suggestion: comparing one with all names takes time. */
const SUGGESTED_MAX = 20

/** Looks up the payees that the rows of a file name in the ledger of the active account, which is chosen at the first one. */
export function payeeFinder(context: Context): FindPayee {
  let account: ReturnType<typeof activeAccount> | undefined
  let unknown = 0
  return async (name) => {
    account ??= activeAccount(context)
    const [ledger, own] = await Promise.all([context.ledger(), account])
    const payee = await ledger.read((database) => findPayee(database, own, name))
    if (payee !== undefined) return { payee }
    unknown += 1
    if (unknown > SUGGESTED_MAX) return { payee: null, close: undefined }
    const names = await ledger.read((database) => payeeNames(database, own))
    return { payee: null, close: closestName(name, names) }
  }
}
