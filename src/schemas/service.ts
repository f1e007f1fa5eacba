import {
  ADDRESS,
  constant,
  describe,
  either,
  HTTP_STATUS,
  INSTANT,
  type JsonSchema,
  orNull,
  REAIS,
  record,
  TEXT,
  UUID,
  words,
} from './jsonSchema.ts'

const AMOUNT: JsonSchema = { ...REAIS, exclusiveMinimum: 0, maximum: 9_999_999_999.99 }
const OK = constant('OK')
const PROCESSING = words('PROCESSING', 'COMPLETED', 'FAILED')
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
      typeKey: words('document', 'phoneNumber', 'email', 'randomKey', 'paymentCode'),
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
