import type { Context } from '../../context.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { type ProfileStore, parseProfileName, type StoredProfile } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { assertHostConfirmed, confirmHost } from './hostConfirmation.ts'
import {
  chosenSecretSource,
  deleteSecret,
  type NewSecret,
  readNewSecret,
  type SavedSecret,
  storeSecret,
} from './newSecret.ts'
import {
  applyEdit,
  CLEARING_OPTIONS,
  changesOrigin,
  isEmptyEdit,
  PROFILE_OPTIONS,
  type ProfileEdit,
  type ProfileOptions,
  typedAddressOf,
} from './options.ts'
import { changedDocument, type NamedProfile, settingsTable } from './profileDocument.ts'
import { collectWarnings, loadProfiles, requireProfile, updateProfiles, type Warnings } from './profileStore.ts'

interface EditOptions extends ProfileOptions {
  name?: string
}

/** Everything that one edit changes. */
interface Edit {
  name: string
  newName: string
  values: ProfileEdit
  newSecret: NewSecret | undefined
  confirmedHost: string | undefined
}

export const profileEdit = defineCommand({
  arguments: [{ name: '<profile>', description: 'a stored profile', completes: 'profiles' }],
  options: [
    { flags: '--name <new-name>', description: 'new name', parse: parseProfileName },
    ...PROFILE_OPTIONS,
    ...CLEARING_OPTIONS,
  ],
  examples: [
    ['pixgate profile edit shop --max-amount 500 --max-day 5000', 'limits'],
    ['pixgate profile edit shop --environment sandbox', 'asks to confirm the host, unless it is local'],
    ['pixgate profile edit shop --client-secret-stdin', 'a new secret, from a hidden prompt or a pipe'],
    ['pixgate profile edit shop --name shop-br --no-callback-url', 'rename it and remove the callback URL'],
  ],
  run: editProfile,
})

async function editProfile(
  context: Context,
  { profile: name, ...options }: EditOptions & { profile: string },
): Promise<number> {
  // Throws: `local` is reserved.
  if (name === 'local') parseProfileName(name)
  const warnings = collectWarnings(context)
  const store = await loadProfiles(context, warnings)
  const earlier = requireProfile(store, name)
  const newName = options.name ?? name
  assertNewNameIsFree(store, name, newName)
  const values = { ...options, baseUrl: typedAddressOf(context, options) }
  const change = { name, before: earlier, after: applyEdit(earlier, values) }
  const confirmedHost = await confirmHost(context, change, options.confirmHost)
  const newSecret = await secretForEdit(context, earlier, values, options, warnings)
  if (newSecret === undefined && newName === name && isEmptyEdit(values)) {
    throw new UsageError(t`No option changes the profile \`${name}\``, {
      hint: t`See \`pixgate profile edit --help\``,
    })
  }

  const changed = await storeEdit(context, { name, newName, values, newSecret, confirmedHost }, warnings)
  context.print.one(changedDocument(context, changed, warnings), () => [settingsTable(context, changed)])
  const environment = profileEnvironment(changed.profile)
  context.terminal.note(
    environment === profileEnvironment(earlier)
      ? t`Changed the profile \`${newName}\``
      : t`Changed the profile \`${newName}\`; its environment is now ${environment}`,
  )
  return 0
}

/** The new secret, typed or prompted for; undefined if the edit needs none. Throws UsageError. */
async function secretForEdit(
  context: Context,
  earlier: StoredProfile,
  values: ProfileEdit,
  options: EditOptions,
  warnings: Warnings,
): Promise<NewSecret | undefined> {
  const input = chosenSecretSource(options)
  if (input !== undefined) return readNewSecret(context, input, options, warnings)
  if (!needsSecret(earlier, values)) return undefined
  if (context.terminal.canAsk) return readNewSecret(context, 'prompt', options, warnings)
  throw secretIsElsewhere(earlier)
}

async function storeEdit(context: Context, edit: Edit, warnings: Warnings): Promise<NamedProfile> {
  const { name, newName, values, newSecret, confirmedHost } = edit
  let earlier: StoredProfile | undefined
  let savedSecret: SavedSecret | undefined
  let changed: NamedProfile | undefined
  const apply = async (store: ProfileStore): Promise<ProfileStore> => {
    earlier = requireProfile(store, name)
    assertNewNameIsFree(store, name, newName)
    const after = applyEdit(earlier, values)
    assertHostConfirmed({ name, before: earlier, after }, confirmedHost)
    if (newSecret === undefined && needsSecret(earlier, values)) throw secretIsElsewhere(earlier)
    savedSecret = newSecret === undefined ? undefined : await storeSecret(newName, newSecret, context.newId, warnings)
    const isActive = store.active === name
    const profile = { ...after, secret: savedSecret?.source ?? earlier.secret }
    changed = { name: newName, isActive, profile }
    // A renamed profile keeps its position in the list.
    const profiles = [...store.profiles].map(([each, value]) =>
      each === name ? ([newName, profile] as const) : ([each, value] as const),
    )
    return { active: isActive ? newName : store.active, profiles: new Map(profiles) }
  }
  try {
    await updateProfiles(context, apply, warnings)
  } catch (error) {
    await savedSecret?.undo()
    throw error
  }
  if (changed === undefined) throw new Error('The store was changed without the edit')
  if (savedSecret !== undefined && earlier !== undefined) await deleteSecret(earlier.secret, warnings)
  return changed
}

/** A secret that pixgate stores belongs to one address, so a new address needs a new secret. */
function needsSecret(profile: StoredProfile, values: ProfileEdit): boolean {
  const { source } = profile.secret
  return (source === 'stored' || source === 'keychain') && changesOrigin(profile, values)
}

function secretIsElsewhere({ baseUrl }: StoredProfile): UsageError {
  return new UsageError(t`The stored secret belongs to ${baseUrl}; another address needs its own secret`, {
    details: [t`Nothing was changed`],
    hint: t`Add \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\` to set the new secret`,
  })
}

function assertNewNameIsFree({ profiles }: ProfileStore, name: string, newName: string): void {
  if (newName === name || !profiles.has(newName)) return
  throw new UsageError(t`A profile \`${newName}\` already exists`, {
    hint: t`Choose another name, or remove that one with \`pixgate profile remove ${newName}\``,
  })
}
