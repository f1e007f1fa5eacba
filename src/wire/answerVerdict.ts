import type { AnswerError, AnswerFields } from './answers.ts'
import { readAnswerError, refusedCodeOf, statusOf, transactionIdOf } from './answers.ts'

type PostVerdict =
  | { outcome: 'accepted'; idTransaction: string; fields: AnswerFields }
  | { outcome: 'refused'; answerError: AnswerError }
  | { outcome: 'unknown'; why: 'status' | 'unreadable' | 'no-id' }

/**
 * Judges the answer to a POST; `fields` is undefined if its body is not a JSON object. A 2xx with an id is accepted, but
 * refused if its status is `FAILED` or it has an error code. Every 4xx except 408 is refused, readable or not. Anything else
 * may have been carried out.
 */
export function judgePost(httpStatus: number, fields: AnswerFields | undefined): PostVerdict {
  if (isSuccessStatus(httpStatus)) return judgeSuccess(fields)
  if (isRefusedStatus(httpStatus)) {
    return { outcome: 'refused', answerError: readAnswerError(fields) }
  }
  return { outcome: 'unknown', why: 'status' }
}

/** True for every 2xx. */
export function isSuccessStatus(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300
}

/** True for statuses that mean refused regardless of the body: every 4xx except 408. */
export function isRefusedStatus(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408
}

function judgeSuccess(fields: AnswerFields | undefined): PostVerdict {
  if (fields === undefined) return { outcome: 'unknown', why: 'unreadable' }
  if (statusOf(fields)?.toUpperCase() === 'FAILED' || refusedCodeOf(fields) !== null) {
    return { outcome: 'refused', answerError: readAnswerError(fields) }
  }
  const idTransaction = transactionIdOf(fields)
  if (idTransaction === null) return { outcome: 'unknown', why: 'no-id' }
  return { outcome: 'accepted', idTransaction, fields }
}

type QueryVerdict =
  | { usable: true; fields: AnswerFields }
  | { usable: false; why: 'status' | 'unreadable'; answerError: AnswerError }

/** Judges the answer to a GET: only a 2xx with a JSON object is usable. */
export function judgeQuery(httpStatus: number, fields: AnswerFields | undefined): QueryVerdict {
  const isSuccess = isSuccessStatus(httpStatus)
  if (isSuccess && fields !== undefined && refusedCodeOf(fields) === null) return { usable: true, fields }
  return {
    usable: false,
    why: isSuccess && fields === undefined ? 'unreadable' : 'status',
    answerError: readAnswerError(fields),
  }
}
