import type { Context } from '../context.ts'
import { LIMIT_PAUSE_MS, pause, retryWhenLimited } from '../gateway/retry.ts'
import type { AnswerFields } from '../wire/answers.ts'

/** Queries a payment. While this machine's query limit is used up, it waits and shows why. */
export async function queryWithinLimit(context: Context, idTransaction: string): Promise<{ fields: AnswerFields }> {
  const gateway = await context.gateway()
  return retryWhenLimited(gateway.consult, idTransaction, async ({ message }) => {
    context.terminal.passing(message)
    await pause(LIMIT_PAUSE_MS, context.world.interrupt)
  })
}
