import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { isLoopbackHost, withoutBrackets } from '../wire/baseAddress.ts'
import { type EventFacts, readEventFacts } from '../wire/eventFacts.ts'
import { GrowingBytes, isAmbiguousRequest } from '../wire/rawRequest.ts'
import {
  CHECK_HEADER,
  judgeSignature,
  LISTENER_HEADER,
  SIGNATURE_HEADER,
  type SignatureVerdict,
} from '../wire/signature.ts'

/** A webhook as it arrived, with what was answered. */
export interface Delivery {
  method: string
  /** Path and query of the request. */
  target: string
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  body: Buffer
  /** What the body says; undefined if it is not JSON. */
  facts: EventFacts | undefined
  /** True if a secret of ours made the signature of these exact bytes. */
  isSigned: boolean
  /** Why it was rejected, or what its signature lacks; null if nothing is wrong. */
  reason: Rejection['reason'] | SignatureVerdict['reason'] | 'not-stored'
  /** The status of the answer. */
  httpStatus: number
  /** The id of its record if it is stored, else null. */
  record: string | null
  /** Its number; null if it is not stored, and while it has none in a ledger that several machines share. */
  n: number | null
  duplicate: boolean
  receivedAtMs: number
  /** From its head to its answer. */
  answeredMs: number
}

type GenuineEvent = Pick<Delivery, 'body' | 'target' | 'headers' | 'isSigned' | 'receivedAtMs'> & {
  facts: EventFacts
}

type Stored = Pick<Delivery, 'record' | 'n' | 'duplicate'>

interface EventSink {
  /** Stores a genuine event, which is answered 200 when this resolves and 503 when it rejects. */
  keep(event: GenuineEvent): Promise<Stored>
  /** Gets each delivery after its answer. */
  onDelivery(delivery: Delivery): void
  /** Gets the reason why an event was not stored. */
  onNotStored(error: unknown): void
}

interface ListenerServerOptions {
  host: string
  /** 0 picks a free one. */
  port: number
  rules: RequestRules
  /** Any of these may have signed. */
  secrets: readonly string[]
  /** Accepts webhooks without a signature too. */
  allowUnsigned: boolean
  now(): number
  sink: EventSink
}

/** The HTTP server of a listener. */
export interface ListenerServer {
  readonly port: number
  /** Accepts no new connection, waits this long for the requests that are under way, and returns when all are closed. */
  close(patienceMs?: number): Promise<void>
}

const NOT_STORED: Stored = { record: null, n: null, duplicate: false }
const HEADERS_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 4_000
const TIMEOUTS_LOOK_MS = 250
const CONNECTIONS_MAX = 1_000
const CLOSING_LOOK_MS = 50
/** No limit but that of their bytes: Node.js would drop those above 2,000, such as a second signature. */
const ALL_HEADERS = 0
/** A body that is too large is read up to here, because a sender that is disconnected does not see the answer. */
const DISCARDED_BYTES_MAX = 16 * 1024 * 1024
const SIGNATURE_NAME = SIGNATURE_HEADER.toLowerCase()
const NOTHING = Buffer.alloc(0)
const READ_BYTES_MAX = 64 * 1024

/**
 * Starts the server of a listener. Only complete requests that pass the rules, are signed over their exact bytes and are JSON are stored; a
 * slow sender is disconnected within 5 seconds. Throws the system's error if it cannot listen.
 */
