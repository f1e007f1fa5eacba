import type { MoneyPayment } from '../ledger/facts.ts'
import { reaisFromCents } from '../pix/amount.ts'

/** The exact JSON body of the request for a payment; `externalId` is null for a refund, which has none. Amounts are in reais. */
export function requestBody(facts: MoneyPayment, externalId: string | null): string {
  if (facts.kind === 'transfer') {
    const { amountCents, key, keyType, callbackUrl, documentValidation } = facts
    return JSON.stringify({
      value: reaisFromCents(amountCents),
      key,
      typeKey: keyType,
      callbackUrl,
      ...(externalId === null ? {} : { externalId }),
      ...(documentValidation === null ? {} : { documentValidation }),
    })
  }
  // The service's documentation names the original's id in two ways.
  const { originalTransactionId, refundReason, callbackUrl, amountCents, isWhole, idField } = facts
  return JSON.stringify({
    ...(idField === 'idTransaction' ? {} : { originalTransactionId }),
    ...(idField === 'originalTransactionId' ? {} : { idTransaction: originalTransactionId }),
    refundReason,
    callbackUrl,
    ...(isWhole || amountCents === null ? {} : { amount: reaisFromCents(amountCents) }),
  })
}
