import type { AnswerFields } from '../wire/answers.ts'
import { RateLimited } from '../wire/errors.ts'
import type { Gateway } from './client.ts'

/** How often a query of a long list looks whether the limit has room again. */
export const ROOM_MS = 1000

/**
 * Asks for a payment, again and again for as long as only the limit of queries of this machine stands in the way;
 * `waitForRoom` waits between two times. Throws what `consult` throws otherwise.
 */
export async function consultPatiently(
  consult: Gateway['consult'],
  idTransaction: string,
  waitForRoom: (full: RateLimited) => Promise<void>,
): Promise<{ fields: AnswerFields }> {
  for (;;) {
    try {
      return await consult(idTransaction)
    } catch (error) {
      if (!(error instanceof RateLimited) || error.httpStatus !== null) throw error
      await waitForRoom(error)
    }
  }
}
