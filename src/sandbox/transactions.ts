import { KEY_TYPES } from '../pix/pixKey.ts'
import {
  CENTS,
  constant,
  enumOf,
  NUMBER,
  objectOf,
  orNull,
  PAYMENT_STATUS,
  SETTLEMENT,
  TEXT,
  type ValueOf,
} from '../schemas/jsonSchema.ts'
import { CLIENT, TRANSFER_END } from '../schemas/sandboxAnswers.ts'

/** A cash-in as it is kept. Money in cents, times in milliseconds. */
export const KEPT_PAYMENT = objectOf({
  type: constant('payment'),
  idTransaction: TEXT,
  requestNumber: TEXT,
  status: PAYMENT_STATUS,
  amountCents: CENTS,
  shippingAmountCents: orNull(CENTS),
  usernameCheckout: orNull(TEXT),
  client: orNull(CLIENT),
  /** The partner's share; leaves the balance when the payment is paid. */
  split: orNull(objectOf({ username: TEXT, percentageSplit: NUMBER, shareCents: CENTS })),
  callbackUrl: TEXT,
  paymentCode: TEXT,
  createdAtMs: NUMBER,
  expiresAtMs: NUMBER,
  paidAtMs: orNull(NUMBER),
  chargebackAtMs: orNull(NUMBER),
  /** What the chargeback took out of the balance. */
  chargedBackCents: CENTS,
  /** Given back or on its way back. */
  heldForRefundsCents: CENTS,
  /** Given back for good. */
  refundedCents: CENTS,
})

export type Payment = Readonly<ValueOf<typeof KEPT_PAYMENT>>

/** A refund of a payment as it is kept. Money in cents, times in milliseconds. */
export const KEPT_REFUND = objectOf({
  type: constant('refund'),
  idTransaction: TEXT,
  originalTransactionId: TEXT,
  status: SETTLEMENT,
  amountCents: CENTS,
  refundReason: TEXT,
  callbackUrl: TEXT,
  createdAtMs: NUMBER,
  settledAtMs: orNull(NUMBER),
})

export type Refund = Readonly<ValueOf<typeof KEPT_REFUND>>

/** A cash-out as it is kept. Money in cents, times in milliseconds. */
export const KEPT_TRANSFER = objectOf({
  type: constant('transfer'),
  idTransaction: TEXT,
  externalId: orNull(TEXT),
  status: SETTLEMENT,
  /** The status as events name it; null while in progress. */
  statusTransaction: orNull(TRANSFER_END),
  valueCents: CENTS,
  key: TEXT,
  typeKey: enumOf(...KEY_TYPES),
  documentValidation: orNull(TEXT),
  holder: objectOf({ name: TEXT, taxId: TEXT, bank: TEXT }),
  callbackUrl: TEXT,
  createdAtMs: NUMBER,
  settledAtMs: orNull(NUMBER),
  errorCode: orNull(TEXT),
  errorMessage: orNull(TEXT),
  /** The code with which it will fail; null if it will be paid out. */
  failsWith: orNull(TEXT),
  /** The payment of this sandbox whose code it pays. */
  paysPayment: orNull(TEXT),
})

export type Transfer = Readonly<ValueOf<typeof KEPT_TRANSFER>>

/** Anything with a transaction id; told apart by its `type`. */
export type Transaction = Payment | Refund | Transfer

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const ID_PREFIX_MIN = 6

/** True for an id that can name a transaction here: a UUID, or text that begins with `paid-`. */
export function isTransactionId(id: string): boolean {
  return UUID.test(id) || id.startsWith('paid-')
}

/** True if the text is this id, or at least its first 6 characters if it is a UUID, in any case. */
export function isIdOrPrefix(text: string, id: string): boolean {
  if (text === id) return true
  if (!UUID.test(id)) return false
  const isLongEnough = text.length >= ID_PREFIX_MIN
  return isLongEnough && id.toLowerCase().startsWith(text.toLowerCase())
}

interface TransactionNames {
  idTransaction: string
  paymentCode?: string
  requestNumber?: string
  externalId?: string | null
}

interface NamedTransactions<Each> {
  /** False if only the beginning of their ids was typed. */
  isWhole: boolean
  found: Each[]
}

/**
 * The transactions that a typed id names, in any case: by transaction id, payment code, request number or external id, else by at least the first 6
 * characters of a transaction id. This is the one rule of the control API and its commands.
 */
export function namedTransactions<Each extends TransactionNames>(
  all: readonly Each[],
  typed: string,
): NamedTransactions<Each> {
  const id = typed.trim().toLowerCase()
  const whole = all.filter(({ idTransaction, paymentCode, requestNumber, externalId }) =>
    [idTransaction, paymentCode, requestNumber, externalId].some((name) => name?.toLowerCase() === id),
  )
  if (whole.length > 0) return { isWhole: true, found: whole }
  return { isWhole: false, found: all.filter(({ idTransaction }) => isIdOrPrefix(id, idTransaction)) }
}
