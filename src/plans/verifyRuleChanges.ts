import type { RuleRecord } from '../ledger/accountRules.ts'
import type { AccountKey } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { addedMs, approvalsByOthers, findPlan, type KnownPlan, planTextOf } from '../ledger/plans.ts'
import { noteRuleApproval, type PlannedRuleChange, unverifiedRuleChange } from '../ledger/ruleHistory.ts'
import { recordedApprovers } from '../profiles/accountRules.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'
import { readAllowedSigners, revokedKeys } from './allowedSigners.ts'
import { approvedPlan } from './approvedPlan.ts'
import { type OpenPlan, readPlan } from './plan.ts'
import { OpenSshFailed } from './sshKeygen.ts'

/** A record that would make a rule less strict and does not count. */
export interface UnapprovedChange {
  record: RuleRecord
  /** A sentence without a full stop. */
  why: string
}

/** A change that waits for its verification, with what the ledger knows of its plan. */
interface UnverifiedChange extends PlannedRuleChange {
  known: KnownPlan | undefined
  text: string
  /** When the sending of the plan began, in ms. */
  sentMs: number
}

/**
 * Verifies the signatures of the plans that changed rules of an account, each once on this machine and outside of any transaction: a record says only that
 * its change was approved. Until then, and if the signatures are not valid, the stricter rule stays in force. Returns the records that do not count. Throws
 * what the ledger throws.
 */
export async function verifyRuleChanges(
  ledger: Ledger,
  account: AccountKey,
  env: EnvironmentVariables,
): Promise<UnapprovedChange[]> {
  const found: UnapprovedChange[] = []
  for (;;) {
    const change = await ledger.read((database) => nextUnverified(database, account))
    if (change === undefined) return found
    const { record, isNeeded } = change
    const fault = await faultOf(change, account, ledger, env)
    if (fault !== undefined && isNeeded) found.push({ record, why: fault.why })
    // What comes later depends on this one.
    if (fault?.isPassing === true) return found
    await ledger.writeHere(({ database }) => noteRuleApproval(database, record, fault === undefined))
  }
}

function nextUnverified(database: Database, account: AccountKey): UnverifiedChange | undefined {
  const change = unverifiedRuleChange(database, account)
  if (change === undefined) return undefined
  const known = findPlan(database, change.record.plan ?? '')
  const text = known === undefined ? '' : planTextOf(database, known.made)
  return { ...change, known, text, sentMs: known?.sending == null ? 0 : addedMs(database, known.sending) }
}

/** Why a change was not approved; undefined if it was. `isPassing` if a later try may find that it was. Throws what is no UsageError. */
async function faultOf(
  change: UnverifiedChange,
  account: AccountKey,
  ledger: Ledger,
  env: EnvironmentVariables,
): Promise<{ why: string; isPassing: boolean } | undefined> {
  const { known, before, sentMs } = change
  const approvers = before.approvers === null ? null : recordedApprovers(before.approvers)
  const revoked = approvers === null ? null : revokedKeys(approvers.file)
  try {
    if (known?.sending == null) return { why: t`no plan that was sent in time allows it`, isPassing: false }
    const open = readPlan(change.text, known.made.plan)
    if (!isChangeOf(open, change, known.sending.seq, account))
      return { why: t`it is not what its plan changes`, isPassing: false }
    if (sentMs >= open.expiresMs) return { why: t`its plan had expired before it was sent`, isPassing: false }
    const { seq: sentSeq } = known.sending
    const approvals = approvalsByOthers(known, ledger.environment.sharedAt !== undefined)
      .filter(({ seq }) => seq < sentSeq)
      .map(({ approver, signature }) => ({ principal: approver, signature }))
    const list = approvers === null ? null : readAllowedSigners(approvers.list, approvers.file)
    const signatures = { maker: known.made.signature, approvals }
    await approvedPlan(open, signatures, { list, revoked, atMs: sentMs, env }, null)
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // A key may have been revoked by mistake.
    return { why: error.message, isPassing: error instanceof OpenSshFailed || revoked !== null }
  }
}

/** True if a record is the change that its plan makes in this place. Those of a plan follow its sending at once, so that none can be made twice. */
function isChangeOf(
  { id, plan, changes }: OpenPlan,
  { record, before }: PlannedRuleChange,
  sentSeq: number,
  account: AccountKey,
): boolean {
  const change = changes[record.seq - sentSeq - 1]
  return (
    id === record.plan &&
    isSameAccount(plan.account, { baseUrl: account.url, clientId: account.clientId }) &&
    change?.rule === record.rule &&
    change.from === before[record.rule] &&
    change.to === record.to
  )
}
