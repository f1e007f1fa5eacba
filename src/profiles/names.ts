import { LOCAL_PROFILE } from './account.ts'
import { readProfiles } from './store.ts'

/** The names that `--profile` accepts: the built-in profile and those stored in this folder. */
export async function profileNames(folder: string): Promise<string[]> {
  const { profiles } = await readProfiles(folder)
  return [LOCAL_PROFILE.name, ...profiles.keys()]
}
