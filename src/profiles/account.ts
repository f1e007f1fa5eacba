import { nearest } from '../text/suggest.ts'
import { t } from '../text/words.ts'
import { type BaseAddress, readBaseAddress } from '../wire/address.ts'
import type { Secret } from '../wire/secret.ts'
import {
  contradicting,
  foreignAddress,
  foreignVariables,
  incomplete,
  noActiveProfile,
  noCredentialsFor,
  unknownProfile,
} from './accountFailures.ts'
import { credentialText } from './credentialText.ts'
import { addressEnvironment, isUnconfirmedSandbox, profileEnvironment } from './environment.ts'
import type { EnvironmentKind, ProfileStore, SecretSource, StoredProfile } from './profile.ts'
import { secretSourceText } from './secretSource.ts'
import { ADDRESS_VARIABLE, type TypedAddress, typedAddress } from './typedAddress.ts'

/** Whose money: one address with the credentials that belong to it. */
export interface Account extends BaseAddress {
  /** The profile's name; null where the credentials came from the environment. */
  profile: string | null
  /** What a person names to confirm a payment: the profile, or the host of an address that is no profile's own. */
  confirmName: string
  environment: EnvironmentKind
  clientId: string
  clientSecret: Secret
  callbackUrl: string | null
  /** The most that one payment may move; null where nothing limits it. */
  maxAmountCents: number | null
  /** The most that may leave in a day of São Paulo. */
  maxDayCents: number | null
  /** True where nothing may move money or sign. */
  readOnly: boolean
  /** Where each value came from, for people: `--base-url`, `PIXGATE_CLIENT_ID`, `profile prod`. */
  sources: { address: string; clientId: string; clientSecret: string; callbackUrl: string | null }
}

/** The built-in profile that matches `pixgate sandbox`. */
export const LOCAL_PROFILE = {
  name: 'local',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
  clientSecret: 'local-secret',
  callbackUrl: 'http://127.0.0.1:4242/',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** What the user typed: the global options and the environment. An empty variable counts as none. */
export interface TypedSource {
  profile: string | undefined
  baseUrl: string | undefined
  env: Environment
}

/** All that an account can come from. */
export interface AccountSources extends TypedSource {
  /** The stored profiles. */
  store(): Promise<ProfileStore>
  /** The secret of this profile; of the environment where the profile is null. Throws AuthError, UsageError. */
  readSecret(source: SecretSource, profile: string | null): Promise<Secret>
  /** A line for a person whose variables or profile are not what is used. */
  notice(line: string): void
}

/** An account whose secret has not been read yet, and the lines that a person should see. */
type ChosenAccount = Omit<Account, 'clientSecret'> & { secret: SecretSource; notices: string[] }

const ID_VARIABLE = 'PIXGATE_CLIENT_ID'
const SECRET_VARIABLE = 'PIXGATE_CLIENT_SECRET'
const CALLBACK_VARIABLE = 'PIXGATE_CALLBACK_URL'

/**
 * The account that a command works with. Its secret is read only after it is certain where it would go. Throws UsageError
 * for an unknown profile, a bad address or value, AuthError where credentials are missing, mixed or cannot be read.
 */
export async function resolveAccount(sources: AccountSources): Promise<Account> {
  const { secret, notices, ...account } = chooseAccount(sources, await sources.store())
  const clientSecret = await sources.readSecret(secret, account.profile)
  for (const line of notices) sources.notice(line)
  return { ...account, clientSecret }
}

/**
 * Chooses the account. Address, client id and secret come from what the user typed (option and variables, which count as
 * one) or from one profile, never from both, because a mixture sends a secret to an address that is not its own. A profile
 * named by option is used whole and beats the variables; one named by a variable beside credentials in variables is a
 * contradiction. Throws like `resolveAccount`.
 */
export function chooseAccount(typed: TypedSource, store: ProfileStore): ChosenAccount {
  const { env } = typed
  const address = typedAddress(typed.baseUrl, env)
  if (typed.profile !== undefined) return namedByOption(findProfile(typed.profile, store), address, env, store)
  if (env.PIXGATE_PROFILE) {
    const named = findProfile(env.PIXGATE_PROFILE, store)
    const [contradiction] = credentialVariables(env, named.secret)
    if (contradiction !== undefined) throw contradicting(named.name, contradiction)
    const { active } = store
    const isOther = active !== null && active !== named.name
    const notices = isOther ? [t`\`PIXGATE_PROFILE\` selects \`${named.name}\` instead of \`${active}\``] : []
    return ofProfile(named, address, env, store, notices)
  }
  const active = activeProfile(store)
  if (credentialVariables(env, active?.secret).length > 0) return ofVariables(typed, address, store)
  if (active !== undefined) return ofProfile(active, address, env, store, [])
  if (store.profiles.size > 0) throw noActiveProfile([...store.profiles.keys()])
  return ofProfile(localProfile(), address, env, store, [])
}

/** A profile that can be used: a stored one, or the built-in one. */
interface UsableProfile extends StoredProfile {
  name: string
  address: BaseAddress
}

function findProfile(name: string, store: ProfileStore): UsableProfile {
  if (name === LOCAL_PROFILE.name) return localProfile()
  const stored = store.profiles.get(name)
  if (stored !== undefined) return usable(name, stored)
  throw unknownProfile(name, nearest(name, [...store.profiles.keys(), LOCAL_PROFILE.name]))
}

function activeProfile(store: ProfileStore): UsableProfile | undefined {
  if (store.active === null) return undefined
  if (store.active === LOCAL_PROFILE.name) return localProfile()
  const stored = store.profiles.get(store.active)
  return stored === undefined ? undefined : usable(store.active, stored)
}

function usable(name: string, stored: StoredProfile): UsableProfile {
  return { ...stored, name, address: readBaseAddress(stored.baseUrl, profileText(name)) }
}

function localProfile(): UsableProfile {
  const { name, baseUrl, clientId, clientSecret, callbackUrl } = LOCAL_PROFILE
  const secret: SecretSource = { source: 'stored', value: clientSecret }
  return usable(name, { environment: 'sandbox', baseUrl, clientId, secret, callbackUrl })
}

/** The variables that hold credentials, without the one that this profile itself reads its secret from. */
function credentialVariables(env: Environment, own: SecretSource | undefined): string[] {
  const given = [ID_VARIABLE, SECRET_VARIABLE].filter((name) => env[name])
  const isOwn = own?.source === 'env' && own.variable === SECRET_VARIABLE && !env[ID_VARIABLE]
  return isOwn ? [] : given
}

/** A profile's secret goes to its own address only; that of `local` to any port of this machine. */
function mayGoTo(profile: UsableProfile, address: BaseAddress): boolean {
  return profile.name === LOCAL_PROFILE.name ? address.isLoopback : address.url === profile.address.url
}

function namedByOption(
  profile: UsableProfile,
  address: TypedAddress | undefined,
  env: Environment,
  store: ProfileStore,
): ChosenAccount {
  const ignored = credentialVariables(env, profile.secret)
  // With an id and a secret beside it, the address in a variable is a part of them; alone it says where to send.
  const isTheirs = ignored.length === 2 && address?.source === ADDRESS_VARIABLE && !mayGoTo(profile, address)
  if (isTheirs) ignored.push(ADDRESS_VARIABLE)
  const names = ignored.map((name) => t`\`${name}\``).join(', ')
  const notices = ignored.length === 0 ? [] : [t`\`--profile ${profile.name}\` is used, not ${names}`]
  return ofProfile(profile, isTheirs ? undefined : address, env, store, notices)
}

function ofProfile(
  profile: UsableProfile,
  typed: TypedAddress | undefined,
  env: Environment,
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
      t`\`${name}\` counts as production until \`pixgate profile edit ${name} --environment sandbox\` confirms its host`,
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
    maxAmountCents: profile.maxAmountCents ?? null,
    maxDayCents: profile.maxDayCents ?? null,
    readOnly: profile.readOnly === true,
    sources: {
      address: typed !== undefined && url !== profile.address.url ? typed.source : text,
      clientId: text,
      clientSecret: secretSourceText(secret, text),
      callbackUrl: typedCallback === undefined ? storedSource : CALLBACK_VARIABLE,
    },
    notices,
  }
}

