import type { IncomingHttpHeaders } from 'node:http'
import { t } from '../text/words.ts'
import { ENDPOINT_PATHS } from '../wire/requests.ts'
import { checkBearer, checkClientPair } from './auth.ts'
import { readCashIn, readCashOut, readRefund } from './bodies.ts'
import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import { isTransactionId } from './fields.ts'
import type { SandboxOptions } from './options.ts'
import type { QueryLimit } from './queryLimit.ts'
import { Refusal } from './refusal.ts'
import type { Service } from './service.ts'

/** One request, read whole. `body` throws a Refusal where it was too large. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  peer: string | undefined
  body: () => Buffer
}

/** All that a call can touch. */
export interface Parts {
  options: SandboxOptions
  clock: Clock
  service: Service
  faults: Faults
  queryLimit: QueryLimit
  isAllowedIp: (address: string | undefined) => boolean
}

/** One of the four endpoints. */
export interface Endpoint {
  method: 'GET' | 'POST'
  /** Checks the credentials, reads the request, carries it out; refuses by throwing a Refusal. */
  answer: (call: Call, parts: Parts) => object
}

/** The four endpoints of the service by their paths. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  [ENDPOINT_PATHS.createQrCode, { method: 'POST', answer: createQrCode }],
  [ENDPOINT_PATHS.refund, { method: 'POST', answer: refund }],
  [ENDPOINT_PATHS.transfer, { method: 'POST', answer: transfer }],
  [ENDPOINT_PATHS.consultTransaction, { method: 'GET', answer: consultTransaction }],
])

function createQrCode(call: Call, { options, clock, service }: Parts): object {
  checkBearer(call.headers, options.clientSecret)
  return service.createQrCode(readCashIn(call.body(), clock.now(), options.partners))
}

function refund(call: Call, { options, service }: Parts): object {
  checkBearer(call.headers, options.clientSecret)
  return service.refund(readRefund(call.body()))
}

function transfer(call: Call, { options, service, faults, isAllowedIp }: Parts): object {
  checkClientPair(call.headers, options.clientId, options.clientSecret)
  if (!isAllowedIp(call.peer)) {
    throw new Refusal(403, 'UNAUTHORIZED_IP', t`The address \`${call.peer ?? ''}\` is not registered for transfers`)
  }
  const request = readCashOut(call.body())
  return service.transfer(request, faults.takeForCashOut())
}

function consultTransaction(call: Call, { options, clock, service, queryLimit }: Parts): object {
  checkBearer(call.headers, options.clientSecret)
  const waitSeconds = queryLimit.admit(clock.now())
  if (waitSeconds > 0) {
    throw new Refusal(429, 'TOO_MANY_REQUESTS', t`More than 100 queries in a minute: wait ${waitSeconds} s`, {
      'Retry-After': String(waitSeconds),
    })
  }
  const [id = '', ...others] = call.query.getAll('idTransaction')
  // The published sandbox answers any id at all.
  const isReadable = options.hostedStatusRule ? id !== '' : isTransactionId(id)
  if (!isReadable || others.length > 0) {
    throw new Refusal(400, 'INVALID_TRANSACTION_ID', t`\`idTransaction\` must be the UUID of one transaction`)
  }
  return service.consult(id)
}
