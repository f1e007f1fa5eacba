/** The most requests that wait for their turn. */
const TURNS_MAX = 100

/** Spreads requests so that they stay below a rate; without a rate, none of them waits. */
export class RateLimiter {
  readonly #intervalMs: number
  readonly #now: () => number
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number | null, now: () => number) {
    this.#intervalMs = perSecond === null ? 0 : 1000 / perSecond
    this.#now = now
  }

  /** Takes the next turn, and says in how many ms it comes. */
  takeMs(): number {
    const nowMs = this.#now()
    // The batch must not stall if the clock was set back.
    const turnMs = Math.max(nowMs, Math.min(this.#nextMs, nowMs + this.#intervalMs * TURNS_MAX))
    this.#nextMs = turnMs + this.#intervalMs
    return turnMs - nowMs
  }
}
