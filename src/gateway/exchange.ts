import { subscribe } from 'node:diagnostics_channel'
import type { Dispatcher } from 'undici'

/** One HTTP request, complete: what is sent is exactly this. */
export interface RawHttpRequest {
  method: 'GET' | 'POST'
  url: string
  /** By name, or names and values in turn, which are sent in this order and spelling. */
  headers: Readonly<Record<string, string>> | string[]
  body?: string | Buffer
}

/** A request of the gateway's API. */
export interface HttpRequest extends RawHttpRequest {
  headers: Readonly<Record<string, string>>
  body?: string
}

export interface HttpAnswer {
  httpStatus: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

export interface ExchangeLimits {
  /** From now to the last byte of the answer. */
  timeoutMs: number
  bytesMax: number
  /** True to read a longer body to its end and keep its first `bytesMax` bytes; otherwise it is a failure. */
  truncates?: boolean
  /** Ends the exchange if the body of the answer pauses for this long. */
  bodyIdleMs?: number
  /** Ends the exchange; where `onHeld` is given, only while nothing of the request may have left. */
  interrupt: AbortSignal
  /** Ends the exchange whatever has been sent. */
  abandon: AbortSignal
  /** Called on an interrupt that comes too late: the exchange goes on. */
  onHeld?: () => void
}

export type ExchangeFault = 'timeout' | 'interrupted' | 'too-large' | 'connection'

/** The exchange gave no whole answer. `mayHaveLeft` tells whether the first byte of the request may have been sent. */
export class ExchangeFailed extends Error {
  readonly fault: ExchangeFault
  readonly mayHaveLeft: boolean
  /** The answer's status where its head had come; null where not even that. */
  readonly httpStatus: number | null
  /** The system's or TLS's code (`ECONNREFUSED`, …); chooses words only. */
  readonly code: string
  /** The head of the answer and what came of its body; null if no head came. */
  readonly begun: HttpAnswer | null

