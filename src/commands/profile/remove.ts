import type { Context } from '../../context.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { parseProfileName, type StoredProfile } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import type { OfflineDocument } from '../schemas/offline.ts'
import { deleteSecret } from './newSecret.ts'
import { collectWarnings, loadProfiles, requireProfile, updateProfiles } from './profileStore.ts'

export const profileRemove = defineCommand({
  arguments: [{ name: '<name>', description: 'a stored profile', completes: 'profiles' }],
  examples: [
    ['pixgate profile remove shop', 'asks first'],
    ['pixgate profile remove shop --yes', 'in a script, without asking'],
  ],
  run: removeProfile,
})

async function removeProfile(context: Context, { name: typedName }: { name: string }): Promise<number> {
  const warnings = collectWarnings(context)
  const name = typedName === 'local' ? parseProfileName(typedName) : typedName
  await askFirst(context, name, requireProfile(await loadProfiles(context, warnings), name))

  let removed: StoredProfile | undefined
  let wasActive = false
  let count = 0
  await updateProfiles(
    context,
    (store) => {
      removed = requireProfile(store, name)
      wasActive = store.active === name
      const profiles = new Map(store.profiles)
      profiles.delete(name)
      count = profiles.size
      return { active: wasActive ? null : store.active, profiles }
    },
    warnings,
  )
  if (removed !== undefined) await deleteSecret(removed.secret, warnings)

  const document: OfflineDocument<'profile-remove'> = { name, removed: true, wasActive }
  const { lines } = warnings
  context.print.one(lines.length === 0 ? document : { ...document, pixgate: { warnings: lines } }, () => [
    t`Removed the profile ${name}`,
  ])
  if (wasActive) {
    context.terminal.note(
      count === 0
        ? t`It was the active and last profile; commands now use the built-in profile \`local\``
        : t`It was the active profile; choose another with \`pixgate profile use\``,
    )
  }
  return 0
}

async function askFirst({ settings, terminal }: Context, name: string, profile: StoredProfile): Promise<void> {
  if (settings.yes) return
  if (!terminal.canAsk) {
    throw new UsageError(t`Removing a profile requires confirmation, and prompts are not possible`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was removed`],
      hint: t`Add \`--yes\` to confirm`,
    })
  }
  if (await terminal.confirm(t`Remove the profile ${name} (${profileEnvironment(profile)}, ${profile.baseUrl})?`))
    return
  throw new Cancelled(t`Declined; nothing was removed`, { hint: t`Run the command again when you are ready` })
}
