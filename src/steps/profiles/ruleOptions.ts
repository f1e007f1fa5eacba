import type { Context } from '../../context.ts'
import type { AccountKey } from '../../ledger/accounts.ts'
import { withLedgerOf } from '../../openLedgers.ts'
import { only } from '../../pix/expectedError.ts'
import {
  type AccountRules,
  isWeakerRule,
  type RuleChange,
  type RuleEdit,
  ruleChanges,
} from '../../profiles/accountRules.ts'
import { APPROVERS_MIN, principalsOf } from '../../profiles/approvers.ts'
import type { ProfileValues } from '../../profiles/profile.ts'
import type { NamedSettings } from '../../profiles/settingChanges.ts'
import { isNoEdit, settingChangeText, settingLabel } from '../../profiles/settings.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import { confirmWeakening } from './hostConfirmation.ts'

/** An approval needs somebody who may give it. Throws UsageError. */
function assertHasApprovers(before: AccountRules, edit: RuleEdit): void {
  const isNeeded = (edit.approvalFromCents === undefined ? before.approvalFromCents : edit.approvalFromCents) !== null
  if (!isNeeded || (edit.approvers ?? before.approvers) !== null) return
  throw new UsageError(t`\`--approval-from\` needs a list of the people who may approve`, {
    details: [t`Nothing was stored`],
    hint: t`Add \`--approvers approvers.txt\` with one line for each person: \`maria namespaces="pixgate" ssh-ed25519 AAAA…\``,
  })
}

/** What is to be changed of the rules of an account, and whether a person has confirmed that one becomes less strict. */
export interface ConfirmedRules {
  edit: RuleEdit
  mayWeaken: boolean
  /** What the edit changes, from what to what. */
  changes: readonly RuleChange[]
  /** True if other logins have the same rules. */
  isShared: boolean
}

async function readRules(context: Context, account: AccountKey): Promise<{ rules: AccountRules; isShared: boolean }> {
  const [{ accountRules }, { verifyRules }] = await Promise.all([
    import('../../ledger/rulesInForce.ts'),
    import('../../ruleApprovals.ts'),
  ])
  return withLedgerOf(context, account, async (ledger) => {
    await verifyRules(context, ledger, account)
    const rules = await ledger.read((database) => accountRules(database, account))
    return { rules, isShared: ledger.environment.sharedAt !== undefined }
  })
}

/** The rules of an account; null, with a warning, if its ledger cannot be read. */
export async function rulesInForce(
  context: Context,
  account: AccountKey,
  warn: (line: string) => void,
): Promise<AccountRules | null> {
  const read = await readRules(context, account).catch(
    only(Failure, ({ message }) => warn(t`The rules and the changes of this profile cannot be shown: ${message}`)),
  )
  return read?.rules ?? null
}

/**
 * Asks the user to type the host of the address if an edit makes a rule of the account less strict. Returns the edit with whether that was confirmed.
 * Throws UsageError with code CONFIRMATION_REQUIRED, Cancelled, and what the ledger throws.
 */
export async function confirmRules(
  context: Context,
  { baseUrl, clientId }: Pick<ProfileValues, 'baseUrl' | 'clientId'>,
  edit: RuleEdit,
  typedHost: string | undefined,
): Promise<ConfirmedRules> {
  if (isNoEdit(edit)) return { edit, mayWeaken: false, changes: [], isShared: false }
  const { rules: before, isShared } = await readRules(context, { url: baseUrl, clientId })
  assertHasApprovers(before, edit)
  const changes = ruleChanges(before, edit)
  const weaker = changes.filter(isWeakerRule)
  if (weaker.length === 0) return { edit, mayWeaken: false, changes, isShared }
  if (before.approvalFromCents !== null) throw needsPlan(weaker)
  const step = {
    url: baseUrl,
    consequence: t`This makes the rules of the account less strict, for every profile of it`,
    rows: ruleRows({ changes: weaker, isShared }),
    question: t`Type the host name to confirm this for every profile of the account`,
    nothingDone: t`Nothing was stored`,
  }
  await confirmWeakening(context, step, typedHost)
  return { edit, mayWeaken: true, changes, isShared }
}

/** While payments need a second person, so does a change that lets them do without. */
function needsPlan(weaker: readonly RuleChange[]): UsageError {
  return new UsageError(t`A second person must approve a change that makes the rules of this account less strict`, {
    code: 'APPROVAL_REQUIRED',
    details: [
      ...weaker.map(({ rule, from, to }) => t`${settingLabel(rule)}: ${settingChangeText(rule, from, to)}`),
      t`Nothing was stored`,
    ],
    hint: t`Add \`--plan\`, and ask a second person to approve the plan`,
  })
}

/**
 * Records that a person may approve nothing from now on: signatures on plans that are not sent yet count for nothing on every machine. It makes the rules
 * stricter, so it needs no plan and no confirmation. Throws UsageError for a person that the list in force does not have, and with code APPROVAL_REQUIRED if
 * fewer than two people would be left; and what the ledger throws.
 */
export async function revokeApprover(
  context: Context,
  { name, profile }: NamedSettings,
  principal: string,
  because: string,
): Promise<void> {
  const [{ accountRules, ownerOfProfile }, { verifyRules }] = await Promise.all([
    import('../../ledger/rulesInForce.ts'),
    import('../../ruleApprovals.ts'),
  ])
  const account = { url: profile.baseUrl, clientId: profile.clientId }
  await withLedgerOf(context, account, async (ledger) => {
    await verifyRules(context, ledger, account)
    await ledger.write((writer) => {
      const rules = accountRules(writer.database, account)
      const people = rules.approvers === null ? [] : [...principalsOf(rules.approvers)]
      if (!people.includes(principal)) throw unknownApprover(name, principal, people)
      if (people.length <= APPROVERS_MIN) throw tooFewApprovers(name, principal, rules)
      const owner = ownerOfProfile({ name, profile })
      writer.append({ type: 'approver-revocation', owner, principal, because })
    })
  })
}

function unknownApprover(name: string, principal: string, people: readonly string[]): UsageError {
  return new UsageError(t`\`${principal}\` is not in the list of approvers`, {
    details: [
      people.length === 0 ? t`The account has no list of approvers` : t`The list has: ${people.join(', ')}`,
      t`Nothing was changed`,
    ],
    hint: t`Run \`pixgate profile show ${name}\` to see who may approve`,
  })
}

/** No one could approve what one of them made, including another list. */
function tooFewApprovers(name: string, principal: string, { approvalFromCents }: AccountRules): UsageError {
  return new UsageError(t`Without ${principal} fewer than two people could approve`, {
    code: 'APPROVAL_REQUIRED',
    details: [t`Nothing was changed`],
    hint:
      approvalFromCents === null
        ? t`Write a list with another person in a new file, and set it with \`pixgate profile edit ${name} --approvers approvers-2\``
        : t`Write a list with another person in a new file, and have it approved: \`pixgate profile edit ${name} --approvers approvers-2 --plan\``,
  })
}

/** Changes of rules for a person: each from what to what, and for whom a stricter rule stays in force. */
export function ruleRows({ changes, isShared }: Pick<ConfirmedRules, 'changes' | 'isShared'>): LabelledRow[] {
  const rows = changes.map(({ rule, from, to }): LabelledRow => [settingLabel(rule), settingChangeText(rule, from, to)])
  if (!isShared || !changes.some(isWeakerRule)) return rows
  const kept = t`Every other login keeps the stricter rule until a person makes the same change there, too`
  return [...rows, [t`for others`, kept]]
}
