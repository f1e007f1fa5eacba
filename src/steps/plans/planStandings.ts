import { type RunWorker, runWorkers } from '../../batch/sendRows.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { findPayments, loadPayment, type Payment } from '../../ledger/payments.ts'
import {
  approvalsByOthers,
  findPlan,
  hasUnknownPayments,
  type KnownPlan,
  paymentsOfPlan,
  planState,
  sendersOfPlan,
  sentRequests,
  usesOfRequest,
} from '../../ledger/plans.ts'
import { sendingProcess } from '../../ledger/processes.ts'
import { countRun } from '../../ledger/runRows.ts'
import { findRun } from '../../ledger/runs.ts'
import { isOfRun, type OpenPlan } from '../../plans/plan.ts'
import { planOfRecord } from '../../plans/verifyPlan.ts'
import { type Database, loadSqlite } from '../../storage/sqlite.ts'
import type { PlanStanding } from '../../views/plans/planText.ts'

/** The states of payments of which something is left to send; those of a run include rows that were never sent. */
const OPEN_STATES: readonly (PaymentState | 'none')[] = ['none', 'not-sent', 'unknown']

/** What is left of a plan whose sending began: a payment whose outcome is unknown, or requests that were not sent. */
export function restOfPlan(
  database: Database,
  { id, plan }: OpenPlan,
  sending: NonNullable<KnownPlan['sending']>,
): Payment | 'requests' | 'nothing' {
  // What changes rules is done at once.
  if (plan.kind === 'profile') return 'nothing'
  const run = isOfRun(plan) ? sending.run : null
  if (run !== null && plan.resume?.refused !== true && findRun(database, run) !== undefined) {
    const counts = countRun(database, run, [])
    return OPEN_STATES.every((state) => counts[state].rows === 0) ? 'nothing' : 'requests'
  }
  const own = paymentsOfPlan(database, id).map((payment) => loadPayment(database, payment))
  const sent = plan.resume?.payment == null ? own : findPayments(database, plan.resume.payment)
  const unknown = run === null ? sent.find(({ summary }) => summary.state === 'unknown') : undefined
  if (unknown !== undefined) return unknown
  const isResumed = plan.resume?.payment != null && sent.every(({ summary }) => !OPEN_STATES.includes(summary.state))
  return isResumed || isUsedUp(database, { id, plan }) ? 'nothing' : 'requests'
}

/** True if every request of a plan was sent, so that nothing of it is left to reject. */
export function isUsedUp(database: Database, { id, plan }: Pick<OpenPlan, 'id' | 'plan'>): boolean {
  return plan.requests.every((body) => usesOfRequest(database, id, JSON.stringify(body)) > 0)
}

interface Progress {
  sentRequests: number
  isFinished: boolean
}

/** True if nothing of a plan is sent any more, as its records say. Of all others the text is read. */
export function isOver(database: Database, { made, sending, rejection }: KnownPlan, nowMs: number): boolean {
  const hasExpired = Date.parse(made.expiresAt) <= nowMs
  if (sending === null) return hasExpired || rejection !== null
  return hasExpired && sentRequests(database, made.plan) >= made.requests && !hasUnknownPayments(database, made.plan)
}

function progressOf(database: Database, known: KnownPlan, nowMs: number): Progress {
  const { made, sending } = known
  if (sending === null) return { sentRequests: 0, isFinished: false }
  const { kind, requests } = made
  if (kind === 'profile' || isOver(database, known, nowMs)) return { sentRequests: requests, isFinished: true }
  const open = planOfRecord(database, made)
  const rest = restOfPlan(database, open, sending)
  // Nothing makes the gateway refuse a refund that is sent twice, so one with an unknown outcome is not sent again.
  const isFinished = rest === 'nothing' || (typeof rest !== 'string' && rest.facts.kind === 'refund')
  const used = open.plan.requests.filter((body) => usesOfRequest(database, made.plan, JSON.stringify(body)) > 0)
  return { sentRequests: isFinished ? requests : used.length, isFinished }
}

/** The states of plans: who approved them, and how far those are that are being sent. Throws DamagedRecord, UsageError for a text that is no plan. */
export async function planStandings(
  ledger: Ledger,
  plans: readonly KnownPlan[],
  nowMs: number,
): Promise<PlanStanding[]> {
  const [progress, judged] = await ledger.read((database) => {
    const all = plans.map((plan) => progressOf(database, plan, nowMs))
    // Who had approved what was sent, also if this machine did not send it.
    const asSent = ({ made: { plan }, sending }: KnownPlan) =>
      sending && findPlan(database, plan, { beginSeq: sending.seq })
    return [all, plans.map((plan, place) => (all[place]?.isFinished === true ? asSent(plan) : null) ?? plan)]
  })
  const begun = plans.filter(({ sending }, place) => sending !== null && progress[place]?.isFinished === false)
  const living = begun.length === 0 ? new Map<string, RunWorker>() : await plansBeingSent(ledger, begun)
  const isShared = ledger.environment.sharedAt !== undefined
  return plans.map((known, place): PlanStanding => {
    const { made, rejection } = known
    const { isFinished, sentRequests } = progress[place] ?? { isFinished: false, sentRequests: 0 }
    const approvals = approvalsByOthers(judged[place] ?? known, isShared)
    const approvers = [...new Set(approvals.map(({ approver }) => approver))]
    const sender = living.get(made.plan) ?? null
    const sending = isFinished ? 'finished' : sender === null ? 'interrupted' : 'living'
    const state = planState({ ...known, isApproved: approvers.length > 0, sendingNow: sending }, nowMs)
    return { approvers, state, sentRequests, madeAt: made.at, rejection, sender, signatures: [], approvals: [] }
  })
}

/** Of which a process sends something at this moment, here or on another machine, and who that is. */
async function plansBeingSent(ledger: Ledger, plans: readonly KnownPlan[]): Promise<Map<string, RunWorker>> {
  const [runs, open] = await Promise.all([runWorkers(ledger), loadSqlite()])
  const { folder } = ledger.environment
  return ledger.writeHere((writer) => {
    const senderOf = ({ made, sending }: KnownPlan): RunWorker | undefined => {
      const worker = runs.get(sending?.run ?? '')
      if (worker !== undefined) return worker
      const senders = sendersOfPlan(writer.database, made.plan)
      return senders
        .map(({ payment, sender }) => sendingProcess(writer, open, folder, payment, sender))
        .find((holder) => holder !== undefined && !holder.hasEnded)
    }
    return new Map(
      plans.flatMap((plan): [string, RunWorker][] => {
        const sender = senderOf(plan)
        return sender === undefined ? [] : [[plan.made.plan, sender]]
      }),
    )
  })
}
