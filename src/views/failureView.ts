import { COUNT, enumOf, HTTP_STATUS, list, mayBeMissing, objectOf, orNull, TEXT } from '../schemas/jsonSchema.ts'
import { viewOf } from '../terminal/fields.ts'
import { type Failure, OUTCOMES } from '../wire/errors.ts'

type Told = 'code' | 'message' | 'details' | 'hint' | 'httpStatus' | 'outcome' | 'exitCode'

export const OUTCOME = enumOf(...OUTCOMES)

/** The error in the last line of stderr, or in a failed member of a list. */
export const FAILURE = viewOf<Pick<Failure, Told> & Partial<Failure>>()({
  code: [TEXT, ({ code }) => code],
  message: [TEXT, ({ message }) => message],
  details: [TEXT, ({ details }) => details.join('\n')],
  hint: [{ ...TEXT, minLength: 1 }, ({ hint }) => hint],
  httpStatus: [orNull(HTTP_STATUS), ({ httpStatus }) => httpStatus],
  outcome: [OUTCOME, ({ outcome }) => outcome],
  exitCode: [{ ...COUNT, minimum: 1, maximum: 255 }, ({ exitCode }) => exitCode],
  externalId: [mayBeMissing(TEXT), ({ externalId }) => externalId],
  faults: [
    mayBeMissing(list(objectOf({ line: COUNT, column: TEXT, message: TEXT }))),
    ({ faults }) => faults && [...faults],
  ],
})