function ofVariables(typed: TypedSource, address: TypedAddress | undefined, store: ProfileStore): ChosenAccount {
  const { env } = typed
  const clientId = env[ID_VARIABLE]
  if (!clientId) throw incomplete(ID_VARIABLE, store.active)
  if (!env[SECRET_VARIABLE]) throw incomplete(SECRET_VARIABLE, store.active)
  if (address === undefined) throw incomplete(ADDRESS_VARIABLE, store.active)
  checkVariablesBelong(env, address)
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
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    sources: {
      address: source,
      clientId: ID_VARIABLE,
      clientSecret: SECRET_VARIABLE,
      callbackUrl: callbackUrl === null ? null : CALLBACK_VARIABLE,
    },
    notices: variableNotices(typed, address, store),
  }
}

/** Variables that name their own address belong to it; another one may only be given from port to port of this machine. */
function checkVariablesBelong(env: Environment, address: TypedAddress): void {
  const own = address.source === ADDRESS_VARIABLE ? undefined : typedAddress(undefined, env)
  if (own === undefined || own.url === address.url || (own.isLoopback && address.isLoopback)) return
  throw foreignVariables(own.url, address)
}

function variableNotices({ env, baseUrl }: TypedSource, { source }: TypedAddress, { active }: ProfileStore): string[] {
  const notices: string[] = []
  if (active !== null) {
    notices.push(t`\`${ID_VARIABLE}\` and \`${SECRET_VARIABLE}\` are used instead of the active profile \`${active}\``)
  }
  if (source !== ADDRESS_VARIABLE && env[ADDRESS_VARIABLE] && env[ADDRESS_VARIABLE] !== baseUrl) {
    notices.push(
      t`\`--base-url\` gets what is in \`${ID_VARIABLE}\` and \`${SECRET_VARIABLE}\`, not \`${ADDRESS_VARIABLE}\``,
    )
  }
  return notices
}

/** The names of the stored profiles whose address this is. */
function ownersOf(address: BaseAddress, store: ProfileStore): string[] {
  return [...store.profiles].filter(([, profile]) => profile.baseUrl === address.url).map(([name]) => name)
}

function profileText(name: string): string {
  return t`profile ${name}`
}
