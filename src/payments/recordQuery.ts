import type { Ledger } from '../ledger/ledger.ts'
import { ownCharge, queriedOriginal } from '../ledger/originals.ts'
import { findingFromStatus } from '../ledger/statusMeaning.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { type AnswerFields, readPaymentStatus } from '../wire/answers.ts'
import { ownerOf } from './paymentContext.ts'

/**
 * Records what the gateway answered to a query, if that is final and new: the state of a charge is derived from it, and refunds with `--skip-query` know it.
 * To be called after each query.
 */
export async function recordQuery(
  ledger: Ledger,
  account: Account,
  idTransaction: string,
  fields: AnswerFields,
): Promise<void> {
  const { status, amountCents, paidAtMs } = readPaymentStatus(fields)
  if (status === null || findingFromStatus(status) === null) return
  const paymentOf = (database: Database) => ownCharge(database, account, idTransaction)?.payment ?? null
  const isKnown = (database: Database) => {
    const known = queriedOriginal(database, account, idTransaction)
    return (
      known !== undefined &&
      known.status === status &&
      (amountCents === null || known.amountCents === amountCents) &&
      (paidAtMs === null || known.paidAtMs === paidAtMs) &&
      known.payment === paymentOf(database)
    )
  }
  if (await ledger.read(isKnown)) return
  await ledger.write((writer) => {
    if (isKnown(writer.database)) return
    const payment = paymentOf(writer.database)
    writer.append({ type: 'query', payment, owner: ownerOf(account), idTransaction, status, amountCents, paidAtMs })
  })
}
