import { formatReais, plainAmount } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { LimitConflict } from './amountLimits.ts'

/** The failure of a payment, or of several together, that a limit of the profile does not allow. */
export function limitFailure({ confirmName }: Account, conflict: LimitConflict): UsageError {
  switch (conflict.why) {
    case 'amount-unknown':
      return overLimit(
        t`The profile ${confirmName} has limits, and the amount of this refund is not known`,
        t`Add \`--amount\` with the amount to refund`,
      )
    case 'max-amount': {
      const { amountCents, maxCents } = conflict
      return overLimit(
        t`${formatReais(amountCents)} is more than the ${formatReais(maxCents)} that the profile ${confirmName} allows for one payment`,
        t`Check the amount; to raise the limit, run \`pixgate profile edit ${confirmName} --max-amount ${plainAmount(amountCents)}\``,
      )
    }
    case 'max-day': {
      const { sentTodayCents, amountCents, maxCents } = conflict
      return overLimit(
        t`${formatReais(sentTodayCents)} was sent today; ${formatReais(amountCents)} more would exceed the ${formatReais(maxCents)} that the profile ${confirmName} allows per day`,
        t`Wait until midnight in São Paulo; to raise the limit, run \`pixgate profile edit ${confirmName} --max-day ${plainAmount(sentTodayCents + amountCents)}\``,
      )
    }
  }
}

/** A failure with code OVER_LIMIT. */
export function overLimit(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'OVER_LIMIT', details: [t`Nothing was sent`], hint })
}
