import { type PlanReview, reviewPlan } from '../../batch/planReview.ts'
import type { Context } from '../../context.ts'
import { planState } from '../../ledger/plans.ts'
import type { Account } from '../../profiles/account.ts'
import type { PlanStanding } from '../../views/plans/planText.ts'
import type { LoadedPlan } from './loadPlan.ts'

/** What the ledger of this machine says about a plan. */
export async function reviewOf(context: Context, account: Account, { open, known }: LoadedPlan): Promise<PlanReview> {
  const ledger = await context.ledger()
  return ledger.read((database) => reviewPlan(database, account, open, context.now(), known?.sending))
}

/** How a plan stands. Approvals beside its file count as long as nobody has looked at them; sending verifies them. */
export function standingOf({ open, approvals, known }: LoadedPlan, nowMs: number): PlanStanding {
  const approvers = approvals.map(({ principal }) => principal)
  const [first] = approvals
  if (known !== undefined && (known.approvals.length > 0 || first === undefined)) {
    return { approvers, state: planState(known, nowMs) }
  }
  if (known?.rejection) return { approvers, state: 'rejected' }
  if (nowMs >= open.expiresMs) return { approvers, state: 'expired' }
  return { approvers, state: first === undefined ? 'open' : 'approved' }
}
