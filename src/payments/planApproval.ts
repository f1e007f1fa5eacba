import { payeesChangedSince } from '../ledger/payees.ts'
import { findPlan, type KnownPlan, usesOfRequest } from '../ledger/plans.ts'
import type { AttemptRecord } from '../ledger/records.ts'
import { approversOfSending, ruleChangeOfPlan } from '../ledger/rulesInForce.ts'
import type { Writer } from '../ledger/writer.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import { comparableKey } from '../pix/destination.ts'
import type { OpenPlan } from '../plans/plan.ts'
import type { ApprovedPlan } from '../plans/verifyPlan.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import { recordedApprovers } from '../profiles/approvers.ts'
import type { Database } from '../storage/sqlite.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import type { PlansInUse } from './paymentContext.ts'
import { sentWithoutApprovalCents } from './paymentLookup.ts'
import { type ApprovalConflict, approvalConflict } from './paymentRules.ts'

/** Why a plan does not allow a request. */
export type PlanConflict =
  /** It is not one of the plan. */
  | { why: 'not-planned'; plan: string }
  /** Another attempt was made with it. */
  | { why: 'plan-used'; plan: string }
  /** The plan was rejected, or its payee changed, before an attempt was made with it. */
  | { why: 'plan-ended'; failure: UsageError }

/** What an attempt says of the plan that allowed it; nothing if it needed none. */
type PlanOfAttempt = Pick<AttemptRecord, 'plan' | 'requestedBy' | 'approvedBy'>

/** Judges in one transaction which attempts are allowed by approved plans, and which need none. */
export class ApprovalJudge {
  readonly #writer: Writer
  readonly #account: Account
  readonly #rules: AccountRules
  readonly #plans: PlansInUse | undefined
  /** Why the plans whose sending began allow nothing that has no attempt. */
  readonly #ended = new Map<string, UsageError>()
  /** What was sent today without approval. */
  #sentCents: number | undefined

  /** Throws UsageError for plans that must not be sent: of another account, rejected, expired, or approved by another list than that in force. */
  constructor(writer: Writer, account: Account, rules: AccountRules, plans: PlansInUse | undefined) {
    this.#writer = writer
    this.#account = account
    this.#rules = rules
    this.#plans = plans
    for (const plan of plans?.approved ?? []) {
      const ended = endOfPlan(writer, account, rules, plan)
      if (ended !== null && plans?.isOnly) throw ended
      if (ended !== null) this.#ended.set(plan.id, ended)
    }
  }

