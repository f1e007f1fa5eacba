import type { PostEnd } from '../gateway/client.ts'
import { type PostedOperation, postFailure } from '../gateway/postFailure.ts'
import type { MoneyIntent, TimelineRecord } from '../timeline/records.ts'
import type { DurableIntent } from '../timeline/timeline.ts'
import { foldTransactions, type Transaction } from '../timeline/transactions.ts'
import { comparedWith } from './comparedWith.ts'
import { askConsent, type Question } from './consent.ts'
import type { Desk } from './desk.ts'
import { checkLimits } from './limits.ts'
import { outcomeOf, recordOutcome } from './recording.ts'
import { checkRepeats, type RepeatWish } from './repeats.ts'
import { send } from './send.ts'

export type Accepted = Extract<PostEnd, { outcome: 'accepted' }> & {
  /** What the user must be told besides. */
  warnings: readonly string[]
}

/** A rule of its own that a payment must keep to, judged once more when its intent stands in the log. Throws a Failure. */
type Judge = (earlier: readonly Transaction[]) => void

/**
 * Makes a payment: repeats and limits are checked, a person is asked, the intent is made durable, sent once, and what
 * became of it is recorded. Throws the Failure that tells whether it was not sent, refused or is unknown.
 */
export async function pay(
  desk: Desk,
  intent: MoneyIntent,
  question: Question,
  wish: RepeatWish,
  judge: Judge = () => undefined,
): Promise<Accepted> {
  const { account, timeline } = desk
  const earlier = foldTransactions(await timeline.readUndamaged(comparedWith(intent, desk.now())))
  checkRepeats(earlier, intent, account, wish, desk.now())
  checkLimits(earlier, question.amountCents, account, desk.now())
  await askConsent(desk, question)
  if (intent.kind === 'refund') return payNow(desk, intent, question, wish, judge)
  return desk.aloneWith(intent.externalId, () => payNow(desk, intent, question, wish, judge))
}

async function payNow(
  desk: Desk,
  intent: MoneyIntent,
  question: Question,
  wish: RepeatWish,
  judge: Judge,
): Promise<Accepted> {
  const durable = await desk.timeline.recordIntent(intent)
  await checkOvertaken(desk, durable, question, wish, judge)
  const end = await send(desk, durable)
  const warnings = await recordOutcome(desk, outcomeOf(durable, end))
  const failure = postFailure(desk.account, operationOf(durable), end, desk.timeoutMs)
  if (failure !== undefined) throw failure
  if (end.outcome === 'accepted') return { ...end, warnings }
  throw new Error('a POST that was not accepted has a failure')
}

/** What the words about a failure need to know. */
export function operationOf(intent: TimelineRecord<MoneyIntent>): PostedOperation {
  if (intent.kind === 'refund') {
    return { kind: 'refund', originalTransactionId: intent.originalTransactionId, payment: intent.id }
  }
  return { kind: 'transfer', externalId: intent.externalId }
}

/**
 * Judges repeats and limits again, now that the intent stands in the log: another process may have sent the same
 * payment while the question was open. The order of the log decides: whoever stands later gives way, so of two at once
 * exactly one is sent. Throws UsageError; the intent is recorded as not sent then.
 */
async function checkOvertaken(
  desk: Desk,
  durable: DurableIntent,
  question: Question,
  wish: RepeatWish,
  judge: Judge,
): Promise<void> {
  try {
    const records = await desk.timeline.readUndamaged(comparedWith(durable, desk.now()))
    const own = records.findIndex((record) => record.id === durable.id)
    if (own === -1) throw new Error('the record of this payment has gone from the log')
    const before = foldTransactions(records.filter(({ type }, index) => index < own || type === 'event'))
    checkRepeats(before, durable, desk.account, wish, desk.now())
    checkLimits(before, question.amountCents, desk.account, desk.now())
    judge(before)
  } catch (error) {
    await recordOutcome(desk, outcomeOf(durable, { outcome: 'not-sent', fault: 'interrupted', code: 'OVERTAKEN' }))
    throw error
  }
}
