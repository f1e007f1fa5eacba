/** The body of `pix.received`. In all these bodies amounts are in reais, and times are RFC 3339 unless noted. */
export interface PixReceived {
  event: 'pix.received'
  data: { idTransaction: string; status: string; amount: number; paidAt: string | null }
}

/** The body of `refund.status`. Some senders repeat the key `idTransaction` instead of using `originalTransactionId`. */
interface RefundStatus {
  event: 'refund.status'
  data: {
    idTransaction: string
    originalTransactionId: string
    status: string
    amount: number
    timestamp: string
  }
}

export interface TransferCompleted {
  event: 'transfer.completed'
  data: {
    idTransaction: string
    typeTransaction: 'PIX_CASHOUT'
    statusTransaction: 'PAID_OUT'
    value: number
    destinationName: string
    destinationTaxId: string
    destinationBank: string
  }
}

export interface TransferFailed {
  event: 'transfer.failed'
  data: {
    idTransaction: string
    typeTransaction: 'PIX_CASHOUT'
    statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED'
    value: number
    errorCode: string
    errorMessage: string
  }
}

/** The general format of dashboard webhooks, without an envelope. `paymentDate` is dd/MM/yyyy HH:mm:ss, São Paulo time. */
export interface PaymentNotification {
  idTransaction: string
  typeTransaction: 'PIX'
  statusTransaction: 'PAID_OUT' | 'CHARGEBACK'
  value: number
  payerName?: string
  payerTaxId?: string
  paymentDate?: string
}

export type WebhookEvent = PixReceived | RefundStatus | TransferCompleted | TransferFailed
