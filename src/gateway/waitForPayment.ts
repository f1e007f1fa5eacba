import { type AnswerFields, FINAL_PAYMENT_STATUSES, statusOf } from '../wire/answers.ts'
import { NotReached, RateLimited } from '../wire/errors.ts'
import type { Gateway } from './client.ts'
import { ProxyRefused } from './connections.ts'
import { pause } from './retry.ts'

const QUIET_MS = 10_000
/** The query limit stays full for seconds, so retrying immediately would only use the CPU. */
const TROUBLE_PAUSE_MS = 1000

interface PaymentWait {
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
      last = await gateway.consult(idTransaction, last === undefined ? {} : { latestMs: deadlineMs })
    } catch (error) {
      if (error instanceof ProxyRefused || !(error instanceof NotReached || error instanceof RateLimited)) throw error
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
