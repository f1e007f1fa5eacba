import type { Context } from '../../context.ts'
import type { Owner } from '../../ledger/accounts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { AccountRuleRecord, ProfileChangeRecord } from '../../ledger/records.ts'
import {
  accountRules,
  ledgerChangeRecord,
  ownerOfProfile,
  profileChangeRecords,
  undone,
} from '../../ledger/rulesInForce.ts'
import { OnlyReads } from '../../ledger/team/serverErrors.ts'
import type { Writer } from '../../ledger/writer.ts'
import { withLedgerOf } from '../../openLedgers.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { isWeakerRule, ruleChanges } from '../../profiles/accountRules.ts'
import { changeProfiles } from '../../profiles/changeProfiles.ts'
import { unknownProfile } from '../../profiles/credentialErrors.ts'
import { type ProfileStore, profileEnvironment, type StoredProfile } from '../../profiles/profile.ts'
import type { NamedSettings } from '../../profiles/settingChanges.ts'
import { isNoEdit } from '../../profiles/settings.ts'
import { readProfiles } from '../../profiles/store.ts'
import { nearest } from '../../text/suggest.ts'
import { t } from '../../text/translate.ts'
import { isSameAccount } from '../../wire/baseAddress.ts'
import { Failure, NotReached, UsageError } from '../../wire/errors.ts'
import { weakerSettings } from './hostConfirmation.ts'
import type { ConfirmedRules } from './ruleOptions.ts'

/** Reads this user's stored profiles. Throws UsageError. */
export async function loadProfiles(context: Context, { warn }: Warnings): Promise<ProfileStore> {
  return readProfiles(context.configFolder(), warn)
}

/** The parts of the store that change, and what differs, if it concerns money. */
export interface StoreUpdate extends ProfileVersions {
  store: Partial<ProfileStore>
}

/**
 * Changes this user's stored profiles. What concerns money is recorded in the ledger first, see {@link recordChange}. Throws UsageError, and NotReached
 * if the ledger is busy or not reached; then nothing was changed.
 */
export async function updateProfiles(
  context: Context,
  update: (store: ProfileStore) => StoreUpdate | Promise<StoreUpdate>,
  warnings: Warnings,
): Promise<void> {
  let recorded: ChangeRecord[] = []
  let ledger: LedgerChange | undefined
  const change = async (stored: ProfileStore) => {
    const { store, ...versions } = await update(stored)
    ledger = versions.ledger
    recorded = await recordChange(context, versions, warnings.warn)
    return store
  }
  try {
    await changeProfiles(context.configFolder(), change, warnings.warn)
  } catch (error) {
    await recordUndone(context, recorded, ledger, warnings.warn)
    throw error
  }
}

/** The stored profile with this name. Throws a UsageError that suggests similar names. */
export function requireProfile({ profiles }: ProfileStore, name: string): StoredProfile {
  const profile = profiles.get(name)
  if (profile !== undefined) return profile
  throw unknownProfile(name, nearest(name, [...profiles.keys(), LOCAL_PROFILE.name]))
}

/** Collects warnings for the JSON document and, in text mode, prints them to stderr. */
export interface Warnings {
  readonly lines: readonly string[]
  warn(line: string): void
}

/** Creates an empty collection of warnings. */
export function collectWarnings({ terminal }: Context): Warnings {
  const lines: string[] = []
  return {
    lines,
    warn(line) {
      lines.push(line)
      terminal.warn(line)
    },
  }
}

/** What changes a profile, its ledger, or a rule of its account. */
type ChangeRecord = ProfileChangeRecord | AccountRuleRecord

interface LedgerChange {
  owner: Omit<Owner, 'profile'>
  /** Addresses; null for the ledger of this machine. */
  from: string | null
  to: string | null
  /** The shared ledger, which holds the record: the team sees who came and who left. */
  shared: Ledger
}

/** What a change changes: a profile before and after it, absent if it does not exist, and the ledger and the rules of its account. */
interface ProfileVersions {
  before?: NamedSettings | undefined
  after?: NamedSettings | undefined
  ledger?: LedgerChange | undefined
  rules?: ConfirmedRules
}

