/** Paths of the service's four endpoints, appended to the base address. */
export const ENDPOINT_PATHS = {
  createQrCode: '/api/v2/gateway/request-qrcode',
  refund: '/api/v2/gateway/pix-refund',
  transfer: '/api/v1/gateway/pix-payment',
  consultTransaction: '/api/v2/gateway/consult-transaction',
} as const

/** Body of the cash-in request; amounts in reais. */
export interface QrCodeBody {
  requestNumber: string
  dueDate: string
  amount: number
  shippingAmount?: number
  usernameCheckout?: string
  callbackUrl: string
  client?: { name?: string; taxId?: string; email?: string }
  split?: { username: string; percentageSplit: number }
}

/** Which of the two fields for the original's id a refund sends. */
export const REFUND_ID_FIELDS = ['originalTransactionId', 'idTransaction', 'both'] as const
