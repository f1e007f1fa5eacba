import type { LedgerRecord, SettingRecord } from '../ledger/records.ts'
import { formatReais, reaisFromCents, reaisOrNull } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import { plainDuration } from '../pix/duration.ts'
import { type AccountRule, type AccountRules, type RuleChange, recordedApprovers } from '../profiles/accountRules.ts'
import type { MoneySetting, SettingChange, SettingValue } from '../profiles/profile.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { instantText } from './valueText.ts'

/** So much of a checksum tells two lists apart. */
const DIGITS = 12

/** The rules of an account as JSON. */
export function rulesDocument(rules: AccountRules) {
  const { payeesOnly, payeeWaitMs, requireExternalId, approvalFromCents, approvers } = rules
  return {
    payeesOnly: payeesOnly === true,
    payeeWait: payeeWaitMs === null ? null : plainDuration(payeeWaitMs),
    requireExternalId: requireExternalId === true,
    approvalFrom: reaisOrNull(approvalFromCents),
    approvers: approvers === null ? null : recordedApprovers(approvers).file,
  }
}

/** The rules of an account that are set, for people; nothing if there is none. */
export function ruleLines({ out, textColumns }: Terminal, rules: AccountRules): string[] {
  const rows: LabelledRow[] = []
  let rule: AccountRule
  for (rule in rules) if (rules[rule] !== null) rows.push([ruleLabel(rule), ruleText(rule, rules[rule])])
  return rows.length === 0
    ? []
    : ['', t`Rules for every profile of this account:`, ...labelledLines(rows, out, textColumns)]
}

/** A change of a rule as JSON, with the keys and values of {@link rulesDocument}. */
export function ruleChangeDocument({ rule, from, to }: RuleChange) {
  switch (rule) {
    case 'payeeWaitMs':
      return { setting: 'payeeWait', from: waitText(from), to: waitText(to) } as const
    case 'approvalFromCents':
      return { setting: 'approvalFrom', from: centsAsReais(from), to: centsAsReais(to) } as const
    case 'approvers':
      return { setting: rule, from: approversText(from), to: approversText(to) } as const
    default:
      return { setting: rule, from: from === true, to: to === true }
  }
}

function centsAsReais(value: SettingValue): number | null {
  return typeof value === 'number' ? reaisFromCents(value) : null
}

/** The file of a list, and the beginning of its checksum. */
function approversText(value: SettingValue): string | null {
  if (typeof value !== 'string') return null
  const { file, sha256 } = recordedApprovers(value)
  return t`${file} (SHA-256 ${sha256.slice(0, DIGITS)}…)`
}

function waitText(value: SettingValue): string | null {
  return value === null ? null : plainDuration(Number(value))
}

export function ruleLabel(rule: AccountRule): string {
  switch (rule) {
    case 'payeesOnly':
      return t`payees only`
    case 'payeeWaitMs':
      return t`wait for new payees`
    case 'requireExternalId':
      return t`external id required`
    case 'approvalFromCents':
      return t`approval from`
    case 'approvers':
      return t`approvers`
  }
}

/** The value of a rule; null is one that is not set. */
export function ruleText(rule: AccountRule, value: SettingValue): string {
  if (value === null) return rule === 'payeeWaitMs' ? t`none` : t`no`
  if (rule === 'payeeWaitMs') return plainDuration(Number(value))
  if (rule === 'approvalFromCents') return formatReais(Number(value))
  if (rule === 'approvers') return approversText(value) ?? ''
  return value === true ? t`yes` : String(value)
}

type Change = LedgerRecord<SettingRecord>

/** A change of a profile as JSON; amounts in reais, under the keys of the profile's document. */
export function profileChangeDocument(record: Change) {
  const { at, user, machine } = record
  if (record.type === 'account-rule')
    return { at, user, machine, action: 'rule' as const, changes: [ruleChangeDocument(record)] }
  return { at, user, machine, action: record.action, changes: record.changes.map(settingDocument) }
}

/** Changes of a profile for people: a line for each, with its settings below. */
export function profileChangeLines({ out, textColumns }: Terminal, records: readonly Change[]): string[] {
  return records.flatMap((record) => {
    const { at, user, machine } = record
    const title = t`${instantText(parseInstant(at) ?? null)}, ${actionText(record)} by ${user} on ${machine}`
    if (record.type === 'account-rule') {
      const { rule, from, to } = record
      const row: LabelledRow = [ruleLabel(rule), t`${ruleText(rule, from)} → ${ruleText(rule, to)}`]
      return [title, ...labelledLines([row], out, textColumns)]
    }
    const { changes, action } = record
    // All settings of a removed profile are gone.
    if (action === 'remove') return [title]
    const rows = changes.map(({ setting, from, to }): LabelledRow => {
      const value = valueText(setting, to)
      return [settingLabel(setting), action === 'add' ? value : t`${valueText(setting, from)} → ${value}`]
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

function settingDocument({ setting, from, to }: SettingChange) {
  switch (setting) {
    case 'maxAmountCents':
      return { setting: 'maxAmount', from: reaisOf(from), to: reaisOf(to) } as const
    case 'maxDayCents':
      return { setting: 'maxDay', from: reaisOf(from), to: reaisOf(to) } as const
    default:
      return { setting, from, to }
  }
}

function reaisOf(cents: SettingValue): SettingValue {
  return typeof cents === 'number' ? reaisFromCents(cents) : cents
}

function settingLabel(setting: MoneySetting): string {
  switch (setting) {
    case 'name':
      return t`name`
    case 'baseUrl':
      return t`base URL`
    case 'clientId':
      return t`client id`
    case 'environment':
      return t`environment`
    case 'maxAmountCents':
      return t`limit per payment`
    case 'maxDayCents':
      return t`limit per day`
    case 'readOnly':
      return t`read-only`
    case 'checkCommand':
      return t`check command`
    case 'secret':
      return t`client secret`
    case 'ledger':
      return t`ledger`
  }
}

function valueText(setting: MoneySetting, value: SettingValue): string {
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatReais(value)
  if (value !== null) return value
  if (setting === 'ledger') return t`of this machine`
  return setting === 'maxAmountCents' || setting === 'maxDayCents' ? t`no limit` : t`none`
}
