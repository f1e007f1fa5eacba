/** The service's answers, as the specification gives them; amounts in reais. */
export interface QrCodeAnswer {
  idTransaction: string
  paymentCode: string
  paymentCodeBase64: string
  response: string
  expiresAt: string
}

export interface RefundAnswer {
  idTransaction: string
  originalTransactionId: string
  amount: number
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  response: string
}

export interface TransferAnswer {
  idTransaction: string
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  response: string
}

/** `status` stands under `statusTransaction` in one published sample. */
export interface StatusAnswer {
  idTransaction: string
  status?: string
  statusTransaction?: string
  amount: number
  paidAt: string | null
  response: string
}

/** The error body of every endpoint; `message` is the error code. */
export interface ErrorBody {
  statusCode: number
  error: string
  message: string
  details: string
}
