import type { EnvironmentVariables } from '../programInfo.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, QUOTED, readBaseAddress } from '../wire/baseAddress.ts'
import type { Secret } from '../wire/secret.ts'
import {
  contradictingVariables,
  foreignAddress,
  foreignVariables,
  incompleteVariables,
  noActiveProfile,
  noCredentialsFor,
  unknownProfile,
} from './credentialErrors.ts'
import { credentialText } from './credentialText.ts'
import {
  ADDRESS_VARIABLE,
  addressEnvironment,
  isUnconfirmedSandbox,
  type ProfileSecret,
  type ProfileStore,
  profileEnvironment,
  type SecretSource,
  type StoredProfile,
  type TypedAddress,
  typedAddress,
} from './profile.ts'
import { secretSourceText } from './secretSource.ts'
import { type EnvironmentKind, LIMIT_SETTINGS, type LimitSetting, type SettingValues, settingsBy } from './settings.ts'

/** One gateway account: an address and the credentials that belong to it. */
export interface Account extends BaseAddress, AccountLimits {
  /** The profile's name; null if the credentials came from the environment. */
  profile: string | null
  /** The name that confirms a payment: the profile, or the host if the address does not belong to a profile. */
  confirmName: string
  environment: EnvironmentKind
  clientId: string
  clientSecret: Secret
  callbackUrl: string | null
  /** The source of each value, as text: `--base-url`, `PIXGATE_CLIENT_ID`, `profile prod`. */
  sources: { address: string; clientId: string; clientSecret: string; callbackUrl: string | null }
  /** How the secret is kept, which tells how it is replaced. */
  secretKind: ProfileSecret['source']
}

/** The built-in profile that matches `pixgate sandbox`. */
export const LOCAL_PROFILE = {
  name: 'local',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
  clientSecret: 'local-secret',
  callbackUrl: 'http://127.0.0.1:4242/',
} as const

/** The global options and the environment. An empty variable counts as unset. */
export interface TypedSource {
  profile: string | undefined
  baseUrl: string | undefined
  env: EnvironmentVariables
}

/** Everything that an account can be resolved from. */
export interface AccountSources extends TypedSource {
  store(): Promise<ProfileStore>
  /** Reads the secret of a profile, or of the environment if `profile` is null. Throws AuthError, UsageError. */
  readSecret(source: ProfileSecret, profile: string | null): Promise<Secret>
  /** Tells the user which of several sources is used. */
  notice(line: string): void
}

type ChosenAccount = Omit<Account, 'clientSecret' | 'secretKind'> & { secret: ProfileSecret; notices: string[] }

const ID_VARIABLE = 'PIXGATE_CLIENT_ID'
const SECRET_VARIABLE = 'PIXGATE_CLIENT_SECRET'
const CALLBACK_VARIABLE = 'PIXGATE_CALLBACK_URL'

/**
 * Resolves the account of a command. The secret is read only once its address is known. Throws UsageError
 * for an unknown profile or an invalid value, AuthError if credentials are missing, mixed or cannot be read.
 */
export async function resolveAccount(sources: AccountSources): Promise<Account> {
  const { secret, notices, ...account } = chooseAccount(sources, await sources.store())
  const clientSecret = await sources.readSecret(secret, account.profile)
  for (const line of notices) sources.notice(line)
  return { ...account, clientSecret, secretKind: secret.source }
}

/**
 * Chooses the account. Address, client id and secret come either from `--base-url` and the variables or from one profile,
 * never from both, because a mixture could send a secret to an address it does not belong to. A profile given as an option
 * takes precedence over the variables; `PIXGATE_PROFILE` together with credentials in variables is an error. Throws
 * UsageError for an unknown profile or an invalid value, AuthError if credentials are missing or mixed.
 */
export function chooseAccount(typed: TypedSource, store: ProfileStore): ChosenAccount {
  const address = typedAddress(typed.baseUrl, typed.env)
  const chosen = chosenAccount(typed, address, store)
  const isUsed = address !== undefined && address.url === chosen.url
  return isUsed ? { ...chosen, notices: [...address.notices, ...chosen.notices] } : chosen
}

