import type { Failure } from './errors.ts'

/** A failure as JSON, for the key `error`. */
export function failureDocument(failure: Failure) {
  return {
    code: failure.code,
    message: failure.message,
    details: failure.details.join('\n'),
    hint: failure.hint,
    httpStatus: failure.httpStatus,
    outcome: failure.outcome,
    exitCode: failure.exitCode,
    ...(failure.externalId === undefined ? {} : { externalId: failure.externalId }),
    ...(failure.faults === undefined ? {} : { faults: failure.faults }),
  }
}
