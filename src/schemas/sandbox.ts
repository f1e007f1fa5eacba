import { KEY_TYPES } from '../pix/pixKey.ts'
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
  type JsonSchema,
  list,
  orNull,
  REAIS,
  record,
  TEXT,
  UUID,
} from './jsonSchema.ts'

const AMOUNT: JsonSchema = { ...REAIS, exclusiveMinimum: 0, maximum: 9_999_999_999.99 }
const OK = constant('OK')
const PROCESSING = enumOf('PROCESSING', 'COMPLETED', 'FAILED')
const STATUS = describe('PENDING, PAID, EXPIRED, CANCELLED or REFUNDED; in the hosted sandbox also UNPAID', TEXT)
const QUERY = { idTransaction: TEXT, amount: REAIS, paidAt: orNull(INSTANT), response: OK }

/** Requests and answers of the four endpoints, by the names that the OpenAPI document gives them. */
export const SERVICE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  QrCodeRequest: record(
    {
      requestNumber: TEXT,
      dueDate: describe('A date (YYYY-MM-DD) or an ISO 8601 date-time', TEXT),
      amount: AMOUNT,
      callbackUrl: ADDRESS,
    },
    {
      shippingAmount: { ...REAIS, minimum: 0 },
      usernameCheckout: TEXT,
      client: record({}, { name: TEXT, taxId: TEXT, email: { type: 'string', format: 'email' } }),
      split: record({
        username: TEXT,
        percentageSplit: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
      }),
    },
  ),
  QrCodeAnswer: record({
    idTransaction: UUID,
    paymentCode: describe('PIX copy-and-paste code', TEXT),
    paymentCodeBase64: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    response: OK,
    expiresAt: INSTANT,
  }),
  RefundRequest: record(
    { originalTransactionId: UUID, refundReason: TEXT, callbackUrl: ADDRESS },
    { amount: describe('Omit it to refund all that is left', AMOUNT) },
  ),
  RefundAnswer: record({
    idTransaction: UUID,
    originalTransactionId: UUID,
    amount: REAIS,
    status: PROCESSING,
    response: OK,
  }),
  TransferRequest: record(
    {
      value: AMOUNT,
      key: TEXT,
      typeKey: enumOf(...KEY_TYPES),
      callbackUrl: ADDRESS,
    },
    { externalId: TEXT, documentValidation: describe('The CPF or CNPJ that must own the key', TEXT) },
  ),
  TransferAnswer: record({ idTransaction: UUID, status: PROCESSING, response: OK }),
  StatusAnswer: either(record({ ...QUERY, status: STATUS }), record({ ...QUERY, statusTransaction: STATUS })),
  Error: record({
    statusCode: HTTP_STATUS,
    error: describe('HTTP reason phrase', TEXT),
    message: describe('Error code', TEXT),
    details: TEXT,
  }),
}

const OUTCOME = enumOf('waiting', 'delivered', 'given-up', 'lost')

const PAYMENT = record({
  type: constant('payment'),
  idTransaction: UUID,
  requestNumber: TEXT,
  status: enumOf('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED'),
  amount: REAIS,
  refunded: REAIS,
  paidAt: orNull(INSTANT),
  expiresAt: INSTANT,
  createdAt: INSTANT,
  chargebackAt: orNull(INSTANT),
  chargedBack: describe('What a chargeback took back, in reais', REAIS),
  shippingAmount: orNull(REAIS),
  usernameCheckout: orNull(TEXT),
  client: orNull(record({}, { name: TEXT, taxId: TEXT, email: TEXT })),
  split: orNull(record({ username: TEXT, percentageSplit: { type: 'number' }, amount: REAIS })),
  callbackUrl: ADDRESS,
  paymentCode: TEXT,
})

const REFUND = record({
  type: constant('refund'),
  idTransaction: UUID,
  originalTransactionId: UUID,
  status: enumOf('PROCESSING', 'COMPLETED', 'FAILED'),
  amount: REAIS,
  refundReason: TEXT,
  createdAt: INSTANT,
  settledAt: orNull(INSTANT),
  callbackUrl: ADDRESS,
})

const TRANSFER = record({
  type: constant('transfer'),
  idTransaction: UUID,
  externalId: orNull(TEXT),
  status: enumOf('PROCESSING', 'COMPLETED', 'FAILED'),
  statusTransaction: orNull(enumOf('PAID_OUT', 'ERROR', 'CANCELED', 'RETURNED')),
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

const DELIVERY = record({
  idTransaction: UUID,
  url: ADDRESS,
  event: TEXT,
  attempts: COUNT,
  status: orNull(HTTP_STATUS),
  outcome: OUTCOME,
  error: orNull(TEXT),
  signature: orNull(TEXT),
  createdAt: INSTANT,
  body: describe('The exact text that was signed', TEXT),
})

const READY = record({ type: constant('ready'), url: ADDRESS })

const REQUEST_LINE = record({
  type: constant('request'),
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
})

const DELIVERY_LINE = record({
  type: constant('delivery'),
  at: INSTANT,
  event: TEXT,
  eventStatus: TEXT,
  idTransaction: UUID,
  url: ADDRESS,
  attempt: COUNT,
  attemptsMax: COUNT,
  status: orNull(HTTP_STATUS),
  error: orNull(TEXT),
  outcome: OUTCOME,
  body: TEXT,
})

/** What the control API answers, by the names that the OpenAPI document gives them. */
export const CONTROL_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Transaction: either(PAYMENT, REFUND, TRANSFER),
  Fault: record({ kind: TEXT, times: COUNT, async: BOOLEAN, on: orNull(TEXT) }),
  Clock: record({ now: INSTANT }),
  State: record({
    balance: REAIS,
    payments: list(PAYMENT),
    refunds: list(REFUND),
    transfers: list(TRANSFER),
    deliveries: list(DELIVERY),
    now: INSTANT,
  }),
  Requests: record({ requests: list(REQUEST_LINE) }),
  Health: record({ status: constant('ok') }),
}

/** The JSON of the sandbox commands, by the names that `pixgate schema` gives them. */
export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'sandbox-start': describe('One line each', either(READY, REQUEST_LINE, DELIVERY_LINE)),
  'sandbox-control': describe(
    'The transaction after pay, expire, cancel, chargeback, return, fail and deliver',
    either(PAYMENT, REFUND, TRANSFER),
  ),
  'sandbox-state': CONTROL_SCHEMAS.State ?? {},
  'sandbox-reset': CONTROL_SCHEMAS.State ?? {},
  'sandbox-fault': CONTROL_SCHEMAS.Fault ?? {},
  'sandbox-advance': CONTROL_SCHEMAS.Clock ?? {},
  'sandbox-requests': list(REQUEST_LINE),
}
