import type { Context } from '../../context.ts'
import type { Payment } from '../../ledger/payments.ts'
import { approvalsByOthers, findPlan, type KnownPlan, plansOfRun, planTextOf } from '../../ledger/plans.ts'
import type { PlansInUse } from '../../payments/paymentContext.ts'
import { type ApprovedPlan, approvedPlan } from '../../plans/approvedPlan.ts'
import { readPlan } from '../../plans/plan.ts'
import type { Account } from '../../profiles/account.ts'
import { begunPlan, planVerification } from './verification.ts'

/**
 * The plans of which the sending of a run began: they allow what is left of it, also after they expired. Their signatures are verified again, as of then.
 * Throws UsageError.
 */
export async function plansToContinue(
  context: Context,
  account: Account,
  run: string,
): Promise<PlansInUse | undefined> {
  const ledger = await context.ledger()
  const known = await ledger.read((database) => plansOfRun(database, run))
  return inUse(await Promise.all(known.map((each) => planToContinue(context, account, each))))
}

/** The plan that allowed the newest attempt of a payment, which allows to finish it. Throws UsageError. */
export async function planOfPayment(
  context: Context,
  account: Account,
  { summary }: Payment,
): Promise<PlansInUse | undefined> {
  const id = summary.attempts.at(-1)?.record.plan
  if (id === undefined) return undefined
  const ledger = await context.ledger()
  const known = await ledger.read((database) => findPlan(database, id))
  return known?.sending == null ? undefined : inUse([await planToContinue(context, account, known)])
}

function inUse(approved: readonly ApprovedPlan[]): PlansInUse | undefined {
  return approved.length === 0 ? undefined : { approved, isOnly: false }
}

async function planToContinue(context: Context, account: Account, known: KnownPlan): Promise<ApprovedPlan> {
  const { made, sending } = known
  const ledger = await context.ledger()
  const open = readPlan(await ledger.read((database) => planTextOf(database, made)), made.plan)
  const approvals = approvalsByOthers(known, ledger.environment.sharedAt !== undefined).map(
    ({ approver, signature }) => ({ principal: approver, signature }),
  )
  const verification = await planVerification(context, account, begunPlan(open, sending))
  return approvedPlan(open, { maker: made.signature, approvals }, verification, sending?.run ?? null)
}
