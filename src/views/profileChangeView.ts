import type { LedgerRecord } from '../ledger/records.ts'
import type { SettingRecord } from '../ledger/settingRecords.ts'
import { formatReais, reaisFromCents } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { MoneySetting, SettingChange, SettingValue } from '../profiles/moneySettings.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { ruleChangeDocument, ruleLabel, ruleText } from './accountRuleText.ts'
import { instantText } from './valueText.ts'

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
