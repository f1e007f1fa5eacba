import type { Context } from '../../context.ts'
import { accountRules } from '../../ledger/accountRules.ts'
import { type RuleEdit, ruleChanges } from '../../profiles/accountRules.ts'
import type { StoredProfile } from '../../profiles/profile.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { t } from '../../text/translate.ts'
import { isSameAccount } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { signPlan } from '../plan/makePlan.ts'
import type { PlanOptions } from '../plan/planOptions.ts'

/** Writes a change of the rules of an account as a plan. Returns the exit code. Throws UsageError. */
export async function planRules(
  context: Context,
  { name, profile }: { name: string; profile: StoredProfile },
  edit: RuleEdit,
  options: PlanOptions,
): Promise<number> {
  context.forgoSecret()
  const account = await context.account()
  if (!isSameAccount(profile, { baseUrl: account.url, clientId: account.clientId })) {
    throw new UsageError(t`The profile \`${name}\` is of another account than the one that is used here`, {
      details: [t`Nothing was changed`],
      hint: t`Add \`--profile ${name}\` to use it`,
    })
  }
  const ledger = await context.ledger()
  await verifyRules(context, ledger, account)
  const changes = ruleChanges(await ledger.read((database) => accountRules(database, account)), edit)
  if (changes.length === 0) {
    throw new UsageError(t`The rules of the account are as they would be after this change`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate profile show ${name}\` to see them`,
    })
  }
  const requests = changes.map(({ rule, from, to }) => ({ rule, from, to }))
  const contents = {
    kind: 'profile',
    requests,
    totalCents: 0,
    warnings: [],
    sourceSha256: null,
    profile: name,
  } as const
  return signPlan(context, { account, ledger }, contents, options)
}
