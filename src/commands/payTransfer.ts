import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { assertNoApprovalNeeded, planCommand } from '../payments/approvalRule.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { dryRun } from '../payments/dryRun.ts'
import { pay } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { previewPayment } from '../payments/preview.ts'
import type { RepeatOptions } from '../payments/repeatOptions.ts'
import { formatReais } from '../pix/amount.ts'
import { formatKey } from '../pix/pixKey.ts'
import { t } from '../text/translate.ts'
import { transferRows } from '../views/payments/paymentQuestion.ts'
import { checkListener } from './callbackUrl.ts'
import { showDryRun } from './dryRun.ts'
import { showFinalEvent } from './finalEvent.ts'
import { findPaymentOfReceiver, showTransfer } from './transferSteps.ts'

/** A transfer to make. */
export interface NewTransfer {
  facts: TransferPayment
  externalId: string
  /** True if nobody said that the key is a phone number, and it could be a mistyped CPF. */
  isGuessedPhone: boolean
  /** True if nobody typed the external id. */
  isIdMadeUp: boolean
}

/** Makes a transfer: shows it, asks, sends it once, and prints the result. Returns the exit code. Throws like {@link pay}. */
export async function payTransfer(
  context: Context,
  payments: PaymentContext,
  { facts, externalId, isGuessedPhone, isIdMadeUp }: NewTransfer,
  { dryRun: isDryRun, wait: waitMs = null, ...repeats }: RepeatOptions & { dryRun: boolean; wait?: number | null },
): Promise<number> {
  const { account } = payments
  const { amountCents, key, keyType } = facts
  if (waitMs !== null && !isDryRun) await checkListener(context, account, facts.callbackUrl)
  const planned = { facts, externalId, payment: null, run: null, originalCents: null, isIdMadeUp }
  await assertNoApprovalNeeded(payments, { amountCents, newTodayCents: amountCents }, planCommand(facts, externalId))
  const preview = await previewPayment(payments, planned, repeats)
  const received = await findPaymentOfReceiver(payments, facts)
  const destination = keyType === 'paymentCode' ? t`this payment code` : formatKey(key, keyType)
  const question = {
    amountCents,
    rows: transferRows(facts, externalId, preview, { err: payments.terminal.err, isGuessedPhone, received }),
    text: t`Send ${formatReais(amountCents)} to ${destination}?`,
  }
  const { accepted: acceptedRepeats } = preview
  const proposal = {
    action: 'pay',
    facts,
    externalId,
    rowId: externalId,
    place: null,
    accepted: acceptedRepeats,
    originalCents: null,
    isIdMadeUp,
  } as const
  if (isDryRun) return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  const accepted = await pay(payments, proposal, question)
  showTransfer(context, account, accepted, { amountCents, externalId, outcome: 'accepted', waits: waitMs !== null })
  if (!accepted.isRecorded) return UNRECORDED_EXIT
  if (waitMs === null) return 0
  const { idTransaction } = accepted
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId }, waitMs)
}
