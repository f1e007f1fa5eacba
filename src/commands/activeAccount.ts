import type { Context } from '../context.ts'
import type { Account } from '../profiles/account.ts'

/** Whose payments a command shows. Its secret is not read. */
export type ActiveAccount = Pick<Account, 'profile' | 'confirmName' | 'environment' | 'url' | 'clientId'>

/** The account that is selected by options, environment or the active profile, for commands that only read. Throws like `account`. */
export async function activeAccount({ settings, world, terminal, configFolder }: Context): Promise<ActiveAccount> {
  const [{ chooseAccount }, { readProfiles }] = await Promise.all([
    import('../profiles/account.ts'),
    import('../profiles/store.ts'),
  ])
  const { profile, baseUrl } = settings
  const store = await readProfiles(configFolder(), (line) => terminal.warn(line))
  const { notices, ...account } = chooseAccount({ profile, baseUrl, env: world.env }, store)
  for (const line of notices) terminal.note(line)
  return account
}
