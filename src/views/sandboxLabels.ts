import type { PaymentKind } from '../ledger/facts.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import { stateFromStatus } from '../ledger/statusMeaning.ts'
import { cellText } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'

// What the page of `inspect` says of the sandbox, too, so that nothing here may need Node.js.

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
  status: () => t`state`,
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

/** How a member of a request or an answer is called on a screen; its own name if it has no other. */
export function wireLabel(field: string): string {
  return LABELS[field]?.() ?? field
}

const KINDS: ReadonlyMap<unknown, PaymentKind> = new Map([
  ['payment', 'qr'],
  ['refund', 'refund'],
  ['transfer', 'transfer'],
])

/** The state that people read for what the sandbox holds of a transaction; undefined for anything else. */
export function transactionState({
  type,
  status,
  statusTransaction,
  chargebackAt,
}: AnswerFields): PaymentState | undefined {
  const kind = KINDS.get(type)
  if (kind === undefined) return undefined
  // The service goes on calling a charge PAID after its chargeback.
  if (chargebackAt !== null && chargebackAt !== undefined) return 'returned'
  return stateFromStatus(kind, cellText(statusTransaction ?? status))
}
