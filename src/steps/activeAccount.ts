import type { Context } from '../context.ts'
import { type Account, chooseAccount } from '../profiles/account.ts'
import { readProfiles } from '../profiles/store.ts'

/** Whose payments a command shows. Its secret is not read. */
export type ActiveAccount = Pick<
  Account,
  'readOnly' | 'profile' | 'confirmName' | 'environment' | 'url' | 'clientId' | 'secretKind'
>

/**
 * The account that is selected by options, environment or the active profile, for commands that only read. `lacksSecret` if it has no secret, or the variable
 * that it comes from is not set. Throws like `account`.
 */
export async function activeAccount({
  settings,
  runtime,
  terminal,
  configFolder,
  notice,
}: Context): Promise<ActiveAccount & { lacksSecret: boolean }> {
  const { profile, baseUrl } = settings
  const store = await readProfiles(configFolder(), (line) => terminal.warn(line))
  const { notices, secret, ...account } = chooseAccount({ profile, baseUrl, env: runtime.env }, store)
  for (const line of notices) notice(line)
  const lacksSecret = secret.source === 'none' || (secret.source === 'env' && !runtime.env[secret.variable])
  return { ...account, secretKind: secret.source, lacksSecret }
}
