import type { FindPayee } from '../../batch/rowPayee.ts'
import type { Context } from '../../context.ts'
import { findPayee, payeeNames } from '../../ledger/payees.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { closestName } from '../payee/payeeLedger.ts'

/** So many comparisons of unknown names of a file with those of payees are made for suggestions; 100,000 take about a second. */
const COMPARISONS_MAX = 200_000

/** Looks up the payees that the rows of a file name in the ledger of the active account, which is chosen at the first one. */
export function payeeFinder(context: Context): FindPayee {
  let account: ReturnType<typeof activeAccount> | undefined
  let names: readonly string[] | undefined
  let comparisons = 0
  return async (name) => {
    account ??= activeAccount(context)
    const [ledger, own] = await Promise.all([context.ledger(), account])
    const payee = await ledger.read((database) => findPayee(database, own, name))
    if (payee !== undefined) return { payee }
    if (comparisons > COMPARISONS_MAX) return { payee: null, close: undefined }
    names ??= await ledger.read((database) => payeeNames(database, own))
    comparisons += names.length
    return { payee: null, close: closestName(name, names) }
  }
}
