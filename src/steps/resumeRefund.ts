import type { Context } from '../context.ts'
import type { RefundPayment } from '../ledger/facts.ts'
import { findPayments, isOfAccount, type Payment, refundsOf } from '../ledger/payments.ts'
import { isOfOtherLogin } from '../payments/decide.ts'
import { saidAloneBy } from '../payments/explanation.ts'
import { previewResume } from '../payments/preview.ts'
import { formatReais } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { refundQuestion } from '../views/payments/paymentQuestion.ts'
import { UsageError } from '../wire/errors.ts'
import { type HowToSend, sendingAccount, sendOne } from './sendPayments.ts'
import { queryOriginal, readOriginal, refundedRows } from './sendRefund.ts'
import { type ResumedTransfer, resumeTransfer } from './sendTransfer.ts'

type RefundInLedger = Payment & { facts: RefundPayment }

interface ResumedPayment extends ResumedTransfer {
  despiteChargeback?: boolean
}

/**
 * The steps of `pixgate resume` for one payment, whatever its kind: a refund is sent again only with `includeUnknown`, because nothing makes the
 * gateway refuse it twice. Throws NotFound and UsageError.
 */
export async function resumePayment(context: Context, id: string, options: ResumedPayment): Promise<number> {
  const { includeUnknown, despiteChargeback = false, ...how } = options
  const refund = includeUnknown ? await unknownRefund(context, id, how) : undefined
  if (refund !== undefined) return resumeRefund(context, refund, { ...how, despiteChargeback })
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

/** The refund with an unknown outcome that an id names, or that was made of the payment that it names; undefined if it is not exactly one. */
async function unknownRefund(context: Context, id: string, how: HowToSend): Promise<RefundInLedger | undefined> {
  const account = await sendingAccount(context, how)
  const { ledger } = await context.payments()
  return ledger.read((database) => {
    const found = [...findPayments(database, id), ...refundsOf(database, id)]
    if (found.some(({ facts }) => facts.kind === 'transfer')) return undefined
    const unknown = new Map(found.filter((each) => isResendable(each, account)).map((each) => [each.id, each]))
    return unknown.size === 1 ? [...unknown.values()].find(isRefund) : undefined
  })
}

function isRefund(payment: Payment): payment is RefundInLedger {
  return payment.facts.kind === 'refund'
}

function isResendable(payment: Payment, account: Account): boolean {
  const { summary } = payment
  const isUnknown = summary.state === 'unknown' && summary.isVerified && saidAloneBy(summary) === null
  return isUnknown && isRefund(payment) && isOfAccount(payment, account)
}

/** Sends the same bytes again, after the payment was queried that is refunded. Returns the exit code. */
async function resumeRefund(
  context: Context,
  payment: RefundInLedger,
  {
    despiteChargeback = false,
    plans,
    wait,
    again = false,
    inAdditionTo = [],
    ...how
  }: Omit<ResumedPayment, 'includeUnknown'>,
): Promise<number> {
  if (how.plan !== undefined) {
    throw new UsageError(t`Sending a refund again cannot be planned`, {
      hint: t`Record what became of it with \`pixgate history settle ${payment.id}\`, then plan a new refund`,
    })
  }
  const opened = await context.payments()
  const payments = plans === undefined ? opened : { ...opened, plans }
  const { environment } = payments.ledger
  const login = { isShared: environment.sharedAt !== undefined, user: environment.user }
  const attempt = payment.summary.attempts.find(({ state }) => state === 'unknown')?.record ?? payment.first
  if (again || inAdditionTo.length > 0 || isOfOtherLogin(login, attempt)) {
    throw new UsageError(t`A refund is sent again by who sent it, and as it was`, {
      hint: t`Record what became of it with \`pixgate history settle ${payment.id}\``,
    })
  }
  const { facts } = payment
  const { originalTransactionId, amountCents, isWhole } = facts
  const { sentTodayCents } = await previewResume(payments, payment)
  const read = await readOriginal(payments, originalTransactionId)
  const others = isWhole ? 0 : read.refundedBefore - (amountCents ?? 0)
  const refunded = await queryOriginal(context, originalTransactionId, { ...read, refundedBefore: others })
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
    plan: { payments: [{ facts, externalId: null }], repeats: { again, inAdditionTo } },
    warnings,
  }
  return sendOne(context, payments, one, { ...how, wait })
}
