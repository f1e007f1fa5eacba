import { type AccountRules, isWeakerRule } from '../profiles/accountRules.ts'
import { withoutApprover } from '../profiles/approvers.ts'
import { profileEnvironment } from '../profiles/profile.ts'
import { type NamedSettings, type SettingChange, settingChanges } from '../profiles/settingChanges.ts'
import { ACCOUNT_RULES, type AccountRule, SETTINGS, type SettingValue, settingsBy } from '../profiles/settings.ts'
import { DamagedValue, type Database, integerOf } from '../storage/sqlite.ts'
import { accountAddress, isSameAccount } from '../wire/baseAddress.ts'
import { type AccountKey, accountId, addAccount, type Owner } from './accounts.ts'
import { RECORD_COLUMNS, readRecord, recordsOf } from './chain.ts'
import type {
  AccountRuleRecord,
  ApproverRevocationRecord,
  FirstWriter,
  LedgerRecord,
  ProfileChangeRecord,
  SettingRecord,
} from './records.ts'

/** The tables that find the rules in force, and what this machine found out about records that say that a plan allowed them. */
export const ACCOUNT_RULE_TABLES = `
-- The records that make a rule of an account what it is: the one that set it, and those that revoked approvers of its list since.
CREATE TABLE account_rule (
  account INTEGER NOT NULL REFERENCES account (id),
  rule TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES record (seq),
  PRIMARY KEY (account, rule, seq)
) STRICT, WITHOUT ROWID;

-- A change of a rule that names the plan that allowed it, or that a login wrote into a shared ledger, and there a revocation, too. is_valid: 1 if the signatures of the plan were
-- verified, or without a plan if it is the login of this machine; 0 if not, NULL if it has not been checked yet.
CREATE TABLE rule_approval (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  account INTEGER NOT NULL REFERENCES account (id),
  is_valid INTEGER
) STRICT;
`

/** The record of a change of a rule. */
type RuleRecord = LedgerRecord<AccountRuleRecord & FirstWriter>

/** The record of a revoked approver. */
export type RevocationRecord = LedgerRecord<ApproverRevocationRecord & FirstWriter>

type RuleValues = Map<AccountRule, SettingValue>

/** The rule that a record makes what it is, and what it is from then on; undefined for a revocation that does not count. */
function setBy(
  before: AccountRules,
  record: RuleRecord | RevocationRecord,
): { rule: AccountRule; to: SettingValue } | undefined {
  if (record.type === 'account-rule') return record
  const to = before.approvers === null ? undefined : withoutApprover(before.approvers, record.principal)
  return to === undefined ? undefined : { rule: 'approvers', to }
}