function chosenAccount(typed: TypedSource, address: TypedAddress | undefined, store: ProfileStore): ChosenAccount {
  const { env } = typed
  if (typed.profile !== undefined) return namedByOption(findProfile(typed.profile, store), address, env, store)
  if (env.PIXGATE_PROFILE) {
    const named = findProfile(env.PIXGATE_PROFILE, store)
    const [contradiction] = credentialVariables(env, named.secret)
    if (contradiction !== undefined) throw contradictingVariables(named.name, contradiction)
    const { active } = store
    const isOther = active !== null && active !== named.name
    const notices = isOther ? [t`\`PIXGATE_PROFILE\` selects \`${named.name}\` instead of \`${active}\``] : []
    return accountOfProfile(named, address, env, store, notices)
  }
  const active = store.active === null ? undefined : findProfile(store.active, store)
  if (credentialVariables(env, active?.secret).length > 0) return accountOfVariables(typed, address, store)
  if (active !== undefined) return accountOfProfile(active, address, env, store, [])
  if (store.profiles.size > 0) throw noActiveProfile([...store.profiles.keys()])
  return accountOfProfile(localProfile(), address, env, store, [])
}

/** The account of a profile that may not be stored yet, whose secret has been read. */
export function accountOfNewProfile(name: string, profile: StoredProfile, clientSecret: Secret): Account {
  const noProfiles = { active: null, profiles: new Map() }
  const {
    secret,
    notices: _,
    ...account
  } = accountOfProfile(usableProfile(name, profile), undefined, {}, noProfiles, [])
  return { ...account, clientSecret, secretKind: secret.source }
}

interface UsableProfile extends StoredProfile {
  name: string
  address: BaseAddress
}

/** The profile with a name. Throws UsageError. */
export function findProfile(name: string, store: ProfileStore): UsableProfile {
  if (name === LOCAL_PROFILE.name) return localProfile()
  const stored = store.profiles.get(name)
  if (stored !== undefined) return usableProfile(name, stored)
  throw unknownProfile(name, nearest(name, [...store.profiles.keys(), LOCAL_PROFILE.name]))
}

function usableProfile(name: string, stored: StoredProfile): UsableProfile {
  return { ...stored, name, address: readBaseAddress(stored.baseUrl, profileText(name)) }
}

function localProfile(): UsableProfile {
  const { name, baseUrl, clientId, clientSecret, callbackUrl } = LOCAL_PROFILE
  const secret: SecretSource = { source: 'stored', value: clientSecret }
  return usableProfile(name, { environment: 'sandbox', baseUrl, clientId, secret, callbackUrl })
}

/** The variables that hold credentials, except the one that this profile reads its own secret from. */
function credentialVariables(env: EnvironmentVariables, own: ProfileSecret | undefined): string[] {
  const given = [ID_VARIABLE, SECRET_VARIABLE].filter((name) => env[name])
  const isOwn = own?.source === 'env' && own.variable === SECRET_VARIABLE && !env[ID_VARIABLE]
  return isOwn ? [] : given
}

/** True if the profile's secret may be sent to this address: its own or, for `local`, any port of this machine. */
function mayGoTo(profile: UsableProfile, address: BaseAddress): boolean {
  return profile.name === LOCAL_PROFILE.name ? address.isLoopback : address.url === profile.address.url
}

function namedByOption(
  profile: UsableProfile,
  address: TypedAddress | undefined,
  env: EnvironmentVariables,
  store: ProfileStore,
): ChosenAccount {
  const ignored = credentialVariables(env, profile.secret)
  // An address in a variable belongs to the id and secret in variables; without them it only selects the target.
  const isTheirs = ignored.length === 2 && address?.source === ADDRESS_VARIABLE && !mayGoTo(profile, address)
  if (isTheirs) ignored.push(ADDRESS_VARIABLE)
  const names = ignored.map((name) => t`\`${name}\``).join(', ')
  const notices = ignored.length === 0 ? [] : [t`\`--profile ${profile.name}\` is used, not ${names}`]
  return accountOfProfile(profile, isTheirs ? undefined : address, env, store, notices)
}