export async function startListenerServer(options: ListenerServerOptions): Promise<ListenerServer> {
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }
  const server = createServer({ ...timeouts, connectionsCheckingInterval: TIMEOUTS_LOOK_MS }, (request, response) =>
    receive(request, response, options, connections),
  )
  server.maxHeadersCount = ALL_HEADERS
  const connections = limitConnections(server, CONNECTIONS_MAX)
  // A sender may end its half of the connection after the request and still wait for the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const port = await listen(server, options)
  return {
    port,
    async close(patienceMs = 0) {
      connections.closeSilent()
      await close(server, patienceMs)
    },
  }
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ListenerServerOptions,
  connections: OpenConnections,
): void {
  const startedMs = performance.now()
  const receivedAtMs = options.now()
  const { rules, sink } = options
  if (isAmbiguousRequest(request)) {
    response.writeHead(400, { Connection: 'close' }).end()
    discard(request)
    return
  }
  // A peer may disconnect in the middle of an answer.
  response.on('error', () => response.destroy())
  const { method = '', url: target = '' } = request
  const { headers, signatures } = headersOf(request)
  const base = { method, target, headers, receivedAtMs, isSigned: false, body: NOTHING, facts: undefined }
  const answer = (httpStatus: number, about: Partial<Delivery>, more?: Rejection['headers']) => {
    response.writeHead(httpStatus, { ...more, 'Content-Length': '0' }).end()
    const answeredMs = performance.now() - startedMs
    sink.onDelivery({ ...base, ...NOT_STORED, reason: null, ...about, httpStatus, answeredMs })
  }
  const answerRejection = ({ reason, httpStatus, headers: more }: Rejection, about: Partial<Delivery> = {}) =>
    answer(httpStatus, { ...about, reason }, { ...more, [LISTENER_HEADER]: rules.id })

  const rejection = headRejection(request, rules)
  if (rejection !== null) {
    discard(request)
    answerRejection(rejection)
    return
  }
  readBody(request, BODY_BYTES_MAX, (body) => {
    if (body === 'too-large') {
      answerRejection({ reason: 'too-large', httpStatus: 413 })
      return
    }
    const verdict = judgeSignature(body, signatures, ...options.secrets)
    // A sender without the secret must not make us parse much.
    const isWorthReading = verdict.valid || body.length <= READ_BYTES_MAX || options.allowUnsigned
    const facts = isWorthReading ? readEventFacts(body.toString('utf8')) : undefined
    const wrong = bodyRejection(verdict, facts, options.allowUnsigned)
    if (wrong !== null || facts === undefined) {
      answerRejection(wrong ?? { reason: 'not-json', httpStatus: 400 }, { body, facts })
      return
    }
    const event = { facts, body, target, headers, isSigned: verdict.valid, receivedAtMs }
    const answered = verdict.valid ? connections.serving(request.socket) : () => {}
    sink
      .keep(event)
      .then(
        (stored) => answer(200, { ...event, ...stored, reason: verdict.reason }),
        (error: unknown) => {
          sink.onNotStored(error)
          answer(503, { ...event, reason: 'not-stored' })
        },
      )
      .finally(answered)
  })
}

/** Calls back once with the whole body; not at all for a request that breaks off. */
function readBody(request: IncomingMessage, bytesMax: number, done: (body: Buffer | 'too-large') => void): void {
  let body = new GrowingBytes()
  let bytes = 0
  request.on('error', () => undefined)
  request.on('data', (chunk: Buffer) => {
    const before = bytes
    bytes += chunk.length
    if (bytes <= bytesMax) {
      body.append(chunk)
      return
    }
    body = new GrowingBytes()
    if (before <= bytesMax) done('too-large')
    if (bytes > DISCARDED_BYTES_MAX) request.destroy()
  })
  request.on('end', () => {
    if (bytes <= bytesMax) done(body.bytes())
  })
}

function discard(request: IncomingMessage): void {
  readBody(request, 0, () => undefined)
}

function headersOf({ rawHeaders }: IncomingMessage): { headers: [string, string][]; signatures: string[] } {
  const headers: [string, string][] = []
  const signatures: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    headers.push([name, value])
    if (name.length === SIGNATURE_NAME.length && name.toLowerCase() === SIGNATURE_NAME) signatures.push(value)
  }
  return { headers, signatures }
}

