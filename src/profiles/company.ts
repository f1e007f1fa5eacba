import { readProfiles } from './store.ts'

/** The company that an account belongs to, as its profile names it. */
export interface Company {
  name: string | null
  /** Its plain CPF or CNPJ. */
  taxDocument: string | null
}

/** The company of the profile that belongs to an account, even if the profile was renamed since. `warn` shows a sentence to a person. */
export async function companyOf(
  folder: string,
  { profile: name, baseUrl, clientId }: { profile: string | null; baseUrl: string; clientId: string },
  warn: (line: string) => void,
): Promise<Company> {
  const { profiles } = await readProfiles(folder, warn)
  const same = [...profiles].filter(([, each]) => each.baseUrl === baseUrl && each.clientId === clientId)
  const [, profile] = same.find(([each]) => each === name) ?? same[0] ?? []
  return { name: profile?.company ?? null, taxDocument: profile?.companyDocument ?? null }
}
