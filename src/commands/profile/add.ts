import type { Context } from '../../context.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import {
  credentialText,
  type ProfileStore,
  parseProfileName,
  type SecretSource,
  type StoredProfile,
} from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import type { BaseAddress } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { typedOrPrompted } from '../requiredValue.ts'
import { confirmHost } from './hostConfirmation.ts'
import {
  chosenSecretSource,
  missingSecret,
  type NewSecret,
  readNewSecret,
  type SavedSecret,
  storeSecret,
} from './newSecret.ts'
import { applyEdit, PROFILE_OPTIONS, readTypedAddress, typedAddressOf } from './options.ts'
import { changedDocument, type NamedProfile, settingsTable } from './profileDocument.ts'
import { collectWarnings, loadProfiles, updateProfiles, type Warnings } from './profileStore.ts'

export const profileAdd = defineCommand({
  arguments: [{ name: '<name>', description: 'lower-case letters, digits, - and _', parse: parseProfileName }],
  options: PROFILE_OPTIONS,
  examples: [
    ['pixgate profile add shop', 'prompts for the address, client id and secret'],
    [
      'pixgate profile add shop --client-secret-env SHOP_SECRET',
      'for a server that keeps secrets in environment variables',
    ],
    ["pixgate profile add shop --client-secret-command 'pass show shop'", 'for a password manager'],
    ['pixgate profile add audit --keychain --read-only', 'cannot send payments; secret in the system keychain'],
    [
      'pixgate profile add dev --base-url http://127.0.0.1:4010 \\\n      --client-id dev --client-secret-env DEV_SECRET',
      'in a script, without prompts',
    ],
  ],
  run: addProfile,
})

type AddOptions = OptionsOf<typeof PROFILE_OPTIONS>

async function addProfile(context: Context, { name, ...options }: AddOptions & { name: string }): Promise<number> {
  const warnings = collectWarnings(context)
  assertNameIsFree(await loadProfiles(context, warnings), name)

  const input = chosenSecretSource(options) ?? (context.terminal.canAsk ? 'prompt' : undefined)
  const address = await baseAddress(context, options)
  const clientId = await clientIdOf(context, options)
  if (input === undefined) throw missingSecret()
  const environment = address.isLoopback ? 'sandbox' : 'production'
  const readOnly = options.readOnly || undefined
  const values = applyEdit({ environment, baseUrl: address.url, clientId }, { ...options, readOnly })
  await confirmHost(context, { name, before: undefined, after: values }, options.confirmHost)
  const newSecret = await readNewSecret(context, input, options, warnings)

  const added = await store(context, name, newSecret, (secret) => ({ ...values, secret }), warnings)
  context.print.one(changedDocument(context, added, warnings), () => [settingsTable(context, added)])
  context.terminal.note(storedNotice(added))
  return 0
}

function storedNotice({ name, isActive, profile }: NamedProfile): string {
  if (!isActive) return t`Stored the profile \`${name}\`; to make it active, run \`pixgate profile use ${name}\``
  return profileEnvironment(profile) === 'production'
    ? t`Stored the profile \`${name}\` and made it active: commands now use production and move real money`
    : t`Stored the profile \`${name}\` and made it active`
}

async function store(
  context: Context,
  name: string,
  newSecret: NewSecret,
  make: (secret: SecretSource) => StoredProfile,
  warnings: Warnings,
) {
  let savedSecret: SavedSecret | undefined
  let isActive = false
  let added: StoredProfile | undefined
  const add = async (before: ProfileStore): Promise<ProfileStore> => {
    assertNameIsFree(before, name)
    savedSecret = await storeSecret(name, newSecret, context.newId, warnings)
    added = make(savedSecret.source)
    isActive = before.profiles.size === 0
    const profiles = new Map(before.profiles).set(name, added)
    return { active: isActive ? name : before.active, profiles }
  }
  try {
    await updateProfiles(context, add, warnings)
  } catch (error) {
    await savedSecret?.undo()
    throw error
  }
  if (added === undefined) throw new Error('The store was changed without the new profile')
  return { name, isActive, profile: added }
}

async function baseAddress(context: Context, options: AddOptions): Promise<BaseAddress> {
  return typedOrPrompted(context, typedAddressOf(context, options), '--base-url', {
    question: t`Base URL of the gateway`,
    hint: t`Add \`--base-url https://gateway.example.com\`, or see \`--help\` for examples`,
    parse: readTypedAddress,
  })
}

async function clientIdOf(context: Context, options: AddOptions): Promise<string> {
  return typedOrPrompted(context, options.clientId, '--client-id', {
    question: t`Client id`,
    hint: t`Add \`--client-id shop-1\`, or see \`--help\` for examples`,
    parse: credentialText,
  })
}

function assertNameIsFree({ profiles }: ProfileStore, name: string): void {
  if (!profiles.has(name)) return
  throw new UsageError(t`A profile \`${name}\` already exists`, {
    hint: t`Choose another name; \`pixgate profile edit --help\` shows how to change this one`,
  })
}
