import type { Ledger } from '../ledger/ledger.ts'
import { queriedOriginal } from '../ledger/originals.ts'
import { isReceivedStatus } from '../ledger/paymentState.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { type AnswerFields, readPaymentStatus } from '../wire/answers.ts'
import { ownerOf } from './paymentContext.ts'

/**
 * Records what the gateway says of a payment, if it says anything new about one that was paid. To be called after each query, so that
 * `--skip-query` and later refunds know it.
 */
export async function recordOriginal(
  ledger: Ledger,
  account: Account,
  idTransaction: string,
  fields: AnswerFields,
): Promise<void> {
  const { status, amountCents, paidAtMs } = readPaymentStatus(fields)
  if (status === null || !isReceivedStatus(status)) return
  const isKnown = (database: Database) => {
    const known = queriedOriginal(database, account, idTransaction)
    return (
      known !== undefined &&
      known.status === status &&
      (amountCents === null || known.amountCents === amountCents) &&
      (paidAtMs === null || known.paidAtMs === paidAtMs)
    )
  }
  if (await ledger.read(isKnown)) return
  await ledger.write((writer) => {
    if (isKnown(writer.database)) return
    writer.append({ type: 'original', owner: ownerOf(account), idTransaction, status, amountCents, paidAtMs })
  })
}
