import type { Context } from '../context.ts'
import { pause } from '../gateway/pause.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { RateLimited } from '../wire/errors.ts'

/** How often a query of a long list looks whether the limit has room again. */
const ROOM_MS = 1000

/** Asks for a payment, and waits for as long as only the limit of queries of this machine stands in the way. */
export async function consultPatiently(context: Context, idTransaction: string): Promise<{ fields: AnswerFields }> {
  const gateway = await context.gateway()
  for (;;) {
    try {
      return await gateway.consult(idTransaction)
    } catch (error) {
      if (!(error instanceof RateLimited) || error.httpStatus !== null) throw error
      context.terminal.passing(error.message)
      await pause(ROOM_MS, context.world.interrupt)
    }
  }
}
