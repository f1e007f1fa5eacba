import type { Context } from '../context.ts'
import { consultPatiently, ROOM_MS } from '../gateway/patientQuery.ts'
import { pause } from '../gateway/pause.ts'
import type { AnswerFields } from '../wire/answers.ts'

/** Asks for a payment, and says that it waits where the limit of queries of this machine stands in the way. */
export async function consultInTurn(context: Context, idTransaction: string): Promise<{ fields: AnswerFields }> {
  const gateway = await context.gateway()
  return consultPatiently(gateway.consult, idTransaction, async ({ message }) => {
    context.terminal.passing(message)
    await pause(ROOM_MS, context.world.interrupt)
  })
}
