import { type AccountRule, type AccountRules, isWeakerRule } from '../profiles/accountRules.ts'
import type { SettingValue } from '../profiles/moneySettings.ts'
import { DamagedValue, type Database, integerOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import { type AccountKey, addAccount } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { addRuleChange } from './profileChanges.ts'
import type { FirstWriter, LedgerRecord } from './records.ts'
import type { AccountRuleRecord } from './settingRecords.ts'

/** The tables that find the rules in force, and what this machine found out about records that say that a plan allowed them. */
export const ACCOUNT_RULE_TABLES = `
-- A rule of an account. seq: the record whose value is in force.
CREATE TABLE account_rule (
  account INTEGER NOT NULL REFERENCES account (id),
  rule TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES record (seq),
  PRIMARY KEY (account, rule)
) STRICT, WITHOUT ROWID;

-- A change of a rule that names the plan that allowed it. is_valid: 1 if the signatures of the plan were verified, 0 if they are wrong, NULL if
-- nothing was verified yet.
CREATE TABLE rule_approval (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  account INTEGER NOT NULL REFERENCES account (id),
  is_valid INTEGER
) STRICT;
`

/** The record of a change of a rule. */
export type RuleRecord = LedgerRecord<AccountRuleRecord & FirstWriter>

/** The values of the rules that were set, by their names. */
export type RuleValues = Map<AccountRule, SettingValue>

/** The rules of an account that are in force. Their values are read from the records, with their checksums. Throws DamagedRecord, DamagedValue. */
export function accountRules(database: Database, { url, clientId }: AccountKey): AccountRules {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM account CROSS JOIN account_rule ON account_rule.account = account.id
     CROSS JOIN record USING (seq) WHERE account.base_url = ? AND account.client_id = ?`,
    accountAddress(url),
    clientId,
  )
  const values: RuleValues = new Map()
  for (const row of rows) {
    const record = readRecord(row)
    if (record.type !== 'account-rule') throw new DamagedValue(`record ${integerOf(row, 'seq')} sets no rule`)
    values.set(record.rule, record.to)
  }
  return rulesOf(values)
}

/** The rules as these values set them. Throws DamagedValue for one that a rule cannot have. */
export function rulesOf(values: RuleValues): AccountRules {
  function inForce<Value>(rule: AccountRule, isValue: (value: SettingValue | Value) => value is Value): Value | null {
    const value = values.get(rule) ?? null
    if (value === null || isValue(value)) return value
    throw new DamagedValue(`the rule ${rule} has a value that it cannot have`)
  }
  return {
    payeesOnly: inForce('payeesOnly', isTrue),
    payeeWaitMs: inForce('payeeWaitMs', isPositive),
    requireExternalId: inForce('requireExternalId', isTrue),
    approvalFromCents: inForce('approvalFromCents', isCents),
    approvers: inForce('approvers', isText),
  }
}

/** The record that a change which was recorded is taken back, because its profile could not be stored. */
export function ruleUndone({ owner, rule, from, to }: AccountRuleRecord): AccountRuleRecord {
  return { type: 'account-rule', owner, rule, from: to, to: from }
}

/** Writes the rows of a record that changes a rule, which it sets if it counts. */
export function addAccountRule(database: Database, record: RuleRecord): void {
  const { owner, plan, firstBy } = record
  const key = { url: owner.baseUrl, clientId: owner.clientId }
  const account = addAccount(database, key)
  addRuleChange(database, record, account)
  if (plan !== undefined && firstBy === undefined) {
    database.run('INSERT INTO rule_approval (seq, account) VALUES (?, ?)', record.seq, account)
  }
  if (doesCount(database, accountRules(database, key), record)) setRule(database, account, record)
}

/** Notes that a record sets a rule. */
export function setRule(database: Database, account: number, { rule, seq }: RuleRecord): void {
  const insert = 'INSERT INTO account_rule (account, rule, seq) VALUES (?, ?, ?)'
  database.run(`${insert} ON CONFLICT DO UPDATE SET seq = excluded.seq`, account, rule, seq)
}

/** Whether a record sets a rule where these are in force. */
export function doesCount(database: Database, before: AccountRules, record: RuleRecord): boolean {
  if (!isWeakening(before, record))
    return record.firstBy === undefined || (record.isPast !== true && record.to !== null)
  // One that was taken over from another ledger does not weaken what is in force here.
  if (record.firstBy !== undefined) return false
  // Whoever wrote it: while a second person must approve, a weaker rule counts only with a plan whose signatures were verified.
  return before.approvalFromCents === null || isApprovalValid(database, record.seq)
}

/** True if a record makes a rule less strict than these are. */
export function isWeakening(before: AccountRules, { rule, to }: RuleRecord): boolean {
  return isWeakerRule({ rule, from: before[rule], to })
}

function isApprovalValid(database: Database, seq: number): boolean {
  return database.get('SELECT 1 FROM rule_approval WHERE seq = ? AND is_valid = 1', seq) !== undefined
}

/** True if a record with this number sets a rule that is in force. */
export function isRuleInForce(database: Database, seq: number): boolean {
  return database.get('SELECT 1 FROM account_rule WHERE seq = ?', seq) !== undefined
}

function isTrue(value: SettingValue): value is true {
  return value === true
}

function isCents(value: SettingValue): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isText(value: SettingValue): value is string {
  return typeof value === 'string'
}

function isPositive(value: SettingValue): value is number {
  return typeof value === 'number' && value > 0
}
