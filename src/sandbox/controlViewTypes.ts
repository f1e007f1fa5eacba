/** A cash-in as the control API shows it. Amounts in reais, times ISO 8601. */
export interface PaymentView {
  type: 'payment'
  idTransaction: string
  requestNumber: string
  status: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED'
  amount: number
  refunded: number
  paidAt: string | null
  expiresAt: string | null
  createdAt: string | null
  chargebackAt: string | null
  chargedBack: number
  shippingAmount: number | null
  usernameCheckout: string | null
  client: { readonly name?: string; readonly taxId?: string; readonly email?: string } | null
  split: { username: string; percentageSplit: number; amount: number } | null
  callbackUrl: string
  paymentCode: string
}

/** A refund as the control API shows it. */
export interface RefundView {
  type: 'refund'
  idTransaction: string
  originalTransactionId: string
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  amount: number
  refundReason: string
  createdAt: string | null
  settledAt: string | null
  callbackUrl: string
}

/** A cash-out as the control API shows it. */
export interface TransferView {
  type: 'transfer'
  idTransaction: string
  externalId: string | null
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  statusTransaction: 'PAID_OUT' | 'ERROR' | 'CANCELED' | 'RETURNED' | null
  value: number
  key: string
  typeKey: string
  documentValidation: string | null
  destinationName: string
  destinationTaxId: string
  destinationBank: string
  errorCode: string | null
  errorMessage: string | null
  createdAt: string | null
  settledAt: string | null
  callbackUrl: string
}

export type TransactionView = PaymentView | RefundView | TransferView

/** A webhook and the result of delivering it. */
export interface DeliveryView {
  idTransaction: string
  url: string
  /** `payment` for the general notification. */
  event: 'pix.received' | 'refund.status' | 'transfer.completed' | 'transfer.failed' | 'payment'
  attempts: number
  /** The HTTP status of the last answer; null if there was none. */
  status: number | null
  outcome: 'waiting' | 'delivered' | 'given-up' | 'lost'
  /** Why the last attempt had no answer. */
  error: string | null
  /** The value of the header `X-Signature`; null if a fault omitted it. */
  signature: string | null
  createdAt: string | null
  /** The exact text that was signed. */
  body: string
}

/** All that a sandbox knows. */
export interface StateView {
  /** In reais. */
  balance: number
  payments: PaymentView[]
  refunds: RefundView[]
  transfers: TransferView[]
  deliveries: DeliveryView[]
  /** The sandbox's own time. */
  now: string | null
}
