import type { Context } from '../../context.ts'
import { accountRules } from '../../ledger/accountRules.ts'
import { isAnswered } from '../../payments/consent.ts'
import { ownerOf } from '../../payments/paymentContext.ts'
import { assertMayBeSent } from '../../payments/planApproval.ts'
import type { ApprovedPlan } from '../../plans/approvedPlan.ts'
import type { Account } from '../../profiles/account.ts'
import type { AccountRules, RuleChange } from '../../profiles/accountRules.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { askToType, mustBeWord } from '../../terminal/typedConfirmation.ts'
import { t } from '../../text/translate.ts'
import { planDocument, planLines } from '../../views/plans/planText.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { type LoadedPlan, reviewOf } from './loadPlan.ts'

/**
 * Changes the rules of the account as an approved plan says, all of them in one transaction. A person types the name of the profile, a script gives
 * `--confirm`. Returns the exit code. Throws UsageError; Cancelled.
 */
export async function changeRulesByPlan(
  context: Context,
  account: Account,
  loaded: LoadedPlan,
  approved: ApprovedPlan,
): Promise<number> {
  const { open } = loaded
  const standing = { approvers: [approved.approver], state: 'approved' } as const
  const review = await reviewOf(context, account, loaded)
  const { terminal } = context
  await askToChange(
    context,
    account,
    planLines(open, account, standing, review, { style: terminal.err, columns: terminal.errColumns }),
  )
  const ledger = await context.ledger()
  await ledger.write((writer) => {
    const rules = accountRules(writer.database, account)
    assertMayBeSent(writer, account, rules, approved)
    assertUnchanged(rules, open.changes)
    const { id: plan, approver } = approved
    const owner = ownerOf(account)
    writer.append({ type: 'plan-sending', plan, owner, approver, run: null })
    for (const change of open.changes) writer.append({ type: 'account-rule', owner, ...change, plan })
  })
  await verifyRules(context, ledger, account)
  const document = planDocument(open, { ...standing, state: 'sent' }, review)
  context.print.one(document, () => [t`The rules of the account are changed, for every profile of it`])
  return 0
}

/** The approver saw from what a rule changes. */
function assertUnchanged(rules: AccountRules, changes: readonly RuleChange[]): void {
  if (changes.every(({ rule, from }) => rules[rule] === from)) return
  throw new UsageError(t`The rules of the account are not what they were when the plan was made`, {
    details: [t`Nothing was changed`],
    hint: t`Make a new plan with \`--plan\``,
  })
}

async function askToChange(context: Context, account: Account, lines: readonly string[]): Promise<void> {
  const { terminal, settings } = context
  if (isAnswered(account, settings, t`Nothing was changed`)) {
    for (const line of lines) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(t`This would change the rules of the account, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was changed`],
      hint: t`Add \`--confirm ${account.confirmName}\` if this is what you want`,
    })
  }
  terminal.say(lines.join('\n'))
  await askToType(terminal, {
    question: t`Type the name of the profile to change the rules`,
    faultOf: mustBeWord(account.confirmName),
    mismatch: () =>
      new Cancelled(t`The typed text does not match; nothing was changed`, {
        hint: t`Check the plan, then run the command again`,
      }),
  })
}
