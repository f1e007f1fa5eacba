/** Shapes of the webhook bodies of the service; amounts in reais, times RFC 3339 unless said. */
export interface PixReceived {
  event: 'pix.received'
  data: { idTransaction: string; status: string; amount: number; paidAt: string | null }
}

/** The original's id stands under `originalTransactionId`, or the key `idTransaction` stands there twice. */
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

/** The general format of dashboard webhooks: no envelope; `paymentDate` is dd/MM/yyyy HH:mm:ss in São Paulo. */
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
