import { STATUS_CODES } from 'node:http'
import { t } from '../text/words.ts'
import type { ErrorBody } from '../wire/answers.ts'

/** A request that is answered with the error body. `message` holds the code, `details` the sentence. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, details: string, headers: Readonly<Record<string, string>> = {}) {
    super(details)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The error body of every endpoint. */
export function errorBody(status: number, code: string, details: string): ErrorBody {
  return { statusCode: status, error: reasonPhrase(status), message: code, details }
}

/** The reason phrase of an HTTP status: `Bad Request`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown'
}

/** What was asked makes no sense in the transaction's state: 409. */
export function conflict(details: string): Refusal {
  return new Refusal(409, 'CONFLICT', details)
}

/** No transaction carries the id: 404. */
export function notFound(id: string): Refusal {
  return new Refusal(404, 'TRANSACTION_NOT_FOUND', t`There is no transaction \`${id}\``)
}
