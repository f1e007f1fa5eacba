import { hash } from 'node:crypto'
import { isObject } from '../wire/answers.ts'
import type { SettingValue } from './profile.ts'

/** The rules that bind every profile of an account, and every variable that names it; null if one is not set. */
export interface AccountRules {
  /** Transfers to keys that are not those of a payee are refused. */
  payeesOnly: true | null
  /** For how many ms nothing is sent to a payee that is new, or whose key was changed. */
  payeeWaitMs: number | null
  /** Transfers under an id that pixgate made up are refused. */
  requireExternalId: true | null
  /** From this sum on, in cents, payments need a plan that a second person approved; 0 for all. */
  approvalFromCents: number | null
  /** Who may make and approve plans; see {@link approversValue}. */
  approvers: string | null
}

export type AccountRule = keyof AccountRules
/** Rules that somebody wants to set, or to end with null; what is absent stays. */
export type RuleEdit = { readonly [Rule in AccountRule]?: AccountRules[Rule] | undefined }

/** A rule that is about to be changed. */
export interface RuleChange {
  rule: AccountRule
  from: SettingValue
  to: SettingValue
}

/** Whether another value of a rule is weaker. The order is that in which rules are shown. */
const IS_WEAKER: Readonly<Record<AccountRule, (from: SettingValue, to: SettingValue) => boolean>> = {
  requireExternalId: () => false,
  payeesOnly: () => false,
  payeeWaitMs: (from, to) => Number(to) < Number(from),
  approvalFromCents: (from, to) => Number(to) > Number(from),
  approvers: (from, to) => listOf(from) !== listOf(to),
}

/** A list of approvers as a rule keeps it. */
interface RecordedApprovers {
  /** The absolute path of the file, on the machine on which the rule was set. */
  file: string
  /** The text of the file. */
  list: string
}

/** The value of the rule `approvers`. */
export function approversValue({ file, list }: RecordedApprovers): string {
  return JSON.stringify({ file, list })
}

/** The list of approvers in the value of the rule, with its hex SHA-256. */
export function recordedApprovers(value: string): RecordedApprovers & { sha256: string } {
  const parsed: unknown = JSON.parse(value)
  const { file, list } = isObject(parsed) ? parsed : {}
  if (typeof file !== 'string' || typeof list !== 'string') throw new Error('the rule `approvers` has no list')
  return { file, list, sha256: hash('sha256', list) }
}

function listOf(value: SettingValue): string | null {
  return typeof value === 'string' ? recordedApprovers(value).list : null
}

/** The names of all rules. */
export const ACCOUNT_RULES = Object.keys(IS_WEAKER).filter((name): name is AccountRule => name in IS_WEAKER)

/** What an edit changes of the rules of an account. */
export function ruleChanges(before: AccountRules, edit: RuleEdit): RuleChange[] {
  const changes: RuleChange[] = []
  let rule: AccountRule
  for (rule in IS_WEAKER) {
    const [from, to] = [before[rule], edit[rule]]
    if (to !== undefined && to !== from) changes.push({ rule, from, to })
  }
  return changes
}

/** True if a change makes its rule less strict, or ends it. */
export function isWeakerRule({ rule, from, to }: RuleChange): boolean {
  return from !== null && (to === null || IS_WEAKER[rule](from, to))
}
