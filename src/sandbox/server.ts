import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { t } from '../text/words.ts'
import { reachableHost } from '../wire/address.ts'
import { addressList } from './auth.ts'
import { Clock } from './clock.ts'
import { CONTROL_PREFIX, type ControlParts, control } from './control.ts'
import { Deliveries } from './deliveries.ts'
import { type Call, ENDPOINTS, type Endpoint } from './endpoints.ts'
import { Faults } from './faults.ts'
import { isWebAddress } from './fields.ts'
import { errorReply, jsonReply, type Reply, replyInstead, spoiled } from './misbehaviour.ts'
import type { SandboxOptions } from './options.ts'
import { Pauses } from './pauses.ts'
import { QueryLimit } from './queryLimit.ts'
import { errorBody, Refusal, reasonPhrase } from './refusal.ts'
import { readCall } from './requestReading.ts'
import { Service } from './service.ts'

/** A sandbox that listens. `url` is its base address without a trailing slash. */
export interface RunningSandbox {
  readonly url: string
  readonly port: number
  /** Ends all connections, timers and pending deliveries at once. */
  close(): Promise<void>
}

/** Longest time for a request's headers, and for the whole of it. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Starts a sandbox. Rejects with the system's error where the port cannot be had, and with Malformed or RangeError for
 * options that make no sense.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  if (options.clientSecret === '') throw new RangeError('the client secret is empty')
  if (options.dashboardWebhook !== undefined && !isWebAddress(options.dashboardWebhook)) {
    throw new RangeError('the dashboard webhook is no http or https URL')
  }
  const parts = partsOf(options)
  const pauses = new Pauses()
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => void serve(request, response, parts, pauses),
  )
  server.on('clientError', refuseMalformed)
  const port = await listen(server, options.port, options.host)
  return {
    url: `http://${reachableHost(options.host)}:${port}`,
    port,
    close: () => {
      parts.clock.close()
      parts.deliveries.close()
      pauses.close()
      return end(server)
    },
  }
}

function partsOf(options: SandboxOptions): ControlParts {
  const clock = new Clock(options.now)
  const faults = new Faults()
  const queryLimit = new QueryLimit()
  const deliveries = new Deliveries(options, clock, () => faults.takeForDelivery())
  const service = new Service(options, clock, (notice) => deliveries.send(notice))
  const reset = () => {
    clock.reset()
    faults.reset()
    queryLimit.reset()
    deliveries.reset()
    service.reset()
  }
  return {
    options,
    clock,
    faults,
    queryLimit,
    deliveries,
    service,
    reset,
    isAllowedIp: addressList(options.allowedIps),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
  pauses: Pauses,
): Promise<void> {
  // A peer that goes away in the middle of an answer is nobody's fault.
  response.on('error', () => response.destroy())
  const startedAtMs = parts.options.now()
  const call = await readCall(request)
  if (call === undefined) return
  const reply = await replyTo(call, parts, pauses)
  if (pauses.closed) return
  const tookMs = parts.options.now() - startedAtMs
  const result = reply.body === undefined ? 'dropped' : String(reply.status)
  parts.options.onNotice?.(t`${call.method} ${call.path}: ${result} (${tookMs} ms)`)
  write(response, reply)
}

async function replyTo(call: Call, parts: ControlParts, pauses: Pauses): Promise<Reply> {
  if (call.path.startsWith(CONTROL_PREFIX)) return tried(() => control(call, parts), parts)
  const endpoint = ENDPOINTS.get(call.path)
  if (endpoint === undefined) return errorReply(404, 'NOT_FOUND', t`There is nothing at \`${call.path}\``)
  if (call.method !== endpoint.method) {
    const allow = { Allow: endpoint.method }
    return errorReply(405, 'METHOD_NOT_ALLOWED', t`Only ${endpoint.method} is allowed here`, allow)
  }
  return replyOfEndpoint(endpoint, call, parts, pauses)
}

async function replyOfEndpoint(endpoint: Endpoint, call: Call, parts: ControlParts, pauses: Pauses): Promise<Reply> {
  const fault = parts.faults.takeForCall() ?? parts.options.misbehave?.(call.path)
  if (parts.options.latencyMs > 0) await pauses.wait(parts.options.latencyMs)
  const instead = replyInstead(fault)
  if (instead !== undefined) return instead
  const reply = tried(() => endpoint.answer(call, parts), parts)
  if (fault?.how === 'slow') await pauses.wait(fault.ms)
  return spoiled(reply, fault)
}

/** What is due by the clock happens first, so that an expired payment is expired whoever asks. */
function tried(answer: () => object, { clock }: ControlParts): Reply {
  clock.runDue()
  try {
    return jsonReply(200, answer())
  } catch (error) {
    if (error instanceof Refusal) return errorReply(error.status, error.code, error.message, error.headers)
    throw error
  }
}

function write(response: ServerResponse, reply: Reply): void {
  if (reply.body === undefined) {
    response.socket?.destroy()
    return
  }
  response.writeHead(reply.status, { ...reply.headers, 'Content-Length': String(Buffer.byteLength(reply.body)) })
  response.end(reply.body)
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOfMalformed(error.code)
  const body = JSON.stringify(errorBody(status, 'MALFORMED_REQUEST', t`The request is no HTTP that is understood here`))
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function statusOfMalformed(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** The port that was bound. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
