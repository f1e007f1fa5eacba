import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { valueOrError } from '../pix/expectedError.ts'
import { VERSION } from '../programInfo.ts'
import { CENTS, COUNT, NUMBER, objectOf, orNull, TEXT, type ValueOf } from '../schemas/jsonSchema.ts'
import type { DeliveryEntry, DeliveryView } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { reachableHost } from '../wire/baseAddress.ts'
import { GrowingBytes, isAmbiguousRequest } from '../wire/rawRequest.ts'
import { Secret } from '../wire/secret.ts'
import { Bank } from './bank.ts'
import {
  answerControl,
  CONTROL_PREFIX,
  type ControlParts,
  type DirectControl,
  deliveryView,
  directControl,
  isFollowingRequests,
  RequestLog,
} from './control.ts'
import { Deliveries } from './deliveries.ts'
import { errorBody, reasonPhrase } from './endpointAnswers.ts'
import {
  addressList,
  answerEndpoint,
  type Call,
  ENDPOINTS,
  type Endpoint,
  faultSubject,
  QueryLimit,
} from './endpoints.ts'
import { corruptReply, errorReply, FaultInjector, faultReply, jsonReply, type Reply } from './faults.ts'
import { type Keeper, type KeptIn, NOTHING_KEPT } from './keeper.ts'
import { openApi } from './openApi.ts'
import { SandboxError } from './sandboxError.ts'
import { Clock, type SandboxOptions, seededId } from './sandboxOptions.ts'
import { Service } from './service.ts'

/** A sandbox that listens. `url` is its base address without a trailing slash. */
export interface RunningSandbox {
  readonly url: string
  readonly port: number
  readonly control: DirectControl
  /** The deliveries so far, without running what is due. */
  deliveries(): DeliveryView[]
  /** Ends all connections, timers and pending deliveries at once. */
  close(): Promise<void>
}

/** Routes that anyone may call under any host name; the first argument is the sandbox's own address. */
const INFORMATION: ReadonlyMap<string, (url: string, options: SandboxOptions) => object> = new Map([
  ['/healthz', () => ({ status: 'ok', version: VERSION })],
  ['/openapi.json', (url: string, { statusKey }: SandboxOptions) => openApi(url, statusKey)],
])

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** For a client to read why its connection is closed. */
const FAREWELL_MS = 1_000

/**
 * Starts a sandbox. Rejects with the system's error if it cannot listen, with Malformed for an address that is none, and with what `keptIn`
 * throws.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const isAllowedIp = addressList(options.allowIps)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
  })
  // If the port is in use, nothing of the file changes. No request is read before what follows has run.
  const port = await listen(server, options.port, options.host)
  const { keptIn = inMemory } = options
  let parts: ControlParts
  try {
    parts = keptIn((keeper) => partsOf(options, keeper, isAllowedIp))
  } catch (error) {
    await end(server)
    throw error
  }
  parts.deliveries.resume()
  parts.service.resume()
  server.on('request', (request, response) => void serve(request, response, parts, closing.signal))
  server.on('clientError', answerMalformedRequest)
  return {
    url: addressOf(options, port),
    port,
    control: directControl(parts),
    deliveries: () => parts.deliveries.all.map(deliveryView),
    close: () => {
      parts.clock.close()
      parts.deliveries.close()
      parts.keeper.close()
      closing.abort()
      return end(server)
    },
  }
}

function addressOf({ baseUrlName, host }: SandboxOptions, port: number): string {
  return `http://${baseUrlName ?? reachableHost(host)}:${port}`
}

const inMemory: KeptIn = (start) => start(NOTHING_KEPT)

/** How a sandbox began, and what of it goes on. */
const BEGINNING = objectOf({
  /** By the wall clock. */
  begunAtMs: NUMBER,
  balanceCents: CENTS,
  /** How far its clock was ahead of the wall clock at the start, and is now. */
  firstAheadMs: NUMBER,
  aheadMs: NUMBER,
  seed: orNull(TEXT),
  idsMade: COUNT,
})

