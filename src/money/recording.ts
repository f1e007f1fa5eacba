import type { PostEnd } from '../gateway/client.ts'
import { centsFromJson } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import type { Intent, OutcomeRecord, Owner, TimelineRecord } from '../timeline/records.ts'
import { statusOf } from '../wire/answers.ts'
import { Cancelled, Failure } from '../wire/errors.ts'
import type { Desk } from './desk.ts'

/** A process that is told to end has a little time to record what it knows. */
const LAST_MOMENT_MS = 1000

/** Whose transaction an account's is. */
export function ownerOf({ profile, environment, url, clientId }: Account): Owner {
  return { profile, environment, baseUrl: url, clientId }
}

/** What the end of a POST says about its intent. */
export function outcomeOf(intent: TimelineRecord<Intent>, end: PostEnd): OutcomeRecord {
  const fields = end.outcome === 'accepted' ? end.fields : {}
  return {
    type: 'outcome',
    of: intent.id,
    outcome: end.outcome,
    idTransaction: end.outcome === 'accepted' ? end.idTransaction : null,
    status: statusOf(fields),
    code: end.outcome === 'refused' ? end.complaint.code : null,
    httpStatus: end.outcome === 'not-sent' ? null : end.httpStatus,
    amountCents: centsFromJson(fields.amount) ?? null,
  }
}

/** What the end of another POST of the same intent says about it. */
export function outcomeOfAnother(intent: TimelineRecord<Intent>, end: PostEnd): OutcomeRecord {
  const known = outcomeOf(intent, end)
  if (isHeldBefore(end)) return { ...known, outcome: 'accepted-before', code: null }
  // The gateway may check key, owner, balance and limits before it looks for the id, and the first attempt itself may be
  // what they fail on now: only an acceptance, or the duplicate, tells what became of it.
  return end.outcome === 'accepted' ? known : { ...known, outcome: 'unknown' }
}

/** True where the gateway says that it holds a transfer with this id already. */
export function isHeldBefore(end: PostEnd): boolean {
  return end.outcome === 'refused' && end.complaint.code === 'DUPLICATE_EXTERNAL_ID'
}

/**
 * Records what became of an intent and returns what the user must be told besides: where it cannot be recorded, or not in
 * the time that a termination leaves, the intent stays in doubt.
 */
export function recordOutcome(desk: Desk, outcome: OutcomeRecord): Promise<string[]> {
  return recordOutcomes(desk, [outcome])
}

/** The same for several intents, with one sync of the disk. */
export async function recordOutcomes(
  { timeline, terminal, abandon }: Desk,
  outcomes: readonly OutcomeRecord[],
): Promise<string[]> {
  try {
    await inLastMoment(timeline.appendAll(outcomes), abandon)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const warning =
      outcomes.length === 1
        ? t`The answer could not be recorded, so this payment stays in doubt here: ${error.message}`
        : t`The answers could not be recorded, so ${outcomes.length} payments stay in doubt here: ${error.message}`
    terminal.warn(warning)
    return [warning]
  }
}

function inLastMoment(work: Promise<unknown>, abandon: AbortSignal): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  let begin = () => {}
  const over = new Promise<never>((_resolve, reject) => {
    begin = () => {
      timer = setTimeout(reject, LAST_MOMENT_MS, interrupted())
    }
  })
  if (abandon.aborted) begin()
  else abandon.addEventListener('abort', begin)
  return Promise.race([work, over]).finally(() => {
    clearTimeout(timer)
    abandon.removeEventListener('abort', begin)
  })
}

function interrupted(): Cancelled {
  return new Cancelled(t`Interrupted`, { hint: t`Look at it with \`pixgate history\`` })
}
