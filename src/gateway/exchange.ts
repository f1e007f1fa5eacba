import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { type AnswerError, type AnswerFields, isObject } from '../wire/answers.ts'
import { isRefusedStatus, judgePost } from '../wire/answerVerdict.ts'
import { GrowingBytes } from '../wire/rawRequest.ts'
import { readRetryAfterMs } from './retry.ts'

/** One HTTP request, complete: what is sent is exactly this. */
interface RawHttpRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  /** By name, or names and values in turn, which are sent in this order and spelling. */
  headers: Readonly<Record<string, string>> | string[]
  body?: string | Buffer
}

export interface HttpRequest extends RawHttpRequest {
  headers: Readonly<Record<string, string>>
  body?: string
  /** How long its answer may be, if that is more than usual. */
  answerBytesMax?: number
}

export interface HttpAnswer {
  httpStatus: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

interface ExchangeLimits {
  /** From now to the last byte of the answer. */
  timeoutMs: number
  bytesMax: number
  /** True to read a longer body to its end and keep its first `bytesMax` bytes; otherwise it is a failure. */
  truncates?: boolean
  /** Ends the exchange if the body of the answer pauses for this long. */
  bodyIdleMs?: number
  /** Ends the exchange; if `onHeld` is given, only while nothing of the request may have left. */
  interrupt: AbortSignal
  /** Aborts the exchange, whether or not the request was sent. */
  abandon: AbortSignal
  /** Asked just before the first byte is written; nothing is sent if it says no. */
  mayLeave?: (() => boolean) | undefined
  /** Called on an interrupt after bytes may have been sent; the exchange continues. */
  onHeld?: () => void
}

/** `unasked`: a 100 or 101 that the request did not ask for, with which undici gives up the connection; `malformed`: what came is not HTTP. */
export type ExchangeFault =
  | 'timeout'
  | 'interrupted'
  | 'too-large'
  | 'too-late'
  | 'unasked'
  | 'malformed'
  | 'connection'

/** The exchange returned no complete answer. `mayHaveLeft` tells whether the request's first byte may have been sent. */
export class ExchangeFailed extends Error {
  readonly fault: ExchangeFault
  readonly mayHaveLeft: boolean
  /** The status of the answer if its headers had arrived, else null. */
  readonly httpStatus: number | null
  /** The system or TLS error code (`ECONNREFUSED`, …). It only affects the wording. */
  readonly code: string
  /** The head of the answer and the part of its body that arrived; null if no head arrived. */
  readonly partialAnswer: HttpAnswer | null

  constructor(
    fault: ExchangeFault,
    mayHaveLeft: boolean,
    httpStatus: number | null,
    code: string,
    cause?: unknown,
    partialAnswer: HttpAnswer | null = null,
  ) {
    super(`${fault} ${code}`, { cause })
    this.fault = fault
    this.mayHaveLeft = mayHaveLeft
    this.httpStatus = httpStatus
    this.code = code
    this.partialAnswer = partialAnswer
  }
}

/** setTimeout fires immediately for longer delays. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * An array, because entries removed from a Set, a Map or a signal's listeners stay in memory until the next full garbage
 * collection, and with them all requests of a batch.
 */
const underWay: Exchange[] = []
let dispatching: Exchange | undefined
let isWatching = false
const watchedSignals = new WeakSet<AbortSignal>()

/**
 * undici publishes a diagnostics event just before it writes a request's first byte. A CONNECT to a proxy is a separate
 * request, created while ours is dispatched, so only the first request that is created counts.
 */
function watchSentHeaders(): void {
  if (isWatching) return
  isWatching = true
  subscribe('undici:request:create', (message) => {
    if (dispatching !== undefined) dispatching.request ??= requestOf(message)
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const request = requestOf(message)
    if (request === undefined) return
    const sent = underWay.find((each) => each.request === request)
    if (sent === undefined) return
    if (sent.mayLeave()) sent.hasLeft = true
    else sent.endUnwritten(socketOf(message))
  })
}

/** Adds one listener per signal, shared by all exchanges. */
function watchSignal(signal: AbortSignal): void {
  if (watchedSignals.has(signal)) return
  watchedSignals.add(signal)
  signal.addEventListener('abort', () => {
    for (const each of [...underWay]) each.aborted(signal)
  })
}

/** The connection that a request is about to be written to. */
function socketOf(message: unknown): Socket | undefined {
  return isObject(message) && message.socket instanceof Socket ? message.socket : undefined
}

function requestOf(message: unknown): object | undefined {
  return isObject(message) && isObject(message.request) ? message.request : undefined
}

/**
 * Sends one request over this dispatcher and reads the whole answer. It follows no redirect and retries nothing. The
 * deadline is a timer that destroys the dispatcher, because that also works while connecting and against an answer that
 * arrives in small pieces. Throws {@link ExchangeFailed}; the dispatcher is then destroyed.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: RawHttpRequest,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  watchSentHeaders()
  watchSignal(limits.interrupt)
  watchSignal(limits.abandon)
  const own = new Exchange(dispatcher, limits)
  underWay.push(own)
  try {
    return await own.answerTo(request)
  } catch (error) {
    void dispatcher.destroy()
    throw own.failed(error)
  } finally {
    own.close()
    underWay.splice(underWay.indexOf(own), 1)
  }
}

/** A request and its answer. It collects the body without a stream, which would take longer than the request. */
class Exchange implements Dispatcher.DispatchHandler {
  /** The request in undici's diagnostics events. If there was no event, bytes may have been sent since dispatch. */
  request: object | undefined
  hasLeft = false
  readonly #dispatcher: Dispatcher
  readonly #limits: ExchangeLimits
  readonly #timer: NodeJS.Timeout
  #fault: ExchangeFault = 'connection'
  #isDispatched = false
  #httpStatus: number | null = null
  #headers: HttpAnswer['headers'] = {}
  readonly #body = new GrowingBytes()
  #bytes = 0
  #resolve: (answer: HttpAnswer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(dispatcher: Dispatcher, limits: ExchangeLimits) {
    this.#dispatcher = dispatcher
    this.#limits = limits
    this.#timer = setTimeout(() => this.end('timeout'), Math.min(limits.timeoutMs, TIMER_MS_MAX))
  }

