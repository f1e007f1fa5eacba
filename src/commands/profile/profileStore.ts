import type { Context } from '../../context.ts'
import type { SettingRecord } from '../../ledger/settingRecords.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { changeProfiles } from '../../profiles/changeProfiles.ts'
import { unknownProfile } from '../../profiles/credentialErrors.ts'
import type { ProfileStore, StoredProfile } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/store.ts'
import { nearest } from '../../text/suggest.ts'
import { type LedgerChange, type ProfileVersions, recordChange, recordUndone } from './recordChange.ts'

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
  let recorded: SettingRecord[] = []
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
