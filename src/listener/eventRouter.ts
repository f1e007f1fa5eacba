import { isReceived } from '../wire/deliveryVerdict.ts'
import type { Forwardable, Forwarder } from './forwarder.ts'
import type { PostResult } from './webhookPost.ts'

/** Sends the events of one name, or of all that begin alike (`pix.*`, `*`), to a URL. */
export interface EventRoute {
  events: string
  url: URL
}

/** The result of forwarding an event to one of its targets. */
export interface RoutedResult {
  url: URL
  result: PostResult
}

export interface EventRouterOptions {
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
