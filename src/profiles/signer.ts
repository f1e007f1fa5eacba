import type { OtherSecret } from '../diagnosis/signatureDiagnosis.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { Secret } from '../wire/secret.ts'
import { type AccountSources, LOCAL_PROFILE, resolveAccount } from './account.ts'
import { credentialText, isCredentialText } from './credentialText.ts'
import {
  addressEnvironment,
  type ProfileSecret,
  type ProfileStore,
  profileEnvironment,
  type SecretSource,
  typedAddress,
} from './profile.ts'
import type { EnvironmentKind } from './settings.ts'

/** A secret that webhooks are signed with, and its source as text. */
export interface SigningSecret {
  secret: Secret
  /** `profile prod`, `PIXGATE_CLIENT_SECRET`. */
  source: string
}

/** The secret that webhooks are verified or signed with. Unlike an account, it may have no address and client id. */
export interface Signer extends SigningSecret {
  profile: string | null
  /** The name that confirms signing: the profile, or the host. */
  confirmName: string
  environment: EnvironmentKind
  baseUrl: string | null
  clientId: string | null
  readOnly: boolean | null
  /** The previous secret, accepted as well during a rotation; null if none is set. */
  previous: SigningSecret | null
}

const SECRET_VARIABLE = 'PIXGATE_CLIENT_SECRET'
const PREVIOUS_VARIABLE = 'PIXGATE_PREVIOUS_CLIENT_SECRET'

/**
 * Resolves the signer of a webhook command: the account's secret, or a lone secret in the environment. Throws what
 * `resolveAccount` throws.
 */
export async function resolveSigner(sources: AccountSources): Promise<Signer> {
  const previousText = previousSecret(sources.env)
  const previous = previousText && { secret: previousText, source: PREVIOUS_VARIABLE }
  const lone = await loneSecret(sources)
  if (lone !== undefined) return { ...lone, previous }
  const account = await resolveAccount(sources)
  const { profile, confirmName, environment, url, clientId, readOnly, clientSecret } = account
  const about = { profile, confirmName, environment, clientId, readOnly, previous }
  return { ...about, baseUrl: url, secret: clientSecret, source: account.sources.clientSecret }
}

/** The secret before the current one, during a rotation; null if none is set. Throws AuthError. */
function previousSecret(env: EnvironmentVariables): Secret | null {
  const text = env[PREVIOUS_VARIABLE]
  return text ? new Secret(credentialText(text.trim(), PREVIOUS_VARIABLE)) : null
}

/** A secret of an account with the one before it, if that is set. Throws AuthError. */
export function withPreviousSecret(secret: Secret, env: EnvironmentVariables): Secret[] {
  const previous = previousSecret(env)
  return previous === null ? [secret] : [secret, previous]
}

/** All accepted secrets, the current one first. */
export function secretsOf(signer: Signer): SigningSecret[] {
  return signer.previous === null ? [signer] : [signer, signer.previous]
}

/** A signature needs no address or id, so a secret in the environment is enough if no profile is selected. */
async function loneSecret(sources: AccountSources): Promise<Omit<Signer, 'previous'> | undefined> {
  const { env } = sources
  if (env[SECRET_VARIABLE] === undefined || sources.profile !== undefined || env.PIXGATE_PROFILE) return undefined
  const address = typedAddress(sources.baseUrl, env)
  const clientId = env.PIXGATE_CLIENT_ID || null
  if (address !== undefined && clientId !== null) return undefined
  const store = await sources.store()
  const active = store.active === null ? undefined : store.profiles.get(store.active)
  const isOwn = active?.secret.source === 'env' && active.secret.variable === SECRET_VARIABLE && clientId === null
  if (isOwn) return undefined
  const secret = await sources.readSecret({ source: 'env', variable: SECRET_VARIABLE }, null)
  if (store.active !== null) {
    sources.notice(t`\`${SECRET_VARIABLE}\` is used instead of the active profile \`${store.active}\``)
  }
  const owner = ownerOf(secret, clientId, store, env)
  return {
    profile: null,
    confirmName: address?.host ?? owner?.name ?? SECRET_VARIABLE,
    environment: address === undefined ? (owner?.environment ?? 'sandbox') : addressEnvironment(address, store),
    baseUrl: address?.url ?? null,
    clientId,
    readOnly: owner?.readOnly === true,
    secret,
    source: SECRET_VARIABLE,
  }
}

/** The stored profile with the same secret or client id, which tells the environment of a secret without an address. */
function ownerOf(
  secret: Secret,
  clientId: string | null,
  { profiles }: ProfileStore,
  env: AccountSources['env'],
): { name: string; environment: EnvironmentKind; readOnly?: boolean } | undefined {
  const owners = [...profiles].filter(
    ([, each]) => each.clientId === clientId || immediateSecret(each.secret, env) === secret.reveal(),
  )
  const [name, owner] = owners.find(([, each]) => profileEnvironment(each) === 'production') ?? owners[0] ?? []
  if (name === undefined || owner === undefined) return undefined
  return { name, environment: profileEnvironment(owner), readOnly: owners.some(([, each]) => each.readOnly === true) }
}

/** A secret that can be read without running a command or opening a keychain; undefined for any other. */
export function immediateSecret(source: ProfileSecret, env: AccountSources['env']): string | undefined {
  if (source.source === 'stored') return source.value
  return source.source === 'env' ? env[source.variable]?.trim() : undefined
}

interface OtherSecrets {
  known: OtherSecret[]
  /** The profiles whose secret needs a command or keychain, or is in a variable that is not set. */
  unread: string[]
}

/** Collects the secrets of the other profiles without running a command or opening a keychain. */
export function otherSecrets(store: ProfileStore, env: EnvironmentVariables, signer: Signer): OtherSecrets {
  const tried = new Set(secretsOf(signer).map(({ secret }) => secret.reveal()))
  const others: OtherSecrets = { known: [], unread: [] }
  const local: SecretSource = { source: 'stored', value: LOCAL_PROFILE.clientSecret }
  const sources = [...store.profiles].map(([name, { secret }]) => [name, secret] as const)
  for (const [profile, source] of [...sources, [LOCAL_PROFILE.name, local] as const]) {
    if (profile === signer.profile) continue
    const secret = immediateSecret(source, env)
    if (secret === undefined || !isCredentialText(secret)) others.unread.push(profile)
    else if (!tried.has(secret)) others.known.push({ profile, secret })
  }
  return others
}
