import { type AccountRule, type AccountRules, isWeakerRule } from '../profiles/accountRules.ts'
import type { SettingValue } from '../profiles/moneySettings.ts'
import { DamagedValue, type Database, integerOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/address.ts'
import { type AccountKey, addAccount } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { findPlan } from './plans.ts'
import { addRuleChange } from './profileChanges.ts'
import type { FirstWriter, LedgerRecord } from './records.ts'
import type { AccountRuleRecord } from './settingRecords.ts'

/** The table that finds the rules in force, which is built from records: for each rule the record that set it last. */
export const ACCOUNT_RULE_TABLE = `
-- A rule of an account. seq: the record whose value is in force.
CREATE TABLE account_rule (
  account INTEGER NOT NULL REFERENCES account (id),
  rule TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES record (seq),
  PRIMARY KEY (account, rule)
) STRICT, WITHOUT ROWID;
`

/** The rules of an account that are in force. Their values are read from the records, with their checksums. Throws DamagedRecord, DamagedValue. */
export function accountRules(database: Database, { url, clientId }: AccountKey): AccountRules {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM account CROSS JOIN account_rule ON account_rule.account = account.id
     CROSS JOIN record USING (seq) WHERE account.base_url = ? AND account.client_id = ?`,
    accountAddress(url),
    clientId,
  )
  const values = new Map<string, SettingValue>()
  for (const row of rows) {
    const record = readRecord(row)
    if (record.type !== 'account-rule') throw new DamagedValue(`record ${integerOf(row, 'seq')} sets no rule`)
    values.set(record.rule, record.to)
  }
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

/** Notes the record that sets a rule. One that was taken over from another ledger does not weaken what is in force here. */
export function addAccountRule(database: Database, record: LedgerRecord<AccountRuleRecord & FirstWriter>): void {
  const { owner, rule, to, seq, firstBy } = record
  const key = { url: owner.baseUrl, clientId: owner.clientId }
  const account = addAccount(database, key)
  addRuleChange(database, record, account)
  const before = accountRules(database, key)
  const isWeaker = isWeakerRule({ rule, from: before[rule], to })
  if (firstBy !== undefined && (record.isPast === true || to === null || isWeaker)) return
  // Whoever wrote it: while a second person must approve, a weaker rule counts only with an approved plan.
  if (firstBy === undefined && isWeaker && before.approvalFromCents !== null && !isApprovedChange(database, record))
    return
  database.run(
    'INSERT INTO account_rule (account, rule, seq) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
    account,
    rule,
    seq,
  )
}

/** True if a plan allows the change of a rule: it says so, somebody else than its maker approved it, and its sending began. */
function isApprovedChange(database: Database, { plan, rule, to }: AccountRuleRecord): boolean {
  const known = plan === undefined ? undefined : findPlan(database, plan)
  if (known === undefined || known.sending === null) return false
  const { made, approvals, rejection, sending } = known
  const isInTime =
    (rejection === null || rejection.seq > sending.seq) && Date.parse(sending.at) < Date.parse(made.expiresAt)
  const isMeant = made.changes?.some((change) => change.rule === rule && change.to === to) === true
  return isInTime && isMeant && approvals.some(({ approver, seq }) => approver !== made.maker && seq < sending.seq)
}

/** The list of approvers that a record set; null if it did not. Throws DamagedRecord. */
export function approversSetBy(database: Database, seq: number): string | null {
  const row = database.get(`SELECT ${RECORD_COLUMNS} FROM record WHERE seq = ?`, seq)
  const record = row && readRecord(row)
  return record?.type === 'account-rule' && record.rule === 'approvers' && typeof record.to === 'string'
    ? record.to
    : null
}

/** The number of the record that sets the list of approvers in force; null if there is none. */
export function approversSeq(database: Database, { url, clientId }: AccountKey): number | null {
  const row = database.get(
    "SELECT seq FROM account_rule JOIN account ON account.id = account_rule.account WHERE base_url = ? AND client_id = ? AND rule = 'approvers'",
    accountAddress(url),
    clientId,
  )
  return row === undefined ? null : integerOf(row, 'seq')
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
