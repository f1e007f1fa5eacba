import type { LedgerRecord, ProfileChangeRecord, SettingRecord } from '../ledger/records.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { AccountRules, RuleChange } from '../profiles/accountRules.ts'
import { approversOf, changedApprovers } from '../profiles/approvers.ts'
import type { MoneySetting, SettingChange } from '../profiles/settingChanges.ts'
import {
  ACCOUNT_RULES,
  type AccountRule,
  APPROVER_LIST,
  type ProfileSetting,
  SETTINGS,
  type SettingName,
  type SettingValue,
  settingChangeText,
  settingJson,
  settingKey,
  settingLabel,
  settingMembers,
  settingText,
} from '../profiles/settings.ts'
import {
  BOOLEAN,
  describe,
  either,
  enumOf,
  INSTANT,
  list,
  mayBeMissing,
  NUMBER,
  objectOf,
  orNull,
  TEXT,
} from '../schemas/jsonSchema.ts'
import { viewOf } from '../terminal/fields.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { declared, t, translated } from '../text/translate.ts'
import { instantText } from './valueText.ts'

const SETTING_VALUE = orNull(either(TEXT, NUMBER, BOOLEAN, APPROVER_LIST))

/** What a setting was and is. */
export const SETTING_CHANGE = objectOf(
  { setting: TEXT, from: SETTING_VALUE, to: SETTING_VALUE },
  { removed: describe('Who is no longer in the list of approvers', APPROVER_LIST), added: APPROVER_LIST },
)

/** A change of a profile, or of a rule of its account; amounts in reais, under the keys of the JSON of a profile. */
export const PROFILE_CHANGE = viewOf<Change>()({
  at: [INSTANT, ({ at }) => at],
  user: [TEXT, ({ user }) => user],
  machine: [TEXT, ({ machine }) => machine],
  action: [enumOf('add', 'edit', 'remove', 'undo', 'rule', 'revoke'), actionOf],
  changes: [list(SETTING_CHANGE), (record) => changesOf(record).map(changeDocument)],
  because: [mayBeMissing(TEXT), (record) => (record.type === 'approver-revocation' ? record.because : undefined)],
})

/** The rules of an account as JSON. */
export const RULES = viewOf<AccountRules>()(settingMembers(ACCOUNT_RULES, (rules: AccountRules) => rules))

/** The rules of an account that are set, for people; nothing if there is none. */
export function ruleLines({ out, textColumns }: Terminal, rules: AccountRules): string[] {
  const rows = ACCOUNT_RULES.filter((rule) => rules[rule] !== null).flatMap((rule): LabelledRow[] => {
    if (rule !== 'approvers' || rules.approvers === null) return [[settingLabel(rule), settingText(rule, rules[rule])]]
    const people = approversOf(rules.approvers).map(({ principal, fingerprint }) => t`${principal} (${fingerprint})`)
    return people.map((text, place): LabelledRow => [place === 0 ? settingLabel(rule) : '', text])
  })
  return rows.length === 0
    ? []
    : ['', t`Rules for every profile of this account:`, ...labelledLines(rows, out, textColumns)]
}

/** A change of a rule as JSON, with the keys and values of {@link RULES}. */
export function ruleChangeDocument({ rule, from, to }: RuleChange) {
  return changeDocument({ setting: rule, from, to })
}

type Change = LedgerRecord<SettingRecord>

function changesOf(record: Change): readonly AnyChange[] {
  if (record.type === 'profile-change') return record.changes
  if (record.type === 'approver-revocation') return [{ setting: 'approvers', from: record.principal, to: null }]
  const { rule: setting, from, to } = record
  return [{ setting, from, to }]
}

type AnyChange = SettingChange | { setting: AccountRule; from: SettingValue; to: SettingValue }

/** What was done, as people read it. */
const ACTIONS = {
  add: declared`added`,
  edit: declared`changed`,
  remove: declared`removed`,
  undo: declared`left as it was, because it could not be stored,`,
  rule: declared`a rule of the account changed`,
  revoke: declared`a rule of the account changed`,
} as const satisfies Record<ProfileChangeRecord['action'] | 'rule' | 'revoke', string>

function actionOf(record: Change): keyof typeof ACTIONS {
  if (record.type === 'profile-change') return record.action
  return record.type === 'account-rule' ? 'rule' : 'revoke'
}

/** Changes of a profile for people: a line for each, with its settings below. */
export function profileChangeLines({ out, textColumns }: Terminal, records: readonly Change[]): string[] {
  return records.flatMap((record) => {
    const { at, user, machine } = record
    const action = actionOf(record)
    const title = t`${instantText(parseInstant(at) ?? null)}, ${translated(ACTIONS[action])} by ${user} on ${machine}`
    // All settings of a removed profile are gone.
    if (action === 'remove') return [title]
    const rows =
      record.type === 'approver-revocation'
        ? [[settingLabel('approvers'), t`revoked ${record.principal}: ${record.because}`] as const]
        : changesOf(record).map(
            (change): LabelledRow => [
              labelOf(change.setting),
              action === 'add' ? valueText(change.setting, change.to) : changeText(change),
            ],
          )
    return [title, ...labelledLines(rows, out, textColumns)]
  })
}

/** What is recorded of a profile in addition to its settings. */
const OTHERS = {
  name: { label: declared`name`, none: declared`none` },
  secret: { label: declared`client secret`, none: declared`none` },
  ledger: { label: declared`ledger`, none: declared`of this machine` },
} as const satisfies Record<Exclude<MoneySetting, ProfileSetting>, object>

function isOther(setting: string): setting is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, setting)
}

/** False for what only a newer pixgate, or somebody by hand, has recorded. */
function isKnown(setting: string): setting is SettingName {
  return Object.hasOwn(SETTINGS, setting)
}

function changeDocument({ setting: name, from, to }: AnyChange) {
  const setting: string = name
  if (!isKnown(setting)) return { setting, from, to }
  const change = { setting: settingKey(setting), from: settingJson(setting, from), to: settingJson(setting, to) }
  const { isValid } = SETTINGS.approvers
  if (setting !== 'approvers' || !isValid(to)) return change
  return { ...change, ...changedApprovers(isValid(from) ? from : null, to) }
}

function changeText({ setting: name, from, to }: AnyChange): string {
  const setting: string = name
  if (isKnown(setting)) return settingChangeText(setting, from, to)
  return t`${valueText(setting, from)} → ${valueText(setting, to)}`
}

function labelOf(setting: string): string {
  if (isKnown(setting)) return settingLabel(setting)
  return isOther(setting) ? translated(OTHERS[setting].label) : setting
}

function valueText(setting: string, value: SettingValue): string {
  if (isKnown(setting)) return settingText(setting, value)
  if (value !== null) return String(value)
  return translated((isOther(setting) ? OTHERS[setting] : OTHERS.name).none)
}
