import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { Milestones } from './milestones.ts'
import { jsonAnswer, type RawAnswer, type RawHead, readRequests, writeAnswer } from './rawHttp.ts'

/** A request that arrived. `body` is null until it is read. */
interface Arrival extends RawHead {
  body: string | null
  atMs: number
}

/** What the gateway has carried out: one entry is one payment, whatever became of the answer. */
export interface LedgerEntry {
  kind: 'qr' | 'refund' | 'transfer'
  /** Of the client that asked for it. */
  secret: string
  idTransaction: string
  externalId: string | null
  body: Record<string, unknown>
}

/** One request in the hands of a fault. */
export interface Call {
  request: Arrival
  socket: Socket
  /** Reads the body. */
  read(): Promise<string>
  /** Reads the body, carries the request out, and gives the answer that a healthy gateway would send. */
  carryOut(): Promise<RawAnswer>
}

/** What happens to one request in place of a healthy answer. */
export type Fault = (call: Call) => void | Promise<void>

export interface FaultGatewayOptions {
  /** Speaks TLS with these; without them plain HTTP. */
  tls?: TlsOptions
  /** Default: a free one. */
  port?: number
  /** Accepts connections and neither reads nor writes a byte. */
  isMute?: boolean
  /** What the header `Date` of what it carried out says, in ms; without it there is no such header. */
  clock?: () => number
}

/** A gateway that keeps a ledger and misbehaves on demand. */
export interface FaultGateway {
  port: number
  /** http or https at 127.0.0.1. */
  url: string
  /** What was carried out, oldest first. */
  ledger: readonly LedgerEntry[]
  /** All requests whose head came, oldest first, but those that ask for the time. */
  arrivals: readonly Arrival[]
  /** The HEAD requests, which ask for the time. They meet no fault but that of {@link FaultGateway.askedForTime}. */
  timeRequests: readonly Arrival[]
  /** The fields of every status answer from now on, beside `idTransaction`. */
  payment: Record<string, unknown>
  /** The next requests (of this method, where one is named) meet these faults in this order; later ones are served well. */
  misbehave(faults: readonly Fault[], method?: 'GET' | 'POST'): void
  /** From now on every request for which no single fault waits meets this one; undefined ends it. */
  always(fault: Fault | undefined): void
  /** From now on HEAD requests meet this one; undefined tells the time of this machine again. */
  askedForTime(fault: Fault | undefined): void
  /** When this many requests have arrived in all. */
  arrived(count: number): Promise<void>
  /** When this many connections have been accepted in all. */
  connected(count: number): Promise<void>
  readonly connections: number
}

