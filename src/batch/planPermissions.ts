import type { PaymentState } from '../ledger/paymentState.ts'
import { findPayments, isOfAccount } from '../ledger/payments.ts'
import {
  approvalsByOthers,
  doubtfulSteps,
  findPlan,
  type PlanState,
  plannedBy,
  plansOfAccount,
} from '../ledger/plans.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { valueOr } from '../pix/expectedError.ts'
import type { OpenPlan } from '../plans/plan.ts'
import { planOfRecord } from '../plans/verifyPlan.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { isSameUrl } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'

export const PERMISSION_KINDS = ['in-addition-to', 'despite-chargeback', 'callback-url', 'long-expiry'] as const

/** What a plan permits beside its payments, which its maker alone has asked for. */
export interface PlanPermission {
  kind: (typeof PERMISSION_KINDS)[number]
  /** The id that is named, the id of what is refunded, the URL, or the time. */
  value: string
  /** What an id names: a payment, with the plan that made it, or a request of a plan that is not sent yet; null if nothing. */
  refersTo: { state: PaymentState | PlanState; plan: string | null } | null
}

/** In place of an id: whatever was paid before. Only a sandbox takes it. */
export const EVERYTHING = '--again'

/** A plan that can be sent for longer than this is unusual. */
const EXPIRY_MAX_MS = 30 * DAY_MS

/** Who asks, and when. */
interface Asking {
  account: Account
  isShared: boolean
  nowMs: number
}

/** What a plan permits, by this machine's ledger. `madeMs` is when it was made. Throws DamagedRecord. */
export function permissionsOf(
  database: Database,
  { plan, requests, expiresMs }: OpenPlan,
  madeMs: number,
  asking: Asking,
): PlanPermission[] {
  const { again = false, inAdditionTo = [], despiteChargeback = false } = plan.repeats ?? {}
  const { account } = asking
  const refund = ({ facts }: (typeof requests)[number]) =>
    facts.kind === 'refund' ? [facts.originalTransactionId] : []
  const urls = new Set(requests.map(({ facts }) => facts.callbackUrl))
  return [
    ...(again ? [{ kind: 'in-addition-to', value: EVERYTHING, refersTo: null } as const] : []),
    ...inAdditionTo.map((value) => ({
      kind: 'in-addition-to' as const,
      value,
      refersTo: paymentNamed(database, account, value) ?? requestNamed(database, value, asking),
    })),
    ...(despiteChargeback ? requests.flatMap(refund) : []).map((value) => ({
      kind: 'despite-chargeback' as const,
      value,
      refersTo: paymentNamed(database, account, value),
    })),
    ...[...urls]
      .filter((url) => !isSameUrl(url, account.callbackUrl))
      .map((value) => ({ kind: 'callback-url' as const, value, refersTo: null })),
    ...(expiresMs - madeMs > EXPIRY_MAX_MS
      ? [{ kind: 'long-expiry', value: plan.expiresAt, refersTo: null } as const]
      : []),
  ]
}

function paymentNamed(database: Database, account: Account, id: string): PlanPermission['refersTo'] {
  const named = findPayments(database, id).findLast((each) => isOfAccount(each, account))
  if (named === undefined) return null
  const newest = named.summary.attempts.at(-1)?.record
  return { state: named.summary.state, plan: plannedBy(newest) === null ? null : (newest?.plan ?? null) }
}

/** The plan that is open or approved and has a request with this external id, or that refunds this payment. */
function requestNamed(
  database: Database,
  id: string,
  { account, isShared, nowMs }: Asking,
): PlanPermission['refersTo'] {
  const doubtful = doubtfulSteps(database, account)
  for (const { made, sending, rejection } of plansOfAccount(database, account)) {
    if (doubtful.has(made.seq) || sending !== null || rejection !== null || Date.parse(made.expiresAt) <= nowMs)
      continue
    const open = readOrNull(database, made)
    const isNamed = open?.requests.some(({ externalId }) => externalId === id)
    const known = isNamed === true ? findPlan(database, made.plan) : undefined
    if (known === undefined) continue
    const isApproved = approvalsByOthers(known, isShared).some(({ seq }) => !doubtful.has(seq))
    return { state: isApproved ? 'approved' : 'open', plan: made.plan }
  }
  return null
}

function readOrNull(database: Database, made: Parameters<typeof planOfRecord>[1]): OpenPlan | null {
  return valueOr(null, UsageError, () => planOfRecord(database, made))
}
