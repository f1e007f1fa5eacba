import type { RunPlan } from '../../batch/runPlan.ts'
import { limitConflict, sentTodayCents } from '../../payments/amountLimits.ts'
import { limitFailure, overLimit } from '../../payments/limitFailures.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { t } from '../../text/translate.ts'

/** Compares the total of what is about to be sent with the limits of the profile. Throws UsageError with code OVER_LIMIT. */
export async function assertWithinLimits({ ledger, account, now }: PaymentContext, plan: RunPlan): Promise<void> {
  const amountCents = plan.unknownAmounts > 0 ? null : plan.now.cents
  const conflict = await ledger.read((database) =>
    limitConflict({ ...account, maxAmountCents: null }, amountCents, plan.newTodayCents, () =>
      sentTodayCents(database, account, now()),
    ),
  )
  const { confirmName, maxAmountCents } = account
  if (conflict?.why === 'amount-unknown' || (amountCents === null && maxAmountCents !== null)) {
    throw overLimit(
      t`The profile ${confirmName} has limits, but the amounts of some refunds are unknown`,
      t`Write an amount in every row`,
    )
  }
  if (conflict?.why === 'max-day') throw limitFailure(account, conflict)
}