/** The rules of an account that are in force. Their values are read from the records, with their checksums. Throws DamagedRecord, DamagedValue. */
export function accountRules(database: Database, { url, clientId }: AccountKey): AccountRules {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM account CROSS JOIN account_rule ON account_rule.account = account.id
     CROSS JOIN record USING (seq) WHERE account.base_url = ? AND account.client_id = ? ORDER BY seq`,
    accountAddress(url),
    clientId,
  )
  const values: RuleValues = new Map()
  for (const row of rows) {
    const record = readRecord(row)
    const set = isRuleRecord(record) ? setBy(rulesOf(values), record) : undefined
    if (set === undefined) throw new DamagedValue(`record ${integerOf(row, 'seq')} sets no rule`)
    values.set(set.rule, set.to)
  }
  return rulesOf(values)
}

/** The rules as these values set them. Throws DamagedValue for one that a rule cannot have. */
function rulesOf(values: RuleValues): AccountRules {
  return settingsBy<AccountRules>(ACCOUNT_RULES, (rule) => {
    const value = values.get(rule) ?? null
    if (value === null || SETTINGS[rule].isValid(value)) return value
    throw new DamagedValue(`the rule ${rule} has a value that it cannot have`)
  })
}

/** Writes the rows of a record that changes a rule, which it sets if it counts. */
export function addAccountRule(database: Database, record: RuleRecord | RevocationRecord): void {
  const { owner, firstBy } = record
  const key = { url: owner.baseUrl, clientId: owner.clientId }
  const account = addAccount(database, key)
  addChange(database, record.seq, account, EVERY_PROFILE)
  const isClaim = record.storedAtMs !== undefined || (record.type === 'account-rule' && record.plan !== undefined)
  if (isClaim && firstBy === undefined) {
    database.run('INSERT INTO rule_approval (seq, account) VALUES (?, ?)', record.seq, account)
  }
  if (doesCount(database, accountRules(database, key), record)) setRule(database, account, record)
}

function setRule(database: Database, account: number, record: RuleRecord | RevocationRecord): void {
  const rule = record.type === 'account-rule' ? record.rule : 'approvers'
  if (record.type === 'account-rule') {
    database.run('DELETE FROM account_rule WHERE account = ? AND rule = ?', account, rule)
  }
  database.run('INSERT INTO account_rule (account, rule, seq) VALUES (?, ?, ?)', account, rule, record.seq)
}

function doesCount(database: Database, before: AccountRules, record: RuleRecord | RevocationRecord): boolean {
  if (record.type === 'approver-revocation') return record.isPast !== true && setBy(before, record) !== undefined
  if (!isWeakening(before, record))
    return record.firstBy === undefined || (record.isPast !== true && record.to !== null)
  // One that was taken over from another ledger does not weaken what is in force here.
  if (record.firstBy !== undefined) return false
  // While a second person must approve, a weaker rule counts only with a plan whose signatures were verified.
  if (before.approvalFromCents !== null) return record.plan !== undefined && isApprovalValid(database, record.seq)
  // In a shared ledger a member may have written it by hand.
  return record.storedAtMs === undefined || isApprovalValid(database, record.seq)
}

function isWeakening(before: AccountRules, { rule, to }: RuleRecord): boolean {
  return isWeakerRule({ rule, from: before[rule], to })
}

function isApprovalValid(database: Database, seq: number): boolean {
  return database.has('SELECT 1 FROM rule_approval WHERE seq = ? AND is_valid = 1', seq)
}

/**
 * The first change of a rule that a plan made: one whose signatures were verified here, or, with `isFromElsewhere`, that came with its plan from another
 * ledger. With `isClaim` also one that was not looked at yet. Throws DamagedRecord.
 */
export function ruleChangeOfPlan(
  database: Database,
  plan: string,
  isFromElsewhere: boolean,
  isClaim = false,
): LedgerRecord | undefined {
  const row = database.get(
    `SELECT ${RECORD_COLUMNS} FROM profile_change JOIN record USING (seq) LEFT JOIN rule_approval USING (seq)
     WHERE record.type = 'account-rule' AND content ->> '$.plan' = $plan AND (is_valid = 1
       OR ($isClaim AND rule_approval.seq IS NOT NULL AND is_valid IS NULL)
       OR ($isFromElsewhere AND rule_approval.seq IS NULL)) ORDER BY seq LIMIT 1`,
    { plan, isClaim: isClaim ? 1 : 0, isFromElsewhere: isFromElsewhere ? 1 : 0 },
  )
  return row === undefined ? undefined : readRecord(row)
}

/** True if a record with this number makes a rule what it is now. */
export function isRuleInForce(database: Database, seq: number): boolean {
  return database.has('SELECT 1 FROM account_rule WHERE seq = ?', seq)
}

/** A change of a rule by a plan, with what was in force before it. */
export interface PlannedRuleChange {
  record: RuleRecord
  before: AccountRules
  /** True if it does not count without a valid approval. */
  isNeeded: boolean
}

/** The rules of an account that were in force before a record. Throws DamagedRecord, DamagedValue. */
export function rulesBefore(database: Database, account: AccountKey, seq: number): AccountRules {
  let rules = rulesOf(new Map())
  for (const { record, after } of countingRecords(database, accountId(database, account))) {
    if (record.seq >= seq) break
    rules = after
  }
  return rules
}

/** The records that count, oldest first, each with the rules from then on. Throws DamagedRecord, DamagedValue. */
function* countingRecords(
  database: Database,
  account: number,
): Generator<{ record: RuleRecord | RevocationRecord; after: AccountRules }> {
  const values: RuleValues = new Map()
  for (const record of ruleRecords(database, account)) {
    const before = rulesOf(values)
    const set = doesCount(database, before, record) ? setBy(before, record) : undefined
    if (set === undefined) continue
    values.set(set.rule, set.to)
    yield { record, after: rulesOf(values) }
  }
}

/** The revocations of approvers of an account that count, those included after which a person came back. Throws DamagedRecord, DamagedValue. */
export function revocationsOf(database: Database, account: AccountKey): RevocationRecord[] {
  const id = accountId(database, account)
  const any = "SELECT 1 FROM profile_change JOIN record USING (seq) WHERE account = ? AND type = 'approver-revocation'"
  if (!database.has(any, id)) return []
  const counting = Array.from(countingRecords(database, id), ({ record }) => record)
  return counting.filter((record) => record.type === 'approver-revocation')
}

/**
 * The list of approvers by which the sending of a plan was allowed: that in force when it began, or now if there was none. What the record of the sending
 * says does not matter, because a member of the team may have written it by hand.
 */
export function approversOfSending(database: Database, account: AccountKey, seq: number): string | null {
  return rulesBefore(database, account, seq).approvers ?? accountRules(database, account).approvers
}

/** The numbers of the changes of rules that this machine has not checked. */
export function newRuleChanges(database: Database, account: AccountKey): Set<number> {
  const rows = database.all(`${CLAIMS} AND is_valid IS NULL`, accountId(database, account))
  return new Set(rows.map((row) => integerOf(row, 'seq')))
}

const CLAIMS = 'SELECT seq FROM rule_approval JOIN record USING (seq) WHERE account = ?'
const HAS_PLAN = "content ->> '$.plan' IS NOT NULL"

/**
 * Notes for all changes of rules without a plan whether the login of this machine wrote them, and derives which rules are in force. One of another login is
 * that person's word, which makes no rule less strict here.
 */
export function noteOwnRuleChanges(database: Database, account: AccountKey, login: string): void {
  const id = accountId(database, account)
  const noted = database.run(
    `UPDATE rule_approval SET is_valid = (SELECT user = ? FROM record WHERE record.seq = rule_approval.seq)
     WHERE is_valid IS NULL AND seq IN (${CLAIMS} AND NOT ${HAS_PLAN})`,
    login,
    id,
  )
  if (noted > 0) deriveRules(database, id)
}

/** The oldest change of a rule whose plan was not verified on this machine. Throws DamagedRecord, DamagedValue. */
export function unverifiedRuleChange(database: Database, account: AccountKey): PlannedRuleChange | undefined {
  const id = accountId(database, account)
  const seq = database.integer(`${CLAIMS} AND ${HAS_PLAN} AND is_valid IS NULL ORDER BY seq LIMIT 1`, id)
  if (seq === null) return undefined
  const record = ruleRecords(database, id).find((each) => each.seq === seq)
  if (record?.type !== 'account-rule') throw new Error('an approval is noted of what changes no rule')
  const before = rulesBefore(database, account, seq)
  const isClaim = before.approvalFromCents !== null || record.storedAtMs !== undefined
  return { record, before, isNeeded: isClaim && isWeakening(before, record) }
}

/**
 * The newest change of each rule by each login that would make it less strict than it is and does not count here, oldest first; none of a rule that was changed since.
 * Throws DamagedRecord, DamagedValue.
 */
export function uncountedRuleChanges(database: Database, account: AccountKey): RuleRecord[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE seq IN (SELECT max(seq) FROM rule_approval JOIN record USING (seq)
       WHERE account = $account AND is_valid IS NOT 1 GROUP BY content ->> '$.rule', user) AND seq >
       coalesce((SELECT max(set_by.seq) FROM account_rule AS set_by WHERE account = $account AND rule = content ->> '$.rule'), 0)
     ORDER BY seq`,
    { account: accountId(database, account) },
  )
  if (rows.length === 0) return []
  const rules = accountRules(database, account)
  return recordsOf(rows, 'account-rule').filter((record) => isWeakening(rules, record))
}

