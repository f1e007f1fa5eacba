import type { Context } from '../context.ts'
import { planCommand, type RefundPayment } from '../ledger/facts.ts'
import { type ChargeFacts, type KnownOriginal, knownOriginal, refundedCharge } from '../ledger/originals.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { refundedCents } from '../payments/paymentRules.ts'
import { previewPayment } from '../payments/preview.ts'
import { singlePayment } from '../payments/proposal.ts'
import { assertKnownRefundable, assertRefundable, type RefundablePayment } from '../payments/refundable.ts'
import type { RepeatOptions } from '../payments/repeatOptions.ts'
import { formatReais } from '../pix/amount.ts'
import { REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import type { LabelledRow } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { customerRows, originalRows, refundQuestion, settledRows } from '../views/payments/paymentQuestion.ts'
import { type HowToSend, sendOne } from './sendPayments.ts'

interface OriginalInLedger {
  known: KnownOriginal
  charge: ChargeFacts
  /** What was refunded of it, or may have been, in cents. */
  refundedBefore: number
}

interface RefundedOriginal extends OriginalInLedger {
  /** As the gateway, or the ledger alone, says it is; null if nothing is known of it. */
  original: RefundablePayment | null
  isQuerySkipped: boolean
  /** The time by which its days were counted. */
  nowMs: number
  /** Sentences that were shown. */
  warnings: readonly string[]
}

/** Reads what the ledger knows of the payment that an id names. */
export function readOriginal({ ledger, account }: PaymentContext, id: string): Promise<OriginalInLedger> {
  return ledger.read((database) => ({
    known: knownOriginal(database, account, id),
    charge: refundedCharge(database, id, { ...account, baseUrl: account.url }),
    refundedBefore: refundedCents(database, account, id),
  }))
}

/** Queries the original payment at the gateway. Throws Refused if it cannot be refunded. */
export async function queryOriginal(context: Context, id: string, read: OriginalInLedger): Promise<RefundedOriginal> {
  const gateway = await context.gateway()
  const { fields, nowMs } = await gateway.consult(id)
  const original = assertRefundable(id, fields, read.known, read.refundedBefore, nowMs)
  const queried = { ...read, original, nowMs, isQuerySkipped: false }
  if (original.paidAtMs !== null) return { ...queried, warnings: [] }
  const warning = t`The gateway does not report when the payment was made, so the ${REFUND_WINDOW_DAYS}-day limit was not checked`
  context.terminal.warn(warning)
  return { ...queried, warnings: [warning] }
}

/** What the ledger alone knows of the original payment. Throws Refused if it cannot be refunded. */
export function originalOfLedger(id: string, read: OriginalInLedger, nowMs: number): RefundedOriginal {
  const { known, refundedBefore } = read
  const original = assertKnownRefundable(id, known, refundedBefore, nowMs)
  const isKnown = known.amountCents !== null || known.paidAtMs !== null
  return { ...read, original: isKnown ? original : null, nowMs, isQuerySkipped: true, warnings: [] }
}

/** Queries the original payment, or takes what the ledger knows where there is no secret to query with. Throws Refused if it cannot be refunded. */
export async function lookUpOriginal(
  context: Context,
  { account }: PaymentContext,
  id: string,
  read: OriginalInLedger,
): Promise<RefundedOriginal> {
  return account.clientSecret.isEmpty ? originalOfLedger(id, read, context.now()) : queryOriginal(context, id, read)
}

/** What a person checks of the payment that a refund returns, and whose it was. */
export function refundedRows(id: string, { charge, known, original, isQuerySkipped }: RefundedOriginal): LabelledRow[] {
  return [...customerRows(charge), ...originalRows(id, original, { isQuerySkipped, queriedBy: known.queriedBy })]
}

/** Makes a refund, or a plan of it. Returns the exit code. Throws like {@link sendOne}. */
export async function sendRefund(
  context: Context,
  payments: PaymentContext,
  facts: RefundPayment,
  refunded: RefundedOriginal,
  options: RepeatOptions & HowToSend & { wait?: number | null },
): Promise<number> {
  const { original, known, charge, nowMs, warnings } = refunded
  const { amountCents, originalTransactionId: id } = facts
  const wanted = singlePayment({ facts, externalId: null }, { originalCents: original?.amountCents ?? null })
  const { accepted, settledEarlier, sentTodayCents } = await previewPayment(payments, wanted, options)
  const paidAtMs = original?.paidAtMs ?? known.paidAtMs
  const one = {
    facts,
    externalId: null,
    proposal: { ...wanted, accepted },
    planCommand: planCommand(facts, null),
    newTodayCents: amountCents ?? 0,
    question: {
      amountCents,
      rows: [
        ...refundedRows(id, refunded),
        [t`reason`, facts.refundReason] as const,
        ...settledRows(settledEarlier, payments.terminal.err),
        [t`sent today`, t`${formatReais(sentTodayCents)}, not counting this one`] as const,
      ],
      text: refundQuestion(amountCents, charge, paidAtMs, nowMs),
    },
    plan: { payments: [{ facts, externalId: null }], repeats: options },
    warnings,
  }
  return sendOne(context, payments, one, options)
}
