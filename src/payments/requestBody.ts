import type { MoneyPayment } from '../ledger/records.ts'
import { reaisFromCents } from '../pix/amount.ts'
import type { RefundBody, TransferBody } from '../wire/requests.ts'

/** The exact JSON body of the request for a payment; `externalId` is null for a refund, which has none. */
export function requestBody(facts: MoneyPayment, externalId: string | null): string {
  if (facts.kind === 'transfer') {
    const { amountCents, key, keyType, callbackUrl, documentValidation } = facts
    const body: TransferBody = {
      value: reaisFromCents(amountCents),
      key,
      typeKey: keyType,
      callbackUrl,
      ...(externalId === null ? {} : { externalId }),
      ...(documentValidation === null ? {} : { documentValidation }),
    }
    return JSON.stringify(body)
  }
  const { originalTransactionId, refundReason, callbackUrl, amountCents, isWhole, idField } = facts
  const body: RefundBody = {
    ...(idField === 'idTransaction' ? {} : { originalTransactionId }),
    ...(idField === 'originalTransactionId' ? {} : { idTransaction: originalTransactionId }),
    refundReason,
    callbackUrl,
    ...(isWhole || amountCents === null ? {} : { amount: reaisFromCents(amountCents) }),
  }
  return JSON.stringify(body)
}
