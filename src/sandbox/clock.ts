interface Timer {
  dueMs: number
  run: () => void
}

/** The longest that setTimeout can wait; a longer wait is taken in steps. */
const TIMEOUT_MS_MAX = 2_147_483_647

/**
 * The sandbox's clock: the wall clock plus what it was advanced. Everything automatic (expiry, settling,
 * redelivery) is scheduled on it and runs in the order of due times.
 */
export class Clock {
  readonly #wallNow: () => number
  #aheadMs = 0
  /** Ascending by due time; equal ones in the order in which they were set. */
  #timers: Timer[] = []
  #wakeUp: NodeJS.Timeout | undefined
  #closed = false

  constructor(wallNow: () => number) {
    this.#wallNow = wallNow
  }

  now(): number {
    return this.#wallNow() + this.#aheadMs
  }

  /** Runs something once this clock shows `dueMs`, never before this call returns. */
  at(dueMs: number, run: () => void): void {
    if (this.#closed) return
    const after = this.#timers.findLastIndex((timer) => timer.dueMs <= dueMs)
    this.#timers.splice(after + 1, 0, { dueMs, run })
    this.#setWakeUp()
  }

  /** Runs all that is due. */
  runDue(): void {
    this.#runUntil(this.now())
    this.#setWakeUp()
  }

  /** Moves the clock on; all that falls due on the way runs at its own time. */
  advance(byMs: number): void {
    const targetMs = this.now() + byMs
    for (let next = this.#timers[0]; next !== undefined && next.dueMs <= targetMs; next = this.#timers[0]) {
      this.#aheadMs = Math.max(this.#aheadMs, next.dueMs - this.#wallNow())
      this.#runUntil(next.dueMs)
    }
    this.#aheadMs = Math.max(this.#aheadMs, targetMs - this.#wallNow())
    this.runDue()
  }

  /** Back to the wall clock, with nothing left to run. */
  reset(): void {
    this.#timers = []
    this.#aheadMs = 0
    this.#setWakeUp()
  }

  close(): void {
    this.#closed = true
    this.reset()
  }

  #runUntil(limitMs: number): void {
    for (let next = this.#timers[0]; next !== undefined && next.dueMs <= limitMs; next = this.#timers[0]) {
      this.#timers.shift()
      next.run()
    }
  }

  #setWakeUp(): void {
    clearTimeout(this.#wakeUp)
    const next = this.#timers[0]
    if (next === undefined) return
    const waitMs = Math.min(Math.max(next.dueMs - this.now(), 0), TIMEOUT_MS_MAX)
    this.#wakeUp = setTimeout(() => this.runDue(), waitMs)
  }
}
