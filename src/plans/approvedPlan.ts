import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { OpenPlan } from './plan.ts'
import type { NamedSignature } from './planFiles.ts'
import { type Verification, verifyApproval, verifyMaker } from './verifyPlan.ts'

declare const approved: unique symbol

/** A plan whose signatures were verified. Only {@link approvedPlan} makes one, so nothing else unlocks a payment that needs one. */
export interface ApprovedPlan {
  readonly [approved]: true
  id: string
  account: { baseUrl: string; clientId: string }
  expiresMs: number
  maker: string
  approver: string
  /** The exact bodies of its requests. */
  bodies: ReadonlySet<string>
  /** The checksum of the list of approvers with which it was verified; null without a list. */
  listSha256: string | null
  /** The run of a batch; null for a single payment. */
  run: string | null
}

/** Verifies the signatures of a plan, of which one approval must be valid. Throws UsageError that says what is wrong. */
export async function approvedPlan(
  open: OpenPlan,
  signatures: { maker: string; approvals: readonly NamedSignature[] },
  verification: Verification,
  run: string | null,
): Promise<ApprovedPlan> {
  const { id, plan, expiresMs } = open
  const makerKey = await verifyMaker(open, signatures.maker, verification)
  const faults: UsageError[] = []
  for (const approval of signatures.approvals) {
    try {
      await verifyApproval(open, makerKey, approval, verification)
      return asApproved({
        id,
        account: plan.account,
        expiresMs,
        maker: plan.maker,
        approver: approval.principal,
        bodies: new Set(plan.requests.map((body) => JSON.stringify(body))),
        listSha256: verification.list?.sha256 ?? null,
        run,
      })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error)
    }
  }
  throw faults[0] ?? notApproved(open)
}

/** The failure of a plan that nobody approved. */
function notApproved({ id, shown }: OpenPlan): UsageError {
  return new UsageError(t`The plan ${id} is not approved`, {
    code: 'APPROVAL_REQUIRED',
    details: [t`Nothing was sent`],
    hint: t`Ask a second person to run \`pixgate plan approve ${commandArgument(shown)}\``,
  })
}

/** The one place where a plan becomes approved: its signatures were verified. */
function asApproved(plan: Omit<ApprovedPlan, typeof approved>): ApprovedPlan {
  return plan as ApprovedPlan
}
