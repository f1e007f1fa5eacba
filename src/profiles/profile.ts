import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Language } from '../text/languages.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, portOf, readBaseAddress } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'

/** Where a profile's client secret is kept; only `stored` keeps the secret itself in the file. */
export type SecretSource =
  | { source: 'stored'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }
  /** `entry` is the name in the keychain. It is unique per secret, so that another address can never read it. */
  | { source: 'keychain'; entry: string }

/** The secret of a profile: where it is kept, or that it has none, because it only plans, approves and reads the ledger. */
export type ProfileSecret = SecretSource | { source: 'none' }

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type EnvironmentKind = (typeof ENVIRONMENTS)[number]

/** A stored profile. Amounts are integer cents. */
export interface StoredProfile {
  /** As typed; `profileEnvironment` tells which environment is in effect. */
  environment: EnvironmentKind
  /** The remote host that a person has confirmed to be a sandbox. */
  confirmedSandboxHost?: string
  /** Validated, without a trailing slash. */
  baseUrl: string
  clientId: string
  secret: ProfileSecret
  callbackUrl?: string
  maxAmountCents?: number
  /** The limit per day, in São Paulo time. */
  maxDayCents?: number
  /** True to reject every command that moves money or signs. */
  readOnly?: boolean
  /** The command that must allow what is sent, run by the shell. */
  checkCommand?: string
  /** The name of the company that the account belongs to. */
  company?: string
  /** Its CPF or CNPJ without punctuation. */
  companyDocument?: string
  /** The language of what people read while the profile is used. */
  lang?: Language
}

/** A profile whose secret is not known yet. */
export type ProfileValues = Omit<StoredProfile, 'secret'>

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

/** True for text that an HTTP header can carry unchanged: visible ASCII, with spaces only inside. */
export function isCredentialText(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** True for text that can be a password of a database: anything but control characters. */
export function isPasswordText(text: string): boolean {
  return text !== '' && !hasControlCharacter(text)
}

/** True for a long run of hex digits, or of mixed-case letters and digits, which is unlikely to be a name. */
export function looksLikeSecret(text: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(text)) return true
  return /^[A-Za-z0-9]{20,}$/.test(text) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text))
}

/** Checks a client id. Throws a UsageError that names the option, which an answer to a prompt does not have. */
export function clientIdText(text: string, option?: string): string {
  const id = credentialText(text, option)
  if (!id.includes(' ')) return id
  const message = option === undefined ? t`A client id contains no spaces` : t`\`${option}\` contains a space`
  throw new UsageError(message, { hint: t`Copy the client id again from the gateway's dashboard` })
}

/**
 * Checks a client id or secret. Throws a UsageError that names the source, which an answer to a prompt does not have, and never shows
 * the text.
 */
export function credentialText(text: string, source?: string): string {
  if (isCredentialText(text)) return text
  if (source === undefined) {
    throw new UsageError(t`It contains a character that is not allowed in an HTTP header`, {
      hint: t`Copy the value again without line breaks or accents`,
    })
  }
  if (text.trim() === '') {
    throw new UsageError(t`\`${source}\` is empty`, {
      hint: t`Enter the value that the gateway's dashboard shows`,
    })
  }
  throw new UsageError(t`\`${source}\` contains a character that is not allowed in an HTTP header`, {
    hint: t`Copy the value again without line breaks, surrounding spaces or accents`,
  })
}

/** The program of a command, without its arguments, which may contain secrets. */
export function programOf(command: string): string {
  const first = command.trim().split(/\s+/)[0] ?? ''
  return /^[\w./~-]{1,40}$/.test(first) && !looksLikeSecret(first) ? first : '…'
}

/** The variable that holds the base address. */
export const ADDRESS_VARIABLE = 'PIXGATE_BASE_URL'

/** A base address that the user typed, and where. */
export interface TypedAddress extends BaseAddress {
  source: '--base-url' | typeof ADDRESS_VARIABLE
}

/** The base address from the option or the variable; undefined if neither is set. Throws UsageError. */
export function typedAddress(option: string | undefined, env: EnvironmentVariables): TypedAddress | undefined {
  const source = option === undefined ? ADDRESS_VARIABLE : '--base-url'
  const text = option ?? (env[ADDRESS_VARIABLE] || undefined)
  return text === undefined ? undefined : { ...readBaseAddress(text, source), source }
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

/** What a profile stores that moves no money and sets no rule about it. `environment` says what the confirmed host means. */
type OtherSetting = 'confirmedSandboxHost' | 'callbackUrl' | 'company' | 'companyDocument' | 'lang'
type StoredSetting = Exclude<keyof StoredProfile, OtherSetting>

/** A setting that concerns money, by the name of its field. The ledger is that of the account, whatever profile names it. */
export type MoneySetting = 'name' | 'ledger' | StoredSetting

/** The value of a setting: text, integer cents, or yes and no; null if it is not set. */
export type SettingValue = string | number | boolean | null

/** One setting of a profile that was changed. */
export interface SettingChange {
  setting: MoneySetting
  from: SettingValue
  to: SettingValue
}

/** A profile with its name. */
export interface NamedSettings {
  name: string
  profile: StoredProfile
}

/** The values that are recorded; undefined is a profile that does not exist. */
const VALUES: Readonly<Record<StoredSetting, (profile: StoredProfile | undefined) => SettingValue>> = {
  baseUrl: (profile) => profile?.baseUrl ?? null,
  clientId: (profile) => profile?.clientId ?? null,
  environment: (profile) => (profile === undefined ? null : profileEnvironment(profile)),
  maxAmountCents: (profile) => profile?.maxAmountCents ?? null,
  maxDayCents: (profile) => profile?.maxDayCents ?? null,
  readOnly: (profile) => profile?.readOnly === true,
  checkCommand: (profile) =>
    profile?.checkCommand === undefined ? null : `command ${programOf(profile.checkCommand)}`,
  secret: (profile) => (profile === undefined ? null : secretText(profile.secret)),
}

/** The settings of which only the program of a command is recorded, because its arguments may contain a secret. */
const COMMANDS: readonly StoredSetting[] = ['secret', 'checkCommand']

/**
 * The settings that concern money and differ; undefined is a profile that does not exist. A secret that replaces another one is listed even if its
 * source is the same.
 */
export function settingChanges(before: NamedSettings | undefined, after: NamedSettings | undefined): SettingChange[] {
  const isRenamed = before !== undefined && after !== undefined && before.name !== after.name
  const changes: SettingChange[] = isRenamed ? [{ setting: 'name', from: before.name, to: after.name }] : []
  let setting: StoredSetting
  for (setting in VALUES) {
    const from = VALUES[setting](before?.profile)
    const to = VALUES[setting](after?.profile)
    const isReplaced =
      COMMANDS.includes(setting) && !isDeepStrictEqual(before?.profile[setting], after?.profile[setting])
    if (from !== to || isReplaced) changes.push({ setting, from, to })
  }
  return changes
}

/** Where a secret is kept, never the secret: the arguments of a command may contain one. */
function secretText(secret: ProfileSecret): string {
  if (secret.source === 'env') return `env ${secret.variable}`
  return secret.source === 'command' ? `command ${programOf(secret.command)}` : secret.source
}