/**
 * Records a change of a profile that concerns money, before it is stored: what holds must have a record, whatever is killed. Each account's ledger gets
 * the records of the account. Returns what was recorded. If a ledger cannot be written, a change that makes a production profile less strict, or chooses
 * another ledger, throws UsageError, or NotReached if the ledger is busy or not reached; so does a change of the rules of an account, which are kept there
 * alone. Any other is made with a warning, so that a profile can be set up, or restricted, without a ledger.
 */
async function recordChange(
  context: Context,
  { before, after, ledger, rules }: ProfileVersions,
  warn: (line: string) => void,
): Promise<ChangeRecord[]> {
  const records = profileChangeRecords(before, after)
  if (ledger !== undefined && ledger.from !== ledger.to) {
    records.push(ledgerChangeRecord(ledger.owner, ledger.from, ledger.to))
  }
  const recorded: ChangeRecord[] = []
  try {
    for (const record of records) recorded.push(...(await append(context, record.owner, ledger, () => [record])))
    if (rules !== undefined && after !== undefined && !isNoEdit(rules.edit)) {
      const owner = ownerOfProfile(after)
      recorded.push(...(await append(context, owner, ledger, (writer) => changedRules(writer, owner, rules))))
    }
    return recorded
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // An auditor, who may join and read, cannot record it.
    const isLedgerNeeded = ledger !== undefined && error.code !== 'LEDGER_LOGIN_REFUSED'
    const isNeeded = isLedgerNeeded || (rules !== undefined && !isNoEdit(rules.edit))
    if (!isNeeded && (before === undefined || !isWeaker(before, after))) {
      // Who only reads changes nothing for the team.
      if (!(error instanceof OnlyReads))
        warn(t`The change of this profile is not recorded in the ledger: ${error.message}`)
      return recorded
    }
    await recordUndone(context, recorded, ledger, warn)
    throw isNeeded || before === undefined ? error : notRecorded(before.name, error)
  }
}

/** Records that what was recorded could not be stored. If that fails, too, it only warns, because the profile is as it was. */
async function recordUndone(
  context: Context,
  recorded: readonly ChangeRecord[],
  ledger: LedgerChange | undefined,
  warn: (line: string) => void,
): Promise<void> {
  try {
    for (const record of recorded) {
      await append(context, record.owner, ledger, () => [undone(record)])
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    warn(t`The ledger has a record of this change, which was not made: ${error.message}`)
  }
}

function append(
  context: Context,
  owner: Owner,
  change: LedgerChange | undefined,
  make: (writer: Writer) => ChangeRecord[],
): Promise<ChangeRecord[]> {
  const write = (ledger: Ledger) =>
    ledger.write((writer) => {
      const records = make(writer)
      for (const record of records) writer.append(record)
      return records
    })
  if (change !== undefined && isSameAccount(change.owner, owner)) return write(change.shared)
  return withLedgerOf(context, { url: owner.baseUrl, clientId: owner.clientId }, write)
}

/** The records of the rules that change. Throws UsageError if one becomes less strict and no person has confirmed it. */
function changedRules({ database }: Writer, owner: Owner, { edit, mayWeaken }: ConfirmedRules): ChangeRecord[] {
  const rules = accountRules(database, { url: owner.baseUrl, clientId: owner.clientId })
  const changes = ruleChanges(rules, edit)
  const isConfirmed = mayWeaken && rules.approvalFromCents === null
  if (!isConfirmed && changes.some(isWeakerRule)) throw rulesAreStricter()
  return changes.map((change) => ({ type: 'account-rule', owner, ...change }))
}

function rulesAreStricter(): UsageError {
  return new UsageError(t`The rules of this account were changed while this command ran, and are stricter than shown`, {
    details: [t`Nothing was stored`],
    hint: t`Run the command again`,
  })
}

/** True if a production profile is removed or becomes less strict. */
function isWeaker({ profile }: NamedSettings, after: NamedSettings | undefined): boolean {
  if (profileEnvironment(profile) !== 'production') return false
  return after === undefined || weakerSettings(profile, after.profile).length > 0
}

function notRecorded(name: string, error: Failure): Failure {
  const { message, code, hint } = error
  const sentence = t`This change makes the production profile \`${name}\` less strict, and it could not be recorded in the ledger`
  const facts = { code, hint, details: [message, t`Nothing was stored`] }
  return error instanceof NotReached ? new NotReached(sentence, facts) : new UsageError(sentence, facts)
}
