import type { EndpointCode, EndpointName } from './faultKinds.ts'

/** The HTTP status of an answer with such a code, the endpoints that give it, and a sentence for people. */
export const ENDPOINT_ERRORS: Readonly<
  Record<EndpointCode, { status: number; endpoints: readonly EndpointName[]; sentence: string }>
> = {
  INVALID_AMOUNT: { status: 400, endpoints: ['qr'], sentence: 'A field of the request is invalid' },
  INVALID_TRANSACTION_ID: { status: 400, endpoints: ['refund', 'status'], sentence: 'The transaction id is malformed' },
  INVALID_CREDENTIALS: {
    status: 401,
    endpoints: ['transfer', 'refund', 'qr', 'status'],
    sentence: 'The credentials are invalid',
  },
  TRANSACTION_NOT_FOUND: { status: 404, endpoints: ['refund', 'status'], sentence: 'There is no such transaction' },
  REFUND_NOT_ALLOWED: { status: 422, endpoints: ['refund'], sentence: 'The payment cannot be refunded' },
}
