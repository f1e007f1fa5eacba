import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { Malformed } from '../pix/expectedError.ts'
import { english, t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { ENDPOINT_PATHS } from '../wire/requestFormat.ts'
import { isSameSecret } from '../wire/signature.ts'
import type { ENDPOINT_ANSWERS } from './endpointAnswers.ts'
import type { EndpointName } from './faultKinds.ts'
import type { FaultInjector, FaultSubject } from './faults.ts'
import { type ENDPOINT_REQUESTS, readCashIn, readCashOut, readRefund } from './requestBodies.ts'
import { SandboxError } from './sandboxError.ts'
import type { Clock, SandboxOptions } from './sandboxOptions.ts'
import type { Service } from './service.ts'
import { isTransactionId } from './transactions.ts'

/** One request, read whole. `body` throws a SandboxError if it was too large. */
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
  /** Reads a request whose credentials are right and carries it out; throws SandboxError. */
  carryOut: (call: Call, parts: SandboxParts) => object
}

/** The fields of a request that name a transaction. */
export const TRANSACTION_NAMES: readonly string[] = [
  'originalTransactionId',
  'idTransaction',
  'externalId',
  'requestNumber',
]

/** The fields of a request by whose value a fault may select it. */
const FAULT_NAMES: readonly string[] = [...TRANSACTION_NAMES, 'key']

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

/** Checks the credentials, then carries the call out; throws SandboxError. */
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

/** Rejects a form. JSON is JSON, whatever its content type says: `curl -d` and PHP send it as a form. */
function assertNoForm({ headers, text }: Call, endpoint: EndpointName): void {
  const type = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.exec(
    headers['content-type'] ?? '',
  )?.[1]
  if (type === undefined || parseJson(text) !== undefined) return
  throw new SandboxError(
    400,
    endpoint === 'qr' ? 'INVALID_AMOUNT' : 'WRONG_DATA_FORMAT',
    english`The body was sent as a form: its \`Content-Type\` is \`${type}\`, not \`application/json\``,
  )
}

/** The call as a fault sees it; a body that cannot be read names nothing. */
export function faultSubject({ name: endpoint }: Endpoint, call: Call): FaultSubject {
  if (endpoint === 'status') return { endpoint, names: call.query.getAll('idTransaction') }
  return { endpoint, names: namesIn(parseJson(call.text), FAULT_NAMES) }
}

/** The texts in these fields of an object; none of anything else. */
export function namesIn(fields: unknown, names: readonly string[]): string[] {
  if (!isObject(fields)) return []
  return names.flatMap((field) => {
    const value = fields[field]
    return typeof value === 'string' ? [value] : []
  })
}

function transfer(call: Call, { service, faults, isAllowedIp }: SandboxParts): object {
  if (!isAllowedIp(call.peer)) {
    throw new SandboxError(
      403,
      'UNAUTHORIZED_IP',
      english`The address \`${call.peer ?? ''}\` is not registered for transfers`,
    )
  }
  const request = readCashOut(call.body())
  const { externalId, key } = request
  const names = externalId === null ? [key] : [externalId, key]
  return service.transfer(request, faults.take('cash-out', { endpoint: 'transfer', names }))
}

function consultTransaction(call: Call, { options, clock, service, queryLimit }: SandboxParts): object {
  const waitSeconds = queryLimit.admit(clock.now())
  if (waitSeconds > 0) {
    throw new SandboxError(
      429,
      'TOO_MANY_REQUESTS',
      english`More than 100 queries in a minute: wait ${waitSeconds} s`,
      {
        'Retry-After': String(waitSeconds),
      },
    )
  }
  const [id = '', ...others] = call.query.getAll('idTransaction')
  // The published sandbox answers any id at all.
  const isReadable = options.hostedStatusRule ? id !== '' : isTransactionId(id)
  if (!isReadable || others.length > 0) {
    throw new SandboxError(
      400,
      'INVALID_TRANSACTION_ID',
      english`\`idTransaction\` must be the UUID of one transaction`,
    )
  }
  return service.consult(id)
}

/** Throws SandboxError 401 unless the bearer token is the client secret. */
function assertBearer(headers: IncomingHttpHeaders, clientSecret: string): void {
  const token = bearerOf(headers)
  if (token === undefined)
    throw invalidCredentials(english`The header \`Authorization: Bearer <client secret>\` is missing`)
  if (!isSameSecret(token, clientSecret)) throw invalidCredentials(english`The bearer token is not the client secret`)
}

/** True if the bearer token is this one. */
export function hasBearer(headers: IncomingHttpHeaders, token: string): boolean {
  const given = bearerOf(headers)
  return given !== undefined && isSameSecret(given, token)
}

function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization)?.[1]
}

/** Throws SandboxError 401 unless the headers `ci` and `cs` are the client id and the client secret. */
function assertClientPair(headers: IncomingHttpHeaders, clientId: string, clientSecret: string): void {
  const { ci, cs } = headers
  if (typeof ci !== 'string' || typeof cs !== 'string') {
    throw invalidCredentials(english`The headers \`ci\` and \`cs\` are both required`)
  }
  const isIdRight = isSameSecret(ci, clientId)
  const isSecretRight = isSameSecret(cs, clientSecret)
  if (!isIdRight || !isSecretRight) throw invalidCredentials(english`The client id or the client secret is wrong`)
}

/** The list of addresses and CIDR ranges as a question to ask of an address. Throws Malformed. */
export function addressList(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry)
  return (address) => {
    const plain = plainAddress(address ?? '')
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const version = isIP(address)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) {
    throw new Malformed(
      t`\`${entry}\` is not an IP address`,
      t`Give an address like \`203.0.113.5\`, or a range like \`10.0.0.0/8\``,
    )
  }
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function invalidCredentials(details: string): SandboxError {
  return new SandboxError(401, 'INVALID_CREDENTIALS', details)
}

const WINDOW_MS = 60_000

/** Admits at most this many queries in any 60 seconds. */
export class QueryLimit {
  readonly #perMinute: number
  #admittedMs: number[] = []

  constructor(perMinute = 100) {
    this.#perMinute = perMinute
  }

  /** 0 if the query is admitted, else the whole seconds after which one is admitted again. */
  admit(nowMs: number): number {
    this.#admittedMs = this.#admittedMs.filter((ms) => ms > nowMs - WINDOW_MS)
    const [oldestMs] = this.#admittedMs
    if (oldestMs !== undefined && this.#admittedMs.length >= this.#perMinute) {
      return Math.max(1, Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1000))
    }
    this.#admittedMs.push(nowMs)
    return 0
  }

  reset(): void {
    this.#admittedMs = []
  }
}
