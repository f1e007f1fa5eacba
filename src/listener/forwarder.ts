import { setMaxListeners } from 'node:events'
import type { ConnectionPool } from '../gateway/connections.ts'
import { t } from '../text/translate.ts'
import { type Header, type PostResult, postBytes } from './webhookPost.ts'

/** An event that is forwarded as it came. */
export interface Forwardable {
  /** The id of its record. */
  record: string | null
  n: number | null
  body: Buffer
  headers: readonly Header[]
  /** Path and query of the request. */
  target: string
}

export interface ForwardOptions {
  url: URL
  /** Connections to the origin of the URL, which the forwarder closes. */
  connections: ConnectionPool
  /** Replace headers of the same name. */
  headers: readonly Header[]
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
    const { connections, headers, onResult } = this.#options
    const url = forwardUrl(this.#options.url, event.target)
    const own = new Set(headers.map(([name]) => name.toLowerCase()))
    const all = [...event.headers.filter(([name]) => !own.has(name.toLowerCase())), ...headers]
    const limits = { timeoutMs: ANSWER_MS_MAX, charactersMax: ANSWER_CHARACTERS_MAX, signal: this.#life.signal }
    const result = await postBytes(connections, url, event.body, all, limits)
    this.#bytes -= event.body.length + EVENT_BYTES
    onResult(event, url, result)
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
