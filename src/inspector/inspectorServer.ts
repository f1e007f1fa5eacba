import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { limitConnections } from '../listener/listenerServer.ts'
import { readPackagedFile } from '../packagedFile.ts'
import { only } from '../pix/expectedError.ts'
import { currentLanguage, t } from '../text/translate.ts'
import { writtenFor } from '../text/writtenFor.ts'
import { FAILURE } from '../views/failureView.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import { Failure } from '../wire/errors.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { GrowingBytes, isAmbiguousRequest } from '../wire/rawRequest.ts'
import { redactFields, type Secret } from '../wire/secret.ts'
import { isSameSecret } from '../wire/signature.ts'
import type { LiveMessage, LiveUpdate } from './eventRow.ts'

/** What the server answers beside the page, by the name behind `/api/`. Failures are answered in their own words. */
interface InspectorRoutes {
  /** By GET. They change nothing. */
  questions: Readonly<Record<string, (query: URLSearchParams) => Promise<object>>>
  /** By POST, with a JSON object. */
  actions: Readonly<Record<string, (json: unknown) => Promise<object>>>
}

interface InspectorServerOptions {
  /** 0 picks a free one. */
  port: number
  routes: InspectorRoutes
  feed: LiveFeed
  /** Redacted from every answer. */
  secrets: readonly Secret[]
  /** Gets an error that is not a Failure. */
  onDefect(error: unknown): void
}

interface InspectorServer {
  /** The address of the page, with the token. */
  url: string
  /** Resolves when all pending requests have been answered. */
  close(): Promise<void>
}

/** The header that carries the token; a page of another site cannot set it without being allowed to. */
const TOKEN_HEADER = 'x-pixgate-token'
const HOST = '127.0.0.1'
const BODY_BYTES_MAX = 3 * 1024 * 1024
const STREAMS_MAX = 32
/** The most unread data for one page; a page that exceeds it is disconnected, and reloads everything. */
const BACKLOG_BYTES_MAX = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 }
/** A browser opens a few. All together must be few: a listener in the same process needs descriptors for its own. */
const CONNECTIONS_MAX = 100

const SAFE_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Starts the server on this machine's loopback address. Throws the system's error if it cannot listen. */
export async function startInspectorServer(options: InspectorServerOptions): Promise<InspectorServer> {
  const token = randomBytes(24).toString('base64url')
  const inspector = { ...options, token, streams: new Set<ServerResponse>() }
  const answering = new Set<Promise<void>>()
  const server = createServer(TIMEOUTS, (request, response) => {
    response.on('error', () => response.destroy())
    const onTrusted = () => {
      response.once('close', connections.serving(request.socket))
    }
    const answered = writtenFor('people', () => answer(request, response, { ...inspector, onTrusted }))
      .catch((error: unknown) => {
        // A page may be closed while it sends.
        if (error === request.errored) return
        options.onDefect(error)
        endWithError(response, 500)
      })
      .finally(() => answering.delete(answered))
    answering.add(answered)
  })
  const connections = limitConnections(server, CONNECTIONS_MAX)
  const port = await listen(server, options.port)
  return {
    url: `http://${HOST}:${port}/${token}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const stream of inspector.streams) stream.destroy()
      // The result of a replay is still recorded.
      await Promise.all(answering)
      server.closeAllConnections()
      await closed
    },
  }
}

interface Inspector extends InspectorServerOptions {
  token: string
  streams: Set<ServerResponse>
}

/** One request; `onTrusted` is called when it has told the token. */
interface Asked extends Inspector {
  onTrusted(): void
}

async function answer(request: IncomingMessage, response: ServerResponse, inspector: Asked): Promise<void> {
  const { method = '', headers } = request
  const { pathname, searchParams } = new URL(`http://localhost${request.url?.startsWith('/') ? request.url : '/'}`)
  for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value)
  if (isAmbiguousRequest(request)) return endWithError(response, 400)
  // A name of another site may resolve to this machine.
  if (!isOwnHost(request)) return endWithError(response, 421)
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return endWithError(response, 403)
  const name = /^\/api\/(\w+)$/.exec(pathname)?.[1]
  if (name === undefined) {
    if (method !== 'GET' || !isSameSecret(pathname.slice(1), inspector.token)) return endWithError(response, 404)
    inspector.onTrusted()
    const nonce = randomBytes(16).toString('base64')
    response.setHeader('Content-Security-Policy', policy(nonce))
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(renderPage(nonce))
    return
  }
  if (!isSameSecret(String(headers[TOKEN_HEADER] ?? ''), inspector.token)) return endWithError(response, 403)
  inspector.onTrusted()
  if (method === 'GET' && name === 'stream') return stream(response, inspector)
  const { questions, actions } = inspector.routes
  const question = Object.hasOwn(questions, name) ? questions[name] : undefined
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (method === 'GET' && question !== undefined) return answerJson(response, inspector, () => question(searchParams))
  if (method !== 'POST' || action === undefined) return endWithError(response, 404)
  // Browsers name the origin of every POST.
  if (headers.origin === undefined) return endWithError(response, 403)
  if (headers['content-type'] !== 'application/json') return endWithError(response, 415)
  const fields = await readFields(request)
  if (typeof fields === 'number') return endWithError(response, fields)
  return answerJson(response, inspector, () => action(fields))
}

