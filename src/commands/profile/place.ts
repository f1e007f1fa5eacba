import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { unknownProfile } from '../../profiles/accountFailures.ts'
import type { ProfileStore, StoredProfile } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/store.ts'
import { type Change, changeProfiles } from '../../profiles/storeChange.ts'
import { nearest } from '../../text/suggest.ts'
import type { Warnings } from './warnings.ts'

/** The stored profiles of this user. Throws UsageError. */
export async function storedProfiles(context: Context, { warn }: Warnings): Promise<ProfileStore> {
  return readProfiles(context.configFolder(), warn)
}

/** Changes the stored profiles of this user. Throws UsageError; nothing is changed then. */
export async function changeStored(context: Context, change: Change, { warn }: Warnings): Promise<void> {
  await changeProfiles(context.configFolder(), change, warn)
}

/** The stored profile of this name. Throws UsageError naming those that may have been meant. */
export function demandStored({ profiles }: ProfileStore, name: string): StoredProfile {
  const profile = profiles.get(name)
  if (profile !== undefined) return profile
  throw unknownProfile(name, nearest(name, [...profiles.keys(), LOCAL_PROFILE.name]))
}
