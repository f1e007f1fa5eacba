import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  constant,
  describe,
  either,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  isDescribedBy,
  type JsonSchema,
  list,
  NUMBER,
  objectOf,
  orNull,
  PAYMENT_STATUS,
  REAIS,
  SETTLEMENT,
  TEXT,
  UUID,
  type ValueOf,
} from './jsonSchema.ts'
import { EVENT_NAMES } from './webhookBodies.ts'

/** How the delivery of a webhook ended, if it has. */
export const OUTCOME = enumOf('waiting', 'delivered', 'given-up', 'lost')

/** The payer, as the request names them. */
export const CLIENT = objectOf({}, { name: TEXT, taxId: TEXT, email: TEXT })

export const SPLIT = objectOf({ username: TEXT, percentageSplit: NUMBER, amount: REAIS })

export const PAYMENT = objectOf({
  type: constant('payment'),
  idTransaction: UUID,
  requestNumber: TEXT,
  status: PAYMENT_STATUS,
  amount: REAIS,
  refunded: REAIS,
  paidAt: orNull(INSTANT),
  expiresAt: INSTANT,
  createdAt: INSTANT,
  chargebackAt: orNull(INSTANT),
  chargedBack: describe('What a chargeback took back, in reais', REAIS),
  shippingAmount: orNull(REAIS),
  usernameCheckout: orNull(TEXT),
  client: orNull(CLIENT),
  split: orNull(SPLIT),
  callbackUrl: ADDRESS,
  paymentCode: TEXT,
})

/** A cash-in as the control API shows it. Amounts in reais, times ISO 8601. */
export type PaymentView = ValueOf<typeof PAYMENT>

export const REFUND = objectOf({
  type: constant('refund'),
  idTransaction: UUID,
  originalTransactionId: UUID,
  status: SETTLEMENT,
  amount: REAIS,
  refundReason: TEXT,
  createdAt: INSTANT,
  settledAt: orNull(INSTANT),
  callbackUrl: ADDRESS,
})

/** A refund as the control API shows it. Amounts in reais, times ISO 8601. */
export type RefundView = ValueOf<typeof REFUND>

/** How a transfer ended, as events name it. */
export const TRANSFER_END = enumOf('PAID_OUT', 'ERROR', 'CANCELED', 'RETURNED')

export const TRANSFER = objectOf({
  type: constant('transfer'),
  idTransaction: UUID,
  externalId: orNull(TEXT),
  status: SETTLEMENT,
  statusTransaction: orNull(TRANSFER_END),
  value: REAIS,
  key: TEXT,
  typeKey: TEXT,
  documentValidation: orNull(TEXT),
  destinationName: TEXT,
  destinationTaxId: TEXT,
  destinationBank: TEXT,
  errorCode: orNull(TEXT),
  errorMessage: orNull(TEXT),
  createdAt: INSTANT,
  settledAt: orNull(INSTANT),
  callbackUrl: ADDRESS,
})

/** A cash-out as the control API shows it. Amounts in reais, times ISO 8601. */
export type TransferView = ValueOf<typeof TRANSFER>

const ANSWER = describe('The beginning of the body of the last answer, if it was not 200', orNull(TEXT))

/** The result of one attempt to deliver a webhook. */
export const ATTEMPT_RESULT = objectOf({
  at: INSTANT,
  status: describe('Null if there was no answer', orNull(HTTP_STATUS)),
  error: describe('Why there was no answer', orNull(TEXT)),
  answer: describe('The beginning of the body of an answer that was not 200', orNull(TEXT)),
})

export const DELIVERY = objectOf({
  idTransaction: UUID,
  url: ADDRESS,
  event: enumOf(...EVENT_NAMES),
  attempts: COUNT,
  status: orNull(HTTP_STATUS),
  outcome: OUTCOME,
  error: orNull(TEXT),
  answer: ANSWER,
  answers: describe('The results of all attempts that ended, oldest first', list(ATTEMPT_RESULT)),
  signature: orNull(TEXT),
  createdAt: INSTANT,
  body: describe('The exact text that was signed', TEXT),
})

/**
 * A webhook and the result of delivering it. The event `payment` is the general notification, `status` the HTTP status of the
 * last answer or null, `error` why the last attempt had no answer, `answer` the beginning of the body of an answer that was not 200,
 * `answers` the results of all attempts, `signature` the value of `X-Signature` or null if a fault omitted it, `body` the exact text that was
 * signed.
 */
export type DeliveryView = ValueOf<typeof DELIVERY>

const READY = objectOf(
  { type: constant('ready'), url: ADDRESS },
  { controlToken: describe('If one was made because other machines can reach the sandbox', TEXT) },
)

const REQUEST_FIELDS = {
  n: describe('Counts the requests to the gateway; null for a control request', orNull(COUNT)),
  at: INSTANT,
  method: TEXT,
  path: TEXT,
  query: TEXT,
  status: describe('Null if the connection was closed without an answer', orNull(HTTP_STATUS)),
  ms: COUNT,
  code: orNull(TEXT),
  details: orNull(TEXT),
  requestBody: TEXT,
  responseBody: orNull(TEXT),
}

