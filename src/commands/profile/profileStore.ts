import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { changeProfiles, type ProfileStoreChange } from '../../profiles/changeProfiles.ts'
import { unknownProfile } from '../../profiles/credentialErrors.ts'
import type { ProfileStore, StoredProfile } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/store.ts'
import { nearest } from '../../text/suggest.ts'

/** Reads this user's stored profiles. Throws UsageError. */
export async function loadProfiles(context: Context, { warn }: Warnings): Promise<ProfileStore> {
  return readProfiles(context.configFolder(), warn)
}

/** Changes this user's stored profiles. Throws UsageError if nothing could be changed. */
export async function updateProfiles(context: Context, change: ProfileStoreChange, { warn }: Warnings): Promise<void> {
  await changeProfiles(context.configFolder(), change, warn)
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
