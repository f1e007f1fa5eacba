import { keysOf } from '../wire/answers.ts'
import type { GatewayCode } from '../wire/errorCodes.ts'

/** The endpoints as `--on` names them. */
export const ENDPOINT_NAMES = ['transfer', 'refund', 'qr', 'status'] as const

export type EndpointName = (typeof ENDPOINT_NAMES)[number]

/** How the endpoints refuse a call: the HTTP status of the answer with each code, the endpoints that give it, and a sentence for people. */
export const ENDPOINT_ERRORS = {
  INVALID_AMOUNT: { status: 400, endpoints: ['qr'], sentence: 'A field of the request is invalid' },
  INVALID_TRANSACTION_ID: { status: 400, endpoints: ['refund', 'status'], sentence: 'The transaction id is malformed' },
  INVALID_CREDENTIALS: {
    status: 401,
    endpoints: ['transfer', 'refund', 'qr', 'status'],
    sentence: 'The credentials are invalid',
  },
  TRANSACTION_NOT_FOUND: { status: 404, endpoints: ['refund', 'status'], sentence: 'There is no such transaction' },
  REFUND_NOT_ALLOWED: { status: 422, endpoints: ['refund'], sentence: 'The payment cannot be refunded' },
} satisfies Record<Exclude<GatewayCode, CashOutCode>, EndpointError>

export interface EndpointError extends CashOutError {
  endpoints: readonly EndpointName[]
}

/** The codes with which the endpoints refuse a call, beside those that only a transfer has. */
export type EndpointCode = keyof typeof ENDPOINT_ERRORS
export const ENDPOINT_CODES: readonly EndpointCode[] = keysOf(ENDPOINT_ERRORS)

/** How a transfer is refused or fails. */
export const CASH_OUT_ERRORS = {
  NO_FUNDS: { status: 400, sentence: 'The balance is not sufficient for this transfer' },
  PIX_KEY_NOT_FOUND: { status: 404, sentence: 'The PIX key in `key` does not exist' },
  DOCUMENT_VALIDATE: { status: 400, sentence: 'The PIX key does not belong to the document in `documentValidation`' },
  DUPLICATE_EXTERNAL_ID: { status: 400, sentence: 'The `externalId` is already used in another transaction' },
  UNAUTHORIZED_IP: { status: 403, sentence: 'The address of the calling server is not registered' },
  ACCOUNT_DOCUMENTS_NOT_VALIDATED: { status: 400, sentence: "The account's documents are not validated" },
  OPERATION_EXCEEDS_LIMIT: { status: 400, sentence: "The transfer exceeds the account's limit" },
  WRONG_DATA_FORMAT: { status: 400, sentence: 'A field of the request is malformed' },
} satisfies Partial<Record<GatewayCode, CashOutError>>

interface CashOutError {
  status: number
  sentence: string
}

/** All codes with which a transfer is refused or fails. */
export type CashOutCode = keyof typeof CASH_OUT_ERRORS
export const CASH_OUT_CODES: readonly CashOutCode[] = keysOf(CASH_OUT_ERRORS)

/** What can go wrong with any call. */
export const CALL_FAULTS = ['drop-before', 'drop-after', 'garbage', 'html', 'garbage-before', 'html-before'] as const

/** What can go wrong with a delivery. */
export const DELIVERY_FAULTS = ['lost', 'twice', 'reorder', 'unsigned', 'bad-signature'] as const

/** A fault as it is typed. */
export type FaultKind =
  | `status:${number}`
  | `slow:${string}`
  | (typeof CALL_FAULTS)[number]
  | EndpointCode
  | CashOutCode
  | `webhook:${(typeof DELIVERY_FAULTS)[number]}`
  | `webhook:late:${string}`

/** All codes with which the sandbox answers by itself; a fault such as `status:500` answers with the reason phrase as the code. */
export const ERROR_CODES = [
  ...ENDPOINT_CODES,
  ...CASH_OUT_CODES,
  'TOO_MANY_REQUESTS',
  'PAYLOAD_TOO_LARGE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'MALFORMED_REQUEST',
  'CONFLICT',
  'CODE_ENDED',
  'AMBIGUOUS_ID',
  'UNKNOWN_TARGET',
  'FORBIDDEN',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
