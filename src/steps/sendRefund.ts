import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { RefundPayment } from '../ledger/facts.ts'
import type { ChargeFacts, KnownOriginal } from '../ledger/originals.ts'
import type { Payment } from '../ledger/payments.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { type Accepted, pay } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { assertNoApprovalNeeded, planCommand } from '../payments/paymentRules.ts'
import { dryRun } from '../payments/preview.ts'
import { assertRefundable, type RefundablePayment } from '../payments/refundable.ts'
import type { AcceptedRepeats } from '../payments/repeatOptions.ts'
import { centsFromJson, formatReais } from '../pix/amount.ts'
import { REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { refundQuestion, settledRows } from '../views/payments/paymentQuestion.ts'
import { amountText, statusColour } from '../views/valueText.ts'
import { statusOf } from '../wire/answers.ts'
import { showFinalEvent } from './finalEvent.ts'
import { showDryRun } from './sendTransfer.ts'

/** A refund to make, and what is known of the payment that it returns. */
interface NewRefund {
  facts: RefundPayment
  accepted: AcceptedRepeats
  originalCents: number | null
  charge: ChargeFacts
  paidAtMs: number | null
  warnings: readonly string[]
  shown: { rows: readonly LabelledRow[]; sentTodayCents: number; settledEarlier: Payment | null }
}

/** Makes a refund: shows it, asks, sends it once, and prints the result. Returns the exit code. Throws like {@link pay}. */
export async function payRefund(
  context: Context,
  payments: PaymentContext,
  { facts, accepted, originalCents, charge, paidAtMs, warnings, shown }: NewRefund,
  { dryRun: isDryRun, wait: waitMs = null }: { dryRun: boolean; wait?: number | null },
): Promise<number> {
  const { account } = payments
  const { amountCents } = facts
  await assertNoApprovalNeeded(payments, { amountCents, newTodayCents: amountCents ?? 0 }, planCommand(facts, null))
  const question = {
    amountCents,
    rows: [
      ...shown.rows,
      [t`reason`, facts.refundReason] as const,
      ...settledRows(shown.settledEarlier, payments.terminal.err),
      [t`sent today`, t`${formatReais(shown.sentTodayCents)} without this one`] as const,
    ],
    text: refundQuestion(amountCents, charge, paidAtMs, context.now()),
  }
  const proposal = {
    action: 'pay',
    facts,
    externalId: null,
    rowId: null,
    place: null,
    accepted,
    originalCents,
    isIdMadeUp: false,
  } as const
  if (isDryRun) return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  const answer = await pay(payments, proposal, question)
  const all = { ...answer, warnings: [...warnings, ...answer.warnings] }
  show(context, account, all, { amountCents, waits: waitMs !== null })
  if (!answer.isRecorded) return UNRECORDED_EXIT
  if (waitMs === null) return 0
  const { idTransaction } = answer
  return showFinalEvent(context, account, { kind: 'refund', idTransaction, externalId: null }, waitMs)
}

/** Queries the original payment at the gateway. Throws Refused if it cannot be refunded. */
export async function lookUpOriginal(
  context: Context,
  originalTransactionId: string,
  known: KnownOriginal,
  refundedBefore: number,
): Promise<{ original: RefundablePayment; warnings: string[] }> {
  const gateway = await context.gateway()
  const { fields } = await gateway.consult(originalTransactionId)
  const original = assertRefundable(originalTransactionId, fields, known, refundedBefore, context.now())
  if (original.paidAtMs !== null) return { original, warnings: [] }
  const warning = t`The gateway does not report when the payment was made, so the ${REFUND_WINDOW_DAYS}-day limit was not checked`
  context.terminal.warn(warning)
  return { original, warnings: [warning] }
}

function show(
  context: Context,
  account: Account,
  accepted: Accepted,
  { amountCents, waits }: { amountCents: number | null; waits: boolean },
): void {
  const status = statusOf(accepted.fields)
  const { profile, environment } = account
  const pixgate = { profile, environment, outcome: 'accepted', warnings: accepted.warnings }
  const { out } = context.terminal
  const { print } = context
  const write = waits ? print.item : print.one
  write({ ...accepted.fields, status, pixgate }, () =>
    labelledLines(
      [
        [t`id`, accepted.idTransaction],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`amount`, amountText(centsFromJson(accepted.fields.amount) ?? amountCents)],
      ],
      out,
    ),
  )
  context.terminal.note(t`The refund is accepted but not completed yet: a \`refund.status\` event reports the result`)
}