  /** The plan that allows a new attempt with a body, or why it is not allowed. With that attempt the sending of that plan begins. */
  allow(
    body: string,
    amountCents: number | null,
  ): { plan: PlanOfAttempt } | { conflict: PlanConflict | ApprovalConflict } {
    const { database } = this.#writer
    const planned = this.#plans === undefined ? undefined : planFor(database, this.#plans, body)
    if (planned?.plan) {
      const failure = this.#ended.get(planned.plan.id)
      if (failure !== undefined) return { conflict: { why: 'plan-ended', failure } }
      const { id: plan, maker: requestedBy, approver: approvedBy } = planned.plan
      return { plan: { plan, requestedBy, approvedBy } }
    }
    if (planned?.conflict && this.#plans?.isOnly) return { conflict: planned.conflict }
    const conflict = approvalConflict(this.#rules, amountCents, amountCents ?? 0, () => this.#sentWithoutApproval())
    if (conflict !== undefined) return { conflict }
    if (this.#rules.approvalFromCents !== null) this.#sentCents = this.#sentWithoutApproval() + (amountCents ?? 0)
    return { plan: {} }
  }

  /**
   * The plan that allows to send the same bytes again, none if they need none, or why they must not be sent. They count by their own amount alone, unless
   * they are new to the day because somebody else recorded them.
   */
  allowResend(
    { body, plan: claimed }: AttemptRecord,
    amountCents: number | null,
    newTodayCents: number,
  ): { plan: Pick<AttemptRecord, 'plan'> } | { conflict: PlanConflict | ApprovalConflict } {
    const plans = this.#plans?.approved ?? []
    const plan = body === null ? undefined : plans.find(({ bodies }) => bodies.has(body))
    const failure = plan === undefined ? undefined : this.#ended.get(plan.id)
    if (plan !== undefined && failure !== undefined && usesOfRequest(this.#writer.database, plan.id, body ?? '') === 0)
      return { conflict: { why: 'plan-ended', failure } }
    if (plan !== undefined) return { plan: { plan: plan.id } }
    if (this.#plans?.isOnly) return { conflict: { why: 'not-planned', plan: plans[0]?.id ?? '' } }
    // The sum has it already, unless it says that a plan allowed it.
    const counted = claimed === undefined ? newTodayCents : 0
    const sentBefore = () => this.#sentWithoutApproval() - counted
    const conflict = approvalConflict(this.#rules, amountCents, newTodayCents, sentBefore)
    return conflict === undefined ? { plan: {} } : { conflict }
  }

  #sentWithoutApproval(): number {
    const { database, nowMs } = this.#writer
    this.#sentCents ??= sentWithoutApprovalCents(database, this.#account, nowMs)
    return this.#sentCents
  }
}

/**
 * Why a plan allows nothing that has no attempt, although its sending began: it was rejected, or a payee changed; null if it allows it. Throws UsageError if the
 * sending must not begin.
 */
function endOfPlan(writer: Writer, account: Account, rules: AccountRules, plan: ApprovedPlan): UsageError | null {
  const { id, listSha256 } = plan
  if (!isSameAccount(plan.account, { baseUrl: account.url, clientId: account.clientId })) {
    throw new UsageError(t`The plan ${id} is for another account`, {
      details: [t`Nothing was sent`],
      hint: t`Run \`pixgate plan show ${id}\` to see which`,
    })
  }
  const known = findPlan(writer.database, id, plan)
  if (known === undefined) throw new Error('a plan is sent that the ledger does not know')
  const { sending, ownSending, rejection, made } = known
  const ended =
    rejection === null
      ? payeesChanged(writer.database, account, { ...plan, seq: made.seq })
      : rejectedPlan(id, rejection)
  // One whose sending began was verified with the list of that time.
  const approvers = ownSending === null ? rules.approvers : approversOfSending(writer.database, account, ownSending.seq)
  if (sending === null && ended !== null) throw ended
  if ((approvers === null ? null : recordedApprovers(approvers).sha256) !== listSha256) throw otherList(id)
  if (ownSending === null) assertNotExpired(plan, writer.nowMs)
  // Another host was faster: it sends all of the plan in its own run.
  if (sending !== null && plan.run !== null && sending.run !== plan.run) throw sentPlan(id, sending)
  return ended
}

/** Throws UsageError if a plan must not change the rules of its account. */
export function assertMayChangeRules(writer: Writer, account: Account, rules: AccountRules, plan: ApprovedPlan): void {
  endOfPlan(writer, account, rules, plan)
  const change = ruleChangeOfPlan(writer.database, plan.id, true, true)
  if (change !== undefined) throw sentPlan(plan.id, change)
}

/** The most payees that an error names. */
const NAMED_MAX = 5

/** Throws the failure of {@link payeesChanged}. */
export function assertPayeesUnchanged(...plan: Parameters<typeof payeesChanged>): void {
  const failure = payeesChanged(...plan)
  if (failure !== null) throw failure
}

/**
 * Why a plan must not be sent that pays the key of a payee that was changed or removed since the plan was made, with what has no attempt yet; null if none was.
 * Its maker and its approver saw the key of then, and somebody has corrected it since.
 */
function payeesChanged(
  database: Database,
  account: Account,
  { id, seq, bodies }: Pick<ApprovedPlan, 'id' | 'bodies'> & { seq: number },
): UsageError | null {
  const keys = new Set([...bodies.values()].filter((key) => key !== null))
  const left = (payee: string) =>
    [...bodies].some(([body, key]) => key === payee && usesOfRequest(database, id, body) === 0)
  const changed = payeesChangedSince(database, account, { seq, keys }).filter(({ key, keyType }) =>
    left(comparableKey(key, keyType)),
  )
  const [first] = changed
  if (first === undefined) return null
  const names = changed.slice(0, NAMED_MAX).map(({ name }) => name)
  const more = changed.length - names.length
  return new UsageError(
    changed.length === 1
      ? t`The payee ${first.name} was changed or removed since the plan ${id} was made`
      : t`Payees were changed or removed since the plan ${id} was made: ${names.join(', ')}`,
    {
      details: [...(more === 0 ? [] : [t`and ${more} more`]), t`Nothing was sent`],
      hint: t`Look at the payee with \`pixgate payee show ${commandArgument(first.name)}\`, and make the plan again with \`--plan\``,
    },
  )
}

function otherList(id: string): UsageError {
  return new UsageError(t`The list of approvers was changed since the plan ${id} was verified`, {
    details: [t`Nothing was sent`],
    hint: t`Run the command again`,
  })
}

function planFor(
  database: Database,
  { approved }: PlansInUse,
  body: string,
): { plan: ApprovedPlan; conflict: null } | { plan: null; conflict: PlanConflict } {
  let conflict: PlanConflict = { why: 'not-planned', plan: approved[0]?.id ?? '' }
  for (const plan of approved) {
    if (!plan.bodies.has(body)) continue
    if (usesOfRequest(database, plan.id, body) === 0) return { plan, conflict: null }
    conflict = { why: 'plan-used', plan: plan.id }
  }
  return { plan: null, conflict }
}

/** Throws UsageError for a plan that was rejected. */
export function assertNotRejected(id: string, rejection: KnownPlan['rejection']): void {
  if (rejection !== null) throw rejectedPlan(id, rejection)
}

function rejectedPlan(id: string, rejection: NonNullable<KnownPlan['rejection']>): UsageError {
  const at = formatInstant(parseInstant(rejection.at) ?? 0)
  return new UsageError(t`The plan ${id} was rejected by ${rejection.user} at ${at}: ${rejection.because}`, {
    details: [t`Nothing was sent`],
    hint: t`Correct what was wrong and make a new plan with \`--plan\``,
  })
}

/** Throws UsageError for a plan that had expired at a time, in ms. */
export function assertNotExpired({ id, expiresMs }: Pick<OpenPlan, 'id' | 'expiresMs'>, atMs: number): void {
  if (atMs < expiresMs) return
  throw new UsageError(t`The plan ${id} expired at ${formatInstant(expiresMs)}`, {
    details: [t`Nothing was sent`],
    hint: t`Make a new plan with \`--plan\`; \`--expires 48h\` gives it more time`,
  })
}

/** Throws UsageError for a plan whose sending began. */
export function assertNotSent(id: string, sending: KnownPlan['sending']): void {
  if (sending !== null) throw sentPlan(id, sending)
}

function sentPlan(id: string, sending: Pick<NonNullable<KnownPlan['sending']>, 'at' | 'user'>): UsageError {
  const at = formatInstant(parseInstant(sending.at) ?? 0)
  return new UsageError(t`The plan ${id} was sent before, by ${sending.user} at ${at}`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Run \`pixgate plan show ${id}\` to see it`,
  })
}

/** The failure of a request that a plan does not allow. */
export function planFailure(conflict: PlanConflict): UsageError {
  if (conflict.why === 'plan-ended') return conflict.failure
  const { why, plan } = conflict
  const hint = t`Run \`pixgate plan show ${plan}\` to see its payments; what else must be paid needs a plan of its own`
  return new UsageError(
    why === 'not-planned'
      ? t`The plan ${plan} does not have this payment`
      : t`The plan ${plan} has this payment once, and it was made already`,
    { code: 'APPROVAL_REQUIRED', details: [t`Nothing was sent`], hint },
  )
}
