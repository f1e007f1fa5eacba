import type { LedgerRecord, SettingRecord } from '../ledger/records.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { AccountRules, RuleChange } from '../profiles/accountRules.ts'
import type { MoneySetting, SettingChange } from '../profiles/settingChanges.ts'
import {
  ACCOUNT_RULES,
  type AccountRule,
  type ProfileSetting,
  type SettingValue,
  settingJson,
  settingKey,
  settingLabel,
  settingText,
} from '../profiles/settings.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { declared, t, translated } from '../text/translate.ts'
import { instantText } from './valueText.ts'

/** The rules of an account as JSON. */
export function rulesDocument(rules: AccountRules) {
  return Object.fromEntries(ACCOUNT_RULES.map((rule) => [settingKey(rule), settingJson(rule, rules[rule])]))
}

/** The rules of an account that are set, for people; nothing if there is none. */
export function ruleLines({ out, textColumns }: Terminal, rules: AccountRules): string[] {
  const rows = ACCOUNT_RULES.filter((rule) => rules[rule] !== null).map(
    (rule): LabelledRow => [settingLabel(rule), settingText(rule, rules[rule])],
  )
  return rows.length === 0
    ? []
    : ['', t`Rules for every profile of this account:`, ...labelledLines(rows, out, textColumns)]
}

/** A change of a rule as JSON, with the keys and values of {@link rulesDocument}. */
export function ruleChangeDocument({ rule, from, to }: RuleChange) {
  return changeDocument({ setting: rule, from, to })
}

type Change = LedgerRecord<SettingRecord>

function changesOf(record: Change): readonly AnyChange[] {
  if (record.type === 'profile-change') return record.changes
  const { rule: setting, from, to } = record
  return [{ setting, from, to }]
}

type AnyChange = SettingChange | { setting: AccountRule; from: SettingValue; to: SettingValue }

/** A change of a profile as JSON; amounts in reais, under the keys of the profile's document. */
export function profileChangeDocument(record: Change) {
  const { at, user, machine } = record
  const action = record.type === 'account-rule' ? 'rule' : record.action
  return { at, user, machine, action, changes: changesOf(record).map(changeDocument) } as const
}

/** Changes of a profile for people: a line for each, with its settings below. */
export function profileChangeLines({ out, textColumns }: Terminal, records: readonly Change[]): string[] {
  return records.flatMap((record) => {
    const { at, user, machine } = record
    const title = t`${instantText(parseInstant(at) ?? null)}, ${actionText(record)} by ${user} on ${machine}`
    const action = record.type === 'account-rule' ? 'edit' : record.action
    // All settings of a removed profile are gone.
    if (action === 'remove') return [title]
    const rows = changesOf(record).map(({ setting, from, to }): LabelledRow => {
      const value = valueText(setting, to)
      return [labelOf(setting), action === 'add' ? value : t`${valueText(setting, from)} → ${value}`]
    })
    return [title, ...labelledLines(rows, out, textColumns)]
  })
}

function actionText(record: Change): string {
  if (record.type === 'account-rule') return t`a rule of the account changed`
  switch (record.action) {
    case 'add':
      return t`added`
    case 'edit':
      return t`changed`
    case 'remove':
      return t`removed`
    case 'undo':
      return t`left as it was, because it could not be stored,`
  }
}

/** What is recorded of a profile in addition to its settings. */
const OTHERS = {
  name: { label: declared`name`, none: declared`none` },
  secret: { label: declared`client secret`, none: declared`none` },
  ledger: { label: declared`ledger`, none: declared`of this machine` },
} as const satisfies Record<Exclude<MoneySetting, ProfileSetting>, object>

type AnySetting = MoneySetting | AccountRule

function isOther(setting: AnySetting): setting is keyof typeof OTHERS {
  return setting in OTHERS
}

function changeDocument({ setting, from, to }: AnyChange) {
  if (isOther(setting)) return { setting, from, to }
  // Two lists may have come from one file.
  const json = (value: SettingValue) =>
    setting === 'approvers' && value !== null ? settingText(setting, value) : settingJson(setting, value)
  return { setting: settingKey(setting), from: json(from), to: json(to) }
}

function labelOf(setting: AnySetting): string {
  return isOther(setting) ? translated(OTHERS[setting].label) : settingLabel(setting)
}

function valueText(setting: AnySetting, value: SettingValue): string {
  if (!isOther(setting)) return settingText(setting, value)
  return value === null ? translated(OTHERS[setting].none) : String(value)
}
