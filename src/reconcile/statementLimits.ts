import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The lines of a statement, and its faults, are held in memory; no bank writes so many into one file. */
export const LINES_MAX = 200_000
/** No bank writes longer texts about a payment. */
export const STATEMENT_TEXT_MAX = 500

/** The error for a statement with more than {@link LINES_MAX} lines. */
export function tooManyLines(): UsageError {
  return new UsageError(t`The statement has more than ${LINES_MAX} lines`, {
    hint: t`Export a shorter period, such as one month`,
  })
}
