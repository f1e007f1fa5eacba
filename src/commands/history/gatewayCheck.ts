import type { Context } from '../../context.ts'
import { isFinalStatus } from '../../gateway/waitForPayment.ts'
import { findingFromStatus } from '../../ledger/eventMeaning.ts'
import type { Payment } from '../../ledger/payments.ts'
import { paymentDocument } from '../../payments/paymentDocument.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { withPixgate } from '../../views/documentFields.ts'
import { type AnswerFields, readPaymentStatus, textField } from '../../wire/answers.ts'
import { Cancelled, Failure, failureDocument, NotFound } from '../../wire/errors.ts'
import { queryWithinLimit } from '../concurrentQueries.ts'

/** How a payment compares with what the gateway says of it. */
export type CheckVerdict = 'open' | 'late' | 'unknown' | 'differs' | 'agrees'

/** A payment that was checked, and the exit code that it alone would give. */
export interface CheckResult {
  payment: Payment
  /** Null if the gateway could not be asked. */
  verdict: CheckVerdict | null
  document: Document
  exitCode: number
}

type CheckedPayment = Pick<Payment, 'facts' | 'amountCents'> & { summary: Pick<Payment['summary'], 'state' | 'sentMs'> }

/** An event comes within seconds; a transfer or refund without one this long after it was sent is late. */
const LATE_MS = 60 * 60_000

const EXIT_CODES: Readonly<Record<CheckVerdict, number>> = { open: 0, agrees: 0, late: 1, differs: 1, unknown: 5 }

/** True if the gateway can be queried for a payment; it only has a query for charges. */
export function canBeQueried({ facts, summary }: Payment): boolean {
  return facts.kind === 'qr' && summary.idTransaction !== null
}

/**
 * Checks one payment; `account` is needed for those that are askable. Throws Cancelled on Ctrl-C; another failure of the query is part of
 * the result.
 */
export async function compareWithGateway(
  context: Context,
  account: Account | null,
  payment: Payment,
): Promise<CheckResult> {
  const nowMs = context.now()
  if (account === null || !canBeQueried(payment)) return checkResult(payment, verdictWithoutAnswer(payment, nowMs), {})
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one payment of it.
  await context.gateway()
  const id = payment.summary.idTransaction ?? ''
  try {
    const { fields } = await queryWithinLimit(context, id)
    const { status, amountCents } = readPaymentStatus(fields)
    const gateway = { status, amount: amountCents === null ? null : amountCents / 100 }
    return checkResult(payment, verdictOnAnswer(payment, fields, nowMs), { gateway })
  } catch (error) {
    if (error instanceof NotFound) return checkResult(payment, 'differs', { gateway: null })
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const document = { ...paymentDocument(payment), error: failureDocument(error) }
    context.terminal.note(t`${id} at ${account.url}: ${error.message}`)
    return { payment, verdict: null, document, exitCode: error.exitCode }
  }
}

/** The verdict on a payment for which the gateway has no query. */
export function verdictWithoutAnswer({ facts, summary }: CheckedPayment, nowMs: number): CheckVerdict {
  if (summary.state === 'unknown') return 'unknown'
  return facts.kind !== 'qr' && nowMs - summary.sentMs > LATE_MS ? 'late' : 'open'
}

/** The verdict on a charge with the gateway's answer to its query. */
export function verdictOnAnswer({ facts, summary }: CheckedPayment, fields: AnswerFields, nowMs: number): CheckVerdict {
  const { status, amountCents } = readPaymentStatus(fields)
  if (facts.amountCents !== null && amountCents !== null && amountCents !== facts.amountCents) return 'differs'
  const meaning = findingFromStatus(status ?? '')
  // What was paid may have been returned since.
  if (summary.state === 'paid') return meaning === 'paid' || meaning === 'returned' ? 'agrees' : 'differs'
  if (isFinalStatus(status)) return 'agrees'
  const expiresAtMs = parseInstant(textField(fields, 'expiresAt') ?? '')
  return expiresAtMs !== undefined && expiresAtMs < nowMs ? 'late' : 'open'
}

function checkResult(payment: Payment, verdict: CheckVerdict, found: object): CheckResult {
  const document = withPixgate(paymentDocument(payment), { ...found, verdict })
  return { payment, verdict, document, exitCode: EXIT_CODES[verdict] }
}
