import { profileEnvironment } from '../profiles/addressEnvironment.ts'
import { type NamedSettings, type SettingChange, settingChanges } from '../profiles/moneySettings.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'
import { isSameAccount } from '../wire/address.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import type { Owner } from './owner.ts'
import type { LedgerRecord } from './records.ts'
import type { AccountRuleRecord, ProfileChangeRecord, SettingRecord } from './settingRecords.ts'

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
export function profileChangeUndone({ owner, changes }: ProfileChangeRecord): ProfileChangeRecord {
  const undone = changes.map(({ setting, from, to }) => ({ setting, from: to, to: from }))
  return { type: 'profile-change', owner, action: 'undo', changes: undone }
}

/** Writes the row of a record. */
export function addProfileChange(database: Database, { seq, owner }: LedgerRecord<ProfileChangeRecord>): void {
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  const profile = owner.profile ?? EVERY_PROFILE
  database.run('INSERT INTO profile_change (seq, account, profile) VALUES (?, ?, ?)', seq, account, profile)
}

/** Writes the row of a record about a rule, which belongs to every profile of its account. */
export function addRuleChange(database: Database, { seq }: LedgerRecord<AccountRuleRecord>, account: number): void {
  database.run('INSERT INTO profile_change (seq, account, profile) VALUES (?, ?, ?)', seq, account, EVERY_PROFILE)
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
    if (record.type !== 'profile-change' && record.type !== 'account-rule') continue
    found.push(record)
    if (record.type === 'account-rule') continue
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
