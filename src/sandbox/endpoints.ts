import type { IncomingHttpHeaders } from 'node:http'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { ENDPOINT_PATHS } from '../wire/requests.ts'
import { assertBearer, assertClientPair } from './auth.ts'
import type { Clock } from './clock.ts'
import type { FaultInjector, FaultSubject } from './faultInjector.ts'
import type { EndpointName } from './faults.ts'
import { HttpError } from './httpError.ts'
import type { SandboxOptions } from './options.ts'
import type { QueryLimit } from './queryLimit.ts'
import { readCashIn, readCashOut, readRefund } from './requestBodies.ts'
import { isTransactionId } from './requestFields.ts'
import type { Service } from './service.ts'

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

/** One of the four endpoints. */
export interface Endpoint {
  name: EndpointName
  method: 'GET' | 'POST'
  /** Checks the credentials, reads the request, carries it out; throws HttpError. */
  answer: (call: Call, parts: SandboxParts) => object
}

/** The fields of a request by whose value a fault may select it. */
const NAMING_FIELDS = ['originalTransactionId', 'idTransaction', 'externalId', 'requestNumber', 'key']

/** The four endpoints of the service by their paths. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  [ENDPOINT_PATHS.createQrCode, { name: 'qr', method: 'POST', answer: createQrCode }],
  [ENDPOINT_PATHS.refund, { name: 'refund', method: 'POST', answer: refund }],
  [ENDPOINT_PATHS.transfer, { name: 'transfer', method: 'POST', answer: transfer }],
  [ENDPOINT_PATHS.consultTransaction, { name: 'status', method: 'GET', answer: consultTransaction }],
])

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

function createQrCode(call: Call, { options, clock, service }: SandboxParts): object {
  assertBearer(call.headers, options.clientSecret)
  return service.createQrCode(readCashIn(call.body(), clock.now(), options.partners))
}

function refund(call: Call, { options, service }: SandboxParts): object {
  assertBearer(call.headers, options.clientSecret)
  return service.refund(readRefund(call.body()))
}

function transfer(call: Call, { options, service, faults, isAllowedIp }: SandboxParts): object {
  assertClientPair(call.headers, options.clientId, options.clientSecret)
  if (!isAllowedIp(call.peer)) {
    throw new HttpError(403, 'UNAUTHORIZED_IP', t`The address \`${call.peer ?? ''}\` is not registered for transfers`)
  }
  const request = readCashOut(call.body())
  const { externalId, key } = request
  const names = externalId === null ? [key] : [externalId, key]
  return service.transfer(request, faults.takeForCashOut({ endpoint: 'transfer', names }))
}

function consultTransaction(call: Call, { options, clock, service, queryLimit }: SandboxParts): object {
  assertBearer(call.headers, options.clientSecret)
  const waitSeconds = queryLimit.admit(clock.now())
  if (waitSeconds > 0) {
    throw new HttpError(429, 'TOO_MANY_REQUESTS', t`More than 100 queries in a minute: wait ${waitSeconds} s`, {
      'Retry-After': String(waitSeconds),
    })
  }
  const [id = '', ...others] = call.query.getAll('idTransaction')
  // The published sandbox answers any id at all.
  const isReadable = options.hostedStatusRule ? id !== '' : isTransactionId(id)
  if (!isReadable || others.length > 0) {
    throw new HttpError(400, 'INVALID_TRANSACTION_ID', t`\`idTransaction\` must be the UUID of one transaction`)
  }
  return service.consult(id)
}
