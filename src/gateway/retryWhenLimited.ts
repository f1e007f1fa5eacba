import type { AnswerFields } from '../wire/answers.ts'
import { RateLimited } from '../wire/errors.ts'
import type { Gateway } from './client.ts'

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
