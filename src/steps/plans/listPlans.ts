import type { Context } from '../../context.ts'
import { mapConcurrent } from '../../gateway/retry.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { faultOfMaking, findPlan, type KnownPlan, type PlanState, plansOfAccount } from '../../ledger/plans.ts'
import { formatReais } from '../../pix/amount.ts'
import { valueOrError } from '../../pix/expectedError.ts'
import { bodiesOfPlan } from '../../plans/plan.ts'
import { planOfRecord } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { truncateCells } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import { type ListedPlan, type PlanStanding, stateText } from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'
import { checkedSignatures, loadKnown, verificationOf, verifiedApprovers } from './loadPlan.ts'
import { isOver, planStandings } from './planStandings.ts'

/**
 * The plans of an account, newest first, each with its state. `sinceMs` omits those that were made before. Names those that cannot be sent, because
 * their text is not there or is another, unless `told` has the numbers of their records, and leaves them out. Throws like {@link planStandings}.
 */
export async function standingPlans(
  context: Context,
  account: Account,
  sinceMs: number | null | undefined,
  told = new Set<number>(),
): Promise<Pick<ListedPlan, 'known' | 'standing'>[]> {
  const ledger = await context.ledger()
  await verifyRules(context, ledger, account)
  const all = await ledger.read((database) => plansOfAccount(database, account))
  const since = all.filter(({ made }) => Date.parse(made.at) >= (sinceMs ?? 0))
  const plans = await readable(context, ledger, since, told)
  const standings = await planStandings(ledger, plans, context.now())
  const found: Pick<ListedPlan, 'known' | 'standing'>[] = []
  for (const [place, known] of plans.entries()) {
    const standing = standings[place]
    if (standing?.state !== 'approved') {
      if (standing !== undefined) found.push({ known, standing })
      continue
    }
    const approvers = await validApprovers(context, account, known, standing)
    found.push({ known, standing: { ...standing, approvers, state: approvers.length === 0 ? 'open' : 'approved' } })
  }
  return found
}

/** As many plans are verified at a time: each signature takes a process. */
const CONCURRENCY = 4

/** The same plans for who lists them: only whose signature is valid is said to have approved. */
export function withVerifiedApprovers(
  context: Context,
  account: Account,
  plans: readonly Pick<ListedPlan, 'known' | 'standing'>[],
): Promise<Pick<ListedPlan, 'known' | 'standing'>[]> {
  return mapConcurrent(plans, CONCURRENCY, async ({ known, standing }) => {
    const { approvers, state } = standing
    if (approvers.length === 0 || state === 'open' || state === 'approved') return { known, standing }
    const valid = await validApprovers(context, account, known, standing)
    return { known, standing: { ...standing, approvers: valid } }
  })
}

/** Who approved a plan with a valid signature; one that is over, by the list of when its sending began, as for who sent it. */
async function validApprovers(
  context: Context,
  account: Account,
  known: KnownPlan,
  { state }: PlanStanding,
): Promise<string[]> {
  const ledger = await context.ledger()
  const begun = ['sent', 'rejected', 'expired'].includes(state) ? known.sending : null
  try {
    const loaded = await ledger.read((database) => loadKnown(database, ledger, known, begun?.seq))
    const verification = await verificationOf(context, account, begun ?? known.ownSending)
    return verifiedApprovers(await checkedSignatures(context, account, loaded, verification))
  } catch (error) {
    if (!(error instanceof UsageError) || state === 'approved') throw error
    return []
  }
}

async function readable(
  context: Context,
  ledger: Ledger,
  plans: readonly KnownPlan[],
  told: Set<number>,
): Promise<KnownPlan[]> {
  const nowMs = context.now()
  return ledger.read((database) =>
    plans.flatMap((known) => {
      const { made } = known
      const leftOut = (why: string) => {
        if (!told.has(made.seq))
          context.terminal.alarm(
            t`Record ${made.seq} of the ledger, written by ${made.user} on ${made.machine}, is left out: ${why}`,
          )
        told.add(made.seq)
        return []
      }
      const fault = faultOfMaking(database, made)
      if (fault === 'signature') return leftOut(t`It has no valid signature of ${made.maker}`)
      if (fault === null && isOver(database, known, nowMs)) return [known]
      const read = () => findPlan(database, made.plan, { bodies: bodiesOfPlan(planOfRecord(database, made)) }) ?? []
      const found = valueOrError(UsageError, read)
      return found instanceof UsageError ? leftOut(found.message) : found
    }),
  )
}

/** The name of the plan that a person picks among those in one of these states. Throws UsageError without a terminal, and if there is none; Cancelled. */
export async function pickPlan(
  context: Context,
  account: Account,
  command: string,
  states: readonly PlanState[],
): Promise<string> {
  const { terminal } = context
  const plans = terminal.canAsk ? await standingPlans(context, account, null) : []
  const found = plans.filter(({ standing }) => states.includes(standing.state))
  if (found.length > 0) {
    const choices = found.map(({ known: { made }, standing }) => {
      const about = made.kind === 'profile' ? t`rules` : formatReais(made.totalCents)
      const text = [made.plan, about, made.maker, stateText(standing, made.requests)].join('  ')
      return { value: made.plan, name: truncateCells(text, terminal.columns - MARK_COLUMNS), short: made.plan }
    })
    return terminal.choose(t`Which plan?`, choices)
  }
  throw new UsageError(t`\`${command}\` needs \`<plan>\``, {
    details: terminal.canAsk ? [t`No plan of this account is in a state for this`] : [],
    hint: t`Run \`pixgate plan list\` to list the plans, and add the name of one`,
  })
}

/** Around a line of the list. */
const MARK_COLUMNS = 3
