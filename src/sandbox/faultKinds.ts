/** The endpoints as `--on` names them. */
export const ENDPOINT_NAMES = ['transfer', 'refund', 'qr', 'status'] as const

export type EndpointName = (typeof ENDPOINT_NAMES)[number]

/** The codes with which the endpoints refuse a call, beside those that only a transfer has. */
export const ENDPOINT_CODES = [
  'INVALID_AMOUNT',
  'INVALID_TRANSACTION_ID',
  'INVALID_CREDENTIALS',
  'TRANSACTION_NOT_FOUND',
  'REFUND_NOT_ALLOWED',
] as const

export type EndpointCode = (typeof ENDPOINT_CODES)[number]

/** All codes with which a transfer is refused or fails. */
export const CASH_OUT_CODES = [
  'NO_FUNDS',
  'PIX_KEY_NOT_FOUND',
  'DOCUMENT_VALIDATE',
  'DUPLICATE_EXTERNAL_ID',
  'UNAUTHORIZED_IP',
  'ACCOUNT_DOCUMENTS_NOT_VALIDATED',
  'OPERATION_EXCEEDS_LIMIT',
  'WRONG_DATA_FORMAT',
] as const

export type CashOutCode = (typeof CASH_OUT_CODES)[number]

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
  'AMBIGUOUS_ID',
  'UNKNOWN_TARGET',
  'FORBIDDEN',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