/** The port that was bound. */
async function listen(server: Server, { port, host }: ListenerServerOptions): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function close(server: Server, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
    // Requests that are answered from now on leave their connections open.
    const idle = setInterval(() => server.closeIdleConnections(), CLOSING_LOOK_MS)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** The longest body that is accepted. */
export const BODY_BYTES_MAX = 1024 * 1024

interface Rejection {
  reason:
    | 'host'
    | 'method'
    | 'path'
    | 'loop'
    | 'check'
    | 'too-large'
    | 'missing'
    | 'malformed'
    | 'mismatch'
    | 'not-json'
  httpStatus: number
  headers?: Readonly<Record<string, string>>
}

/** What a request must look like before its signature is judged. */
interface RequestRules {
  /** By which it knows what it has forwarded itself; no other listener has it. */
  id: string
  /** The only path that is accepted; null accepts every path. */
  path: string | null
  /** True if the listener is known by this host name, which is neither an address nor a name of loopback. */
  isOwnName(hostname: string): boolean
}

/**
 * Judges a request by its head, in the order of the answers 421, 405, 404, 508, 403, 413. A page in a browser can make a name of its
 * own resolve to this machine, so a name that is not the listener's own is rejected; an address cannot be forged like that.
 */
function headRejection(request: IncomingMessage, rules: RequestRules): Rejection | null {
  const { method, url = '', headers } = request
  if (!isOwnHost(headers.host, rules)) return { reason: 'host', httpStatus: 421 }
  if (method !== 'POST') return { reason: 'method', httpStatus: 405, headers: { Allow: 'POST' } }
  if (rules.path !== null && pathOf(url) !== rules.path) return { reason: 'path', httpStatus: 404 }
  if (passedListeners(headers).includes(rules.id)) return { reason: 'loop', httpStatus: 508 }
  // Samples that were made up must not get into the ledger.
  if (headers[CHECK_HEADER.toLowerCase()] !== undefined) {
    return { reason: 'check', httpStatus: 403 }
  }
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) return { reason: 'too-large', httpStatus: 413 }
  return null
}

function passedListeners(headers: IncomingMessage['headers']): string[] {
  const value = headers[LISTENER_HEADER.toLowerCase()]
  return String(value ?? '')
    .split(',')
    .map((id) => id.trim())
}

/** Judges a whole request whose head was accepted: 401 for its signature, then 400 for a body that is not JSON. */
function bodyRejection(
  verdict: SignatureVerdict,
  facts: EventFacts | undefined,
  allowUnsigned: boolean,
): Rejection | null {
  const passes = verdict.valid || (allowUnsigned && verdict.reason === 'missing')
  if (!passes) return { reason: verdict.reason ?? 'mismatch', httpStatus: 401 }
  return facts === undefined ? { reason: 'not-json', httpStatus: 400 } : null
}

function isOwnHost(host: string | undefined, rules: RequestRules): boolean {
  // Only HTTP/1.0 has no Host header, and browsers do not use it.
  if (host === undefined) return true
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return isIP(withoutBrackets(hostname)) !== 0 || isLoopbackHost(hostname) || rules.isOwnName(hostname)
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target
}

interface OpenConnections {
  /** A genuine request came through this connection, and is worked on until what this returns is called. */
  serving(socket: Socket): () => void
  /** Closes those that have sent nothing yet. */
  closeSilent(): void
}

/**
 * Limits the connections of a server: if there are more, the oldest are closed, first those through which no genuine request came, so that
 * senders who never finish a request keep no genuine one away; none that waits for an answer.
 */
export function limitConnections(server: Server, openMax: number): OpenConnections {
  // A map keeps the order in which the connections came; `serving` counts the genuine requests that are worked on.
  const open = new Map<Socket, { isTrusted: boolean; serving: number }>()

  function closeOldest(mayBeTrusted: boolean): void {
    for (const [socket, { isTrusted, serving }] of open) {
      if (open.size <= openMax) return
      if (serving > 0 || (isTrusted && !mayBeTrusted)) continue
      open.delete(socket)
      socket.destroy()
    }
  }

  function trim(): void {
    closeOldest(false)
    closeOldest(true)
  }

  server.on('connection', (socket) => {
    open.set(socket, { isTrusted: false, serving: 0 })
    socket.once('close', () => open.delete(socket))
    // By then, what has arrived through the others is read.
    if (open.size > openMax) setImmediate(trim)
  })
  return {
    serving(socket) {
      const connection = open.get(socket) ?? { isTrusted: true, serving: 0 }
      connection.isTrusted = true
      connection.serving += 1
      return () => {
        connection.serving -= 1
      }
    },
    closeSilent() {
      // Node.js takes a connection that has sent nothing yet for a busy one.
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