/** Allows only the page's own scripts, styles and connections, so that text can never become code. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

async function answerJson(
  response: ServerResponse,
  { secrets, onDefect }: Inspector,
  work: () => Promise<object>,
): Promise<void> {
  const send = (status: number, document: object) => {
    const json = JSON.stringify(redactFields({ ...document }, secrets))
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(json)
  }
  try {
    send(200, await work())
  } catch (error) {
    if (error instanceof Failure) send(statusOf(error), { error: FAILURE.documentOf(error) })
    else {
      onDefect(error)
      endWithError(response, 500)
    }
  }
}

function statusOf({ exitCode }: Failure): number {
  if (exitCode === 2) return 400
  return exitCode === 3 ? 404 : 409
}

/** Server-sent events, which the page reads by `fetch`, because an EventSource cannot send the token in a header. */
async function stream(response: ServerResponse, inspector: Inspector): Promise<void> {
  const { feed, streams, secrets } = inspector
  if (streams.size >= STREAMS_MAX) return endWithError(response, 503)
  streams.add(response)
  const send = (message: object) => {
    if (response.writableLength > BACKLOG_BYTES_MAX) response.destroy()
    else response.write(`data: ${JSON.stringify(redactFields({ ...message }, secrets))}\n\n`)
  }
  // Whatever is written first sends the head, also a change that comes at once.
  response.setHeader('Content-Type', 'text/event-stream')
  let heartbeat: NodeJS.Timeout | undefined
  let isOver = false
  let end = () => {}
  response.on('close', () => {
    isOver = true
    streams.delete(response)
    clearInterval(heartbeat)
    end()
  })
  const opened = await feed.open(send).catch(only(Failure, () => undefined))
  if (opened === undefined) return endWithError(response, 503)
  end = opened
  if (isOver) return end()
  response.write(':\n\n')
  heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS)
}

function endWithError(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy()
  else {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }
    response.writeHead(status, headers).end(t`Open the address that pixgate printed: the page requires its token`)
  }
}

function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  return headers.host === `${HOST}:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`
}

/** The object in the body, or the status of the answer to one that is too long or no object. */
async function readFields(request: IncomingMessage): Promise<AnswerFields | number> {
  const body = new GrowingBytes()
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return 413
    body.append(chunk)
  }
  const fields = parseJson(body.bytes().toString('utf8'))
  return isObject(fields) ? fields : 400
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

let built: string | undefined

/** The page for one answer. The build makes one file of its parts and the translations; `nonce` marks them as the page's own. */
function renderPage(nonce: string): string {
  built ??= readPackagedFile('dist/inspector.html')
  return built
    .replaceAll('{{nonce}}', nonce)
    .replace('{{language}}', currentLanguage())
    .replace('{{noscript}}', t`This page needs JavaScript`)
}

interface FeedSource {
  /** The number of the last record. */
  endSeq(): Promise<number>
  /** The changes after a record, and the number of the last record; `update` is null if no event has changed. */
  changesAfter(seq: number): Promise<{ endSeq: number; update: LiveUpdate | null }>
  /** An error as a sentence for a person. */
  troubleOf(error: unknown): string
}

type Listener = (message: LiveMessage) => void

const POLL_MS = 250

/** Tells all open pages what is recorded, by whatever process. The ledger is read only while a page is open. */
export class LiveFeed {
  readonly #source: FeedSource
  readonly #listeners = new Set<Listener>()
  #seq: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  #trouble = ''

  constructor(source: FeedSource) {
    this.#source = source
  }

  /** Calls the listener for everything that changes after this resolves. Returns the function that ends it. */
  async open(listener: Listener): Promise<() => void> {
    const endSeq = await this.#source.endSeq()
    // Of two pages that open together, the first one decides, so that neither misses a change.
    this.#seq ??= endSeq
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#look(), POLL_MS)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#seq = undefined
    }
  }

  /** Tells all open pages about something that is not in the ledger. */
  publish(message: LiveMessage): void {
    for (const listener of this.#listeners) listener(message)
  }

  async #look(): Promise<void> {
    const seq = this.#seq
    if (seq === undefined || this.#isReading) return
    this.#isReading = true
    try {
      const { endSeq, update } = await this.#source.changesAfter(seq)
      if (this.#seq !== undefined) this.#seq = endSeq
      this.#trouble = ''
      if (update !== null) this.publish(update)
    } catch (error) {
      const trouble = this.#source.troubleOf(error)
      if (trouble !== this.#trouble) this.publish({ trouble })
      this.#trouble = trouble
    } finally {
      this.#isReading = false
    }
  }
}
