import type { PostEnd } from '../gateway/client.ts'
import { centsFromJson } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import type { Intent, OutcomeRecord, Owner, TimelineRecord } from '../timeline/records.ts'
import { statusOf } from '../wire/answers.ts'

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
