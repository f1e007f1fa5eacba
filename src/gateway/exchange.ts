import { subscribe } from 'node:diagnostics_channel'
import type { Dispatcher } from 'undici'
import { abortWatchers } from './abortWatchers.ts'

/** One HTTP request, complete: what is sent is exactly this. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
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

  constructor(fault: ExchangeFault, mayHaveLeft: boolean, httpStatus: number | null, code: string, cause?: unknown) {
    super(`${fault} ${code}`, { cause })
    this.fault = fault
    this.mayHaveLeft = mayHaveLeft
    this.httpStatus = httpStatus
    this.code = code
  }
}

/** A timer beyond this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

const departed = new WeakSet<object>()
let created: object | undefined
let watching = false

/**
 * undici announces a request just before its first byte is written. A CONNECT to a proxy is a request of its own, made
 * inside the call that makes ours, so the first one counts.
 */
function watchDepartures(): void {
  if (watching) return
  watching = true
  subscribe('undici:request:create', (message) => {
    created ??= requestOf(message)
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const request = requestOf(message)
    if (request !== undefined) departed.add(request)
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
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  watchDepartures()
  let fault: ExchangeFault = 'connection'
  let isBegun = false
  let own: object | undefined
  let httpStatus: number | null = null
  // A request that was not announced cannot be watched: then it may have left as soon as it was handed over.
  const mayHaveLeft = () => isBegun && (own === undefined || departed.has(own))
  const end = (reason: ExchangeFault) => {
    fault = reason
    void dispatcher.destroy(new Error(reason))
  }
  const abandon = () => end('interrupted')
  const interrupt = () => {
    if (limits.abandon.aborted) return
    if (limits.onHeld !== undefined && mayHaveLeft()) limits.onHeld()
    else end('interrupted')
  }
  const timer = setTimeout(end, Math.min(limits.timeoutMs, TIMER_MS_MAX), 'timeout' satisfies ExchangeFault)
  const interrupts = abortWatchers(limits.interrupt).add(interrupt)
  const abandons = abortWatchers(limits.abandon).add(abandon)
  try {
    if (limits.interrupt.aborted || limits.abandon.aborted) {
      fault = 'interrupted'
      throw new Error(fault)
    }
    created = undefined
    isBegun = true
    const pending = answerTo(dispatcher, request, {
      bytesMax: limits.bytesMax,
      onStatus: (status) => {
        httpStatus = status
      },
      onTooLarge: () => end('too-large'),
    })
    own = created
    return await pending
  } catch (error) {
    void dispatcher.destroy()
    throw new ExchangeFailed(fault, mayHaveLeft(), httpStatus, codeOf(error), error)
  } finally {
    clearTimeout(timer)
    interrupts.delete(interrupt)
    abandons.delete(abandon)
  }
}

interface AnswerWatch {
  bytesMax: number
  /** Called when the head of the answer has come. */
  onStatus(httpStatus: number): void
  /** Called for an answer beyond the limit; it must end the exchange. */
  onTooLarge(): void
}

/** Hands the request over and gathers its answer. No stream is made of the body, because that takes longer than to send it. */
function answerTo(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { bytesMax, onStatus, onTooLarge }: AnswerWatch,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  let httpStatus = 0
  let headers: HttpAnswer['headers'] = {}
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(undiciOptions(request), {
      // What has this name is taken for a handler of the present kind.
      onRequestStart: () => undefined,
      onResponseStart(_controller, status, names) {
        // Others may come before the answer itself.
        if (status < 200) return
        httpStatus = status
        headers = names
        onStatus(status)
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length
        if (bytes > bytesMax) onTooLarge()
        else chunks.push(chunk)
      },
      onResponseEnd() {
        // An answer that ends with its connection ends even when that is destroyed.
        if (bytes > bytesMax) {
          reject(new Error('answer too large'))
          return
        }
        const [first] = chunks
        const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
        resolve({ httpStatus, headers, body })
      },
      onResponseError: (_controller, error) => reject(error),
    })
  })
}

function undiciOptions(request: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, path } = placeOf(request.url)
  return {
    origin,
    path,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
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
  }
  return 'UNKNOWN'
}