function beginningOf({ now, startMs, balanceCents, seed }: SandboxOptions): ValueOf<typeof BEGINNING> {
  const begunAtMs = now()
  const aheadMs = startMs === undefined ? 0 : startMs - begunAtMs
  return { begunAtMs, balanceCents, firstAheadMs: aheadMs, aheadMs, seed: seed ?? null, idsMade: 0 }
}

/** Throws UnknownContent. */
function partsOf(options: SandboxOptions, keeper: Keeper, isAllowedIp: ControlParts['isAllowedIp']): ControlParts {
  const begun = keeper.all('beginning', BEGINNING)[0] ?? beginningOf(options)
  const change = (changes: Partial<ValueOf<typeof BEGINNING>>) =>
    keeper.put('beginning', '', Object.assign(begun, changes))
  change({})
  const clock = new Clock(options.now, begun.aheadMs, (aheadMs) => change({ aheadMs }))
  const faults = new FaultInjector(keeper)
  const queryLimit = new QueryLimit()
  const hidden = [options.clientSecret, options.controlToken ?? ''].filter((text) => text !== '')
  const requests = new RequestLog(
    keeper,
    hidden.map((text) => new Secret(text)),
  )
  const onDelivery = (entry: DeliveryEntry) => options.onLog?.(requests.redacted(entry))
  const deliveries = new Deliveries(options, clock, keeper, (subject) => faults.take('delivery', subject), onDelivery)
  const newId = () => {
    if (begun.seed === null) return options.newId()
    change({ idsMade: begun.idsMade + 1 })
    return seededId(begun.seed, begun.idsMade)
  }
  const bank = new Bank(keeper, begun)
  const service = new Service(options, clock, bank, newId, (webhook) => deliveries.send(webhook))
  const reset = () => {
    keeper.clear()
    change({ begunAtMs: options.now(), aheadMs: begun.firstAheadMs })
    clock.reset(begun.firstAheadMs)
    faults.reset()
    queryLimit.reset()
    deliveries.reset()
    service.bank = new Bank(keeper, begun)
    requests.reset()
  }
  return { options, clock, faults, queryLimit, deliveries, service, requests, keeper, reset, isAllowedIp }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
  closing: AbortSignal,
): Promise<void> {
  // The peer may go away in the middle of an answer.
  response.on('error', () => response.destroy())
  if (isAmbiguousRequest(request)) {
    if (response.socket !== null) answerMalformedRequest({ code: 'AMBIGUOUS' }, response.socket)
    return
  }
  const { options, requests } = parts
  const startedAtMs = options.now()
  const call = await readCall(request)
  if (call === undefined) return
  const reply = isClockQuery(call) ? CLOCK_REPLY : await replyTo(call, parts, closing)
  if (closing.aborted) return
  const timing = { atMs: parts.clock.now(), tookMs: options.now() - startedAtMs }
  const isKept = !call.path.startsWith(CONTROL_PREFIX) && !INFORMATION.has(call.path) && !isClockQuery(call)
  const entry = requests.add(call, reply, timing, isKept)
  if (!isFollowingRequests(call)) options.onLog?.(entry)
  if (await parts.keeper.written()) write(response, reply, timing.atMs)
  else response.destroy()
}

/** The answer to a client that asks for nothing but the time, which is in the header `Date`. */
const CLOCK_REPLY: Reply = { status: 200, headers: {}, body: '' }

function isClockQuery({ method, path }: Call): boolean {
  return method === 'HEAD' && path === '/'
}

