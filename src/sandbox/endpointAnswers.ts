/** The answer to a cash-in; the image is the bare Base64 of a PNG. */
export interface QrCodeAnswer {
  idTransaction: string
  paymentCode: string
  paymentCodeBase64: string
  response: 'OK'
  expiresAt: string
}

/** The answer to a refund; the amount in reais. */
export interface RefundAnswer {
  idTransaction: string
  originalTransactionId: string
  amount: number
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  response: 'OK'
}

/** The answer to a cash-out. */
export interface TransferAnswer {
  idTransaction: string
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  response: 'OK'
}

/** The answer to a status query, with the status under one of its two names; the amount in reais. */
export interface StatusAnswer {
  idTransaction: string
  status?: string
  statusTransaction?: string
  amount: number
  paidAt: string | null
  response: 'OK'
}
