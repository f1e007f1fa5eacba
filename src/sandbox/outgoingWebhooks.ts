import { reaisFromCents } from '../pix/amount.ts'
import { formatPaymentDate } from '../pix/calendar.ts'
import type {
  PaymentNotification,
  PixReceived,
  RefundStatus,
  TransferCompleted,
  TransferFailed,
  WebhookEvent,
} from '../wire/events.ts'
import type { Payment } from './payment.ts'
import type { Refund } from './refund.ts'
import type { Transfer } from './transfer.ts'

/** A webhook to be delivered. `body` is the exact text; `event` is `payment` for the general notification. */
export interface Notice {
  idTransaction: string
  url: string
  event: WebhookEvent['event'] | 'payment'
  /** The status that the body tells, for the log. */
  status: string
  body: string
}

/** The event of a payment whose status changed. */
export function paymentNotice(payment: Payment): Notice {
  const { idTransaction, status } = payment
  const body: PixReceived = {
    event: 'pix.received',
    data: { idTransaction, status, amount: reaisFromCents(payment.amountCents), paidAt: instant(payment.paidAtMs) },
  }
  return { idTransaction, url: payment.callbackUrl, event: body.event, status, body: JSON.stringify(body) }
}

/** The general notification of a payment, as dashboards get it. `payerName` and `payerTaxId` are those of the request. */
export function dashboardNotice(
  payment: Payment,
  status: PaymentNotification['statusTransaction'],
  url: string,
): Notice {
  const { idTransaction } = payment
  const body: PaymentNotification = {
    idTransaction,
    typeTransaction: 'PIX',
    statusTransaction: status,
    value: reaisFromCents(payment.amountCents),
    payerName: payment.client?.name ?? 'Pagador de Teste',
    payerTaxId: payment.client?.taxId ?? '11144477735',
    paymentDate: payment.paidAtMs === null ? undefined : formatPaymentDate(payment.paidAtMs),
  }
  return { idTransaction, url, event: 'payment', status, body: JSON.stringify(body) }
}

/** The event of a refund that settled. With `repeatedKey` the key `idTransaction` stands twice: refund, then original. */
export function refundNotice(refund: Refund, repeatedKey: boolean): Notice {
  const { idTransaction, originalTransactionId, status } = refund
  const body: RefundStatus = {
    event: 'refund.status',
    data: {
      idTransaction,
      originalTransactionId,
      status,
      amount: reaisFromCents(refund.amountCents),
      timestamp: instant(refund.settledAtMs ?? refund.createdAtMs) ?? '',
    },
  }
  const text = JSON.stringify(body)
  return {
    idTransaction,
    url: refund.callbackUrl,
    event: body.event,
    status,
    body: repeatedKey ? text.replace('"originalTransactionId":', '"idTransaction":') : text,
  }
}

/** The event of a transfer that settled; undefined while it is in progress. */
export function transferNotice(transfer: Transfer): Notice | undefined {
  const { statusTransaction } = transfer
  if (statusTransaction === null) return undefined
  const body = statusTransaction === 'PAID_OUT' ? completedBody(transfer) : failedBody(transfer, statusTransaction)
  return {
    idTransaction: transfer.idTransaction,
    url: transfer.callbackUrl,
    event: body.event,
    status: statusTransaction,
    body: JSON.stringify(body),
  }
}

/** An instant as the wire has it: ISO 8601 in UTC, null where there is none. */
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function completedBody(transfer: Transfer): TransferCompleted {
  return {
    event: 'transfer.completed',
    data: {
      idTransaction: transfer.idTransaction,
      typeTransaction: 'PIX_CASHOUT',
      statusTransaction: 'PAID_OUT',
      value: reaisFromCents(transfer.valueCents),
      destinationName: transfer.holder.name,
      destinationTaxId: transfer.holder.taxId,
      destinationBank: transfer.holder.bank,
    },
  }
}

function failedBody(transfer: Transfer, statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED'): TransferFailed {
  return {
    event: 'transfer.failed',
    data: {
      idTransaction: transfer.idTransaction,
      typeTransaction: 'PIX_CASHOUT',
      statusTransaction,
      value: reaisFromCents(transfer.valueCents),
      errorCode: transfer.errorCode ?? statusTransaction,
      errorMessage: transfer.errorMessage ?? '',
    },
  }
}