export const REQUEST_LINE = objectOf({ type: constant('request'), ...REQUEST_FIELDS })

/**
 * A request to the sandbox and its answer; secrets are replaced by dots. `query` has no `?`; `code` and `details` are those of
 * an error; `responseBody` is null if there was no answer, and for a control request.
 */
export type RequestEntry = ValueOf<typeof REQUEST_LINE>

const DELIVERY_FIELDS = {
  at: INSTANT,
  event: TEXT,
  eventStatus: TEXT,
  idTransaction: UUID,
  url: ADDRESS,
  attempt: COUNT,
  attemptsMax: COUNT,
  status: orNull(HTTP_STATUS),
  error: orNull(TEXT),
  answer: ANSWER,
  outcome: OUTCOME,
  body: TEXT,
}

const DELIVERY_LINE = objectOf({ type: constant('delivery'), ...DELIVERY_FIELDS })

/** One attempt to deliver a webhook; `eventStatus` is the status that the event reports, `url` has no query and no password. */
export type DeliveryEntry = ValueOf<typeof DELIVERY_LINE>

export type LogEntry = RequestEntry | DeliveryEntry

const EVENT_STEP = objectOf({
  at: INSTANT,
  kind: constant('event'),
  event: TEXT,
  eventStatus: TEXT,
  idTransaction: UUID,
  url: ADDRESS,
  outcome: OUTCOME,
  body: TEXT,
})

/** A webhook as it was made, before the first attempt to deliver it; `outcome` is how its delivery ended. */
export type EventStep = ValueOf<typeof EVENT_STEP>

const FAULT = objectOf({
  kind: describe('As it was typed, such as drop-after or NO_FUNDS', TEXT),
  on: describe('What it is limited to; null for whatever comes next', orNull(TEXT)),
  times: describe('How many times it is still to come', COUNT),
  async: BOOLEAN,
})

/** A fault that is still to come. */
export type FaultView = ValueOf<typeof FAULT>

const FAULTS = describe('The faults that are still to come, oldest first', list(FAULT))

const DELIVERIES = list(DELIVERY)

const STATE = objectOf({
  balance: REAIS,
  payments: list(PAYMENT),
  refunds: list(REFUND),
  transfers: list(TRANSFER),
  deliveries: DELIVERIES,
  faults: FAULTS,
  now: INSTANT,
})

/** All that a sandbox knows: the balance in reais, and `now` the sandbox's own time. */
export type StateView = ValueOf<typeof STATE>

const TRANSACTION = either(PAYMENT, REFUND, TRANSFER)

export type TransactionView = ValueOf<typeof TRANSACTION>

const REQUEST_STEP = objectOf({ kind: constant('request'), ...REQUEST_FIELDS })
const DELIVERY_STEP = objectOf({ kind: constant('delivery'), ...DELIVERY_FIELDS })
const HISTORY_STEP = either(REQUEST_STEP, EVENT_STEP, DELIVERY_STEP)

export type HistoryStep = ValueOf<typeof HISTORY_STEP>

/** True for a step as a sandbox of this build answers it. */
export function isHistoryStep(value: unknown): value is HistoryStep {
  return isDescribedBy(HISTORY_STEP, value)
}

const HISTORY = objectOf({
  transaction: TRANSACTION,
  steps: describe(
    'Its requests, events and attempts to deliver them, oldest first; of a payment also those of its refunds',
    list(HISTORY_STEP),
  ),
})

/** A transaction and its requests, events and attempts to deliver them, oldest first; of a payment also those of its refunds. */
export type HistoryView = ValueOf<typeof HISTORY>

/** What the control API answers, by the names that the OpenAPI document gives them. */
export const CONTROL_SCHEMAS = {
  Transaction: TRANSACTION,
  Fault: FAULT,
  Faults: objectOf({ faults: FAULTS }),
  Clock: objectOf({ now: INSTANT }),
  State: STATE,
  History: HISTORY,
  Deliveries: objectOf({ deliveries: DELIVERIES }),
  Requests: objectOf({ requests: list(REQUEST_LINE) }),
  Health: objectOf({ status: constant('ok'), version: TEXT }),
}

/** The JSON of the sandbox commands, by the names that `pixgate schema` gives them. */
export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'sandbox-start': describe('One line each', either(READY, REQUEST_LINE, DELIVERY_LINE)),
  'sandbox-control': describe(
    'The transaction after pay, expire, cancel, chargeback, return, fail and deliver',
    TRANSACTION,
  ),
  'sandbox-deliver': describe('With --failed a list', either(TRANSACTION, DELIVERIES)),
  'sandbox-state': describe('With an id its history', either(STATE, HISTORY)),
  'sandbox-reset': STATE,
  'sandbox-fault': FAULT,
  'sandbox-fault-list': FAULTS,
  'sandbox-fault-clear': FAULTS,
  'sandbox-advance': CONTROL_SCHEMAS.Clock,
  'sandbox-requests': describe('With --follow one line each', either(list(REQUEST_LINE), REQUEST_LINE)),
}
