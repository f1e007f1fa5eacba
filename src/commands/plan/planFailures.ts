import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** A refund without an amount would refund what nobody approved. */
export function amountRequiredForPlan(isFile = false): UsageError {
  return new UsageError(t`The amount of this refund is not known, and a plan says how much is sent`, {
    details: [t`Nothing was sent`],
    hint: isFile ? t`Write an amount in every row` : t`Add \`--amount\` with the amount to refund`,
  })
}
