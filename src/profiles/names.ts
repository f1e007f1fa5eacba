import { LOCAL_PROFILE } from './account.ts'

/** The names of all profiles that `--profile` takes. */
export async function profileNames(): Promise<string[]> {
  return [LOCAL_PROFILE.name]
}