  constructor(
    fault: ExchangeFault,
    mayHaveLeft: boolean,
    httpStatus: number | null,
    code: string,
    cause?: unknown,
    begun: HttpAnswer | null = null,
  ) {
    super(`${fault} ${code}`, { cause })
    this.fault = fault
    this.mayHaveLeft = mayHaveLeft
    this.httpStatus = httpStatus
    this.code = code
    this.begun = begun
  }
}

/** A timer beyond this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * A list, because what is taken out of a Set, a Map or the listeners of a signal is still kept by what took its place, and
 * with it all requests of a batch, until the garbage of the whole heap is collected.
 */
const underWay: Exchange[] = []
/** The one that is being handed over. */
let begun: Exchange | undefined
let isWatching = false
const watchedSignals = new WeakSet<AbortSignal>()

/**
 * undici announces a request just before its first byte is written. A CONNECT to a proxy is a request of its own, made
 * inside the call that makes ours, so the first one counts.
 */
function watchDepartures(): void {
  if (isWatching) return
  isWatching = true
  subscribe('undici:request:create', (message) => {
    if (begun !== undefined) begun.request ??= requestOf(message)
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const request = requestOf(message)
    if (request === undefined) return
    for (const each of underWay) if (each.request === request) each.hasLeft = true
  })
}

/** One listener for all exchanges that a signal ends. */
function watchSignal(signal: AbortSignal): void {
  if (watchedSignals.has(signal)) return
  watchedSignals.add(signal)
  signal.addEventListener('abort', () => {
    for (const each of [...underWay]) each.aborted(signal)
  })
}

function requestOf(message: unknown): object | undefined {
  if (typeof message !== 'object' || message === null || !('request' in message)) return undefined
  return typeof message.request === 'object' && message.request !== null ? message.request : undefined
}

/**
 * Sends one request over this dispatcher and reads the whole answer. No redirect is followed and nothing is repeated.
 * A timer that destroys the dispatcher is the deadline, because it holds before a connection stands and against an
 * answer that drips. Throws {@link ExchangeFailed}; the dispatcher is then destroyed.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: RawHttpRequest,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  watchDepartures()
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

/** A request and its answer. No stream is made of the answer's body, because that takes longer than to send the request. */
class Exchange implements Dispatcher.DispatchHandler {
  /** As undici announces it; one that was not announced may have left as soon as it was handed over. */
  request: object | undefined
  hasLeft = false
  readonly #dispatcher: Dispatcher
  readonly #limits: ExchangeLimits
  readonly #timer: NodeJS.Timeout
  #fault: ExchangeFault = 'connection'
  #isBegun = false
  #httpStatus: number | null = null
  #headers: HttpAnswer['headers'] = {}
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #resolve: (answer: HttpAnswer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(dispatcher: Dispatcher, limits: ExchangeLimits) {
    this.#dispatcher = dispatcher
    this.#limits = limits
    this.#timer = setTimeout(endAtDeadline, Math.min(limits.timeoutMs, TIMER_MS_MAX), this)
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
      this.#isBegun = true
      begun = this
      try {
        this.#dispatcher.dispatch(undiciOptions(request, this.#limits.bodyIdleMs), this)
      } finally {
        begun = undefined
      }
    })
  }

  /** Ends it, unless it waits for an answer that nobody may miss. */
  aborted(signal: AbortSignal): void {
    const { interrupt, abandon, onHeld } = this.#limits
    if (signal === abandon) this.end('interrupted')
    else if (signal === interrupt && !abandon.aborted) {
      if (onHeld !== undefined && this.#mayHaveLeft()) onHeld()
      else this.end('interrupted')
    }
  }

  end(reason: ExchangeFault): void {
    this.#fault = reason
    void this.#dispatcher.destroy(new Error(reason))
  }

  failed(error: unknown): ExchangeFailed {
    const begun = this.#httpStatus === null ? null : this.#answer(this.#httpStatus)
    return new ExchangeFailed(this.#fault, this.#mayHaveLeft(), this.#httpStatus, codeOf(error), error, begun)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** What has this name is taken for a handler of the present kind. */
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: HttpAnswer['headers'],
  ): void {
    // Others may come before the answer itself.
    if (httpStatus < 200) return
    this.#httpStatus = httpStatus
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { bytesMax, truncates } = this.#limits
    const left = bytesMax - this.#bytes
    this.#bytes += chunk.length
    if (left > 0) this.#chunks.push(chunk.subarray(0, left))
    if (this.#bytes > bytesMax && truncates !== true) this.end('too-large')
  }

  onResponseEnd(): void {
    // An answer that ends with its connection ends even when that is destroyed.
    if (this.#bytes > this.#limits.bytesMax && this.#limits.truncates !== true) {
      this.#reject(new Error('answer too large'))
      return
    }
    this.#resolve(this.#answer(this.#httpStatus ?? 0))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error)
  }

  #answer(httpStatus: number): HttpAnswer {
    const [first] = this.#chunks
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    return { httpStatus, headers: this.#headers, body }
  }

  #mayHaveLeft(): boolean {
    return this.#isBegun && (this.request === undefined || this.hasLeft)
  }
}

function endAtDeadline(exchange: Exchange): void {
  exchange.end('timeout')
}

function undiciOptions(request: RawHttpRequest, bodyIdleMs = 0): Dispatcher.DispatchOptions {
  const { origin, path } = placeOf(request.url)
  return {
    origin,
    path,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    headersTimeout: 0,
    bodyTimeout: bodyIdleMs,
  }
}

/** Of the last request: those of a batch all go to one address, and to take it apart takes a while. */
let last = { url: '', origin: '', path: '' }

function placeOf(url: string): { origin: string; path: string } {
  if (url === last.url) return last
  const { origin, pathname, search } = new URL(url)
  last = { url, origin, path: pathname + search }
  return last
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
