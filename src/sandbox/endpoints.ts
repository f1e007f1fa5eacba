import type { IncomingHttpHeaders } from 'node:http'
import { english } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { ENDPOINT_PATHS } from '../wire/requests.ts'
import { assertBearer, assertClientPair } from './auth.ts'
import type { Clock } from './clock.ts'
import type { ENDPOINT_ANSWERS } from './endpointAnswers.ts'
import type { FaultInjector, FaultSubject } from './faultInjector.ts'
import type { EndpointName } from './faultKinds.ts'
import { HttpError } from './httpError.ts'
import type { SandboxOptions } from './options.ts'
import type { QueryLimit } from './queryLimit.ts'
import { type ENDPOINT_REQUESTS, readCashIn, readCashOut, readRefund } from './requestBodies.ts'
import type { Service } from './service.ts'
import { isTransactionId } from './transactionIds.ts'

/** One request, read whole. `body` throws an HttpError if it was too large. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  peer: string | undefined
  /** The sandbox's own port. */
  port: number
  body: () => Buffer
  /** The body as text; empty if it was too large. */
  text: string
}

/** All that a call can touch. */
export interface SandboxParts {
  options: SandboxOptions
  clock: Clock
  service: Service
  faults: FaultInjector
  queryLimit: QueryLimit
  isAllowedIp: (address: string | undefined) => boolean
}

/** One of the four endpoints: how it is documented, and how it is answered. */
export interface Endpoint {
  name: EndpointName
  path: string
  method: 'GET' | 'POST'
  operationId: keyof typeof ENDPOINT_PATHS
  summary: string
  /** The schema of a POST's body. */
  request?: keyof typeof ENDPOINT_REQUESTS
  response: keyof typeof ENDPOINT_ANSWERS
  responseDescription: string
  /** The HTTP statuses of its errors. */
  errors: readonly number[]
  /** The client secret as a bearer token, or client id and secret as a pair of headers. */
  credentials: 'bearer' | 'pair'
  /** Reads a request whose credentials are right and carries it out; throws HttpError. */
  carryOut: (call: Call, parts: SandboxParts) => object
}

/** The fields of a request by whose value a fault may select it. */
const NAMING_FIELDS = ['originalTransactionId', 'idTransaction', 'externalId', 'requestNumber', 'key']

/** The four endpoints of the service. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'qr',
    path: ENDPOINT_PATHS.createQrCode,
    method: 'POST',
    operationId: 'createQrCode',
    summary: 'Create a dynamic PIX QR code (cash-in)',
    request: 'QrCodeRequest',
    response: 'QrCodeAnswer',
    responseDescription: 'The code was created',
    errors: [400, 401, 413],
    credentials: 'bearer',
    carryOut: (call, { options, clock, service }) =>
      service.createQrCode(readCashIn(call.body(), clock.now(), options.partners)),
  },
  {
    name: 'refund',
    path: ENDPOINT_PATHS.refund,
    method: 'POST',
    operationId: 'refund',
    summary: 'Refund all or part of a received payment',
    request: 'RefundRequest',
    response: 'RefundAnswer',
    responseDescription: 'The refund was accepted',
    errors: [400, 401, 404, 413, 422],
    credentials: 'bearer',
    carryOut: (call, { service }) => service.refund(readRefund(call.body())),
  },
  {
    name: 'transfer',
    path: ENDPOINT_PATHS.transfer,
    method: 'POST',
    operationId: 'transfer',
    summary: 'Send a PIX transfer to a PIX key (cash-out)',
    request: 'TransferRequest',
    response: 'TransferAnswer',
    responseDescription: 'The transfer was accepted',
    errors: [400, 401, 403, 404, 413],
    credentials: 'pair',
    carryOut: transfer,
  },
  {
    name: 'status',
    path: ENDPOINT_PATHS.consultTransaction,
    method: 'GET',
    operationId: 'consultTransaction',
    summary: 'Query the status of a payment',
    response: 'StatusAnswer',
    responseDescription: 'The status',
    errors: [400, 401, 404, 429],
    credentials: 'bearer',
    carryOut: consultTransaction,
  },
]

/** Checks the credentials, then carries the call out; throws HttpError. */
export function answerEndpoint(
  { name, method, credentials, carryOut }: Endpoint,
  call: Call,
  parts: SandboxParts,
): object {
  const { clientId, clientSecret } = parts.options
  if (credentials === 'bearer') assertBearer(call.headers, clientSecret)
  else assertClientPair(call.headers, clientId, clientSecret)
  if (method === 'POST') assertNoForm(call, name)
  return carryOut(call, parts)
}

/** Rejects what a client sends that was not told that its body is JSON, because the service would read it as a form. */
function assertNoForm({ headers }: Call, endpoint: EndpointName): void {
  const type = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.exec(
    headers['content-type'] ?? '',
  )?.[1]
  if (type === undefined) return
  throw new HttpError(
    400,
    endpoint === 'qr' ? 'INVALID_AMOUNT' : 'WRONG_DATA_FORMAT',
    english`The body was sent as a form: its \`Content-Type\` is \`${type}\`, not \`application/json\``,
  )
}

/** The call as a fault sees it; a body that cannot be read names nothing. */
export function faultSubject({ name: endpoint }: Endpoint, call: Call): FaultSubject {
  if (endpoint === 'status') return { endpoint, names: call.query.getAll('idTransaction') }
  return { endpoint, names: namesIn(call.text) }
}

function namesIn(body: string): string[] {
  const fields = parseJson(body)
  if (!isObject(fields)) return []
  return NAMING_FIELDS.flatMap((field) => {
    const value = fields[field]
    return typeof value === 'string' ? [value] : []
  })
}

function transfer(call: Call, { service, faults, isAllowedIp }: SandboxParts): object {
  if (!isAllowedIp(call.peer)) {
    throw new HttpError(
      403,
      'UNAUTHORIZED_IP',
      english`The address \`${call.peer ?? ''}\` is not registered for transfers`,
    )
  }
  const request = readCashOut(call.body())
  const { externalId, key } = request
  const names = externalId === null ? [key] : [externalId, key]
  return service.transfer(request, faults.takeForCashOut({ endpoint: 'transfer', names }))
}

function consultTransaction(call: Call, { options, clock, service, queryLimit }: SandboxParts): object {
  const waitSeconds = queryLimit.admit(clock.now())
  if (waitSeconds > 0) {
    throw new HttpError(429, 'TOO_MANY_REQUESTS', english`More than 100 queries in a minute: wait ${waitSeconds} s`, {
      'Retry-After': String(waitSeconds),
    })
  }
  const [id = '', ...others] = call.query.getAll('idTransaction')
  // The published sandbox answers any id at all.
  const isReadable = options.hostedStatusRule ? id !== '' : isTransactionId(id)
  if (!isReadable || others.length > 0) {
    throw new HttpError(400, 'INVALID_TRANSACTION_ID', english`\`idTransaction\` must be the UUID of one transaction`)
  }
  return service.consult(id)
}
