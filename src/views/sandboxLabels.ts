import { t } from '../text/translate.ts'

const LABELS: Readonly<Record<string, () => string>> = {
  type: () => t`kind`,
  idTransaction: () => t`transaction id`,
  originalTransactionId: () => t`refund of`,
  requestNumber: () => t`order`,
  externalId: () => t`external id`,
  amount: () => t`amount`,
  value: () => t`amount`,
  refunded: () => t`refunded`,
  shippingAmount: () => t`shipping`,
  refundReason: () => t`reason`,
  key: () => t`key`,
  typeKey: () => t`key type`,
  documentValidation: () => t`owner`,
  destinationName: () => t`receiver`,
  destinationTaxId: () => t`CPF or CNPJ of the receiver`,
  destinationBank: () => t`bank`,
  statusTransaction: () => t`status in the event`,
  errorCode: () => t`error code`,
  errorMessage: () => t`error`,
  status: () => t`status`,
  createdAt: () => t`created`,
  expiresAt: () => t`expires`,
  paidAt: () => t`paid at`,
  settledAt: () => t`ended`,
  chargebackAt: () => t`charged back`,
  chargedBack: () => t`taken back`,
  usernameCheckout: () => t`checkout`,
  callbackUrl: () => t`callback URL`,
  paymentCode: () => t`payment code`,
  balance: () => t`balance`,
  now: () => t`clock`,
  event: () => t`event`,
  outcome: () => t`outcome`,
  attempts: () => t`attempts`,
  kind: () => t`kind`,
  on: () => t`on`,
  times: () => t`times`,
  async: () => t`async`,
}

/** How a field of what the sandbox answers is called on a screen; its own name if it has no other. */
export function sandboxLabel(field: string): string {
  return LABELS[field]?.() ?? field
}
