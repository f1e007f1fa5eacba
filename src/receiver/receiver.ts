import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type EventFacts, readEventFacts } from '../wire/eventFacts.ts'
import { judgeSignature } from '../wire/signature.ts'
import { SIGNATURE_HEADER, type SignatureVerdict } from '../wire/signatureHeader.ts'
import { type Refusal, refusalOfBody, refusalOfHead, type Shape } from './door.ts'
import { Intake, type Keeping, NOT_KEPT } from './intake.ts'

/** A webhook as it arrived, with what was answered. */
export interface Delivery {
  method: string
  /** Path and query as they were asked for. */
  target: string
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  body: Buffer
  /** What it says; undefined where it is no JSON. */
  facts: EventFacts | undefined
  /** True where a secret of ours made the signature of these exact bytes. */
  isSigned: boolean
  /** Why it was refused, or what its signature lacks; null where nothing is wrong. */
  reason: Refusal['reason'] | SignatureVerdict['reason'] | 'not-stored'
  /** What it was answered with. */
  httpStatus: number
  /** Its number where it is kept, else null. */
  n: number | null
  duplicate: boolean
  receivedAtMs: number
  /** From its head to its answer. */
  answeredMs: number
}

/** What a receiver takes, and where it puts it. */
export interface ReceiverRules {
  host: string
  /** 0 picks a free one. */
  port: number
  shape: Shape
  /** Any of these may have signed. */
  secrets: readonly string[]
  /** Takes webhooks without a signature too. */
  allowUnsigned: boolean
  now(): number
  /** Keeps a genuine event; it is answered 200 when this returns and 503 when it throws. */
  keep(
    event: Pick<Delivery, 'body' | 'target' | 'headers' | 'isSigned' | 'receivedAtMs'> & { facts: EventFacts },
  ): Promise<{ n: number | null; duplicate: boolean }>
  /** Told of each delivery after its answer. */
  onDelivery(delivery: Delivery): void
  /** Told why an event was not kept. */
  onNotKept(error: unknown): void
}

/** A receiver that listens. */
export interface RunningReceiver {
  readonly port: number
  /** Takes no new connection, lets what is under way end for as long as this, and returns when all is closed. */
  close(patienceMs?: number): Promise<void>
}

const HEADERS_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 4_000
const CHECKING_MS = 250
const CLOSING_LOOK_MS = 50
const CONNECTIONS_MAX = 1_000
/** What is too large is read to its end up to here, because a connection that breaks hides the answer. */
const DISCARDED_BYTES_MAX = 16 * 1024 * 1024
const SIGNATURE_NAME = SIGNATURE_HEADER.toLowerCase()
const NOTHING = Buffer.alloc(0)
const READ_BYTES_MAX = 64 * 1024
const NO_BODY = { 'Content-Length': '0' }

/**
 * Starts a webhook receiver. Only whole requests that keep to the shape, are signed over their exact bytes and are JSON are
 * kept; a slow sender is cut off within 5 seconds. Throws the system's error where it cannot listen.
 */
export async function startReceiver(rules: ReceiverRules): Promise<RunningReceiver> {
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }
  const intake = new Intake()
  const server = createServer({ ...timeouts, connectionsCheckingInterval: CHECKING_MS }, (request, response) =>
    receive(request, response, rules, intake),
  )
  server.maxConnections = CONNECTIONS_MAX
  // A sender may end its half of the connection behind the request and still wait for the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listen(server, rules)
  const looking = setInterval(() => intake.giveUpLate(rules.onNotKept), CHECKING_MS)
  return {
    port,
    async close(patienceMs = 0) {
      // Node.js takes a connection that has sent nothing yet for a busy one.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      await close(server, patienceMs)
      clearInterval(looking)
    },
  }
}

