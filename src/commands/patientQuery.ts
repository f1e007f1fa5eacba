import type { Context } from '../context.ts'
import { consultPatiently, ROOM_MS } from '../gateway/patientQuery.ts'
import { pause } from '../gateway/pause.ts'
import type { AnswerFields } from '../wire/answers.ts'

/** Queries a payment. While this machine's query limit is used up, it waits and shows why. */
export async function consultInTurn(context: Context, idTransaction: string): Promise<{ fields: AnswerFields }> {
  const gateway = await context.gateway()
  return consultPatiently(gateway.consult, idTransaction, async ({ message }) => {
    context.terminal.passing(message)
    await pause(ROOM_MS, context.world.interrupt)
  })
}
