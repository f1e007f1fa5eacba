import { existsSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { accountRules, approversSetBy } from '../../ledger/accountRules.ts'
import type { KnownPlan } from '../../ledger/plans.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { type AllowedSigners, readAllowedSigners, readApprovers } from '../../plans/allowedSigners.ts'
import type { Verification } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { recordedApprovers } from '../../profiles/accountRules.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** A file of revoked keys beside the list of approvers, as OpenSSH reads it. */
const REVOKED = '.revoked'

/**
 * What the signatures of a plan of an account are verified with: the list that is in force now, or that was when its sending began. Throws UsageError for a
 * list that cannot be used, or whose file was changed.
 */
export async function planVerification(
  context: Context,
  account: Account,
  sending: KnownPlan['sending'] = null,
): Promise<Verification> {
  const ledger = await context.ledger()
  const value = await ledger.read((database) =>
    sending?.listSeq == null ? accountRules(database, account).approvers : approversSetBy(database, sending.listSeq),
  )
  const atMs = sending === null ? context.now() : (parseInstant(sending.at) ?? context.now())
  const { env } = context.runtime
  if (value === null) return { list: null, revoked: null, atMs, env }
  const { file, list: text } = recordedApprovers(value)
  const list = readAllowedSigners(text, file)
  if (sending === null) assertUnchanged(list, account)
  const revoked = existsSync(file + REVOKED) ? file + REVOKED : null
  return { list, revoked, atMs, env }
}

/** Another machine may not have the file; the ledger has the list. */
function assertUnchanged({ path, sha256 }: AllowedSigners, { confirmName }: Account): void {
  if (!existsSync(path) || readApprovers(path).sha256 === sha256) return
  throw new UsageError(t`The list of approvers \`${path}\` was changed since it was set`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Restore it; another list goes into another file, with \`pixgate profile edit ${confirmName} --approvers ${path}-2 --plan\``,
  })
}