async function replyTo(call: Call, parts: ControlParts, closing: AbortSignal): Promise<Reply> {
  if (call.path.startsWith(CONTROL_PREFIX)) return runDueAndReply(() => answerControl(call, parts), parts)
  const information = INFORMATION.get(call.path)
  const endpoint = ENDPOINTS.find(({ path }) => path === call.path)
  const method = information === undefined ? endpoint?.method : 'GET'
  if (method === undefined) return errorReply(404, 'NOT_FOUND', english`There is nothing at \`${call.path}\``)
  if (call.method !== method) {
    return errorReply(405, 'METHOD_NOT_ALLOWED', english`Only ${method} is allowed here`, { Allow: method })
  }
  return endpoint === undefined
    ? jsonReply(200, information?.(addressOf(parts.options, call.port), parts.options) ?? {})
    : replyOfEndpoint(endpoint, call, parts, closing)
}

async function replyOfEndpoint(
  endpoint: Endpoint,
  call: Call,
  parts: ControlParts,
  closing: AbortSignal,
): Promise<Reply> {
  const fault = parts.faults.take('call', faultSubject(endpoint, call)) ?? parts.options.misbehave?.(call.path)
  if (parts.options.latencyMs > 0) await delay(parts.options.latencyMs, closing)
  const instead = faultReply(fault)
  if (instead !== undefined) return instead
  const reply = runDueAndReply(() => answerEndpoint(endpoint, call, parts), parts)
  if (fault?.how === 'slow') await delay(fault.ms, closing)
  return corruptReply(reply, fault)
}

/** Resolves after this time, or when the sandbox closes. */
async function delay(ms: number, closing: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: closing }).catch(() => undefined)
}

/** What is due by the clock happens first, so that an expired payment is expired for every caller. */
function runDueAndReply(answer: () => object, { clock }: ControlParts): Reply {
  clock.runDue()
  const told = valueOrError(SandboxError, answer)
  return told instanceof SandboxError
    ? errorReply(told.status, told.code, told.message, told.headers)
    : jsonReply(200, told)
}

/** The answer carries the time of the sandbox. */
function write(response: ServerResponse, { status, headers, body }: Reply, nowMs: number): void {
  if (body === undefined) {
    response.socket?.destroy()
    return
  }
  const own = { Date: new Date(nowMs).toUTCString(), 'Content-Length': String(Buffer.byteLength(body)) }
  response.writeHead(status, { ...headers, ...own })
  response.end(body)
}

function answerMalformedRequest(error: { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOfMalformed(error.code)
  const body = JSON.stringify(errorBody(status, 'MALFORMED_REQUEST', english`The request is not valid HTTP`))
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // Otherwise a client that keeps its half open keeps the connection.
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

function statusOfMalformed(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** The port that was bound. */
async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

const BODY_BYTES_MAX = 1024 * 1024
/** A body that is too large is read on up to here, so that its sender gets to see the answer. */
const DISCARDED_BYTES_MAX = 16 * BODY_BYTES_MAX

/**
 * Reads a request whole. Resolves to undefined if the sender went away. A body above 1 MiB is thrown away and
 * rejected with 413 once it is asked for, so that the credentials are looked at first.
 */
async function readCall(request: IncomingMessage): Promise<Call | undefined> {
  const body = await readBody(request)
  if (body === undefined) return undefined
  const { method = '', url = '/', headers } = request
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    peer: request.socket.remoteAddress,
    port: request.socket.localPort ?? 0,
    text: body === 'too-large' ? '' : body.toString('utf8'),
    body: () => {
      if (body !== 'too-large') return body
      throw new SandboxError(413, 'PAYLOAD_TOO_LARGE', english`The body is larger than ${BODY_BYTES_MAX} bytes`, {
        Connection: 'close',
      })
    },
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | undefined> {
  return new Promise((resolve) => {
    let body = new GrowingBytes()
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) body.append(chunk)
      else body = new GrowingBytes()
      if (bytes > DISCARDED_BYTES_MAX) resolve('too-large')
    })
    request.on('end', () => resolve(bytes > BODY_BYTES_MAX ? 'too-large' : body.bytes()))
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
  })
}
