import { formatReais, reaisFromCents, reaisOrNull } from '../pix/amount.ts'
import { plainDuration } from '../pix/duration.ts'
import { type AccountRule, type AccountRules, type RuleChange, recordedApprovers } from '../profiles/accountRules.ts'
import type { SettingValue } from '../profiles/moneySettings.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'

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
