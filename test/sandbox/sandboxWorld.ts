import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { onTestFinished, vi } from 'vitest'
import { SANDBOX_DEFAULTS, type SandboxOptions } from '../../src/sandbox/sandboxOptions.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/sandboxServer.ts'
import { logLine } from '../../src/views/sandboxText.ts'

/** 21/11/2026 12:00 in São Paulo. */
export const NOON_MS = Date.parse('2026-11-21T15:00:00Z')
export const DAY_MS = 86_400_000

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export interface Received {
  text: string
  json: { event?: string; data: Record<string, unknown> } & Record<string, unknown>
  headers: IncomingHttpHeaders
  method: string | undefined
  path: string | undefined
}

interface Row extends Record<string, unknown> {
  idTransaction: string
}

export interface State {
  balance: number
  payments: Row[]
  refunds: Row[]
  transfers: Row[]
  deliveries: (Row & { attempts: number; outcome: string; event: string; status: number | null; body: string })[]
  now: string
}

/** A sandbox on a port of its own whose clock does not move until it is advanced. */
export class World {
  readonly running: RunningSandbox
  readonly lines: string[]

  constructor(running: RunningSandbox, lines: string[]) {
    this.running = running
    this.lines = lines
  }

  get url(): string {
    return this.running.url
  }

  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  post(path: string, body: unknown, headers: Record<string, string> = CREDENTIALS): Promise<Answer> {
    return this.call(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  }

  cashIn(fields: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/api/v2/gateway/request-qrcode', {
      requestNumber: randomUUID(),
      dueDate: '2026-11-22',
      amount: 100,
      callbackUrl: NOWHERE,
      ...fields,
    })
  }

  refund(originalTransactionId: unknown, fields: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/api/v2/gateway/pix-refund', {
      originalTransactionId,
      refundReason: 'returned goods',
      callbackUrl: NOWHERE,
      ...fields,
    })
  }

  transfer(fields: Record<string, unknown> = {}, headers?: Record<string, string>): Promise<Answer> {
    const body = { value: 25.5, key: 'maria@example.com', typeKey: 'email', callbackUrl: NOWHERE, ...fields }
    return this.post('/api/v1/gateway/pix-payment', body, headers)
  }

  status(id: unknown, headers: Record<string, string> = CREDENTIALS): Promise<Answer> {
    return this.call(`/api/v2/gateway/consult-transaction?idTransaction=${encodeURIComponent(String(id))}`, { headers })
  }

  control(action: string, body: unknown = {}): Promise<Answer> {
    return this.post(`/sandbox/${action}`, body, {})
  }

  async advance(ms: number): Promise<void> {
    await this.control('advance', { ms })
  }

  async state(): Promise<State> {
    const response = await fetch(`${this.url}/sandbox/state`)
    return (await response.json()) as State
  }

  /** A payment that the payer has paid. */
  async paidPayment(fields: Record<string, unknown> = {}): Promise<string> {
    const id = String((await this.cashIn(fields)).body.idTransaction)
    await this.control('pay', { id })
    return id
  }
}

/** A port without a listener: the connection is refused at once. */
export const NOWHERE = 'http://127.0.0.1:1/'
export const SECRET = 'local-secret'
export const CREDENTIALS = { Authorization: `Bearer ${SECRET}`, ci: 'local', cs: SECRET }

export async function startWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const lines: string[] = []
  const running = await startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    now: () => NOON_MS,
    newId: randomUUID,
    onLog: (entry) => lines.push(logLine(entry)),
    ...options,
  })
  onTestFinished(() => running.close())
  return new World(running, lines)
}

/** A receiver of webhooks that gives the answers that were set, by default 200. */
export class Receiver {
  readonly received: Received[] = []
  readonly #server: Server
  answer: (received: Received, place: number) => number | Promise<number> = () => 200

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString()
        const { headers, method, url } = request
        const received = { text, json: JSON.parse(text), headers, method, path: url }
        this.received.push(received)
        response.writeHead(await this.answer(received, this.received.length - 1), { Location: '/elsewhere' })
        response.end('thanks')
      })
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
    return this
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the receiver does not listen')
    return `http://127.0.0.1:${address.port}/hook?shop=1`
  }

  /** Waits until this many webhooks came. */
  async first(count: number): Promise<Received[]> {
    await vi.waitFor(
      () => {
        if (this.received.length < count) throw new Error(`${this.received.length} of ${count} webhooks came`)
      },
      { timeout: 5000, interval: 5 },
    )
    return this.received.slice(0, count)
  }
}

export function startReceiver(): Promise<Receiver> {
  return new Receiver().start()
}

/** The signature as a receiver computes it. */
export function hmac(text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', SECRET).update(text).digest(encoding)
}

/** Waits until the state is as it should be. */
export function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 5000, interval: 10 })
}
