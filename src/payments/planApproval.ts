import { payeesChangedSince } from '../ledger/payees.ts'
import { findPlan, type KnownPlan, usesOfRequest } from '../ledger/plans.ts'
import type { AttemptRecord } from '../ledger/records.ts'
import { approversOfSending } from '../ledger/rulesInForce.ts'
import type { Writer } from '../ledger/writer.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
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
import { ownerOf, type PlansInUse } from './paymentContext.ts'
import { sentWithoutApprovalCents } from './paymentLookup.ts'
import { type ApprovalConflict, approvalConflict } from './paymentRules.ts'

/** Why a plan does not allow a request. */
export type PlanConflict =
  /** It is not one of the plan. */
  | { why: 'not-planned'; plan: string }
  /** Another attempt was made with it. */
  | { why: 'plan-used'; plan: string }

/** What an attempt says of the plan that allowed it; nothing if it needed none. */
type PlanOfAttempt = Pick<AttemptRecord, 'plan' | 'requestedBy' | 'approvedBy'>

/** Judges in one transaction which attempts are allowed by approved plans, and which need none. */
export class ApprovalJudge {
  readonly #writer: Writer
  readonly #account: Account
  readonly #rules: AccountRules
  readonly #plans: PlansInUse | undefined
  /** The plans whose sending began. */
  readonly #begun = new Set<string>()
  /** What was sent today without approval. */
  #sentCents: number | undefined

  /** Throws UsageError for plans that must not be sent: of another account, rejected, expired, or approved by another list than that in force. */
  constructor(writer: Writer, account: Account, rules: AccountRules, plans: PlansInUse | undefined) {
    this.#writer = writer
    this.#account = account
    this.#rules = rules
    this.#plans = plans
    for (const plan of plans?.approved ?? []) {
      if (assertMayBeSent(writer, account, rules, plan)) this.#begun.add(plan.id)
    }
  }

  /** The plan that allows a new attempt with a body, or why it is not allowed. The sending of that plan begins. */
  allow(
    body: string,
    amountCents: number | null,
  ): { plan: PlanOfAttempt } | { conflict: PlanConflict | ApprovalConflict } {
    const { database } = this.#writer
    const planned = this.#plans === undefined ? undefined : planFor(database, this.#plans, body)
    if (planned?.plan) {
      this.#begin(planned.plan)
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
   * Why the same bytes must not be sent again; undefined if they may. They count by their own amount alone, unless they are new to the day because
   * somebody else recorded them.
   */
  conflictOfResend(
    { body, plan: claimed }: AttemptRecord,
    amountCents: number | null,
    newTodayCents: number,
  ): PlanConflict | ApprovalConflict | undefined {
    const plans = this.#plans?.approved ?? []
    const plan = plans.find(({ bodies }) => bodies.has(body ?? ''))
    if (plan !== undefined) {
      this.#begin(plan)
      return undefined
    }
    if (this.#plans?.isOnly) return { why: 'not-planned', plan: plans[0]?.id ?? '' }
    // The sum has it already, unless it says that a plan allowed it.
    const counted = claimed === undefined ? newTodayCents : 0
    return approvalConflict(this.#rules, amountCents, newTodayCents, () => this.#sentWithoutApproval() - counted)
  }

  #sentWithoutApproval(): number {
    const { database, nowMs } = this.#writer
    this.#sentCents ??= sentWithoutApprovalCents(database, this.#account, nowMs)
    return this.#sentCents
  }

  /** From its first attempt on a plan may be finished. */
  #begin({ id, approver, run }: ApprovedPlan): void {
    if (this.#begun.has(id)) return
    this.#begun.add(id)
    this.#writer.append({ type: 'plan-sending', plan: id, owner: ownerOf(this.#account), approver, run })
  }
}

/** Returns whether the sending of a plan began before. Throws UsageError if it must not be sent. */
export function assertMayBeSent(writer: Writer, account: Account, rules: AccountRules, plan: ApprovedPlan): boolean {
  const { id, listSha256 } = plan
  if (!isSameAccount(plan.account, { baseUrl: account.url, clientId: account.clientId })) {
    throw new UsageError(t`The plan ${id} is for another account`, {
      details: [t`Nothing was sent`],
      hint: t`Run \`pixgate plan show ${id}\` to see which`,
    })
  }
  const known = findPlan(writer.database, id)
  if (known === undefined) throw new Error('a plan is sent that the ledger does not know')
  const { sending } = known
  // One whose sending began was verified with the list of that time.
  const approvers = sending === null ? rules.approvers : approversOfSending(writer.database, account, sending.seq)
  if ((approvers === null ? null : recordedApprovers(approvers).sha256) !== listSha256) throw otherList(id)
  if (sending !== null) {
    // Another host was faster: it sends all of the plan in its own run.
    if (sending.run !== plan.run) assertNotSent(id, sending)
    return true
  }
  assertNotRejected(id, known.rejection)
  assertNotExpired(plan, writer.nowMs)
  assertPayeesUnchanged(writer.database, account, { id, seq: known.made.seq, keys: plan.keys })
  return false
}

/** So many payees are named in an error. */
const NAMED_MAX = 5

/**
 * Throws UsageError for a plan that pays the key of a payee that was changed or removed since the plan was made. Its maker and its approver saw the key of
 * then, and somebody has corrected it since.
 */
export function assertPayeesUnchanged(
  database: Database,
  account: Account,
  { id, ...plan }: { id: string; seq: number; keys: ReadonlySet<string> },
): void {
  const changed = payeesChangedSince(database, account, plan)
  const [first] = changed
  if (first === undefined) return
  const names = changed.slice(0, NAMED_MAX).map(({ name }) => name)
  const more = changed.length - names.length
  throw new UsageError(
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
  if (rejection === null) return
  const at = formatInstant(parseInstant(rejection.at) ?? 0)
  throw new UsageError(t`The plan ${id} was rejected by ${rejection.user} at ${at}: ${rejection.because}`, {
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
  if (sending === null) return
  const at = formatInstant(parseInstant(sending.at) ?? 0)
  throw new UsageError(t`The plan ${id} was sent before, by ${sending.user} at ${at}`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Run \`pixgate plan show ${id}\` to see it`,
  })
}

/** The failure of a request that a plan does not allow. */
export function planFailure({ why, plan }: PlanConflict): UsageError {
  const hint = t`Run \`pixgate plan show ${plan}\` to see its payments; what else must be paid needs a plan of its own`
  return new UsageError(
    why === 'not-planned'
      ? t`The plan ${plan} does not have this payment`
      : t`The plan ${plan} has this payment once, and it was made already`,
    { code: 'APPROVAL_REQUIRED', details: [t`Nothing was sent`], hint },
  )
}
