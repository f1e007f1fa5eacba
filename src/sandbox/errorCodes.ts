import { CASH_OUT_CODES, ENDPOINT_CODES } from './faultKinds.ts'

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
