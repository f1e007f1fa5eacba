import { defineCommand, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { parseProfileName, profileEnvironment, type StoredProfile } from '../../profiles/profile.ts'
import { confirmWeakening } from '../../steps/profiles/hostConfirmation.ts'
import { deleteSecret } from '../../steps/profiles/newSecret.ts'
import { collectWarnings, loadProfiles, requireProfile, updateProfiles } from '../../steps/profiles/profileStore.ts'
import { t } from '../../text/translate.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'

const OPTIONS = [
  {
    flags: '--confirm-host <host>',
    description: 'in a script: confirm the removal of a production profile',
    parse: readText,
  },
] as const

export const profileRemove = defineCommand({
  arguments: [{ name: '<name>', description: 'a stored profile', completes: 'stored profiles' }],
  options: OPTIONS,
  examples: [
    ['pixgate profile remove shop', 'asks first'],
    ['pixgate profile remove shop --yes', 'in a script; a production profile needs `--confirm-host`'],
  ],
  run: removeProfile,
})

async function removeProfile(
  context: Context,
  { name: typedName, confirmHost }: { name: string } & OptionsOf<typeof OPTIONS>,
): Promise<number> {
  const warnings = collectWarnings(context)
  const name = typedName === 'local' ? parseProfileName(typedName) : typedName
  const profile = requireProfile(await loadProfiles(context, warnings), name)
  if (confirmHost !== undefined || profileEnvironment(profile) === 'production')
    await confirmRemoval(context, name, profile, confirmHost)
  else await askFirst(context, name, profile)

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
      return { store: { active: wasActive ? null : store.active, profiles }, before: { name, profile: removed } }
    },
    warnings,
  )
  if (removed !== undefined) await deleteSecret(context, removed.secret, warnings)

  const document: Printed<'profile-remove'> = { name, removed: true, wasActive }
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

function confirmRemoval(
  context: Context,
  name: string,
  { baseUrl }: StoredProfile,
  confirmHost: string | undefined,
): Promise<void> {
  const step = {
    url: baseUrl,
    consequence: t`This removes the production profile \`${name}\`, with its limits`,
    rows: [[t`profile`, name]] as const,
    question: t`Type the host name to remove this production profile`,
    nothingDone: t`Nothing was removed`,
  }
  return confirmWeakening(context, step, confirmHost)
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
