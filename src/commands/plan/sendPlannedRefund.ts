import type { Context } from '../../context.ts'
import type { RefundPayment } from '../../ledger/facts.ts'
import { knownOriginal } from '../../ledger/originals.ts'
import { refundedCharge } from '../../ledger/refundedCharge.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { refundedCents } from '../../payments/paymentRules.ts'
import { previewPayment } from '../../payments/preview.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { customerRows, originalRows } from '../../views/payments/paymentQuestion.ts'
import { lookUpOriginal, payRefund } from '../payRefund.ts'

/** Makes the refund of a plan: queries the payment that it returns, shows it, asks and sends it. Returns the exit code. */
export async function sendPlannedRefund(
  context: Context,
  payments: PaymentContext,
  facts: RefundPayment,
  repeats: RepeatOptions,
): Promise<number> {
  const { account, ledger } = payments
  const id = facts.originalTransactionId
  const { known, charge, refundedBefore } = await ledger.read((database) => ({
    known: knownOriginal(database, account, id),
    charge: refundedCharge(database, id, { ...account, baseUrl: account.url }),
    refundedBefore: refundedCents(database, account, id),
  }))
  const { original, warnings } = await lookUpOriginal(context, id, known, refundedBefore)
  const originalCents = original.amountCents
  const planned = { facts, externalId: null, payment: null, run: null, originalCents, isIdMadeUp: false }
  const { accepted, settledEarlier, sentTodayCents } = await previewPayment(payments, planned, repeats)
  const shown = {
    rows: [...customerRows(charge), ...originalRows(id, original, false)],
    sentTodayCents,
    settledEarlier,
  }
  const paidAtMs = original.paidAtMs ?? known.paidAtMs
  const refund = { facts, accepted, originalCents, charge, paidAtMs, warnings, shown }
  return payRefund(context, payments, refund, { dryRun: false })
}
