import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'

/** Waits for `delayMs`. Throws Cancelled as soon as the signal is aborted. */
export async function pause(delayMs: number, interrupt: AbortSignal): Promise<void> {
  try {
    await sleep(delayMs, undefined, { signal: interrupt })
  } catch (error) {
    if (!interrupt.aborted) throw error
    throw new Cancelled(t`Interrupted while waiting`, {
      hint: t`Run the command again to continue waiting; a query changes nothing`,
    })
  }
}

export type FailedAttempt = { kind: 'network' } | { kind: 'http'; httpStatus: number; retryAfterMs: number | null }

const ATTEMPTS_MAX = 4
const FIRST_DELAY_MS = 200
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504]

/**
 * How long to wait before a query is retried, in ms; null if it should not be. `attempt` counts from 1, `random` is
 * from 0 to 1. A `Retry-After` is honoured in full; otherwise the delay doubles each time, with jitter in its upper half.
 */
export function retryDelayMs(
  attempt: number,
  failed: FailedAttempt,
  remainingMs: number,
  random: number,
): number | null {
  if (attempt >= ATTEMPTS_MAX) return null
  if (failed.kind === 'http' && !RETRIED_STATUSES.includes(failed.httpStatus)) return null
  const asked = failed.kind === 'http' ? failed.retryAfterMs : null
  const backoffMs = FIRST_DELAY_MS * 2 ** (attempt - 1)
  const delayMs = asked ?? Math.round(backoffMs / 2 + (backoffMs / 2) * random)
  return delayMs < remainingMs ? delayMs : null
}

/** A longer `Retry-After` is read as this many seconds, about 30 years. */
const RETRY_AFTER_SECONDS_MAX = 999_999_999

/**
 * The delay in a `Retry-After` header (seconds or an HTTP date), in ms; null if there is none. Decimals, which the standard does not
 * allow, are rounded up to the next second.
 */
export function readRetryAfterMs(value: string | string[] | undefined, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  if (/^\s*\d+(?:\.\d*)?\s*$/.test(value)) return Math.min(Math.ceil(Number(value)), RETRY_AFTER_SECONDS_MAX) * 1000
  // Only a date with a time of day: Date.parse takes `-5` for a day in 2001.
  const atMs = /\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

/** Maps items with at most `concurrency` calls at a time, and returns the results in the order of the items. */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  async function worker(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}
