import type { KeyType } from '../pix/pixKey.ts'
import type { AccountRule } from '../profiles/accountRules.ts'
import type { SettingChange, SettingValue } from '../profiles/moneySettings.ts'
import type { Owner } from './owner.ts'

/**
 * Records that settings of a profile that concern money are about to be changed. The stored profile is what holds: a process that is killed in
 * between leaves a record of a change that was not made, never a change without a record.
 */
export interface ProfileChangeRecord {
  type: 'profile-change'
  /** The profile, null for a change of all profiles of an account, and the account; after the change, unless it was removed or left the account. */
  owner: Owner
  /** `undo` if the profile could not be stored: its changes take back those of the record before. */
  action: 'add' | 'edit' | 'remove' | 'undo'
  changes: SettingChange[]
}

/** Records a payee of an account as it is from then on, or that it was removed. */
export interface PayeeRecord {
  type: 'payee'
  /** The account, and the profile with which the payee was changed. */
  owner: Owner
  /** Names are compared without case. */
  name: string
  payee: {
    name: string
    displayName: string | null
    key: string
    keyType: KeyType
    documentValidation: string | null
  } | null
  /** Of a record that was taken over from another ledger: another one had taken its place there. */
  isPast?: true
}

/** What changes what may be sent. */
export type SettingRecord = ProfileChangeRecord | AccountRuleRecord

/** Records a change of a rule that binds every profile of an account; null is a rule that is not set. It is in force from then on. */
export interface AccountRuleRecord {
  type: 'account-rule'
  /** The account, and the profile with which the rule was changed. */
  owner: Owner
  rule: AccountRule
  from: SettingValue
  to: SettingValue
  /** The plan that allowed it, which it needs to make a rule less strict while a second person must approve. */
  plan?: string
  /** Of a record that was taken over from another ledger: another one had taken its place there. */
  isPast?: true
}