function accountOfProfile(
  profile: UsableProfile,
  typed: TypedAddress | undefined,
  env: EnvironmentVariables,
  store: ProfileStore,
  notices: string[],
): ChosenAccount {
  const { name, secret } = profile
  const isLocal = name === LOCAL_PROFILE.name
  if (typed !== undefined && !mayGoTo(profile, typed)) {
    if (isLocal) throw noCredentialsFor(typed.host)
    throw foreignAddress(profile.name, profile.address.url, typed, ownersOf(typed, store))
  }
  const { url, host, isLoopback } = typed ?? profile.address
  const environment = isLocal ? addressEnvironment({ url, host, isLoopback }, store) : profileEnvironment(profile)
  if (isUnconfirmedSandbox(profile)) {
    notices.push(
      t`\`${name}\` counts as production until you confirm its host with \`pixgate profile edit ${name} --environment sandbox\``,
    )
  }
  const text = profileText(name)
  const typedCallback = env[CALLBACK_VARIABLE] || undefined
  if (!isLocal && typedCallback !== undefined && (profile.callbackUrl ?? typedCallback) !== typedCallback) {
    notices.push(t`\`${CALLBACK_VARIABLE}\` is used instead of the callback URL of \`${name}\``)
  }
  const storedSource = profile.callbackUrl === undefined ? null : text
  return {
    url,
    host,
    isLoopback,
    profile: name,
    confirmName: isLocal && environment === 'production' ? host : name,
    environment,
    clientId: profile.clientId,
    secret,
    callbackUrl: typedCallback ?? profile.callbackUrl ?? null,
    ...limitsOf(profile),
    sources: {
      address: typed !== undefined && url !== profile.address.url ? typed.source : text,
      clientId: text,
      clientSecret: secretSourceText(secret, text),
      callbackUrl: typedCallback === undefined ? storedSource : CALLBACK_VARIABLE,
    },
    notices,
  }
}

function accountOfVariables(typed: TypedSource, address: TypedAddress | undefined, store: ProfileStore): ChosenAccount {
  const { env } = typed
  const clientId = env[ID_VARIABLE]
  if (!clientId) throw incompleteVariables(ID_VARIABLE, store.active)
  if (!env[SECRET_VARIABLE]) throw incompleteVariables(SECRET_VARIABLE, store.active)
  if (address === undefined) throw incompleteVariables(ADDRESS_VARIABLE, store.active)
  assertVariablesBelong(env, address)
  const { source, url, host, isLoopback } = address
  const callbackUrl = env[CALLBACK_VARIABLE] || null
  return {
    url,
    host,
    isLoopback,
    profile: null,
    confirmName: host,
    environment: addressEnvironment(address, store),
    clientId: credentialText(clientId, ID_VARIABLE),
    secret: { source: 'env', variable: SECRET_VARIABLE },
    callbackUrl,
    ...limitsOf({}),
    sources: {
      address: source,
      clientId: ID_VARIABLE,
      clientSecret: SECRET_VARIABLE,
      callbackUrl: callbackUrl === null ? null : CALLBACK_VARIABLE,
    },
    notices: variableNotices(typed, address, store),
  }
}

/** Credentials in variables belong to the address in `PIXGATE_BASE_URL`; only another local port may replace it. */
function assertVariablesBelong(env: EnvironmentVariables, address: TypedAddress): void {
  const own = address.source === ADDRESS_VARIABLE ? undefined : typedAddress(undefined, env)
  if (own === undefined || own.url === address.url || (own.isLoopback && address.isLoopback)) return
  throw foreignVariables(own.url, address)
}

function variableNotices({ env, baseUrl }: TypedSource, { source }: TypedAddress, { active }: ProfileStore): string[] {
  const notices: string[] = []
  for (const name of [ADDRESS_VARIABLE, ID_VARIABLE, SECRET_VARIABLE]) {
    // A secret may have them, so they are not removed.
    if (QUOTED.test(env[name] ?? '')) {
      notices.push(t`\`${name}\` has quotes around its value, which are part of it: \`docker --env-file\` keeps them`)
    }
  }
  if (active !== null) {
    notices.push(t`\`${ID_VARIABLE}\` and \`${SECRET_VARIABLE}\` are used instead of the active profile \`${active}\``)
  }
  if (source !== ADDRESS_VARIABLE && env[ADDRESS_VARIABLE] && env[ADDRESS_VARIABLE] !== baseUrl) {
    notices.push(
      t`\`${ID_VARIABLE}\` and \`${SECRET_VARIABLE}\` are sent to \`--base-url\`, not to \`${ADDRESS_VARIABLE}\``,
    )
  }
  return notices
}

function ownersOf(address: BaseAddress, store: ProfileStore): string[] {
  return [...store.profiles].filter(([, profile]) => profile.baseUrl === address.url).map(([name]) => name)
}

function profileText(name: string): string {
  return t`profile ${name}`
}

/** What a profile allows, beside the rules of its account; null is a limit that is not set. */
type AccountLimits = { [Name in LimitSetting]: SettingValues[Name] | null }

/** The limits of a profile; credentials in variables have none. */
export function limitsOf(profile: { [Name in LimitSetting]?: SettingValues[Name] }): AccountLimits {
  return settingsBy<AccountLimits>(LIMIT_SETTINGS, (name) => profile[name] ?? null)
}
