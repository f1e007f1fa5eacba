import type { Context } from '../../context.ts'
import { profileEnvironment } from '../../profiles/environment.ts'
import type { StoredProfile } from '../../profiles/profile.ts'
import { checkProfileName } from '../../profiles/profileName.ts'
import { t } from '../../text/words.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { forgetSecret } from './keep.ts'
import { changeStored, demandStored, storedProfiles } from './place.ts'
import { noWarnings } from './warnings.ts'

/** `pixgate profile remove`: forgets a profile and its secret. */
export const profileRemove = defineCommand({
  description: 'Forget a profile and its secret; asks first, unless --yes',
  arguments: [{ name: '<name>', description: 'a stored profile', completes: 'profiles' }],
  examples: [
    ['pixgate profile remove shop', 'asks first'],
    ['pixgate profile remove shop --yes', 'for a script'],
  ],
  run: removeProfile,
})

async function removeProfile(context: Context, { name: typedName }: { name: string }): Promise<number> {
  refuseCsv(context)
  const warnings = noWarnings(context)
  const name = typedName === 'local' ? checkProfileName(typedName) : typedName
  await askFirst(context, name, demandStored(await storedProfiles(context, warnings), name))

  let removed: StoredProfile | undefined
  let wasActive = false
  let count = 0
  await changeStored(
    context,
    (store) => {
      removed = demandStored(store, name)
      wasActive = store.active === name
      const profiles = new Map(store.profiles)
      profiles.delete(name)
      count = profiles.size
      return { active: wasActive ? null : store.active, profiles }
    },
    warnings,
  )
  if (removed !== undefined) await forgetSecret(removed.secret, warnings)

  const document = { name, removed: true, wasActive }
  const { lines } = warnings
  context.print.one(lines.length === 0 ? document : { ...document, pixgate: { warnings: lines } }, () => [
    t`The profile ${name} is removed`,
  ])
  if (wasActive) {
    context.terminal.note(
      count === 0
        ? t`It was the active one and the last; the built-in profile \`local\` is used now`
        : t`It was the active one; none is active now, choose one with \`pixgate profile use\``,
    )
  }
  return 0
}

async function askFirst({ settings, terminal }: Context, name: string, profile: StoredProfile): Promise<void> {
  if (settings.yes) return
  if (!terminal.canAsk) {
    throw new UsageError(t`A profile would be removed, and nobody can be asked`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was removed`],
      hint: t`Add \`--yes\` if this is what you want`,
    })
  }
  if (await terminal.confirm(t`Remove the profile ${name} (${profileEnvironment(profile)}, ${profile.baseUrl})?`))
    return
  throw new Cancelled(t`Declined, nothing was removed`, { hint: t`Run the command again when you are ready` })
}
