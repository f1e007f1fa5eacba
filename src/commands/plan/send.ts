import type { Context } from '../../context.ts'
import { approvalsByOthers, findPlan, type KnownPlan } from '../../ledger/plans.ts'
import { findRun } from '../../ledger/runs.ts'
import { assertCanSend } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { assertNotExpired, assertNotRejected } from '../../payments/planApproval.ts'
import { type ApprovedPlan, approvedPlan } from '../../plans/approvedPlan.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { resumeByPlans } from '../batch/resumeRun.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { payTransfer } from '../payTransfer.ts'
import { resumeTransferById } from '../transferSteps.ts'
import { changeRulesByPlan } from './changeRules.ts'
import { keepPlan, type LoadedPlan, loadPlan, PLAN_ARGUMENT } from './loadPlan.ts'
import { restOfPlan } from './planRest.ts'
import { reviewOf } from './planStanding.ts'
import { sendPlannedRefund } from './sendPlannedRefund.ts'
import { runOf, sendPlannedRun } from './sendPlannedRun.ts'
import { begunPlan, planVerification } from './verification.ts'

const OPTIONS = [{ flags: '--watch', description: 'send approved plans as they come, without a question' }] as const

export const planSend = defineCommand({
  arguments: [
    { ...PLAN_ARGUMENT, name: '[plan]', description: `${PLAN_ARGUMENT.description}; with --watch, a folder of plans` },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate plan send plan.json', 'asks as the payment itself would, then sends it'],
    ['pixgate plan send --watch', 'on the host that sends: each plan of the ledger once it is approved'],
  ],
  run: send,
})

async function send(context: Context, { plan, watch }: OptionsOf<typeof OPTIONS> & { plan?: string }): Promise<number> {
  if (watch) {
    const { watchPlans } = await import('./watchPlans.ts')
    return watchPlans(context, plan, sendPlan)
  }
  if (plan !== undefined) return sendPlan(context, plan)
  throw new UsageError(t`\`<plan>\` is missing`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate plan list\` to list the plans, or add \`--watch\` to send them as they are approved`,
  })
}

/** Sends an approved plan, or what is left of one whose sending was interrupted. Returns the exit code. Throws the Failure of the payment. */
export async function sendPlan(context: Context, typed: string): Promise<number> {
  const account = await context.account()
  const loaded = await loadPlan(context, account, typed)
  if (loaded.open.plan.kind !== 'profile') assertCanSend(account)
  const known = loaded.known
  const { open } = loaded
  if (known?.sending == null) {
    assertNotRejected(open.id, known?.rejection ?? null)
    assertNotExpired(open, context.now())
  }
  const rest = known?.sending == null ? null : await readRest(context, open, known.sending)
  const { resume, batch } = open.plan
  const run = known?.sending?.run ?? resume?.run ?? (batch === undefined ? null : runOf(context.newId()))
  const approved = await verified(context, account, loaded, run)
  const plans = { approved: [approved], isOnly: true }
  if (open.plan.kind === 'profile') return changeRulesByPlan(context, account, loaded, approved)
  const payments: PaymentContext = { ...(await context.payments()), plans }
  const { maker, approver } = approved
  context.terminal.note(t`${open.id}, made by ${maker}, approved by ${approver}`)
  if (run !== null) return sendRunOfPlan(context, payments, loaded, run)
  const resumed = rest?.id ?? resume?.payment
  if (resumed != null) {
    const { includeUnknown = false } = resume ?? {}
    return resumeTransferById(context, resumed, { isDryRun: false, waitMs: null, includeUnknown, plans })
  }
  const [request] = open.requests
  if (request === undefined) throw new Error('a plan has no requests')
  const { facts, externalId } = request
  const repeats = { again: false, inAdditionTo: [], dryRun: false, ...open.plan.repeats }
  return facts.kind === 'refund'
    ? sendPlannedRefund(context, payments, facts, repeats)
    : payTransfer(
        context,
        payments,
        { facts, externalId: externalId ?? '', isGuessedPhone: false, isIdMadeUp: false },
        repeats,
      )
}

async function readRest(context: Context, open: OpenPlan, sending: NonNullable<KnownPlan['sending']>) {
  const ledger = await context.ledger()
  return ledger.read((database) => restOfPlan(database, open, sending))
}

/** Verifies the signatures, and records the plan and its approvals here, so that it can be finished from the ledger alone. Throws UsageError. */
async function verified(
  context: Context,
  account: Account,
  loaded: LoadedPlan,
  run: string | null,
): Promise<ApprovedPlan> {
  const { open, maker, approvals, known } = loaded
  const verification = await planVerification(context, account, begunPlan(open, known?.sending))
  const ledger = await context.ledger()
  const byOthers = known === undefined ? [] : approvalsByOthers(known, ledger.environment.sharedAt !== undefined)
  const byMaker = known?.approvals.filter((each) => !byOthers.includes(each)) ?? []
  const others = approvals.filter(({ signature }) => !byMaker.some((each) => each.signature === signature))
  const approved = await approvedPlan(open, { maker, approvals: others }, verification, run)
  await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    const recorded = findPlan(writer.database, open.id)?.approvals ?? []
    const own = approvals.find(({ principal }) => principal === approved.approver)
    if (own === undefined || recorded.some(({ signature }) => signature === own.signature)) return
    const { principal: approver, signature } = own
    writer.append({ type: 'plan-approval', plan: open.id, owner: ownerOf(account), approver, signature })
  })
  return approved
}

/** Sends the rows of a plan of a batch, or what is left of them. */
async function sendRunOfPlan(
  context: Context,
  payments: PaymentContext,
  loaded: LoadedPlan,
  run: string,
): Promise<number> {
  const { plan } = loaded.open
  const accepted = await payments.ledger.read((database) => findRun(database, run))
  if (accepted === undefined && plan.resume === undefined) {
    const review = await reviewOf(context, payments.account, loaded)
    return sendPlannedRun(context, payments, loaded.open, run, review)
  }
  if (accepted === undefined) {
    throw new UsageError(t`The batch ${run}, which the plan ${loaded.open.id} resumes, is not known here`, {
      details: [t`Nothing was sent`],
      hint: t`Send the plan on the machine that sent the batch`,
    })
  }
  const { refused = false, includeUnknown = false } = plan.resume ?? {}
  const { again = false, inAdditionTo = [], despiteChargeback = false } = plan.repeats ?? {}
  const repeats = { again, inAdditionTo: [...inAdditionTo], despiteChargeback }
  const options = { ...repeats, refused, includeUnknown, excel: false, dryRun: false }
  return resumeByPlans(context, accepted, options, payments.plans)
}
