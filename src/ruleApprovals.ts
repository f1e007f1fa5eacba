import type { AccountKey } from './ledger/accounts.ts'
import type { Ledger } from './ledger/ledger.ts'
import { unverifiedRuleChange } from './ledger/rulesInForce.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Terminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'

/** The command that reads rules: where it looks for what verifies signatures, and where it names records. */
interface RuleReader {
  readonly runtime: { readonly env: EnvironmentVariables }
  readonly terminal: Pick<Terminal, 'alarm' | 'note'>
}

/** The records that a command has named. */
const named = new WeakMap<RuleReader, Set<number>>()

/**
 * Verifies what says that a plan made a rule of an account less strict, as far as this machine has not done so yet, and names the records that do not count.
 * To be called before rules are read, outside of any transaction. Throws what the ledger throws.
 */
export async function verifyRules(context: RuleReader, ledger: Ledger, account: AccountKey): Promise<void> {
  if ((await ledger.read((database) => unverifiedRuleChange(database, account))) === undefined) return
  const [{ verifyRuleChanges }, { settingLabel, settingChangeText }] = await Promise.all([
    import('./plans/verifyPlan.ts'),
    import('./profiles/settings.ts'),
  ])
  const told = named.get(context) ?? new Set()
  named.set(context, told)
  for (const { record, why } of await verifyRuleChanges(ledger, account, context.runtime.env)) {
    const { seq, user, rule, from, to } = record
    if (told.has(seq)) continue
    told.add(seq)
    context.terminal.alarm(
      t`Record ${seq} of the ledger, written by ${user}, makes a rule less strict and does not count, so the stricter rule stays in force: ${why}`,
    )
    context.terminal.note(t`${settingLabel(rule)}: ${settingChangeText(rule, from, to)}`)
  }
}
