import type { PostEnd } from '../gateway/client.ts'
import { type PostedOperation, postFailure } from '../gateway/postFailure.ts'
import { t } from '../text/words.ts'
import type { MoneyIntent } from '../timeline/records.ts'
import type { DurableIntent } from '../timeline/timeline.ts'
import { foldTransactions, type Transaction } from '../timeline/transactions.ts'
import { Failure } from '../wire/errors.ts'
import { askConsent, type Question } from './consent.ts'
import type { Desk } from './desk.ts'
import { checkLimits } from './limits.ts'
import { outcomeOf } from './recording.ts'
import { checkRepeats, type RepeatWish } from './repeats.ts'
import { send } from './send.ts'

export type Accepted = Extract<PostEnd, { outcome: 'accepted' }>

/**
 * Makes a payment: repeats and limits are checked, a person is asked, the intent is made durable, sent once, and what
 * became of it is recorded. Throws the Failure that tells whether it was not sent, refused or is unknown.
 */
export async function pay(desk: Desk, intent: MoneyIntent, question: Question, wish: RepeatWish): Promise<Accepted> {
  const { account, timeline } = desk
  const earlier = foldTransactions(await timeline.readUndamaged())
  checkRepeats(earlier, intent, account, wish, desk.now())
  checkLimits(earlier, question.amountCents, account, desk.now())
  await askConsent(desk, question)
  const durable = await timeline.recordIntent(intent)
  await checkOvertaken(desk, durable, earlier, question, wish)
  const end = await send(desk, durable)
  await recordOutcome(desk, durable, end)
  const failure = postFailure(account, operationOf(intent), end, desk.timeoutMs)
  if (failure !== undefined) throw failure
  if (end.outcome === 'accepted') return end
  throw new Error('a POST that was not accepted has a failure')
}

/** Records what became of an intent; where that fails, the intent stays in doubt and the user is told. */
export async function recordOutcome({ timeline, terminal }: Desk, intent: DurableIntent, end: PostEnd): Promise<void> {
  try {
    await timeline.append(outcomeOf(intent, end))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.warn(t`The answer could not be recorded, so this payment stays in doubt here: ${error.message}`)
  }
}

/** What the words about a failure need to know. */
export function operationOf(intent: MoneyIntent): PostedOperation {
  if (intent.kind === 'refund') return { kind: 'refund', originalTransactionId: intent.originalTransactionId }
  return { kind: 'transfer', externalId: intent.externalId }
}

/**
 * Another process may have recorded the same payment while the question was open. The order of the log decides: whoever
 * stands later gives way, so of two at once exactly one is sent.
 */
async function checkOvertaken(
  desk: Desk,
  durable: DurableIntent,
  known: readonly Transaction[],
  question: Question,
  wish: RepeatWish,
): Promise<void> {
  const all = foldTransactions(await desk.timeline.readUndamaged())
  const before = all.slice(
    0,
    all.findIndex(({ intent }) => intent.id === durable.id),
  )
  if (before.length === known.length) return
  try {
    checkRepeats(before, durable, desk.account, wish, desk.now())
    checkLimits(before, question.amountCents, desk.account, desk.now())
  } catch (error) {
    await recordOutcome(desk, durable, { outcome: 'not-sent', fault: 'interrupted', code: 'OVERTAKEN' })
    throw error
  }
}
