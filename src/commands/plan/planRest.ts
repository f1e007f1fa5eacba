import type { PaymentState } from '../../ledger/paymentState.ts'
import { findPayments, loadPayment, type Payment } from '../../ledger/payments.ts'
import { type KnownPlan, paymentsOfPlan, usesOfRequest } from '../../ledger/plans.ts'
import { countRun } from '../../ledger/runRows.ts'
import { findRun } from '../../ledger/runs.ts'
import { assertNotSent } from '../../payments/planApproval.ts'
import { unknownOutcomeHint } from '../../payments/unknownOutcome.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import type { Database } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** The states of payments of which something is left to send; those of a run include rows that were never sent. */
const OPEN_STATES: readonly (PaymentState | 'none')[] = ['none', 'not-sent', 'unknown']

/**
 * What is left of a plan whose sending began: the transfer whose outcome is unknown, or null for what has not been sent. Throws UsageError if nothing is left,
 * and for a refund whose outcome is unknown.
 */
export function restOfPlan(
  database: Database,
  open: OpenPlan,
  sending: NonNullable<KnownPlan['sending']>,
): Payment | null {
  const { id, plan } = open
  // What changes rules is done at once.
  if (plan.kind === 'profile') assertNotSent(id, sending)
  const { run } = sending
  if (run !== null && plan.resume?.refused !== true && findRun(database, run) !== undefined) {
    const counts = countRun(database, run)
    if (OPEN_STATES.every((state) => counts[state].rows === 0)) assertNotSent(id, sending)
    return null
  }
  const own = paymentsOfPlan(database, id).map((payment) => loadPayment(database, payment))
  const sent = plan.resume?.payment == null ? own : findPayments(database, plan.resume.payment)
  const unknown = run === null ? sent.find(({ summary }) => summary.state === 'unknown') : undefined
  if (unknown?.facts.kind === 'refund') throw unknownRefund(open, unknown)
  if (unknown !== undefined) return unknown
  const isUsed = plan.requests.every((body) => usesOfRequest(database, id, JSON.stringify(body)) > 0)
  const isResumed = plan.resume?.payment != null && sent.every(({ summary }) => !OPEN_STATES.includes(summary.state))
  if (isUsed || isResumed) assertNotSent(id, sending)
  return null
}

/** Nothing makes the gateway refuse a refund that is sent twice. */
function unknownRefund({ id }: OpenPlan, refund: Payment): UsageError {
  return new UsageError(t`The refund of the plan ${id} was sent, and its outcome is unknown`, {
    details: [t`Nothing was sent now`],
    hint: unknownOutcomeHint(refund),
  })
}
