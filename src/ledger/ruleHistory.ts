import type { AccountRules } from '../profiles/accountRules.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import {
  accountRules,
  doesCount,
  isWeakening,
  type RuleRecord,
  type RuleValues,
  rulesOf,
  setRule,
} from './accountRules.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'

/** A change of a rule by a plan, with what was in force before it. */
export interface PlannedRuleChange {
  record: RuleRecord
  before: AccountRules
  /** True if it does not count without a valid approval. */
  isNeeded: boolean
}

/** The rules of an account that were in force before a record. Throws DamagedRecord, DamagedValue. */
function rulesBefore(database: Database, account: AccountKey, seq: number): AccountRules {
  const values: RuleValues = new Map()
  for (const record of ruleRecords(database, accountId(database, account))) {
    if (record.seq >= seq) break
    if (doesCount(database, rulesOf(values), record)) values.set(record.rule, record.to)
  }
  return rulesOf(values)
}

/**
 * The list of approvers by which the sending of a plan was allowed: that in force when it began, or now if there was none. What the record of the sending
 * says does not matter, because a member of the team may have written it by hand.
 */
export function approversOfSending(database: Database, account: AccountKey, seq: number): string | null {
  return rulesBefore(database, account, seq).approvers ?? accountRules(database, account).approvers
}

/** The oldest change of a rule whose plan was not verified on this machine. Throws DamagedRecord, DamagedValue. */
export function unverifiedRuleChange(database: Database, account: AccountKey): PlannedRuleChange | undefined {
  const row = database.get(
    `SELECT seq FROM account CROSS JOIN rule_approval ON rule_approval.account = account.id
     WHERE base_url = ? AND client_id = ? AND is_valid IS NULL ORDER BY seq LIMIT 1`,
    accountAddress(account.url),
    account.clientId,
  )
  if (row === undefined) return undefined
  const seq = integerOf(row, 'seq')
  const record = ruleRecords(database, accountId(database, account)).find((each) => each.seq === seq)
  if (record === undefined) throw new Error('an approval is noted of what changes no rule')
  const before = rulesBefore(database, account, seq)
  return { record, before, isNeeded: before.approvalFromCents !== null && isWeakening(before, record) }
}

/** Notes whether the plan of a change of a rule was approved, and derives which rules are in force. */
export function noteRuleApproval(database: Database, { seq, owner }: RuleRecord, isValid: boolean): void {
  database.run('UPDATE rule_approval SET is_valid = ? WHERE seq = ?', isValid ? 1 : 0, seq)
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  database.run('DELETE FROM account_rule WHERE account = ?', account)
  const values: RuleValues = new Map()
  for (const record of ruleRecords(database, account)) {
    if (!doesCount(database, rulesOf(values), record)) continue
    values.set(record.rule, record.to)
    setRule(database, account, record)
  }
}

function ruleRecords(database: Database, account: number): RuleRecord[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM profile_change CROSS JOIN record USING (seq)
     WHERE profile_change.account = ? AND record.type = 'account-rule' ORDER BY seq`,
    account,
  )
  return rows.map(readRecord).filter((record) => record.type === 'account-rule')
}
