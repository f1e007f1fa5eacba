import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { t } from '../text/words.ts'
import { type Header, type PostResult, postBytes } from './post.ts'

/** An event that is passed on as it came. */
export interface Forwardable {
  n: number | null
  body: Buffer
  headers: readonly Header[]
}

/** Where events are passed on to. */
export interface ForwardRules {
  url: URL
  /** Take the place of headers of the same name. */
  headers: readonly Header[]
  /** Told of each event in the end, passed on or not. */
  onResult(event: Forwardable, result: PostResult): void
}

/** The gateway gives up after 5 s; a developer at a breakpoint gets a little longer. */
const ANSWER_MS_MAX = 10_000
/** What is shown of an answer that is no success. */
const ANSWER_CHARACTERS_MAX = 500
const CONCURRENCY = 16
/** What waits is kept in memory up to here; what is beyond is not passed on, and can be replayed. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024
/** What an event takes beside its body. */
const EVENT_BYTES = 3 * 1024
/** What has been taken is cut off when it is more than this and more than half. */
const TAKEN_MAX = 1024

/** Passes events on, in the order of their arrival, some at a time, without ever making anybody wait. */
export class Forwarder {
  readonly #rules: ForwardRules
  readonly #agent: HttpAgent | HttpsAgent
  readonly #life = new AbortController()
  #waiting: Forwardable[] = []
  #next = 0
  #bytes = 0
  #underWay = new Set<Promise<void>>()
  #isClosed = false

  constructor(rules: ForwardRules) {
    this.#rules = rules
    const options = { keepAlive: true, maxSockets: CONCURRENCY }
    this.#agent = rules.url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
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

  /** Takes nothing more; what waits and what is under way gets this long, then it is given up. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true
    const timer = setTimeout(() => this.#abandon(), patienceMs)
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    clearTimeout(timer)
    this.#agent.destroy()
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
      if (this.#next > TAKEN_MAX && this.#next * 2 > this.#waiting.length) {
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
    const { url, headers, onResult } = this.#rules
    const own = new Set(headers.map(([name]) => name.toLowerCase()))
    const all = [...event.headers.filter(([name]) => !own.has(name.toLowerCase())), ...headers]
    const limits = { timeoutMs: ANSWER_MS_MAX, bytesMax: ANSWER_CHARACTERS_MAX, signal: this.#life.signal }
    const result = await postBytes(url, event.body, all, { ...limits, agent: this.#agent })
    this.#bytes -= event.body.length + EVENT_BYTES
    onResult(event, result)
  }

  #giveUp(event: Forwardable): void {
    const message = this.#isClosed
      ? t`The listener ended before its turn; \`pixgate webhook replay --failed\` sends it`
      : t`Too many wait for your server; \`pixgate webhook replay --failed\` sends it later`
    this.#rules.onResult(event, { status: null, ms: 0, body: '', error: { code: 'NOT_FORWARDED', message } })
  }
}
