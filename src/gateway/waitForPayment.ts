import { type AnswerFields, FINAL_PAYMENT_STATUSES, statusOf } from '../wire/answers.ts'
import { NotReached, RateLimited } from '../wire/errors.ts'
import type { Gateway } from './client.ts'
import { pause } from './pause.ts'

/** How long and how often to ask. */
export interface PaymentWait {
  waitMs: number
  intervalMs: number
  interrupt: AbortSignal
  now(): number
  /** Told of every query that failed and is asked again. */
  onTrouble(message: string): void
}

/** True for a status after which nothing more is waited for. */
export function isFinalStatus(status: string | null): boolean {
  return status !== null && FINAL_PAYMENT_STATUSES.includes(status.toUpperCase())
}

/**
 * Asks for a payment's status until it is final or the time is up, and gives the last answer. A query that got no usable
 * answer is asked again as long as there is time. Throws what `consult` throws otherwise, and Cancelled.
 */
export async function waitForPayment(
  gateway: Gateway,
  idTransaction: string,
  wait: PaymentWait,
): Promise<{ httpStatus: number; fields: AnswerFields }> {
  const deadlineMs = wait.now() + wait.waitMs
  for (;;) {
    const answer = await consultPatiently(gateway, idTransaction, wait, deadlineMs)
    const leftMs = deadlineMs - wait.now()
    if (answer !== undefined && (isFinalStatus(statusOf(answer.fields)) || leftMs <= 0)) return answer
    await pause(Math.max(0, Math.min(wait.intervalMs, leftMs)), wait.interrupt)
  }
}

async function consultPatiently(gateway: Gateway, idTransaction: string, wait: PaymentWait, deadlineMs: number) {
  try {
    return await gateway.consult(idTransaction)
  } catch (error) {
    const passes = error instanceof NotReached || error instanceof RateLimited
    if (!passes || wait.now() >= deadlineMs) throw error
    wait.onTrouble(error.message)
    return undefined
  }
}
