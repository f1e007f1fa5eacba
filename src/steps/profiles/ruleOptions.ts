import { resolve } from 'node:path'
import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { AccountKey } from '../../ledger/accounts.ts'
import { withLedgerOf } from '../../openLedgers.ts'
import { readAmountOrZero, readDuration, readText } from '../../optionParsers.ts'
import {
  type AccountRules,
  approversValue,
  isWeakerRule,
  type RuleChange,
  type RuleEdit,
  ruleChanges,
} from '../../profiles/accountRules.ts'
import type { ProfileValues } from '../../profiles/profile.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { ruleLabel, ruleText } from '../../views/accountRuleText.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import { confirmWeakening } from './hostConfirmation.ts'

/** The options of `add` and `edit` that set rules of the account. They are kept in its ledger and bind every profile of it. */
export const RULE_OPTIONS = defineOptions(
  { flags: '--require-external-id', description: 'account: refuse transfers whose id would be made up' },
  { flags: '--payees-only', description: 'account: refuse transfers to keys of no payee' },
  {
    flags: '--payee-wait <duration>',
    description: 'account: how long new or changed payees wait',
    parse: readDuration,
  },
  {
    flags: '--approval-from <amount>',
    description: 'account: from this sum on a second person approves',
    parse: readAmountOrZero,
  },
  {
    flags: '--approvers <file>',
    description: 'account: who may approve (OpenSSH allowed_signers)',
    parse: readText,
    completes: 'files',
  },
)

/** The options of `edit` that end a rule of the account. */
export const CLEARING_RULE_OPTIONS = defineOptions(
  { flags: '--no-require-external-id', description: 'account: allow ids that pixgate makes up' },
  { flags: '--no-payees-only', description: 'account: allow any key' },
  { flags: '--no-payee-wait', description: 'account: pay new and changed payees at once' },
  { flags: '--no-approval-from', description: 'account: no approval by a second person' },
)

type RuleOptions = OptionsOf<[...typeof RULE_OPTIONS, ...typeof CLEARING_RULE_OPTIONS]>

/** The rules that the options of `edit` set or end: false is the `--no-` form. */
export async function typedRules({
  requireExternalId,
  payeesOnly,
  payeeWait,
  approvalFrom,
  approvers,
}: RuleOptions): Promise<RuleEdit> {
  return {
    requireExternalId: requireExternalId === false ? null : requireExternalId,
    payeesOnly: payeesOnly === false ? null : payeesOnly,
    payeeWaitMs: payeeWait === false ? null : payeeWait,
    approvalFromCents: approvalFrom === false ? null : approvalFrom,
    approvers: await approversOfFile(approvers),
  }
}

/** The rules that the options of `add` set; false is a flag that was not typed. */
export async function newRules(options: OptionsOf<typeof RULE_OPTIONS>): Promise<RuleEdit> {
  const { requireExternalId, payeesOnly, payeeWait, approvalFrom, approvers } = options
  return {
    requireExternalId: requireExternalId || undefined,
    payeesOnly: payeesOnly || undefined,
    payeeWaitMs: payeeWait,
    approvalFromCents: approvalFrom,
    approvers: await approversOfFile(approvers),
  }
}

/** The list of approvers in a file, as the rule keeps it. Throws UsageError for one that cannot be used. */
async function approversOfFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const { readApprovers } = await import('../../plans/sshSignature.ts')
  const { text } = readApprovers(path)
  return approversValue({ file: resolve(path), list: text })
}

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
}

/** True if no option sets or ends a rule. */
export function isNoRule(edit: RuleEdit): boolean {
  return Object.values(edit).every((value) => value === undefined)
}

async function readRules(context: Context, account: AccountKey): Promise<AccountRules> {
  const [{ accountRules }, { verifyRules }] = await Promise.all([
    import('../../ledger/rulesInForce.ts'),
    import('../../ruleApprovals.ts'),
  ])
  return withLedgerOf(context, account, async (ledger) => {
    await verifyRules(context, ledger, account)
    return ledger.read((database) => accountRules(database, account))
  })
}

/** The rules of an account; null, with a warning, if its ledger cannot be read. */
export async function rulesInForce(
  context: Context,
  account: AccountKey,
  warn: (line: string) => void,
): Promise<AccountRules | null> {
  try {
    return await readRules(context, account)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    warn(t`The rules and the changes of this profile cannot be shown: ${error.message}`)
    return null
  }
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
  if (isNoRule(edit)) return { edit, mayWeaken: false }
  const before = await readRules(context, { url: baseUrl, clientId })
  assertHasApprovers(before, edit)
  const weaker = ruleChanges(before, edit).filter(isWeakerRule)
  if (weaker.length === 0) return { edit, mayWeaken: false }
  if (before.approvalFromCents !== null) throw needsPlan(weaker)
  const rows = weaker.map(
    ({ rule, from, to }): LabelledRow => [ruleLabel(rule), t`${ruleText(rule, from)} → ${ruleText(rule, to)}`],
  )
  const step = {
    address: readBaseAddress(baseUrl, 'baseUrl'),
    consequence: t`This makes the rules of the account less strict, for every profile of it`,
    rows,
    question: t`Type the host name to confirm this for every profile of the account`,
    nothingDone: t`Nothing was stored`,
  }
  await confirmWeakening(context, step, typedHost)
  return { edit, mayWeaken: true }
}

/** While payments need a second person, so does a change that lets them do without. */
function needsPlan(weaker: readonly RuleChange[]): UsageError {
  return new UsageError(t`A second person must approve a change that makes the rules of this account less strict`, {
    code: 'APPROVAL_REQUIRED',
    details: [
      ...weaker.map(({ rule, from, to }) => t`${ruleLabel(rule)}: ${ruleText(rule, from)} → ${ruleText(rule, to)}`),
      t`Nothing was stored`,
    ],
    hint: t`Add \`--plan\`, and ask a second person to approve the plan`,
  })
}

/** Says whom rules bind that were just set or ended. */
export function noteRules({ terminal }: Context): void {
  terminal.note(t`The rules of the account are changed, for every profile and variable that names it`)
}
