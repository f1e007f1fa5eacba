import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '../text/translate.ts'
import { type AnswerFields, FINAL_PAYMENT_STATUSES, statusOf } from '../wire/answers.ts'
import { Cancelled, NotReached, RateLimited } from '../wire/errors.ts'
import type { Gateway } from './client.ts'

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

/** The delay in a `Retry-After` header (seconds or an HTTP date), in ms; null if there is none. */
export function readRetryAfterMs(value: string | string[] | undefined, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim()) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

/** How long to wait before checking the query limit again. */
export const LIMIT_PAUSE_MS = 1000

/**
 * Queries a payment and retries for as long as this machine's own query limit prevents it, calling `waitForLimit` between
 * two attempts. Throws what `consult` throws for any other reason.
 */
export async function retryWhenLimited(
  consult: Gateway['consult'],
  idTransaction: string,
  waitForLimit: (full: RateLimited) => Promise<void>,
): Promise<{ fields: AnswerFields }> {
  for (;;) {
    try {
      return await consult(idTransaction)
    } catch (error) {
      if (!(error instanceof RateLimited) || error.httpStatus !== null) throw error
      await waitForLimit(error)
    }
  }
}

const QUIET_MS = 10_000
/** The query limit stays full for seconds, so retrying immediately would only use the CPU. */
const TROUBLE_PAUSE_MS = 1000

export interface PaymentWait {
  waitMs: number
  intervalMs: number
  interrupt: AbortSignal
  now(): number
  /** Called when queries fail and are retried, at most every ten seconds. */
  onTrouble(message: string): void
}

/** True if a charge in this status, in the wire's words and any case, no longer changes; false for null. */
export function isFinalStatus(status: string | null): boolean {
  return status !== null && FINAL_PAYMENT_STATUSES.includes(status.toUpperCase())
}

/**
 * Queries a payment's status until it is final or the time is up, and returns the last answer. A query without a usable
 * answer is retried while there is time; if none succeeds, its failure is thrown. Throws Cancelled on Ctrl-C, and what
 * `consult` throws if a retry is useless.
 */
export async function waitForPayment(
  gateway: Gateway,
  idTransaction: string,
  wait: PaymentWait,
): Promise<{ httpStatus: number; fields: AnswerFields }> {
  const deadlineMs = wait.now() + wait.waitMs
  let last: Awaited<ReturnType<Gateway['consult']>> | undefined
  let quietUntilMs = 0
  for (;;) {
    let trouble: NotReached | RateLimited | undefined
    try {
      // Once there is an answer to show, no query may outlast the wait.
      last = await gateway.consult(idTransaction, last === undefined ? undefined : deadlineMs)
    } catch (error) {
      if (!(error instanceof NotReached || error instanceof RateLimited)) throw error
      trouble = error
    }
    const leftMs = deadlineMs - wait.now()
    if (last !== undefined && (isFinalStatus(statusOf(last.fields)) || leftMs <= 0)) return last
    if (trouble !== undefined) {
      if (leftMs <= 0) throw trouble
      if (wait.now() >= quietUntilMs) {
        wait.onTrouble(trouble.message)
        quietUntilMs = wait.now() + QUIET_MS
      }
    }
    const pauseMs = trouble === undefined ? wait.intervalMs : Math.max(wait.intervalMs, TROUBLE_PAUSE_MS)
    await pause(Math.max(0, Math.min(pauseMs, leftMs)), wait.interrupt)
  }
}
