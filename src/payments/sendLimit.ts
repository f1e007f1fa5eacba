import { performance } from 'node:perf_hooks'

/** For how long a request may be sent after its attempt was decided. */
export interface SendLimit {
  /** When the decision began, by the wall clock and by the clock that is never set. */
  startedMs: number
  startedMonotonicMs: number
  timeoutMs: number
  /** The wall clock. */
  now(): number
}

/** A limit that begins now. */
export function sendLimit(now: () => number, timeoutMs: number): SendLimit {
  return { startedMs: now(), startedMonotonicMs: performance.now(), timeoutMs, now }
}

/**
 * True while a request may be sent. The other machines of a shared ledger take a request that has not ended by then for one with an unknown outcome,
 * and may send it again. The monotonic clock of a suspended machine stands still, and the wall clock may be set: whichever passed more counts.
 */
export function mayBeSent({ startedMs, startedMonotonicMs, timeoutMs, now }: SendLimit): boolean {
  return Math.max(now() - startedMs, performance.now() - startedMonotonicMs) <= timeoutMs
}