function receive(request: IncomingMessage, response: ServerResponse, rules: ReceiverRules, intake: Intake): void {
  const startedMs = performance.now()
  const receivedAtMs = rules.now()
  // A peer that goes away in the middle of an answer is nobody's fault.
  response.on('error', () => response.destroy())
  const selfAnswer = rules.shape.selfCall(request.headers)
  if (selfAnswer !== null) {
    response.writeHead(204, selfAnswer).end()
    request.resume()
    return
  }
  const { method = '', url: target = '' } = request
  const { headers, signatures } = headersOf(request)
  const about = { method, target, headers, receivedAtMs }
  const refuse = ({ reason, httpStatus, headers }: Refusal, body: Buffer, facts?: EventFacts) => {
    response.writeHead(httpStatus, { ...headers, 'Content-Length': '0' }).end()
    const answeredMs = performance.now() - startedMs
    rules.onDelivery({ ...about, ...NOT_KEPT, isSigned: false, body, facts, reason, httpStatus, answeredMs })
  }
  const refusal = refusalOfHead(request, rules.shape)
  if (refusal !== null) {
    discard(request)
    refuse(refusal, NOTHING)
    return
  }
  readBody(request, rules.shape.bodyBytesMax, (body) => {
    if (body === 'too-large') {
      refuse({ reason: 'too-large', httpStatus: 413 }, NOTHING)
      return
    }
    const verdict = judge(body, signatures, rules.secrets)
    // Who signs nothing must not make us read much.
    const isWorthReading = verdict.valid || body.length <= READ_BYTES_MAX || rules.allowUnsigned
    const facts = isWorthReading ? readEventFacts(body.toString('utf8')) : undefined
    const wrong = refusalOfBody(verdict, facts, rules.allowUnsigned)
    if (wrong !== null || facts === undefined) {
      refuse(wrong ?? { reason: 'not-json', httpStatus: 400 }, body, facts)
      return
    }
    const isSigned = verdict.valid
    const keeping: Keeping = {
      startedMs,
      isEnded: false,
      end(httpStatus, { n, duplicate }) {
        if (keeping.isEnded) return
        keeping.isEnded = true
        intake.leave(place)
        response.writeHead(httpStatus, NO_BODY).end()
        const answeredMs = performance.now() - startedMs
        const reason = httpStatus === 200 ? verdict.reason : 'not-stored'
        rules.onDelivery({
          method,
          target,
          headers,
          body,
          facts,
          isSigned,
          reason,
          httpStatus,
          n,
          duplicate,
          receivedAtMs,
          answeredMs,
        })
      },
    }
    const place = intake.enter(keeping)
    rules.keep({ facts, body, target, headers, isSigned, receivedAtMs }).then(
      (kept) => intake.settle(keeping, kept),
      (error: unknown) => {
        rules.onNotKept(error)
        keeping.end(503, NOT_KEPT)
      },
    )
  })
}

/** The first verdict that is valid, else what the current secret says. */
function judge(body: Buffer, values: readonly string[], secrets: readonly string[]): SignatureVerdict {
  let first: SignatureVerdict | undefined
  for (const secret of secrets) {
    const verdict = judgeSignature(body, values, secret)
    if (verdict.valid) return verdict
    first ??= verdict
  }
  if (first === undefined) throw new Error('a receiver without a secret takes nothing')
  return first
}

/** Calls back once with the whole body; a request that breaks off is nobody's delivery. */
function readBody(request: IncomingMessage, bytesMax: number, done: (body: Buffer | 'too-large') => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('error', () => undefined)
  request.on('data', (chunk: Buffer) => {
    const before = bytes
    bytes += chunk.length
    if (bytes <= bytesMax) {
      chunks.push(chunk)
      return
    }
    chunks.length = 0
    if (before <= bytesMax) done('too-large')
    if (bytes > DISCARDED_BYTES_MAX) request.destroy()
  })
  request.on('end', () => {
    if (bytes <= bytesMax) done(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
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
function listen(server: Server, { port, host }: ReceiverRules): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function close(server: Server, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
    // What is answered from now on leaves its connection open for the next request.
    const idle = setInterval(() => server.closeIdleConnections(), CLOSING_LOOK_MS)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}
