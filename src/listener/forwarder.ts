import { setMaxListeners } from 'node:events'
import type { ConnectionPool } from '../gateway/connections.ts'
import { t } from '../text/translate.ts'
import { isReceived, LISTENER_HEADER, SERVICE_WAIT_MS } from '../wire/signature.ts'
import { type Header, type PostResult, postBytes } from './webhookPost.ts'

/** An event that is forwarded as it came. */
interface Forwardable {
  /** The id of its record. */
  record: string | null
  n: number | null
  body: Buffer
  headers: readonly Header[]
  /** Path and query of the request. */
  target: string
}

/** Sends the events of one name, or of all that begin alike (`pix.*`, `*`), to a URL. */
export interface EventRoute {
  events: string
  url: URL
}

interface ForwardResult {
  /** Where it was sent. */
  url: URL
  result: PostResult
}

interface ForwardOptions {
  routes: readonly EventRoute[]
  /** Gets every event that no route matches; null if they are not forwarded. */
  rest: URL | null
  /** Opens connections to the origin of a URL, which the forwarder closes. */
  connectionsTo(url: URL): ConnectionPool
  /** Replace headers of the same name. */
  headers: readonly Header[]
  /** The id of this listener, which is added to those that a webhook has passed. */
  listener: string
  /** Gets the result of each event and target, forwarded or not, as soon as it is known; `target` is the URL of the route. */
  onResult(event: Forwardable, target: URL, forward: ForwardResult): void
  /**
   * Gets the results of an event when all its targets have answered, the failed ones last: the last one says whether the event has failed, and
   * where it is sent again.
   */
  onSettled(event: Forwardable, results: readonly ForwardResult[]): void
}

/** The service waits 5 s; a developer at a breakpoint gets a little longer. */
const ANSWER_MS_MAX = 10_000
/** How much is shown of an answer that is not a success. */
const ANSWER_CHARACTERS_MAX = 500
const CONCURRENCY = 16
/** Events that wait are kept in memory up to this size; further ones are not forwarded, and can be replayed. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024
/** What an event takes besides its body. */
const EVENT_BYTES = 3 * 1024

/** True if a route takes this event; an event without a name is taken by `*` alone. */
export function matchesRoute(events: string, event: string | null): boolean {
  if (!events.endsWith('*')) return events === event
  return (event ?? '').startsWith(events.slice(0, -1))
}

/**
 * Forwards each event to the targets of all routes that match, each target once, or to the rest: in the order of their arrival, several at a
 * time, without delaying their answers.
 */
export class Forwarder {
  readonly #options: ForwardOptions
  readonly #targets = new Map<string, Target>()
  readonly #life = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: ForwardOptions) {
    this.#options = options
    setMaxListeners(0, this.#life.signal)
    const { routes, rest } = options
    for (const url of [...routes.map((route) => route.url), ...(rest === null ? [] : [rest])]) {
      if (!this.#targets.has(url.href)) this.#targets.set(url.href, new Target(url, options.connectionsTo(url)))
    }
  }

  put(event: Forwardable, name: string | null): void {
    const { routes, rest } = this.#options
    const matching = routes.filter(({ events }) => matchesRoute(events, name)).map(({ url }) => url)
    const urls = matching.length === 0 && rest !== null ? [rest] : matching
    const targets = new Set(urls.flatMap(({ href }) => this.#targets.get(href) ?? []))
    if (targets.size === 0) return
    const forwarding = this.#forward(event, targets).finally(() => this.#underWay.delete(forwarding))
    this.#underWay.add(forwarding)
  }

  /** Accepts no further event; those that wait or are under way are given up after this time. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true
    const timer = setTimeout(() => this.#life.abort(), patienceMs)
    await Promise.all(this.#underWay)
    clearTimeout(timer)
    await Promise.all([...this.#targets.values()].map(({ connections }) => connections.close()))
  }

  async #forward(event: Forwardable, targets: ReadonlySet<Target>): Promise<void> {
    const { onResult, onSettled } = this.#options
    const results = await Promise.all(
      Array.from(targets, async (target) => {
        const url = forwardUrl(target.url, event.target)
        const forward = { url, result: await this.#send(event, target, url) }
        onResult(event, target.url, forward)
        return forward
      }),
    )
    onSettled(event, [
      ...results.filter(({ result }) => isReceived(result)),
      ...results.filter(({ result }) => !isReceived(result)),
    ])
  }

  async #send(event: Forwardable, target: Target, url: URL): Promise<PostResult> {
    const { signal } = this.#life
    const ended = () => t`The listener ended before it was forwarded; \`pixgate webhook replay --failed\` sends it`
    if (this.#isClosed) return notForwarded('NOT_FORWARDED', ended)
    if (target.bytes > WAITING_BYTES_MAX) {
      return notForwarded(
        'NOT_FORWARDED',
        () => t`Too many events are waiting for your server; \`pixgate webhook replay --failed\` sends it later`,
      )
    }
    return target.inTurn(event.body.length + EVENT_BYTES, async () => {
      if (signal.aborted) return notForwarded('NOT_FORWARDED', ended)
      const limits = { timeoutMs: ANSWER_MS_MAX, charactersMax: ANSWER_CHARACTERS_MAX, signal }
      const result = await postBytes(target.connections, url, event.body, this.#headersFor(event), limits)
      if (!signal.aborted || result.status !== null) return result
      // At the end of the listener, a target that had the service's 5 s was slow.
      return result.ms >= SERVICE_WAIT_MS
        ? notForwarded('TIMEOUT', () => t`${url.origin} did not answer within 5 s`, result.ms)
        : notForwarded('CANCELLED', () => t`The listener ended before ${url.origin} had answered`, result.ms)
    })
  }

  #headersFor(event: Forwardable): Header[] {
    const { headers, listener } = this.#options
    const isPassed = ([name]: Header) => name.toLowerCase() === LISTENER_HEADER.toLowerCase()
    const passed = [...event.headers.filter(isPassed).map(([, value]) => value), listener].join(', ')
    const own = new Set([LISTENER_HEADER, ...headers.map(([name]) => name)].map((name) => name.toLowerCase()))
    const kept = event.headers.filter(([name]) => !own.has(name.toLowerCase()))
    return [...kept, ...headers, [LISTENER_HEADER, passed]]
  }
}

/** Where events are forwarded, and those that wait for it or are under way. */
class Target {
  readonly url: URL
  readonly connections: ConnectionPool
  bytes = 0
  #underWay = 0
  readonly #waiting: (() => void)[] = []

  constructor(url: URL, connections: ConnectionPool) {
    this.url = url
    this.connections = connections
  }

  async inTurn<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    this.bytes += bytes
    if (this.#underWay >= CONCURRENCY) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#underWay += 1
    try {
      return await work()
    } finally {
      this.bytes -= bytes
      const next = this.#waiting.shift()
      if (next === undefined) this.#underWay -= 1
      else next()
    }
  }
}

/** Where an event is forwarded: a URL without a path gets the path and query of the request. */
function forwardUrl(url: URL, target: string): URL {
  if (url.pathname !== '/' || url.search !== '' || !target.startsWith('/')) return url
  const own = new URL(url.origin + target)
  own.username = url.username
  own.password = url.password
  return own
}

/** `text` is written in the language of the texts when it is read. */
function notForwarded(code: string, text: () => string, ms = 0): PostResult {
  const error = {
    code,
    get message() {
      return text()
    },
  }
  return { status: null, ms, headers: {}, body: '', error }
}
