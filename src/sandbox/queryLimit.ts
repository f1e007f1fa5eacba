const WINDOW_MS = 60_000

/** Admits at most this many queries in any 60 seconds. */
export class QueryLimit {
  readonly #perMinute: number
  #admittedMs: number[] = []

  constructor(perMinute = 100) {
    this.#perMinute = perMinute
  }

  /** 0 if the query is admitted, else the whole seconds after which one is admitted again. */
  admit(nowMs: number): number {
    this.#admittedMs = this.#admittedMs.filter((ms) => ms > nowMs - WINDOW_MS)
    const [oldestMs] = this.#admittedMs
    if (oldestMs !== undefined && this.#admittedMs.length >= this.#perMinute) {
      return Math.max(1, Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1000))
    }
    this.#admittedMs.push(nowMs)
    return 0
  }

  reset(): void {
    this.#admittedMs = []
  }
}