/** The revocations of an account that name no approver of it, oldest first. Throws DamagedRecord, DamagedValue. */
export function uncountedRevocations(database: Database, account: AccountKey): RevocationRecord[] {
  const counting = new Set(revocationsOf(database, account).map(({ seq }) => seq))
  const all = ruleRecords(database, accountId(database, account))
  return all
    .filter((record) => record.type === 'approver-revocation')
    .filter(({ seq, firstBy }) => firstBy === undefined && !counting.has(seq))
}

/** Notes whether the plan of a change of a rule was approved, and derives which rules are in force. */
export function noteRuleApproval(database: Database, { seq, owner }: RuleRecord, isValid: boolean): void {
  database.run('UPDATE rule_approval SET is_valid = ? WHERE seq = ?', isValid ? 1 : 0, seq)
  deriveRules(database, accountId(database, { url: owner.baseUrl, clientId: owner.clientId }))
}

/** Notes what another database, the copy that is checked, has noted of the same changes of rules, and derives which rules are in force. */
export function takeRuleApprovals(database: Database, from: Database): void {
  for (const row of from.all('SELECT seq, is_valid FROM rule_approval WHERE is_valid IS NOT NULL')) {
    database.run(
      'UPDATE rule_approval SET is_valid = ? WHERE seq = ?',
      integerOf(row, 'is_valid'),
      integerOf(row, 'seq'),
    )
  }
  for (const row of database.all('SELECT DISTINCT account FROM rule_approval')) {
    deriveRules(database, integerOf(row, 'account'))
  }
}

function deriveRules(database: Database, account: number): void {
  database.run('DELETE FROM account_rule WHERE account = ?', account)
  for (const { record } of countingRecords(database, account)) setRule(database, account, record)
}

