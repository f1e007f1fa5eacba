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

interface ForwardOptions {
  url: URL
  /** Connections to the origin of the URL, which the forwarder closes. */
  connections: ConnectionPool
  /** Replace headers of the same name. */
  headers: readonly Header[]
  /** The id of this listener, which is added to those that a webhook has passed. */
  listener: string
  /** Gets the result of each event, forwarded or not. `url` is where it was sent. */
  onResult(event: Forwardable, url: URL, result: PostResult): void
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
/** The places of events that were started are removed when there are more than this and more than half. */
const STARTED_MAX = 1024

/** Where an event is forwarded: a URL without a path gets the path and query of the request. */
function forwardUrl(url: URL, target: string): URL {
  if (url.pathname !== '/' || url.search !== '' || !target.startsWith('/')) return url
  const own = new URL(url.origin + target)
  own.username = url.username
  own.password = url.password
  return own
}

/** Forwards events in the order of their arrival, several at a time, without delaying their answers. */
export class Forwarder {
  readonly #options: ForwardOptions
  readonly #life = new AbortController()
  #waiting: Forwardable[] = []
  #next = 0
  #bytes = 0
  #underWay = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: ForwardOptions) {
    this.#options = options
    setMaxListeners(0, this.#life.signal)
  }

  put(event: Forwardable): void {
    if (this.#isClosed || this.#bytes > WAITING_BYTES_MAX) {
      this.#giveUp(event)
      return
    }
    this.#bytes += event.body.length + EVENT_BYTES
    this.#waiting.push(event)
    this.#start()
  }

  /** Accepts no further event; those that wait or are under way are given up after this time. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true
    const timer = setTimeout(() => this.#abandon(), patienceMs)
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    clearTimeout(timer)
    await this.#options.connections.close()
  }

  #abandon(): void {
    const left = this.#waiting.slice(this.#next)
    this.#waiting = []
    this.#next = 0
    for (const event of left) this.#giveUp(event)
    this.#life.abort()
  }

  #start(): void {
    while (this.#underWay.size < CONCURRENCY) {
      const event = this.#waiting[this.#next]
      if (event === undefined) return
      this.#next += 1
      if (this.#next > STARTED_MAX && this.#next * 2 > this.#waiting.length) {
        this.#waiting.splice(0, this.#next)
        this.#next = 0
      }
      const post = this.#post(event).finally(() => {
        this.#underWay.delete(post)
        this.#start()
      })
      this.#underWay.add(post)
    }
  }

  async #post(event: Forwardable): Promise<void> {
    const { connections, headers, listener, onResult } = this.#options
    const url = forwardUrl(this.#options.url, event.target)
    const isPassed = ([name]: Header) => name.toLowerCase() === LISTENER_HEADER.toLowerCase()
    const passed = [...event.headers.filter(isPassed).map(([, value]) => value), listener].join(', ')
    const own = new Set([LISTENER_HEADER, ...headers.map(([name]) => name)].map((name) => name.toLowerCase()))
    const kept = event.headers.filter(([name]) => !own.has(name.toLowerCase()))
    const all: Header[] = [...kept, ...headers, [LISTENER_HEADER, passed]]
    const limits = { timeoutMs: ANSWER_MS_MAX, charactersMax: ANSWER_CHARACTERS_MAX, signal: this.#life.signal }
    const result = await postBytes(connections, url, event.body, all, limits)
    this.#bytes -= event.body.length + EVENT_BYTES
    onResult(event, url, this.#life.signal.aborted ? givenUp(result, url) : result)
  }

  #giveUp(event: Forwardable): void {
    const message = this.#isClosed
      ? t`The listener ended before it was forwarded; \`pixgate webhook replay --failed\` sends it`
      : t`Too many events are waiting for your server; \`pixgate webhook replay --failed\` sends it later`
    const url = forwardUrl(this.#options.url, event.target)
    this.#options.onResult(event, url, {
      status: null,
      ms: 0,
      headers: {},
      body: '',
      error: { code: 'NOT_FORWARDED', message },
    })
  }
}

/** Sends the events of one name, or of all that begin alike (`pix.*`, `*`), to a URL. */
export interface EventRoute {
  events: string
  url: URL
}

/** At the end of the listener: a target that had the service's 5 s was slow. */
function givenUp(result: PostResult, { origin }: URL): PostResult {
  if (result.status !== null) return result
  const code = result.ms >= SERVICE_WAIT_MS ? 'TIMEOUT' : 'CANCELLED'
  const error = {
    code,
    get message() {
      return code === 'TIMEOUT'
        ? t`${origin} did not answer within 5 s`
        : t`The listener ended before ${origin} had answered`
    },
  }
  return { ...result, error }
}

interface RoutedResult {
  url: URL
  result: PostResult
}

interface EventRouterOptions {
  routes: readonly EventRoute[]
  /** Gets every event that no route matches; null if they are not forwarded. */
  rest: URL | null
  /** Makes the forwarder to a URL, whose results go to `onResult`. */
  open(url: URL, onResult: (event: Forwardable, sentTo: URL, result: PostResult) => void): Forwarder
  /** Gets the result of each forward as soon as it is known; `target` is the URL of the route, `url` where it was sent. */
  onResult(event: Forwardable, target: URL, routed: RoutedResult): void
  /**
   * Gets the results of an event when all its targets have answered, the failed ones last: the last one says whether the event has failed, and
   * where it is sent again.
   */
  onSettled(event: Forwardable, results: readonly RoutedResult[]): void
}

/** True if a route takes this event; an event without a name is taken by `*` alone. */
export function matchesRoute(events: string, event: string | null): boolean {
  if (!events.endsWith('*')) return events === event
  return (event ?? '').startsWith(events.slice(0, -1))
}

/** Forwards each event to the targets of all routes that match, each target once, or to the rest. */
export class EventRouter {
  readonly #options: EventRouterOptions
  readonly #forwarders = new Map<string, Forwarder>()
  readonly #pending = new Map<Forwardable, { left: number; results: RoutedResult[] }>()

