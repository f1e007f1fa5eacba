import { LOCAL_PROFILE } from './account.ts'
import { readProfiles } from './store.ts'

/** The names of all profiles that `--profile` takes: the built-in one, and those stored in this folder. */
export async function profileNames(folder: string): Promise<string[]> {
  const { profiles } = await readProfiles(folder)
  return [LOCAL_PROFILE.name, ...profiles.keys()]
}
