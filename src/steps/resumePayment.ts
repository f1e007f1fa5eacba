import type { Context } from '../context.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { findPayments, type Payment, refundsOf } from '../ledger/payments.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import type { AttemptRecord, LedgerRecord } from '../ledger/records.ts'
import { assertNothingOnItsWay, beingSentFailure } from '../payments/conflictFailure.ts'
import { isOfOtherLogin } from '../payments/decide.ts'
import type { PaymentContext, PlansInUse } from '../payments/paymentContext.ts'
import { neededApproval } from '../payments/paymentRules.ts'
import { previewResume } from '../payments/preview.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import {
  isRefund,
  type RefundInLedger,
  refundToResume,
  resumeProposal,
  sentTwiceFailure,
  type TransferInLedger,
  transferToResume,
} from '../payments/resumedPayment.ts'
import { formatReais } from '../pix/amount.ts'
import { destinationText } from '../pix/destination.ts'
import { readProfiles } from '../profiles/store.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { callbackRows, refundQuestion, transferRows } from '../views/payments/paymentQuestion.ts'
import { writerText } from '../views/valueText.ts'
import { UsageError } from '../wire/errors.ts'
import { assertListenerRuns } from './callbackUrl.ts'
import { type HowToSend, sendingAccount, sendOne, showPaid } from './sendPayments.ts'
import { lookUpOriginal, readOriginal, refundedRows } from './sendRefund.ts'

interface ResumedPayment extends HowToSend, Partial<RepeatOptions> {
  includeUnknown: boolean
  wait?: number | null
  /** The plans that allow it. */
  plans?: PlansInUse
  despiteChargeback?: boolean
}

/**
 * The steps of `pixgate resume` and of `pixgate transfer --retry` for one payment, whatever its kind: a refund is sent again only with
 * `includeUnknown`, because nothing makes the gateway refuse it twice. `id` is one that {@link findPayments} takes. Throws NotFound and UsageError.
 */
export async function resumePayment(context: Context, id: string, options: ResumedPayment): Promise<number> {
  const { includeUnknown, despiteChargeback = false } = options
  const account = await sendingAccount(context, options)
  const payments = await context.payments()
  const store = await readProfiles(context.configFolder())
  const payment = await payments.ledger.read((database) => {
    const found = findPayments(database, id)
    const originals = new Set([id, ...found.flatMap(({ summary }) => summary.idTransaction ?? [])])
    const refunds = [...originals].flatMap((original) => refundsOf(database, original))
    const refund = refundToResume(found, refunds, id, { account, store })
    if (refund === undefined && despiteChargeback) throw chargebackOfTransfer()
    return refund ?? transferToResume(found, id, { account, store })
  })
  if (options.plan === undefined) {
    const command = isRefund(payment)
      ? `pixgate resume ${payment.id} --include-unknown`
      : `pixgate resume ${commandArgument(payment.givenId)}`
    await assertNotOnItsWay(payments, payment, command)
  }
  if (!isRefund(payment)) return resumeTransfer(context, payments, payment, options)
  if (!includeUnknown) throw sentTwiceFailure(payment)
  return resumeRefund(context, payments, payment, options)
}

/** Throws UsageError that names who is sending a payment; NotReached with how long to wait if it need not live any more. */
export async function assertNotOnItsWay(
  { ledger }: Pick<PaymentContext, 'ledger'>,
  payment: Payment,
  command: string,
): Promise<void> {
  const holder = (await paymentsBeingSent(ledger)).get(payment.id)
  if (holder === undefined) return
  assertNothingOnItsWay([holder], payment.givenId, command)
  throw beingSentFailure(payment, holder)
}

function chargebackOfTransfer(): UsageError {
  return new UsageError(
    t`\`--despite-chargeback\` is for runs, and for refunds that \`--include-unknown\` sends again`,
    {
      hint: t`Omit \`--despite-chargeback\` to resume one transfer`,
    },
  )
}

/** The payments with the plans that allow this one: those that are given, or the plan that allowed it before, whose module is loaded only if there is one. */
async function withPlans(
  context: Context,
  payments: PaymentContext,
  payment: Payment,
  { plans, plan }: Pick<ResumedPayment, 'plans' | 'plan'>,
): Promise<PaymentContext> {
  if (plans !== undefined) return { ...payments, plans }
  if (plan !== undefined || payment.summary.attempts.at(-1)?.record.plan === undefined) return payments
  const { planOfPayment } = await import('./plans/loadPlan.ts')
  const allowing = await planOfPayment(context, payments.account, payment)
  return allowing === undefined ? payments : { ...payments, plans: allowing }
}

