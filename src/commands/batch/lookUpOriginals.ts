import { assertNoFaults } from '../../batch/fileCheck.ts'
import { checkRefundOriginals } from '../../batch/refundOriginals.ts'
import type { Context } from '../../context.ts'
import { LIMIT_PAUSE_MS, pause } from '../../gateway/retry.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { t } from '../../text/translate.ts'

/** Looks up the payments that a planned run refunds. Throws UsageError with a fault for each row that cannot be refunded. */
export async function lookUpOriginals(
  { terminal, runtime }: Context,
  payments: PaymentContext,
  options: { run: string; skipQuery: boolean; concurrency: number },
): Promise<void> {
  const { interrupt } = runtime
  const originals = await checkRefundOriginals(payments, {
    ...options,
    interrupt,
    waitForRoom: () => pause(LIMIT_PAUSE_MS, interrupt),
    progress: (done) => terminal.passing(t`Looked up ${done} payments`),
  })
  assertNoFaults({ ...originals, count: 1 })
  if (originals.withoutDate === 0) return
  terminal.warn(
    t`Payments without a payment date from the gateway: ${originals.withoutDate}. Their 30-day limit was not checked`,
  )
}
