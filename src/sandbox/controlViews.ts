import { reaisFromCents } from '../pix/amount.ts'
import type { DeliveryView, PaymentView, RefundView, TransactionView, TransferView } from '../schemas/sandboxAnswers.ts'
import type { Transaction } from './bank.ts'
import type { Delivery } from './deliveries.ts'
import { formatWireInstant } from './outgoingWebhooks.ts'
import type { Payment } from './payment.ts'
import type { Refund } from './refund.ts'
import type { Transfer } from './transfer.ts'

/** A transaction as the control commands show it: the wire's names, amounts in reais, times ISO 8601 or null. */
export function transactionView(transaction: Transaction): TransactionView {
  switch (transaction.type) {
    case 'payment':
      return paymentView(transaction)
    case 'refund':
      return refundView(transaction)
    case 'transfer':
      return transferView(transaction)
  }
}

/** A delivery as the state shows it; `body` is the exact text that was signed. */
export function deliveryView(delivery: Delivery): DeliveryView {
  const { webhook, attempts, status, outcome, error, answer, signature } = delivery
  const { idTransaction, url, event, body } = webhook
  const createdAt = formatWireInstant(delivery.createdAtMs)
  return { idTransaction, url, event, attempts, status, outcome, error, answer, signature, createdAt, body }
}

/** A payment as the control API shows it. */
export function paymentView(payment: Payment): PaymentView {
  const { split, shippingAmountCents } = payment
  return {
    type: payment.type,
    idTransaction: payment.idTransaction,
    requestNumber: payment.requestNumber,
    status: payment.status,
    amount: reaisFromCents(payment.amountCents),
    refunded: reaisFromCents(payment.refundedCents),
    paidAt: formatWireInstant(payment.paidAtMs),
    expiresAt: formatWireInstant(payment.expiresAtMs),
    createdAt: formatWireInstant(payment.createdAtMs),
    chargebackAt: formatWireInstant(payment.chargebackAtMs),
    chargedBack: reaisFromCents(payment.chargedBackCents),
    shippingAmount: shippingAmountCents === null ? null : reaisFromCents(shippingAmountCents),
    usernameCheckout: payment.usernameCheckout,
    client: payment.client,
    split:
      split === null
        ? null
        : {
            username: split.username,
            percentageSplit: split.percentageSplit,
            amount: reaisFromCents(split.shareCents),
          },
    callbackUrl: payment.callbackUrl,
    paymentCode: payment.paymentCode,
  }
}

/** A refund as the control API shows it. */
export function refundView(refund: Refund): RefundView {
  return {
    type: refund.type,
    idTransaction: refund.idTransaction,
    originalTransactionId: refund.originalTransactionId,
    status: refund.status,
    amount: reaisFromCents(refund.amountCents),
    refundReason: refund.refundReason,
    createdAt: formatWireInstant(refund.createdAtMs),
    settledAt: formatWireInstant(refund.settledAtMs),
    callbackUrl: refund.callbackUrl,
  }
}

/** A transfer as the control API shows it. */
export function transferView(transfer: Transfer): TransferView {
  return {
    type: transfer.type,
    idTransaction: transfer.idTransaction,
    externalId: transfer.externalId,
    status: transfer.status,
    statusTransaction: transfer.statusTransaction,
    value: reaisFromCents(transfer.valueCents),
    key: transfer.key,
    typeKey: transfer.typeKey,
    documentValidation: transfer.documentValidation,
    destinationName: transfer.holder.name,
    destinationTaxId: transfer.holder.taxId,
    destinationBank: transfer.holder.bank,
    errorCode: transfer.errorCode,
    errorMessage: transfer.errorMessage,
    createdAt: formatWireInstant(transfer.createdAtMs),
    settledAt: formatWireInstant(transfer.settledAtMs),
    callbackUrl: transfer.callbackUrl,
  }
}