  constructor(options: EventRouterOptions) {
    this.#options = options
    const { routes, rest, open } = options
    for (const url of [...routes.map((route) => route.url), ...(rest === null ? [] : [rest])]) {
      if (this.#forwarders.has(url.href)) continue
      const forwarder = open(url, (event, sentTo, result) => this.#settle(event, url, { url: sentTo, result }))
      this.#forwarders.set(url.href, forwarder)
    }
  }

  put(event: Forwardable, name: string | null): void {
    const { routes, rest } = this.#options
    const matching = routes.filter(({ events }) => matchesRoute(events, name)).map(({ url }) => url)
    const urls = matching.length === 0 && rest !== null ? [rest] : matching
    const forwarders = [...new Set(urls.map(({ href }) => href))].flatMap((href) => this.#forwarders.get(href) ?? [])
    if (forwarders.length === 0) return
    this.#pending.set(event, { left: forwarders.length, results: [] })
    for (const forwarder of forwarders) forwarder.put(event)
  }

  /** See {@link Forwarder.close}. */
  async close(patienceMs: number): Promise<void> {
    await Promise.all([...this.#forwarders.values()].map((forwarder) => forwarder.close(patienceMs)))
  }

  #settle(event: Forwardable, target: URL, routed: RoutedResult): void {
    this.#options.onResult(event, target, routed)
    const pending = this.#pending.get(event)
    if (pending === undefined) throw new Error('a forward ended twice')
    pending.left -= 1
    pending.results.push(routed)
    if (pending.left > 0) return
    this.#pending.delete(event)
    const isGood = ({ result }: RoutedResult) => isReceived(result)
    this.#options.onSettled(
      event,
      [...pending.results].sort((one, other) => Number(isGood(other)) - Number(isGood(one))),
    )
  }
}
