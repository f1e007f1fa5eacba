import { reaisFromCents } from '../pix/amount.ts'
import { formatPaymentDate } from '../pix/calendar.ts'
import type { DeliveryView } from '../schemas/sandboxAnswers.ts'
import type { WebhookBody } from '../schemas/webhookBodies.ts'
import { eventBody, repeatIdKey } from '../wire/eventBody.ts'
import type { SandboxOptions } from './options.ts'
import type { Payment } from './payment.ts'
import type { Refund } from './refund.ts'
import type { Transfer } from './transfer.ts'

/** A webhook to be delivered. `body` is the exact text; `event` is `payment` for the general notification. */
export interface OutgoingWebhook {
  idTransaction: string
  /** The other names of its transaction, by which a fault may select it. */
  alsoNamed: readonly string[]
  url: string
  event: DeliveryView['event']
  /** The status in the body, for the log. */
  status: string
  body: string
}

/** How the sandbox writes webhook bodies. */
export type BodyRules = Pick<SandboxOptions, 'webhookStyle' | 'refundEvent'>

/** The event of a payment whose status changed. */
export function paymentWebhook(payment: Payment, { webhookStyle }: BodyRules): OutgoingWebhook {
  const { idTransaction, requestNumber, status, callbackUrl: url } = payment
  const amount = reaisFromCents(payment.amountCents)
  const data = { idTransaction, status, amount, paidAt: formatWireInstant(payment.paidAtMs) }
  const body = eventBody({ event: 'pix.received', data }, webhookStyle)
  return { idTransaction, alsoNamed: [requestNumber], url, event: 'pix.received', status, body }
}

/** The general notification of a payment for dashboards, with the payer of the request. */
export function dashboardNotification(
  payment: Payment,
  status: WebhookBody<'payment'>['statusTransaction'],
  url: string,
  { webhookStyle }: BodyRules,
): OutgoingWebhook {
  const { idTransaction, requestNumber } = payment
  const notification: WebhookBody<'payment'> = {
    idTransaction,
    typeTransaction: 'PIX',
    statusTransaction: status,
    value: reaisFromCents(payment.amountCents),
    payerName: payment.client?.name ?? 'Pagador de Teste',
    payerTaxId: payment.client?.taxId ?? '11144477735',
    paymentDate: payment.paidAtMs === null ? undefined : formatPaymentDate(payment.paidAtMs),
  }
  const body = eventBody(notification, webhookStyle)
  return { idTransaction, alsoNamed: [requestNumber], url, event: 'payment', status, body }
}

/** The event of a refund that has settled. */
export function refundWebhook(refund: Refund, { webhookStyle, refundEvent }: BodyRules): OutgoingWebhook {
  const { idTransaction, originalTransactionId, status, callbackUrl: url } = refund
  const amount = reaisFromCents(refund.amountCents)
  const timestamp = formatWireInstant(refund.settledAtMs ?? refund.createdAtMs)
  const data = { idTransaction, originalTransactionId, status, amount, timestamp }
  const text = eventBody({ event: 'refund.status', data }, webhookStyle)
  const body = refundEvent === 'repeated-key' ? repeatIdKey(text) : text
  return { idTransaction, alsoNamed: [originalTransactionId], url, event: 'refund.status', status, body }
}

/** The event of a transfer that has settled; undefined while it is in progress. */
export function transferWebhook(transfer: Transfer, { webhookStyle }: BodyRules): OutgoingWebhook | undefined {
  const { idTransaction, externalId, key, statusTransaction, callbackUrl: url } = transfer
  if (statusTransaction === null) return undefined
  const event = statusTransaction === 'PAID_OUT' ? completedEvent(transfer) : failedEvent(transfer, statusTransaction)
  const alsoNamed = externalId === null ? [key] : [externalId, key]
  const body = eventBody(event, webhookStyle)
  return { idTransaction, alsoNamed, url, event: event.event, status: statusTransaction, body }
}

/** An instant as the wire has it: ISO 8601 in UTC, or null. */
export function formatWireInstant(ms: number): string
export function formatWireInstant(ms: number | null): string | null
export function formatWireInstant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function completedEvent(transfer: Transfer): WebhookBody<'transfer.completed'> {
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

function failedEvent(
  transfer: Transfer,
  statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED',
): WebhookBody<'transfer.failed'> {
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
