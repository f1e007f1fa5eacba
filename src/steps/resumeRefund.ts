import type { Context } from '../context.ts'
import { findPayments, refundsOf } from '../ledger/payments.ts'
import { isOfOtherLogin } from '../payments/decide.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { neededApproval } from '../payments/paymentRules.ts'
import { previewResume } from '../payments/preview.ts'
import { type RefundInLedger, refundToResume, sentTwiceFailure } from '../payments/resumedRefund.ts'
import { formatReais } from '../pix/amount.ts'
import { readProfiles } from '../profiles/store.ts'
import { t } from '../text/translate.ts'
import { refundQuestion } from '../views/payments/paymentQuestion.ts'
import { UsageError } from '../wire/errors.ts'
import { sendingAccount, sendOne } from './sendPayments.ts'
import { lookUpOriginal, readOriginal, refundedRows } from './sendRefund.ts'
import { planThatAllowed, type ResumedPayment, resumeTransfer } from './sendTransfer.ts'

interface Resumed extends ResumedPayment {
  despiteChargeback?: boolean
}

/**
 * The steps of `pixgate resume` and of `pixgate transfer --retry` for one payment, whatever its kind: a refund is sent again only with
 * `includeUnknown`, because nothing makes the gateway refuse it twice. Throws NotFound and UsageError.
 */
export async function resumePayment(context: Context, id: string, options: Resumed): Promise<number> {
  const { includeUnknown, despiteChargeback = false, ...how } = options
  const account = await sendingAccount(context, how)
  const { ledger } = await context.payments()
  const store = await readProfiles(context.configFolder())
  const refund = await ledger.read((database) => {
    const found = findPayments(database, id)
    const originals = new Set([id, ...found.flatMap(({ summary }) => summary.idTransaction ?? [])])
    const refunds = [...originals].flatMap((original) => refundsOf(database, original))
    return refundToResume(found, refunds, id, { account, store })
  })
  if (refund !== undefined) {
    if (!includeUnknown) throw sentTwiceFailure(refund)
    return resumeRefund(context, refund, { ...how, despiteChargeback })
  }
  if (despiteChargeback) {
    throw new UsageError(
      t`\`--despite-chargeback\` is for runs, and for refunds that \`--include-unknown\` sends again`,
      {
        hint: t`Omit \`--despite-chargeback\` to resume one transfer`,
      },
    )
  }
  return resumeTransfer(context, id, options)
}

/** Sends the same bytes again, after the payment was queried that is refunded, or makes a plan of that. Returns the exit code. */
async function resumeRefund(
  context: Context,
  payment: RefundInLedger,
  { despiteChargeback = false, plans, wait, again = false, inAdditionTo = [], ...how }: Omit<Resumed, 'includeUnknown'>,
): Promise<number> {
  const opened = await context.payments()
  const { account, ledger } = opened
  const isPlanned = how.plan !== undefined
  const allowing = plans ?? (isPlanned ? undefined : await planThatAllowed(context, account, payment))
  const payments = allowing === undefined ? opened : { ...opened, plans: allowing }
  const { environment } = ledger
  const login = { isShared: environment.sharedAt !== undefined, user: environment.user }
  const attempt = payment.summary.attempts.find(({ state }) => state === 'unknown')?.record ?? payment.first
  // Who makes a plan need not be who sends it.
  if (again || inAdditionTo.length > 0 || (!isPlanned && isOfOtherLogin(login, attempt))) {
    throw new UsageError(t`A refund is sent again by who sent it, and as it was`, {
      hint: t`Record what became of it with \`pixgate history settle ${payment.id}\``,
    })
  }
  const { facts } = payment
  if (facts.isWhole) await assertNeedsNoPlan(payments, payment, isPlanned)
  const { originalTransactionId, amountCents, isWhole } = facts
  const { sentTodayCents } = await previewResume(payments, payment)
  const read = await readOriginal(payments, originalTransactionId)
  const others = isWhole ? 0 : read.refundedBefore - (amountCents ?? 0)
  const refunded = await lookUpOriginal(context, payments, originalTransactionId, { ...read, refundedBefore: others })
  const { original, charge, nowMs, warnings } = refunded
  const one = {
    facts,
    externalId: null,
    proposal: { action: 'resend' as const, payment: payment.id, includeUnknown: true, despiteChargeback },
    planCommand: `pixgate resume ${payment.id} --include-unknown --plan`,
    newTodayCents: 0,
    question: {
      amountCents,
      rows: [
        ...refundedRows(originalTransactionId, refunded),
        [t`reason`, facts.refundReason] as const,
        [
          t`unknown`,
          t`It may have been carried out: the gateway carries it out once more`,
          payments.terminal.err.yellow,
        ] as const,
        [t`sent today`, t`${formatReais(sentTodayCents)}, not counting this one`] as const,
      ],
      text: refundQuestion(amountCents, charge, original?.paidAtMs ?? read.known.paidAtMs, nowMs),
    },
    plan: {
      payments: [{ facts, externalId: null }],
      resume: { run: null, payment: payment.id, refused: false, includeUnknown: true },
      repeats: { again, inAdditionTo, despiteChargeback },
    },
    warnings,
  }
  return sendOne(context, payments, one, { ...how, wait })
}

/** An approver must know how much is sent, and a request that names no amount returns whatever is left by then. Throws UsageError. */
async function assertNeedsNoPlan(
  payments: PaymentContext,
  { id, facts: { amountCents } }: RefundInLedger,
  isPlanned: boolean,
): Promise<void> {
  const needed =
    payments.plans === undefined ? await neededApproval(payments, { amountCents, newTodayCents: 0 }) : undefined
  if (needed === undefined && !isPlanned) return
  throw new UsageError(
    t`The request of this refund names no amount, so no plan can say how much sending it again returns`,
    {
      code: needed === undefined ? undefined : 'APPROVAL_REQUIRED',
      details: [t`Nothing was sent`],
      hint: t`Record what became of it with \`pixgate history settle ${id}\`; if nothing was paid, plan a new refund with \`--amount\``,
    },
  )
}
