import type { Context } from '../context.ts'
import { pause } from '../gateway/retry.ts'
import { LIMIT_PAUSE_MS, retryWhenLimited } from '../gateway/waitForPayment.ts'
import type { AnswerFields } from '../wire/answers.ts'

/** Queries a payment. While this machine's query limit is used up, it waits and shows why. */
export async function queryWithinLimit(context: Context, idTransaction: string): Promise<{ fields: AnswerFields }> {
  const gateway = await context.gateway()
  return retryWhenLimited(gateway.consult, idTransaction, async ({ message }) => {
    context.terminal.passing(message)
    await pause(LIMIT_PAUSE_MS, context.runtime.interrupt)
  })
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
