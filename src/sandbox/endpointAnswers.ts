import {
  constant,
  describe,
  either,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  objectOf,
  orNull,
  REAIS,
  TEXT,
  UUID,
  type ValueOf,
} from '../schemas/jsonSchema.ts'

const OK = constant('OK')
const PROCESSING = enumOf('PROCESSING', 'COMPLETED', 'FAILED')
const STATUS = describe('PENDING, PAID, EXPIRED, CANCELLED or REFUNDED; in the hosted sandbox also UNPAID', TEXT)
const QUERY = { idTransaction: TEXT, amount: REAIS, paidAt: orNull(INSTANT), response: OK }

/** What the four endpoints answer, by the names that the OpenAPI document gives them. Amounts in reais. */
export const ENDPOINT_ANSWERS = {
  QrCodeAnswer: objectOf({
    idTransaction: UUID,
    paymentCode: describe('PIX copy-and-paste code', TEXT),
    paymentCodeBase64: { ...TEXT, contentEncoding: 'base64', contentMediaType: 'image/png' },
    response: OK,
    expiresAt: INSTANT,
  }),
  RefundAnswer: objectOf({
    idTransaction: UUID,
    originalTransactionId: UUID,
    amount: REAIS,
    status: PROCESSING,
    response: OK,
  }),
  TransferAnswer: objectOf({ idTransaction: UUID, status: PROCESSING, response: OK }),
  StatusAnswer: either(objectOf({ ...QUERY, status: STATUS }), objectOf({ ...QUERY, statusTransaction: STATUS })),
  Error: objectOf({
    statusCode: HTTP_STATUS,
    error: describe('HTTP reason phrase', TEXT),
    message: describe('Error code', TEXT),
    details: TEXT,
  }),
}

export type EndpointAnswer<Name extends keyof typeof ENDPOINT_ANSWERS> = ValueOf<(typeof ENDPOINT_ANSWERS)[Name]>
