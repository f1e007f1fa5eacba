import { existsSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { accountRules } from '../../ledger/accountRules.ts'
import { addedMs, type KnownPlan } from '../../ledger/plans.ts'
import { approversOfSending } from '../../ledger/ruleHistory.ts'
import { assertNotExpired } from '../../payments/planApproval.ts'
import { type AllowedSigners, readAllowedSigners, readApprovers, revokedKeys } from '../../plans/allowedSigners.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import type { Verification } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { recordedApprovers } from '../../profiles/accountRules.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** A plan whose sending began. */
interface BegunPlan {
  open: OpenPlan
  sending: NonNullable<KnownPlan['sending']>
}

/** A plan with the record that its sending began; undefined if it did not. */
export function begunPlan(open: OpenPlan, sending: KnownPlan['sending'] | undefined): BegunPlan | undefined {
  return sending == null ? undefined : { open, sending }
}

/**
 * What the signatures of a plan of an account are verified with: the list that is in force now, or that was when its sending began. Throws UsageError for a
 * list that cannot be used, or whose file was changed, and for a plan that had expired before its sending began.
 */
export async function planVerification(context: Context, account: Account, begun?: BegunPlan): Promise<Verification> {
  const ledger = await context.ledger()
  await verifyRules(context, ledger, account)
  const { value, atMs } = await ledger.read((database) =>
    begun === undefined
      ? { value: accountRules(database, account).approvers, atMs: context.now() }
      : {
          value: approversOfSending(database, account, begun.sending.seq),
          atMs: addedMs(database, begun.sending),
        },
  )
  if (begun !== undefined) assertNotExpired(begun.open, atMs)
  const { env } = context.runtime
  if (value === null) return { list: null, revoked: null, atMs, env }
  const { file, list: text } = recordedApprovers(value)
  const list = readAllowedSigners(text, file)
  if (begun === undefined) assertUnchanged(list, account)
  return { list, revoked: revokedKeys(file), atMs, env }
}

/** Another machine may not have the file; the ledger has the list. */
function assertUnchanged({ path, sha256 }: AllowedSigners, { confirmName }: Account): void {
  if (!existsSync(path) || readApprovers(path).sha256 === sha256) return
  throw new UsageError(t`The list of approvers \`${path}\` was changed since it was set`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Restore it; another list goes into another file, with \`pixgate profile edit ${confirmName} --approvers ${path}-2 --plan\``,
  })
}