  /** Hands the request over and gathers its answer. */
  answerTo(request: RawHttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#limits.interrupt.aborted || this.#limits.abandon.aborted) {
        this.#fault = 'interrupted'
        throw new Error(this.#fault)
      }
      this.#isDispatched = true
      dispatching = this
      try {
        this.#dispatcher.dispatch(undiciOptions(request, this.#limits.bodyIdleMs), this)
      } finally {
        dispatching = undefined
      }
    })
  }

  /** Aborts the exchange, unless it must wait for the answer to a request that was sent. */
  aborted(signal: AbortSignal): void {
    const { interrupt, abandon, onHeld } = this.#limits
    if (signal === abandon) this.end('interrupted')
    else if (signal === interrupt && !abandon.aborted) {
      if (onHeld !== undefined && this.#mayHaveLeft()) onHeld()
      else this.end('interrupted')
    }
  }

  /** False if the request must not be sent any more. */
  mayLeave(): boolean {
    return this.#limits.mayLeave?.() ?? true
  }

  end(reason: ExchangeFault): void {
    this.#fault = reason
    void this.#dispatcher.destroy(new Error(reason))
  }

  /** Ends it while undici is about to write it to a connection, on which nothing then leaves. */
  endUnwritten(socket: Socket | undefined): void {
    this.#fault = 'too-late'
    // undici goes on writing when this returns, and must find the request where it was.
    if (socket?.destroy() !== undefined) queueMicrotask(() => this.end('too-late'))
    else this.end('too-late')
  }

  failed(error: unknown): ExchangeFailed {
    const partialAnswer = this.#httpStatus === null ? null : this.#answer(this.#httpStatus)
    const code = codeOf(error)
    const fault = this.#fault === 'connection' ? faultOfAnswer(error, code) : this.#fault
    return new ExchangeFailed(fault, this.#mayHaveLeft(), this.#httpStatus, code, error, partialAnswer)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** undici recognises a handler of its current API by this method. */
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: HttpAnswer['headers'],
  ): void {
    // Informational responses may precede the final one.
    if (httpStatus < 200) return
    this.#httpStatus = httpStatus
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { bytesMax, truncates } = this.#limits
    const left = bytesMax - this.#bytes
    this.#bytes += chunk.length
    if (left > 0) this.#body.append(chunk.subarray(0, left))
    if (this.#bytes > bytesMax && truncates !== true) this.end('too-large')
  }

  onResponseEnd(): void {
    // An answer that ends with its connection ends even when that is destroyed.
    if (this.#bytes > this.#limits.bytesMax && this.#limits.truncates !== true) {
      this.#reject(new Error('answer too large'))
      return
    }
    const answer = this.#answer(this.#httpStatus ?? 0)
    if (this.#limits.truncates === true) {
      this.#resolve(answer)
      return
    }
    const body = unpacked(answer, this.#limits.bytesMax)
    if (body !== undefined) this.#resolve({ ...answer, body })
    else {
      this.#fault = 'too-large'
      this.#reject(new Error('unpacked answer too large'))
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error)
  }

  #answer(httpStatus: number): HttpAnswer {
    return { httpStatus, headers: this.#headers, body: this.#body.bytes() }
  }

  #mayHaveLeft(): boolean {
    return this.#isDispatched && (this.request === undefined || this.hasLeft)
  }
}

/** Functions of `node:zlib`, which is loaded for a packed body only. */
type Unpack = 'gunzipSync' | 'inflateSync' | 'inflateRawSync' | 'brotliDecompressSync'

/** What may be around a body, by its name in `content-encoding`. Some servers call a deflate stream without its header so, too. */
const UNPACKERS: Readonly<Record<string, readonly Unpack[]>> = {
  gzip: ['gunzipSync'],
  'x-gzip': ['gunzipSync'],
  deflate: ['inflateSync', 'inflateRawSync'],
  br: ['brotliDecompressSync'],
}

/**
 * The body without its `content-encoding`, which a proxy may add although none was asked for; as it came if it is not what that says. Undefined if it
 * would have more bytes than this. Of the beginning of a body, which `isPart`, as much as it holds.
 */
export function unpacked(
  { headers, body }: Pick<HttpAnswer, 'headers' | 'body'>,
  bytesMax: number,
  isPart = false,
): Buffer | undefined {
  const names = [headers['content-encoding'] ?? []].flat().join(',').toLowerCase().split(',').reverse()
  let bytes = body
  for (const unpack of names.map((name) => UNPACKERS[name.trim()] ?? [])) {
    const results = unpack.map((one) => attempt(one, bytes, bytesMax, isPart))
    if (results.includes('too-large')) return undefined
    bytes = results.find((result) => result instanceof Uint8Array) ?? bytes
  }
  return bytes
}

function attempt(
  unpack: Unpack,
  packed: Buffer,
  maxOutputLength: number,
  isPart: boolean,
): Buffer | 'too-large' | undefined {
  const { constants, ...zlib } = process.getBuiltinModule('node:zlib')
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants
  const flush = isPart ? { finishFlush: unpack === 'brotliDecompressSync' ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH } : {}
  try {
    return zlib[unpack](packed, { maxOutputLength, ...flush })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large'
    if (typeof code !== 'string') throw error
    return undefined
  }
}

function undiciOptions(request: RawHttpRequest, bodyIdleMs = 0): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(request.url)
  return {
    origin,
    path: pathname + search,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    headersTimeout: 0,
    bodyTimeout: bodyIdleMs,
  }
}

/** What made undici give up a connection: what came over it, or the connection itself. */
function faultOfAnswer(error: unknown, code: string): ExchangeFault {
  // undici names it only in the message.
  const isSocketError = error instanceof Error && error.name === 'SocketError'
  if (isSocketError && /^bad (?:response|upgrade)$/.test(error.message)) return 'unasked'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  return code.startsWith('HPE_') ? 'malformed' : 'connection'
}

function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0])
    if ('code' in at && typeof at.code === 'string') return at.code
    // undici names what is wrong only in the message.
    if (at.name === 'HTTPParserError') return 'HPE_INVALID_RESPONSE'
  }
  return 'UNKNOWN'
}

