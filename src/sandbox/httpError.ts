import { STATUS_CODES } from 'node:http'
import { english } from '../text/translate.ts'
import type { EndpointAnswer } from './endpointAnswers.ts'
import type { ErrorCode } from './errorCodes.ts'

/** Thrown for a request that is answered with an error body; its message becomes `details`. */
export class HttpError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: ErrorCode, details: string, headers: Readonly<Record<string, string>> = {}) {
    super(details)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The error body of every endpoint. */
export function errorBody(status: number, code: string, details: string): EndpointAnswer<'Error'> {
  return { statusCode: status, error: reasonPhrase(status), message: code, details }
}

/** The reason phrase of an HTTP status: `Bad Request`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown'
}

/** The state of the transaction does not allow this: 409. */
export function conflictError(details: string): HttpError {
  return new HttpError(409, 'CONFLICT', details)
}

/** No transaction carries the id: 404. */
export function notFoundError(id: string): HttpError {
  return new HttpError(404, 'TRANSACTION_NOT_FOUND', english`There is no transaction \`${id}\``)
}
