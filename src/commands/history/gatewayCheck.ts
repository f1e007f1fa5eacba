import type { Context } from '../../context.ts'
import type { Payment } from '../../ledger/payments.ts'
import { reaisFromCents } from '../../pix/amount.ts'
import type { Account } from '../../profiles/account.ts'
import { type GatewayVerdict, verdictOnAnswer, verdictWithoutAnswer } from '../../reconcile/gatewayVerdict.ts'
import { withPixgate } from '../../terminal/documentFields.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { paymentDocument } from '../../views/payments/paymentDocument.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { Cancelled, Failure, failureDocument, NotFound } from '../../wire/errors.ts'
import { queryWithinLimit } from '../concurrentQueries.ts'

/** A payment that was checked, and the exit code that it alone would give. */
export interface CheckResult {
  payment: Payment
  /** Null if the gateway could not be asked. */
  verdict: GatewayVerdict | null
  document: Document
  exitCode: number
}

const EXIT_CODES: Readonly<Record<GatewayVerdict, number>> = { open: 0, agrees: 0, late: 1, differs: 1, unknown: 5 }

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
    const gateway = { status, amount: amountCents === null ? null : reaisFromCents(amountCents) }
    return checkResult(payment, verdictOnAnswer(payment, fields, nowMs), { gateway })
  } catch (error) {
    if (error instanceof NotFound) return checkResult(payment, 'differs', { gateway: null })
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const document = { ...paymentDocument(payment), error: failureDocument(error) }
    context.terminal.note(t`${id} at ${account.url}: ${error.message}`)
    return { payment, verdict: null, document, exitCode: error.exitCode }
  }
}

function checkResult(payment: Payment, verdict: GatewayVerdict, found: object): CheckResult {
  const document = withPixgate(paymentDocument(payment), { ...found, verdict })
  return { payment, verdict, document, exitCode: EXIT_CODES[verdict] }
}