/** The result of a POST. None of these is thrown; the caller decides what it means. */
export type PostOutcome = PostVerdict & {
  /** What the gateway's clock showed when it answered, if that is more than an hour ahead of this machine's. */
  gatewayMs?: number
}

/** Answers that something before the gateway may have given, such as the login page of a network. */
export type StrayAnswer = 'page' | 'redirect'

/** Undefined for one that may be the gateway's. */
export function strayAnswer({ httpStatus, headers, body }: HttpAnswer): StrayAnswer | undefined {
  if (httpStatus >= 300 && httpStatus < 400 && headers.location !== undefined) return 'redirect'
  return /^\s*<(?:!doctype )?html\b/i.test(body.toString('latin1', 0, PAGE_START_BYTES)) ? 'page' : undefined
}

/** Enough for blanks and the first tag. */
const PAGE_START_BYTES = 200

type PostVerdict =
  | { outcome: 'accepted'; httpStatus: number; idTransaction: string; fields: AnswerFields }
  | { outcome: 'refused'; httpStatus: number; answerError: AnswerError; retryAfterMs: number | null }
  | {
      outcome: 'unknown'
      httpStatus: number | null
      why: 'status' | 'unreadable' | 'no-id' | ExchangeFault
      /** What the answer says, as it came. */
      words?: string | undefined
      stray?: StrayAnswer | undefined
    }
  | { outcome: 'not-sent'; fault: ExchangeFault; code: string }

/** What an answer means; `fields` is its JSON object. */
export function postOutcome(answer: HttpAnswer, fields: AnswerFields | undefined, nowMs: number): PostVerdict {
  const { httpStatus } = answer
  const verdict = judgePost(httpStatus, fields)
  if (verdict.outcome === 'accepted') return { ...verdict, httpStatus }
  if (verdict.outcome === 'unknown') return { ...verdict, httpStatus, stray: strayAnswer(answer) }
  const retryAfterMs = readRetryAfterMs(answer.headers['retry-after'], nowMs)
  return { outcome: 'refused', httpStatus, answerError: verdict.answerError, retryAfterMs }
}

/** What a request without a whole answer means. A status that refuses counts even if the connection breaks while the body is read. */
export function brokenPostOutcome({ mayHaveLeft, httpStatus, fault, code }: ExchangeFailed): PostVerdict {
  if (!mayHaveLeft) return { outcome: 'not-sent', fault, code }
  if (httpStatus !== null && isRefusedStatus(httpStatus)) {
    return { outcome: 'refused', httpStatus, answerError: { code: null, description: null }, retryAfterMs: null }
  }
  return { outcome: 'unknown', httpStatus, why: fault }
}
