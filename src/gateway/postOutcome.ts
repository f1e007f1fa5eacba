import type { AnswerError, AnswerFields } from '../wire/answers.ts'
import { isRefusedStatus, judgePost } from '../wire/answerVerdict.ts'
import type { ExchangeFailed, ExchangeFault, HttpAnswer } from './exchange.ts'
import { readRetryAfterMs } from './retry.ts'

/** The result of a POST. None of these is thrown; the caller decides what it means. */
export type PostOutcome = PostVerdict & {
  /** What the gateway's clock showed when it answered, if that is more than an hour ahead of this machine's. */
  gatewayMs?: number
}

type PostVerdict =
  | { outcome: 'accepted'; httpStatus: number; idTransaction: string; fields: AnswerFields }
  | { outcome: 'refused'; httpStatus: number; answerError: AnswerError; retryAfterMs: number | null }
  | { outcome: 'unknown'; httpStatus: number | null; why: 'status' | 'unreadable' | 'no-id' | ExchangeFault }
  | { outcome: 'not-sent'; fault: ExchangeFault; code: string }

/** What an answer means; `fields` is its JSON object. */
export function postOutcome(answer: HttpAnswer, fields: AnswerFields | undefined, nowMs: number): PostVerdict {
  const { httpStatus } = answer
  const verdict = judgePost(httpStatus, fields)
  if (verdict.outcome === 'accepted') return { ...verdict, httpStatus }
  if (verdict.outcome === 'unknown') return { ...verdict, httpStatus }
  const retryAfterMs = readRetryAfterMs(answer.headers['retry-after'], nowMs)
  return { outcome: 'refused', httpStatus, answerError: verdict.answerError, retryAfterMs }
}

/** What a request without a whole answer means. A status that refuses counts even if the connection breaks while the body is read. */
export function brokenPostOutcome({ mayHaveLeft, httpStatus, fault, code }: ExchangeFailed): PostVerdict {
  if (!mayHaveLeft) return { outcome: 'not-sent', fault, code }
  if (httpStatus !== null && isRefusedStatus(httpStatus)) {
    return { outcome: 'refused', httpStatus, answerError: { code: null, description: null }, retryAfterMs: null }
  }
  return { outcome: 'unknown', httpStatus, why: fault }
}
