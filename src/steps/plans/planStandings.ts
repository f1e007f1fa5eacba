import { runWorkers } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { AccountKey } from '../../ledger/accounts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { findPayments, loadPayment, type Payment } from '../../ledger/payments.ts'
import {
  approvalsByOthers,
  hasUnknownPayments,
  type KnownPlan,
  type PlanState,
  paymentsOfPlan,
  planState,
  plansOfAccount,
  planTextOf,
  sendersOfPlan,
  sentRequests,
  usesOfRequest,
} from '../../ledger/plans.ts'
import { sendingProcess } from '../../ledger/processes.ts'
import { countRun } from '../../ledger/runRows.ts'
import { findRun } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { type OpenPlan, readPlan } from '../../plans/plan.ts'
import { type Database, loadSqlite } from '../../storage/sqlite.ts'
import { truncateCells } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import { type ListedPlan, type PlanStanding, stateText } from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'

/** The states of payments of which something is left to send; those of a run include rows that were never sent. */
const OPEN_STATES: readonly (PaymentState | 'none')[] = ['none', 'not-sent', 'unknown']

/** What is left of a plan whose sending began: a payment whose outcome is unknown, or requests that were not sent. */
export function restOfPlan(
  database: Database,
  { id, plan }: OpenPlan,
  { run }: NonNullable<KnownPlan['sending']>,
): Payment | 'requests' | 'nothing' {
  // What changes rules is done at once.
  if (plan.kind === 'profile') return 'nothing'
  if (run !== null && plan.resume?.refused !== true && findRun(database, run) !== undefined) {
    const counts = countRun(database, run, [])
    return OPEN_STATES.every((state) => counts[state].rows === 0) ? 'nothing' : 'requests'
  }
  const own = paymentsOfPlan(database, id).map((payment) => loadPayment(database, payment))
  const sent = plan.resume?.payment == null ? own : findPayments(database, plan.resume.payment)
  const unknown = run === null ? sent.find(({ summary }) => summary.state === 'unknown') : undefined
  if (unknown !== undefined) return unknown
  const isUsed = plan.requests.every((body) => usesOfRequest(database, id, JSON.stringify(body)) > 0)
  const isResumed = plan.resume?.payment != null && sent.every(({ summary }) => !OPEN_STATES.includes(summary.state))
  return isUsed || isResumed ? 'nothing' : 'requests'
}

interface Progress {
  sentRequests: number
  isFinished: boolean
}

function progressOf(database: Database, { made, sending }: KnownPlan): Progress {
  if (sending === null) return { sentRequests: 0, isFinished: false }
  const { plan, kind, requests } = made
  if (kind === 'profile') return { sentRequests: requests, isFinished: true }
  const sent = sentRequests(database, plan)
  if (sent >= requests && !hasUnknownPayments(database, plan)) return { sentRequests: sent, isFinished: true }
  const rest = restOfPlan(database, readPlan(planTextOf(database, made), plan), sending)
  // Nothing makes the gateway refuse a refund that is sent twice, so one with an unknown outcome is not sent again.
  const isFinished = rest === 'nothing' || (typeof rest !== 'string' && rest.facts.kind === 'refund')
  return { sentRequests: isFinished ? requests : sent, isFinished }
}

/** How plans stand: by whom they are approved, and how far those are that are sent. Throws DamagedRecord, UsageError for a text that is no plan. */
export async function planStandings(
  ledger: Ledger,
  plans: readonly KnownPlan[],
  nowMs: number,
): Promise<PlanStanding[]> {
  const progress = await ledger.read((database) => plans.map((plan) => progressOf(database, plan)))
  const begun = plans.filter(({ sending }, place) => sending !== null && progress[place]?.isFinished === false)
  const living = begun.length === 0 ? new Set<string>() : await plansBeingSent(ledger, begun)
  const isShared = ledger.environment.sharedAt !== undefined
  return plans.map((known, place): PlanStanding => {
    const { made, rejection } = known
    const { isFinished, sentRequests } = progress[place] ?? { isFinished: false, sentRequests: 0 }
    const approvers = approvalsByOthers(known, isShared).map(({ approver }) => approver)
    const sending = isFinished ? 'finished' : living.has(made.plan) ? 'living' : 'interrupted'
    const state = planState({ ...known, isApproved: approvers.length > 0, sendingNow: sending }, nowMs)
    return { approvers, state, sentRequests, madeAt: made.at, rejection }
  })
}

/** Of which a process sends something at this moment, here or on another machine. */
async function plansBeingSent(ledger: Ledger, plans: readonly KnownPlan[]): Promise<Set<string>> {
  const [runs, open] = await Promise.all([runWorkers(ledger), loadSqlite()])
  const { folder } = ledger.environment
  return ledger.writeHere((writer) => {
    const isSent = ({ made, sending }: KnownPlan) =>
      sending?.run != null
        ? runs.has(sending.run)
        : sendersOfPlan(writer.database, made.plan).some(
            ({ payment, sender }) => sendingProcess(writer, open, folder, payment, sender) !== undefined,
          )
    return new Set(plans.filter(isSent).map(({ made }) => made.plan))
  })
}

/** The plans of an account, newest first, each with how it stands. `sinceMs` leaves out those that were made before. Throws like {@link planStandings}. */
export async function standingPlans(
  context: Context,
  account: AccountKey,
  sinceMs: number | null | undefined,
): Promise<Pick<ListedPlan, 'known' | 'standing'>[]> {
  const ledger = await context.ledger()
  const all = await ledger.read((database) => plansOfAccount(database, account))
  const plans = all.filter(({ made }) => Date.parse(made.at) >= (sinceMs ?? 0))
  const standings = await planStandings(ledger, plans, context.now())
  return plans.flatMap((known, place) => {
    const standing = standings[place]
    return standing === undefined ? [] : [{ known, standing }]
  })
}

/** The name of the plan that a person picks among those in one of these states. Throws UsageError without a terminal, and if there is none; Cancelled. */
export async function pickPlan(
  context: Context,
  account: AccountKey,
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