/** Starts one at 127.0.0.1; it is gone when the test is. */
export async function startFaultGateway(options: FaultGatewayOptions = {}): Promise<FaultGateway> {
  const ledger: LedgerEntry[] = []
  const arrivals: Arrival[] = []
  const timeRequests: Arrival[] = []
  const waiting: { fault: Fault; method: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const arrived = new Milestones()
  const connected = new Milestones()
  let standing: Fault | undefined
  let timeFault: Fault | undefined

  function faultFor(method: string): Fault {
    const index = waiting.findIndex((each) => each.method === undefined || each.method === method)
    if (index === -1) return standing ?? healthy
    return waiting.splice(index, 1)[0]?.fault ?? healthy
  }

  async function serve(socket: Socket): Promise<void> {
    const reader = readRequests(socket)
    for (let head = await reader.head(); head !== undefined; head = await reader.head()) {
      const request: Arrival = { ...head, body: null, atMs: Date.now() }
      const read = async () => {
        request.body ??= await reader.body()
        return request.body
      }
      const carryOut = async () => {
        await read()
        const answer = perform(request, ledger, gateway.payment)
        const date: RawAnswer['headers'] =
          options.clock === undefined ? {} : { date: new Date(options.clock()).toUTCString() }
        return { ...answer, headers: { ...answer.headers, ...date } }
      }
      const isTimeRequest = request.method === 'HEAD'
      const fault = isTimeRequest ? (timeFault ?? tellsTime) : faultFor(request.method)
      if (isTimeRequest) timeRequests.push(request)
      else {
        arrivals.push(request)
        arrived.reach(arrivals.length)
      }
      await fault({ request, socket, read, carryOut })
      if (socket.destroyed) return
    }
  }

  const server = listener(options, (socket) => {
    socket.on('error', () => undefined)
    if (options.isMute !== true) void serve(socket)
  })
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    connected.reach(connected.count + 1)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fault gateway does not listen')

  const gateway: FaultGateway = {
    port: address.port,
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    ledger,
    arrivals,
    timeRequests,
    payment: { status: 'PAID', amount: 10.5, paidAt: new Date().toISOString(), response: 'OK' },
    misbehave: (faults, method) => waiting.push(...faults.map((fault) => ({ fault, method }))),
    always: (fault) => {
      standing = fault
    },
    askedForTime: (fault) => {
      timeFault = fault
    },
    arrived: (count) => arrived.when(count),
    connected: (count) => connected.when(count),
    get connections() {
      return connected.count
    },
  }
  return gateway
}

/** Carries the request out and answers as the service does. */
export const healthy: Fault = async ({ socket, carryOut }) => writeAnswer(socket, await carryOut())

/** Answers a HEAD request with the time of this machine. */
const tellsTime: Fault = async ({ socket, read }) => {
  await read()
  writeAnswer(socket, { status: 404, headers: { date: new Date().toUTCString() } })
}

function listener(options: FaultGatewayOptions, onSocket: (socket: Socket) => void): Server {
  if (options.tls === undefined || options.isMute === true) return createServer(onSocket)
  const server = createTlsServer(options.tls, onSocket)
  server.on('tlsClientError', () => undefined)
  return server
}

/** Writes the ledger, and gives the answer of a healthy gateway. The second transfer under one externalId is refused. */
function perform(request: Arrival, ledger: LedgerEntry[], payment: Record<string, unknown>): RawAnswer {
  const url = new URL(request.target, 'http://gateway')
  if (request.method === 'GET') {
    return jsonAnswer(200, { idTransaction: url.searchParams.get('idTransaction'), ...payment })
  }
  const body = parsed(request.body ?? '')
  if (body === undefined) return errorAnswer(400, 'MALFORMED_BODY')
  const idTransaction = randomUUID()
  const externalId = typeof body.externalId === 'string' ? body.externalId : null
  const secret = secretOf(request)
  if (url.pathname.endsWith('/pix-payment')) {
    if (externalId !== null && ledger.some((entry) => entry.externalId === externalId)) {
      return errorAnswer(400, 'DUPLICATE_EXTERNAL_ID')
    }
    ledger.push({ kind: 'transfer', secret, idTransaction, externalId, body })
    return jsonAnswer(200, { idTransaction, status: 'PROCESSING', response: 'OK' })
  }
  if (url.pathname.endsWith('/pix-refund')) {
    ledger.push({ kind: 'refund', secret, idTransaction, externalId, body })
    return jsonAnswer(200, { idTransaction, ...body, status: 'PROCESSING', response: 'OK' })
  }
  ledger.push({ kind: 'qr', secret, idTransaction, externalId, body })
  return jsonAnswer(200, {
    idTransaction,
    paymentCode: `code of ${idTransaction}`,
    paymentCodeBase64: '',
    response: 'OK',
    expiresAt: '2030-01-01T00:00:00Z',
  })
}

/** The client secret that a request carries, in either of the two ways. */
export function secretOf({ headers }: RawHead): string {
  return headers.cs ?? (headers.authorization ?? '').replace('Bearer ', '')
}

/** Undefined where the client was gone before its end. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error answer as the service writes it. */
export function errorAnswer(status: number, code: string, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return jsonAnswer(
    status,
    { statusCode: status, error: 'Error', message: code, details: `Details of ${code}` },
    headers,
  )
}
