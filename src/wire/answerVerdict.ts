import type { AnswerError, AnswerFields } from './answers.ts'
import { readAnswerError, refusedCodeOf, statusOf, transactionIdOf, wordsOf } from './answers.ts'

type PostVerdict =
  | { outcome: 'accepted'; idTransaction: string; fields: AnswerFields }
  | { outcome: 'refused'; answerError: AnswerError }
  | { outcome: 'unknown'; why: 'status' | 'unreadable' | 'no-id'; words?: string | undefined }

/**
 * Judges the answer to a POST; `fields` is undefined if its body is not a JSON object. A 2xx is refused if its status is
 * `FAILED` or it has an error code of the specification, letter by letter; whatever else it says, it is accepted if it has an id. Every 4xx except
 * 408 is refused, readable or not. Anything else may have been carried out.
 */
export function judgePost(httpStatus: number, fields: AnswerFields | undefined): PostVerdict {
  if (isSuccessStatus(httpStatus)) return judgeSuccess(fields)
  if (isRefusedStatus(httpStatus)) {
    return { outcome: 'refused', answerError: readAnswerError(fields) }
  }
  return { outcome: 'unknown', why: 'status', words: fields && wordsOf(fields) }
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
  if (statusOf(fields) === 'FAILED' || refusedCodeOf(fields) !== null) {
    return { outcome: 'refused', answerError: readAnswerError(fields) }
  }
  const idTransaction = transactionIdOf(fields)
  if (idTransaction === null) return { outcome: 'unknown', why: 'no-id', words: wordsOf(fields) }
  return { outcome: 'accepted', idTransaction, fields }
}

type QueryVerdict =
  | { usable: true; fields: AnswerFields }
  | { usable: false; why: 'status' | 'unreadable'; answerError: AnswerError }

/** Judges the answer to a GET: only a 2xx with a JSON object that has no error code, or a status beside one that is not specified, is usable. */
export function judgeQuery(httpStatus: number, fields: AnswerFields | undefined): QueryVerdict {
  const isSuccess = isSuccessStatus(httpStatus)
  if (isSuccess && fields !== undefined && tellsStatus(fields)) return { usable: true, fields }
  return {
    usable: false,
    why: isSuccess && fields === undefined ? 'unreadable' : 'status',
    answerError: readAnswerError(fields),
  }
}

function tellsStatus(fields: AnswerFields): boolean {
  return refusedCodeOf(fields) === null && (statusOf(fields) !== null || readAnswerError(fields).code === null)
}