function ruleRecords(database: Database, account: number): (RuleRecord | RevocationRecord)[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM profile_change CROSS JOIN record USING (seq)
     WHERE profile_change.account = ? AND record.type IN ('account-rule', 'approver-revocation') ORDER BY seq`,
    account,
  )
  return recordsOf(rows, 'account-rule', 'approver-revocation')
}

function isRuleRecord(record: LedgerRecord): record is RuleRecord | RevocationRecord {
  return record.type === 'account-rule' || record.type === 'approver-revocation'
}

/** In place of the name of a profile. */
const EVERY_PROFILE = ''

/** The table that finds the changes of a profile, which is built from records. */
export const PROFILE_CHANGE_TABLE = `
-- A change of a profile's settings that concern money; without a name, of all profiles of the account.
CREATE TABLE profile_change (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  account INTEGER NOT NULL REFERENCES account (id),
  profile TEXT NOT NULL
) STRICT;
CREATE INDEX profile_change_profile ON profile_change (account, profile);
`

/**
 * The records of a change, before it is made; none if nothing that concerns money changes. undefined is a profile that does not exist. A profile that
 * moves to another account is recorded for both: for the one that it leaves with what differs, for the other with all that holds there.
 */
export function profileChangeRecords(
  before: NamedSettings | undefined,
  after: NamedSettings | undefined,
): ProfileChangeRecord[] {
  const changes = settingChanges(before, after)
  if (changes.length === 0) return []
  if (after === undefined) return before === undefined ? [] : [changeOf(before, 'remove', changes)]
  if (before === undefined) return [changeOf(after, 'add', changes)]
  if (isSameAccount(before.profile, after.profile)) return [changeOf(after, 'edit', changes)]
  const unchanged = settingChanges(undefined, after).filter(
    ({ setting }) => !changes.some((change) => change.setting === setting),
  )
  return [changeOf(before, 'edit', changes), changeOf(after, 'edit', [...changes, ...unchanged])]
}

/** The record that an account begins or ceases to use a shared ledger; the addresses are null for the ledger of this machine. */
export function ledgerChangeRecord(
  owner: Omit<Owner, 'profile'>,
  from: string | null,
  to: string | null,
): ProfileChangeRecord {
  const { environment, baseUrl, clientId } = owner
  const changes: SettingChange[] = [{ setting: 'ledger', from, to }]
  return { type: 'profile-change', owner: { profile: null, environment, baseUrl, clientId }, action: 'edit', changes }
}

/** The record that a change which was recorded could not be stored: everything is as it was before it. */
export function undone(record: ProfileChangeRecord | AccountRuleRecord): ProfileChangeRecord | AccountRuleRecord {
  const { type, owner } = record
  if (type === 'account-rule') return { type, owner, rule: record.rule, from: record.to, to: record.from }
  const changes = record.changes.map(({ setting, from, to }) => ({ setting, from: to, to: from }))
  return { type, owner, action: 'undo', changes }
}

/** Writes the row of a record. */
export function addProfileChange(database: Database, { seq, owner }: LedgerRecord<ProfileChangeRecord>): void {
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  addChange(database, seq, account, owner.profile ?? EVERY_PROFILE)
}

function addChange(database: Database, seq: number, account: number, profile: string): void {
  database.run('INSERT INTO profile_change (seq, account, profile) VALUES (?, ?, ?)', seq, account, profile)
}

/**
 * The newest changes of a profile in its account, newest first, those under an earlier name and those of the account included. Throws DamagedRecord.
 */
export function newestProfileChanges(
  database: Database,
  account: AccountKey,
  profile: string,
  limit: number,
): LedgerRecord<SettingRecord>[] {
  const found: LedgerRecord<SettingRecord>[] = []
  const query = `SELECT ${RECORD_COLUMNS} FROM record JOIN profile_change USING (seq)
    WHERE profile_change.account = ? AND profile_change.profile IN (?, '${EVERY_PROFILE}') AND seq < ? ORDER BY seq DESC LIMIT 1`
  const id = accountId(database, account)
  let name = profile
  let before = Number.MAX_SAFE_INTEGER
  while (found.length < limit) {
    const row = database.get(query, id, name, before)
    if (row === undefined) break
    before = integerOf(row, 'seq')
    const record = readRecord(row)
    if (record.type !== 'profile-change' && !isRuleRecord(record)) continue
    found.push(record)
    if (record.type !== 'profile-change') continue
    const renamed = record.changes.find(({ setting }) => setting === 'name')
    if (renamed?.to === name) name = String(renamed.from)
  }
  return found
}

function changeOf(
  named: NamedSettings,
  action: ProfileChangeRecord['action'],
  changes: SettingChange[],
): ProfileChangeRecord {
  return { type: 'profile-change', owner: ownerOfProfile(named), action, changes }
}

/** What is recorded as the owner of what concerns a profile. */
export function ownerOfProfile({ name, profile }: NamedSettings): Owner {
  const { baseUrl, clientId } = profile
  return { profile: name, environment: profileEnvironment(profile), baseUrl, clientId }
}
