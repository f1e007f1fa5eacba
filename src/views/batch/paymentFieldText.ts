import { t } from '../../text/translate.ts'

const NAMES: Readonly<Record<string, () => string>> = {
  key: () => t`key`,
  value: () => t`amount`,
  amount: () => t`amount`,
  typeKey: () => t`key type`,
  externalId: () => t`external id`,
  documentValidation: () => t`owner`,
  callbackUrl: () => t`callback URL`,
  currency: () => t`currency`,
  name: () => t`name`,
  payee: () => t`payee`,
  originalTransactionId: () => t`original payment`,
  refundReason: () => t`reason`,
}

/** What a column of a payment file holds, as a person calls it. */
export function paymentFieldText(field: string): string {
  return NAMES[field]?.() ?? field
}
