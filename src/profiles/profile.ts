import { join } from 'node:path'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Language } from '../text/languages.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, lacksScheme, portOf, readBaseAddress } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import { looksLikeSecret } from './credentialText.ts'
import type { EnvironmentKind, ProfileSetting, RequiredSetting, SettingValues } from './settings.ts'

/** Where a profile's client secret is kept; only `stored` keeps the secret itself in the file. */
export type SecretSource =
  | { source: 'stored'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }
  /** `entry` is the name in the keychain. It is unique per secret, so that another address can never read it. */
  | { source: 'keychain'; entry: string }

/** The secret of a profile: where it is kept, or that it has none, because it only plans, approves and reads the ledger. */
export type ProfileSecret = SecretSource | { source: 'none' }

/** A profile whose secret is not known yet, as it is stored. {@link profileEnvironment} tells which environment is in effect. */
export type ProfileValues = { [Name in RequiredSetting]: SettingValues[Name] } & SettingsOf<ProfileSetting> & {
    /** The remote host that a person has confirmed to be a sandbox. */
    confirmedSandboxHost?: string
  }

export type SettingsOf<Name extends ProfileSetting> = { [Each in Name]?: SettingValues[Each] }

/** A stored profile. */
export type StoredProfile = ProfileValues & { secret: ProfileSecret }

/** The stored profiles by name, and the name of the active one. */
export interface ProfileStore {
  active: string | null
  profiles: ReadonlyMap<string, StoredProfile>
  /** The accounts whose ledger is shared with other machines, whatever profile or variable names them. */
  ledgers?: readonly AccountLedger[]
  /** The language of what people read, if no profile says another. */
  lang?: Language
}

/** The shared ledger of an account. */
export interface AccountLedger {
  baseUrl: string
  clientId: string
  /** The address of its database, without a password. */
  address: string
  /** Where the password of its login comes from; without one, from where other PostgreSQL clients read it. */
  password?: SecretSource
}

/** The file of the profiles in a config folder. */
export function storePath(folder: string): string {
  return join(folder, 'profiles.json')
}

const NAME = /^[a-z][a-z0-9_-]{0,31}$/
/** `local` is built in; the others are names that JavaScript objects already have. */
const RESERVED: readonly string[] = ['local', 'constructor', 'prototype']

/** True for a name that a stored profile can have. `local` is built in, so it is not one. */
export function isProfileName(name: string): boolean {
  return NAME.test(name) && !RESERVED.includes(name)
}

/** Checks the name of a profile to store. Throws a UsageError that says which names are valid. */
export function parseProfileName(name: string): string {
  if (isProfileName(name)) return name
  if (name === 'local') {
    throw new UsageError(t`The profile \`local\` is built in and cannot be stored or changed`, {
      hint: t`Choose another name, such as \`local-2\``,
    })
  }
  throw new UsageError(t`\`${looksLikeSecret(name) ? '…' : name}\` is not a valid profile name`, {
    hint: t`Use at most 32 lower-case letters, digits, \`-\` and \`_\`, beginning with a letter; not \`constructor\` or \`prototype\``,
  })
}

/** The variable that holds the base address. */
export const ADDRESS_VARIABLE = 'PIXGATE_BASE_URL'

/** A base address that the user typed, and where. */
export interface TypedAddress extends BaseAddress {
  source: '--base-url' | typeof ADDRESS_VARIABLE
  /** What to tell a person who typed it without its scheme. */
  notices: string[]
}

/** The base address from the option or the variable; undefined if neither is set. Throws UsageError. */
export function typedAddress(option: string | undefined, env: EnvironmentVariables): TypedAddress | undefined {
  const source = option === undefined ? ADDRESS_VARIABLE : '--base-url'
  const text = option ?? (env[ADDRESS_VARIABLE] || undefined)
  if (text === undefined) return undefined
  const address = readBaseAddress(text, source)
  return { ...address, source, notices: lacksScheme(text) ? [t`\`${source}\` is read as ${address.url}`] : [] }
}

/**
 * The environment of a stored profile. On loopback it is what the profile says. A remote address is production, unless a
 * person has confirmed that this host is a sandbox.
 */
export function profileEnvironment(profile: ProfileValues): EnvironmentKind {
  return profile.environment === 'sandbox' && !isUnconfirmedSandbox(profile) ? 'sandbox' : 'production'
}

/** True for a sandbox profile that counts as production because its host has not been confirmed. */
export function isUnconfirmedSandbox({ environment, baseUrl, confirmedSandboxHost }: ProfileValues): boolean {
  const { host, isLoopback } = readBaseAddress(baseUrl, 'baseUrl')
  return environment === 'sandbox' && !isLoopback && confirmedSandboxHost !== host
}

/**
 * The environment of an address that is used without a stored profile. A remote address is production. On loopback it is
 * a sandbox, unless a production profile uses the same local port, for example for a tunnel.
 */
export function addressEnvironment(address: BaseAddress, store: ProfileStore): EnvironmentKind {
  if (!address.isLoopback) return 'production'
  for (const profile of store.profiles.values()) {
    const own = readBaseAddress(profile.baseUrl, 'baseUrl')
    const hasSamePort = own.isLoopback && portOf(own.url) === portOf(address.url)
    if (hasSamePort && profileEnvironment(profile) === 'production') return 'production'
  }
  return 'sandbox'
}
