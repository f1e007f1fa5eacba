import { LOCAL_PROFILE } from '../profiles/account.ts'
import { ledgerOfProfile } from '../profiles/accountLedger.ts'
import { programOf } from '../profiles/credentialText.ts'
import {
  addressEnvironment,
  isUnconfirmedSandbox,
  type ProfileSecret,
  type ProfileStore,
  type SecretSource,
  type StoredProfile,
} from '../profiles/profile.ts'
import { settingsInEffect } from '../profiles/settingChanges.ts'
import {
  OPTIONAL_SETTINGS,
  type ProfileSetting,
  REQUIRED_SETTINGS,
  settingKey,
  settingLabel,
  settingMembers,
  settingText,
} from '../profiles/settings.ts'
import { BOOLEAN, describe, enumOf, mayBeMissing, objectOf, orNull, TEXT, type ValueOf } from '../schemas/jsonSchema.ts'
import { viewOf } from '../terminal/fields.ts'
import { t } from '../text/translate.ts'
import { readBaseAddress } from '../wire/baseAddress.ts'

const HIDDEN = '••••'

/** A profile with its name, and whether it is the active one. */
export interface NamedProfile {
  name: string
  isActive: boolean
  profile: StoredProfile
  /** The address of the shared ledger of its account; null for the ledger of this machine. */
  ledger: string | null
}

/** The built-in profile in the form of a stored one. */
export function builtInProfile(isActive: boolean, store: ProfileStore): NamedProfile {
  const { name, baseUrl, clientId, clientSecret, callbackUrl } = LOCAL_PROFILE
  const secret: SecretSource = { source: 'stored', value: clientSecret }
  const environment = addressEnvironment(readBaseAddress(baseUrl, name), store)
  const ledger = ledgerOfProfile(store, { baseUrl, clientId })
  return { name, isActive, profile: { environment, baseUrl, clientId, secret, callbackUrl }, ledger }
}

const SECRET = objectOf({
  source: enumOf('built-in', 'stored', 'env', 'command', 'keychain', 'none'),
  masked: TEXT,
  variable: mayBeMissing(TEXT),
  program: mayBeMissing(TEXT),
})

/** A profile as JSON: amounts in reais, without secrets. */
export const PROFILE = viewOf<NamedProfile>()({
  name: [TEXT, ({ name }) => name],
  active: [BOOLEAN, ({ isActive }) => isActive],
  ...settingMembers(REQUIRED_SETTINGS, ({ profile }: NamedProfile) => settingsInEffect(profile)),
  secret: [SECRET, ({ name, profile }) => secretDocument(name, profile.secret)],
  ...settingMembers(OPTIONAL_SETTINGS, ({ profile }: NamedProfile) => settingsInEffect(profile)),
  ledger: [
    describe('The address of the shared ledger of its account; null for the ledger of this machine', orNull(TEXT)),
    ({ ledger }) => ledger,
  ],
})

/** The output of a command that changed a profile, with its warnings under `pixgate`. */
export function changedDocument(named: NamedProfile, { lines }: { lines: readonly string[] }) {
  const document = PROFILE.documentOf(named)
  return lines.length === 0 ? document : { ...document, pixgate: { warnings: [...lines] } }
}

interface SettingRow<Name> {
  name: Name
  key: string
  label: string
  value: string
  source: string
  /** False for what the profile does not say. */
  isSet: boolean
}

/** The settings of a profile, each with the source of its value. */
export function profileSettings({
  name: profileName,
  profile,
}: Pick<NamedProfile, 'name' | 'profile'>): SettingRow<ProfileSetting | 'secret'>[] {
  const origin = profileName === LOCAL_PROFILE.name ? t`built in` : t`profile`
  const settings = settingsInEffect(profile)
  const isDoubted = isUnconfirmedSandbox(profile)
  const rowOf = (name: ProfileSetting) => ({
    name,
    key: settingKey(name),
    label: settingLabel(name),
    value: settingText(name, settings[name]),
    source: settings[name] === undefined ? t`default` : origin,
    isSet: settings[name] !== undefined,
    ...(name === 'environment' && isDoubted && { source: t`default; not confirmed as a sandbox` }),
  })
  const secret = secretDocument(profileName, profile.secret)
  const secretRow = {
    name: 'secret',
    key: 'secret',
    label: t`client secret`,
    value: secret.source === 'none' ? t`no secret` : secret.masked,
    source: secretOrigin(profile.secret, origin),
    isSet: true,
  } as const
  return [...REQUIRED_SETTINGS.map(rowOf), secretRow, ...OPTIONAL_SETTINGS.map(rowOf)]
}

/** The same with the ledger, which is that of the account. */
export function shownSettings(named: NamedProfile): SettingRow<string>[] {
  const { ledger } = named
  const source = ledger === null ? t`default` : t`account`
  const value = ledger ?? t`of this machine`
  const ledgerRow = { name: 'ledger', key: 'ledger', label: t`ledger`, value, source, isSet: ledger !== null }
  return [...profileSettings(named), ledgerRow]
}

/** Describes a secret without running a command or opening a keychain. */
function secretDocument(name: string, secret: ProfileSecret): ValueOf<typeof SECRET> {
  const { source } = secret
  return {
    source: source === 'stored' && name === LOCAL_PROFILE.name ? 'built-in' : source,
    masked: source === 'none' ? '' : HIDDEN,
    ...(secret.source === 'env' && { variable: secret.variable }),
    ...(secret.source === 'command' && { program: programOf(secret.command) }),
  }
}

function secretOrigin(secret: ProfileSecret, origin: string): string {
  if (secret.source === 'env') return t`variable ${secret.variable}`
  if (secret.source === 'command') return t`command ${programOf(secret.command)} …`
  return secret.source === 'keychain' ? t`keychain` : origin
}
