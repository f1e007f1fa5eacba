import type { Context } from '../../context.ts'
import { chooseAccount, LOCAL_PROFILE } from '../../profiles/account.ts'
import { noActiveProfile } from '../../profiles/accountFailures.ts'
import type { ProfileStore } from '../../profiles/profile.ts'
import { t } from '../../text/words.ts'
import { Failure } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { builtInProfile, type NamedProfile, profileDocument, profileSettings, settingsTable } from './document.ts'
import { collectWarnings, loadProfiles, requireProfile } from './profileStore.ts'

/** Variables that take precedence over a profile. */
const OVERRIDING = ['PIXGATE_BASE_URL', 'PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET', 'PIXGATE_CALLBACK_URL'] as const

export const profileShow = defineCommand({
  description: 'Show one profile and where each of its values comes from; the secret is masked',
  arguments: [{ name: '[name]', description: 'default: the profile that a command would use', completes: 'profiles' }],
  examples: [
    ['pixgate profile show', 'the profile in use'],
    ['pixgate profile show shop -o json', 'for a script'],
  ],
  run: showProfile,
})

async function showProfile(context: Context, { name: typedName }: { name: string | undefined }): Promise<number> {
  const store = await loadProfiles(context, collectWarnings(context))
  const named = chosen(
    store,
    typedName ?? context.settings.profile ?? (context.runtime.env.PIXGATE_PROFILE || undefined),
  )
  const sources = Object.fromEntries(profileSettings(context, named).map(({ key, source }) => [key, source]))
  context.print.one({ ...profileDocument(context, named), sources }, () => [
    t`${named.name}${named.isActive ? ', active' : ''}`,
    settingsTable(context, named),
  ])
  for (const variable of OVERRIDING) {
    if (context.runtime.env[variable]) {
      context.terminal.note(
        t`\`${variable}\` is set and takes precedence, unless a profile is selected with \`--profile\``,
      )
    }
  }
  if (typedName === undefined) noteOtherAccount(context, store, named)
  return 0
}

/** Tells the user if an option or variable makes commands use another address than the profile that is shown. */
function noteOtherAccount(
  { settings, runtime, terminal }: Context,
  store: ProfileStore,
  { profile }: NamedProfile,
): void {
  try {
    const { url, environment, sources } = chooseAccount({ ...settings, env: runtime.env }, store)
    if (url === profile.baseUrl) return
    terminal.note(t`Commands currently use another address: ${url}, ${environment} (${sources.address})`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.note(t`Commands currently cannot use any account: ${error.message}`)
  }
}

function chosen(store: ProfileStore, name: string | undefined): NamedProfile {
  const { active, profiles } = store
  const used = name ?? active ?? (profiles.size === 0 ? LOCAL_PROFILE.name : undefined)
  if (used === undefined) throw noActiveProfile([...profiles.keys()])
  if (used === LOCAL_PROFILE.name)
    return builtInProfile(active === used || (active === null && profiles.size === 0), store)
  return { name: used, isActive: used === active, profile: requireProfile(store, used) }
}
