import type { Context } from '../../context.ts'
import { profileEnvironment } from '../../profiles/environment.ts'
import type { ProfileStore, StoredProfile } from '../../profiles/profile.ts'
import { checkProfileName } from '../../profiles/profileName.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { changedDocument, type NamedProfile, settingsTable } from './document.ts'
import { edited, movesElsewhere, type ProfileEdit, readEdit } from './edited.ts'
import { assertHostConfirmed, confirmHost } from './hostConfirmation.ts'
import { forgetSecret, type KeptSecret, keepSecret } from './keep.ts'
import { CLEARING_OPTIONS, PROFILE_OPTIONS, type ProfileOptions, refuseTypedSecret } from './options.ts'
import { changeStored, demandStored, storedProfiles } from './place.ts'
import { chosenWay, type SecretWish, secretInThisWay } from './secretWish.ts'
import { noWarnings, type Warnings } from './warnings.ts'

interface EditOptions extends ProfileOptions {
  name?: string
}

/** All that an edit does. */
interface Edit {
  name: string
  newName: string
  values: ProfileEdit
  wish: SecretWish | undefined
  confirmedHost: string | undefined
}

/** `pixgate profile edit`: changes what is typed and leaves the rest. */
export const profileEdit = defineCommand({
  description: 'Change what is typed and leave the rest; a new address needs the secret anew',
  arguments: [{ name: '<profile>', description: 'a stored profile', completes: 'profiles' }],
  options: [
    { flags: '--name <new-name>', description: 'another name for it' },
    ...PROFILE_OPTIONS,
    ...CLEARING_OPTIONS,
  ],
  examples: [
    ['pixgate profile edit shop --max-amount 500 --max-day 5000', 'limits'],
    ['pixgate profile edit shop --environment sandbox', 'asks for its host name, unless it is on this machine'],
    ['pixgate profile edit shop --client-secret-stdin', 'a new secret: asked for, hidden, or read from a pipe'],
    ['pixgate profile edit shop --name shop-br --no-callback-url', 'another name, no callback URL'],
  ],
  run: editProfile,
})

async function editProfile(
  context: Context,
  { profile: name, ...options }: EditOptions & { profile: string },
): Promise<number> {
  refuseTypedSecret(options)
  refuseCsv(context)
  if (name === 'local') checkProfileName(name)
  const warnings = noWarnings(context)
  const store = await storedProfiles(context, warnings)
  const earlier = demandStored(store, name)
  const newName = options.name === undefined ? name : checkProfileName(options.name)
  refuseTaken(store, name, newName)
  const values = readEdit(options, options.baseUrl ?? context.settings.baseUrl)
  const change = { name, before: earlier, after: edited(earlier, values) }
  const confirmedHost = await confirmHost(context, change, options.confirmHost)
  const wish = await newSecret(context, earlier, values, options, warnings)
  if (wish === undefined && newName === name && Object.values(values).every((value) => value === undefined)) {
    throw new UsageError(t`Nothing is given that would change the profile \`${name}\``, {
      hint: t`Run \`pixgate profile edit --help\` to list what can be changed`,
    })
  }

  const changed = await storeEdit(context, { name, newName, values, wish, confirmedHost }, warnings)
  context.print.one(changedDocument(context, changed, warnings), () => [settingsTable(context, changed)])
  const environment = profileEnvironment(changed.profile)
  context.terminal.note(
    environment === profileEnvironment(earlier)
      ? t`The profile \`${newName}\` is changed`
      : t`The profile \`${newName}\` is changed, and its environment is ${environment} now`,
  )
  return 0
}

/** The secret that was given; on a terminal it is asked for where the edit needs one. Throws UsageError. */
async function newSecret(
  context: Context,
  earlier: StoredProfile,
  values: ProfileEdit,
  options: EditOptions,
  warnings: Warnings,
): Promise<SecretWish | undefined> {
  const way = chosenWay(options)
  if (way !== undefined) return secretInThisWay(context, way, options, warnings)
  if (!needsSecret(earlier, values)) return undefined
  if (context.terminal.canAsk) return secretInThisWay(context, 'prompt', options, warnings)
  throw secretIsElsewhere(earlier)
}

async function storeEdit(context: Context, edit: Edit, warnings: Warnings): Promise<NamedProfile> {
  const { name, newName, values, wish, confirmedHost } = edit
  let earlier: StoredProfile | undefined
  let kept: KeptSecret | undefined
  let changed: NamedProfile | undefined
  const apply = async (store: ProfileStore): Promise<ProfileStore> => {
    earlier = demandStored(store, name)
    refuseTaken(store, name, newName)
    const after = edited(earlier, values)
    assertHostConfirmed({ name, before: earlier, after }, confirmedHost)
    if (wish === undefined && needsSecret(earlier, values)) throw secretIsElsewhere(earlier)
    kept = wish === undefined ? undefined : await keepSecret(newName, wish, context.newId, warnings)
    const isActive = store.active === name
    const profile = { ...after, secret: kept?.source ?? earlier.secret }
    changed = { name: newName, isActive, profile }
    // The place in the list stays, whatever the name.
    const profiles = [...store.profiles].map(([each, value]) =>
      each === name ? ([newName, profile] as const) : ([each, value] as const),
    )
    return { active: isActive ? newName : store.active, profiles: new Map(profiles) }
  }
  try {
    await changeStored(context, apply, warnings)
  } catch (error) {
    await kept?.undo()
    throw error
  }
  if (changed === undefined) throw new Error('The store was changed without the edit')
  if (kept !== undefined && earlier !== undefined) await forgetSecret(earlier.secret, warnings)
  return changed
}

/** A secret that pixgate keeps belongs to the address that it was given for. */
function needsSecret(profile: StoredProfile, values: ProfileEdit): boolean {
  const { source } = profile.secret
  return (source === 'stored' || source === 'keychain') && movesElsewhere(profile, values)
}

function secretIsElsewhere({ baseUrl }: StoredProfile): UsageError {
  return new UsageError(t`The stored secret belongs to ${baseUrl}, and another address needs its own`, {
    details: [t`Nothing was changed`],
    hint: t`Give the secret again with \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\``,
  })
}

function refuseTaken({ profiles }: ProfileStore, name: string, newName: string): void {
  if (newName === name || !profiles.has(newName)) return
  throw new UsageError(t`There is a profile \`${newName}\` already`, {
    hint: t`Choose another name, or remove that one with \`pixgate profile remove ${newName}\``,
  })
}
