import {
  ACCOUNT_RULES,
  type AccountRule,
  isWeakerSetting,
  type SettingEdit,
  type SettingValue,
  type SettingValues,
} from './settings.ts'

/** The rules that bind every profile of an account, and every variable that names it; null if one is not set. */
export type AccountRules = { [Rule in AccountRule]: SettingValues[Rule] | null }

/** Rules that somebody wants to set, or to end with null; what is absent stays. */
export type RuleEdit = SettingEdit<AccountRule>

/** A rule that is about to be changed. */
export interface RuleChange {
  rule: AccountRule
  from: SettingValue
  to: SettingValue
}

/** What an edit changes of the rules of an account. */
export function ruleChanges(before: AccountRules, edit: RuleEdit): RuleChange[] {
  const changes: RuleChange[] = []
  for (const rule of ACCOUNT_RULES) {
    const [from, to] = [before[rule], edit[rule]]
    if (to !== undefined && to !== from) changes.push({ rule, from, to })
  }
  return changes
}

/** True if a change makes its rule less strict, or ends it. */
export function isWeakerRule({ rule, from, to }: RuleChange): boolean {
  return isWeakerSetting(rule, from, to)
}
