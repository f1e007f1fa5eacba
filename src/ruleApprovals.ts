import type { AccountKey } from './ledger/accounts.ts'
import type { Ledger } from './ledger/ledger.ts'
import { unjudgedSteps } from './ledger/plans.ts'
import {
  accountRules,
  newRuleChanges,
  noteOwnRuleChanges,
  uncountedRevocations,
  uncountedRuleChanges,
} from './ledger/rulesInForce.ts'
import { formatInstant, parseInstant } from './pix/calendar.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Terminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'

/** The command that reads rules: where it looks for what verifies signatures, and where it names records. */
interface RuleReader {
  readonly runtime: { readonly env: EnvironmentVariables }
  readonly terminal: Pick<Terminal, 'alarm' | 'next' | 'note'>
}

/** The account, and the profile by which a person changes its rules here. */
interface RuledAccount extends AccountKey {
  profile?: string | null
}

/** The records that a command has named. */
const named = new WeakMap<RuleReader, Set<number>>()

/**
 * Verifies what says that a rule of an account became less strict, and who signed its plans, as far as this machine has not done so yet, and names what does
 * not count; with `namesAll` also what was named before. To be called before rules are read, outside of any transaction. Throws what the ledger throws.
 */
export async function verifyRules(
  context: RuleReader,
  ledger: Ledger,
  account: RuledAccount,
  namesAll = false,
): Promise<void> {
  const told = named.get(context) ?? new Set()
  named.set(context, told)
  for (const { seq, isNew, sentence, change, hint } of await uncountedRules(context, ledger, account)) {
    if (told.has(seq) || !(isNew || namesAll)) continue
    told.add(seq)
    context.terminal.alarm(sentence)
    context.terminal.note(change)
    context.terminal.next(hint)
  }
  await judgeSigned(context, ledger, account, namesAll)
}

/**
 * Verifies who signed what others recorded about plans of an account, so that a record without the signature of the person whom it names is listed with the
 * unreadable ones. `isThorough` looks at all of it; else at the newest, and the number of the others is said. To be called once the rules were verified, which say who may sign. Throws what the ledger throws.
 */
export async function judgeSigned(
  { runtime: { env }, terminal }: RuleReader,
  ledger: Ledger,
  account: AccountKey,
  isThorough = false,
): Promise<void> {
  if (!(await ledger.read((database) => unjudgedSteps(database, account, 1).length > 0))) return
  const { judgePlanSignatures } = await import('./plans/verifyPlan.ts')
  const left = await judgePlanSignatures(ledger, account, env, isThorough)
  if (left > 0)
    terminal.note(
      t`Signatures of records about plans that are not verified here yet: ${left}. Nothing rests on them; \`pixgate history check\` verifies them all`,
    )
}

/** A change of a rule that does not count, and what is said about it. */
interface UncountedRule {
  seq: number
  /** True if it was looked at now for the first time. */
  isNew: boolean
  /** Which record it is, and why it does not count. */
  sentence: string
  change: string
  /** What to type if it is meant. */
  hint: string
}

/** Verifies them in the same way, and returns what does not count. */
export async function uncountedRules(
  { runtime: { env } }: Pick<RuleReader, 'runtime'>,
  ledger: Ledger,
  account: RuledAccount,
): Promise<UncountedRule[]> {
  const why = new Map<number, string>()
  const fresh = await ledger.read((database) => newRuleChanges(database, account))
  if (fresh.size > 0) {
    await ledger.writeHere(({ database }) => noteOwnRuleChanges(database, account, ledger.environment.user))
    const { verifyRuleChanges } = await import('./plans/verifyPlan.ts')
    for (const [seq, fault] of await verifyRuleChanges(ledger, account, env)) why.set(seq, fault)
  }
  const { records, revocations, rules } = await ledger.read((database) => {
    const records = uncountedRuleChanges(database, account)
    const revocations = uncountedRevocations(database, account)
    const isNone = records.length + revocations.length === 0
    return { records, revocations, rules: isNone ? null : accountRules(database, account) }
  })
  if (rules === null) return []
  const { settingLabel, settingChangeText, settingCommand } = await import('./profiles/settings.ts')
  const revoked = revocations.map(({ seq, user, machine, at, principal, because, owner }): UncountedRule => {
    const instant = formatInstant(parseInstant(at) ?? 0)
    return {
      seq,
      isNew: fresh.has(seq),
      sentence: t`Record ${seq} of the ledger, written by ${user} on ${machine} at ${instant}, does not count: it revokes ${principal}, whom the list of approvers did not have, or one of the last two`,
      change: t`Its reason: ${because}`,
      hint: t`Run \`pixgate profile show ${account.profile ?? owner.profile ?? ''}\` to see who may approve`,
    }
  })
  const weaker = records.map((record): UncountedRule => {
    const { seq, user, machine, at, rule, to, plan, owner } = record
    const instant = formatInstant(parseInstant(at) ?? 0)
    const command = settingCommand(account.profile ?? owner.profile ?? '', rule, to)
    const fault =
      why.get(seq) ?? (plan === undefined ? t`another login wrote it, without a plan` : t`its plan was not approved`)
    return {
      seq,
      isNew: fresh.has(seq),
      sentence: t`Record ${seq} of the ledger, written by ${user} on ${machine} at ${instant}, makes a rule less strict and does not count here, so the stricter rule stays in force: ${fault}`,
      change: t`${settingLabel(rule)}: ${settingChangeText(rule, rules[rule], to)}`,
      hint: t`Run \`${rules.approvalFromCents === null ? command : `${command} --plan`}\` on this machine, too, if it is meant`,
    }
  })
  return [...weaker, ...revoked]
}
