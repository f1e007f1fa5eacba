import { STATUS_CODES } from 'node:http'
import {
  constant,
  describe,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  type JsonSchema,
  objectOf,
  orNull,
  REAIS,
  SETTLEMENT,
  TEXT,
  UUID,
  type ValueOf,
} from '../schemas/jsonSchema.ts'
import { PAYMENT_STATUSES } from '../wire/answers.ts'
import { ERROR_CODES } from './faultKinds.ts'

/** The error body of every endpoint. */
export function errorBody(status: number, code: string, details: string): EndpointAnswer<'Error'> {
  return { statusCode: status, error: reasonPhrase(status), message: code, details }
}

/** The reason phrase of an HTTP status: `Bad Request`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown'
}

const OK = constant('OK')
/** A fault may answer with another code, the reason phrase of any HTTP status. */
const ERROR_CODE: JsonSchema<string> = enumOf(...ERROR_CODES)
const STATUS = describe('UNPAID is the answer of the hosted sandbox only', enumOf(...PAYMENT_STATUSES, 'UNPAID'))
const QUERY = { idTransaction: TEXT, amount: REAIS, paidAt: orNull(INSTANT), response: OK }

/** The answer to a query, by the key that names the status in it. */
export const STATUS_ANSWERS = {
  status: objectOf({ ...QUERY, status: STATUS }),
  statusTransaction: objectOf({ ...QUERY, statusTransaction: STATUS }),
}

export type StatusAnswer = ValueOf<(typeof STATUS_ANSWERS)[keyof typeof STATUS_ANSWERS]>

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
    status: SETTLEMENT,
    response: OK,
  }),
  TransferAnswer: objectOf({ idTransaction: UUID, status: SETTLEMENT, response: OK }),
  StatusAnswer: STATUS_ANSWERS.status,
  Error: objectOf({
    statusCode: HTTP_STATUS,
    error: describe('HTTP reason phrase', TEXT),
    message: describe('Error code', ERROR_CODE),
    details: TEXT,
  }),
}

export type EndpointAnswer<Name extends keyof typeof ENDPOINT_ANSWERS> = ValueOf<(typeof ENDPOINT_ANSWERS)[Name]>