/** What another login recorded of a payment in a shared ledger: the attempt with the unknown outcome, or the first. Null if this login did. */
function attemptOfOther(
  { ledger: { environment } }: PaymentContext,
  { first, summary }: Payment,
): LedgerRecord<AttemptRecord> | null {
  const { record } = unknownAttempt(summary) ?? { record: first }
  const login = { isShared: environment.sharedAt !== undefined, user: environment.user }
  return isOfOtherLogin(login, record) ? record : null
}

function unknownAttempt({ attempts }: Payment['summary']) {
  return attempts.find(({ state }) => state === 'unknown')
}

/** Sends the same bytes again, after the payment was queried that is refunded, or makes a plan of that. Returns the exit code. */
async function resumeRefund(
  context: Context,
  opened: PaymentContext,
  payment: RefundInLedger,
  { despiteChargeback = false, plans, wait = null, again = false, inAdditionTo = [], ...how }: ResumedPayment,
): Promise<number> {
  const isPlanned = how.plan !== undefined
  const payments = await withPlans(context, opened, payment, { plans, ...how })
  // Who makes a plan need not be who sends it.
  if (again || inAdditionTo.length > 0 || (!isPlanned && attemptOfOther(payments, payment) !== null)) {
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

/** Sends a transfer that was not sent, or whose outcome is unknown, or makes a plan of that. Returns the exit code. Throws UsageError. */
async function resumeTransfer(
  context: Context,
  opened: PaymentContext,
  payment: TransferInLedger,
  { includeUnknown, plans, again = false, inAdditionTo = [], ...how }: ResumedPayment,
): Promise<number> {
  const { account, ledger } = opened
  const { summary } = payment
  // Another login may have recorded a later attempt under another id.
  const externalId = unknownAttempt(summary)?.record.externalId ?? payment.givenId
  const repeats = { again, inAdditionTo }
  const other = attemptOfOther(opened, payment)
  const ofOther = other !== null && isTransferAttempt(other) ? other : null
  if (ofOther === null) assertNoRepeats(externalId, repeats)
  const facts = ofOther?.facts ?? payment.facts
  const accepted = ofOther && (await ledger.read((database) => acceptedRepeats(database, account, facts, repeats)))
  const proposal = resumeProposal(payment, includeUnknown, accepted ?? undefined)
  const preview = await previewResume(opened, payment)
  if (proposal === null) {
    const waitMs = how.dryRun ? null : (how.wait ?? null)
    if (waitMs !== null) await assertListenerRuns(context, account, facts.callbackUrl)
    const { idTransaction, status } = summary
    const known = { idTransaction, fields: { idTransaction, status }, warnings: [], isRecorded: true }
    return showPaid(context, account, { facts, externalId }, { outcome: 'accepted-before', ...known }, waitMs)
  }
  const payments = await withPlans(context, opened, payment, { plans, ...how })
  const { err } = context.terminal
  const one = {
    facts,
    externalId,
    proposal,
    planCommand: `pixgate resume ${commandArgument(externalId)} --plan`,
    newTodayCents: proposal.action === 'resend' ? 0 : facts.amountCents,
    question: {
      amountCents: facts.amountCents,
      rows: [
        ...(ofOther === null ? [] : [[t`by`, writerText(ofOther), err.yellow] as const]),
        ...(ofOther === null ? [] : callbackRows([ofOther.facts.callbackUrl], account, err)),
        ...transferRows(facts, externalId, preview, { err }),
      ],
      text: t`Resume it? ${formatReais(facts.amountCents)} goes to ${destinationText(facts.key, facts.keyType)} only if it was not paid yet`,
    },
    plan: {
      payments: [{ facts, externalId }],
      resume: { run: null, payment: externalId, refused: false, includeUnknown },
      repeats,
    },
  }
  return sendOne(context, payments, one, how)
}

function isTransferAttempt(
  record: LedgerRecord<AttemptRecord>,
): record is LedgerRecord<AttemptRecord> & { facts: TransferPayment } {
  return record.facts.kind === 'transfer'
}

/** A resume makes nothing once more that was asked for here. Throws UsageError. */
function assertNoRepeats(externalId: string, { again, inAdditionTo }: RepeatOptions): void {
  if (!again && inAdditionTo.length === 0) return
  const option = again ? '--again' : '--in-addition-to'
  throw new UsageError(t`The transfer ${externalId} was recorded with this login, so \`${option}\` means nothing`, {
    details: [t`Nothing was sent`],
    hint: t`Omit \`${option}\`: it is for runs, and for transfers that another login recorded`,
  })
}
