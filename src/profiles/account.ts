import { t } from '../text/words.ts'
import { type BaseAddress, readBaseAddress } from '../wire/address.ts'
import { AuthError, UsageError } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'
import type { EnvironmentKind } from './profile.ts'

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
}

/** The built-in profile that matches `pixgate sandbox`. */
export const LOCAL_PROFILE = {
  name: 'local',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
  clientSecret: 'local-secret',
  callbackUrl: 'http://127.0.0.1:4242/',
} as const

/** What the user typed: the global options and the environment. */
export interface AccountSources {
  profile: string | undefined
  baseUrl: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/**
 * The account that a command works with. Address, client id and secret come from what the user typed (option and
 * environment) or from the profile, never from a mixture, because a mixture sends a secret to an address that is not its
 * own. Throws UsageError for an unknown profile or a bad address, AuthError where credentials are missing or mixed.
 */
export async function resolveAccount({ profile, baseUrl, env }: AccountSources): Promise<Account> {
  const profileName = profile ?? (env.PIXGATE_PROFILE || undefined)
  if (profileName !== undefined && profileName !== LOCAL_PROFILE.name) throw unknownProfile(profileName)
  const clientId = env.PIXGATE_CLIENT_ID || undefined
  const clientSecret = env.PIXGATE_CLIENT_SECRET || undefined
  const typedAddress = typedBaseAddress(baseUrl, env)
  const wantsEnvironment = profile === undefined && (clientId !== undefined || clientSecret !== undefined)
  if (!wantsEnvironment) return localAccount(typedAddress, env)
  if (clientId === undefined) throw incomplete('PIXGATE_CLIENT_ID')
  if (clientSecret === undefined) throw incomplete('PIXGATE_CLIENT_SECRET')
  if (typedAddress === undefined) throw incomplete('PIXGATE_BASE_URL')
  return {
    profile: null,
    confirmName: typedAddress.host,
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    environment: typedAddress.isLoopback ? 'sandbox' : 'production',
    ...typedAddress,
    clientId: headerValue(clientId, 'PIXGATE_CLIENT_ID'),
    clientSecret: new Secret(headerValue(clientSecret, 'PIXGATE_CLIENT_SECRET')),
    callbackUrl: env.PIXGATE_CALLBACK_URL || null,
  }
}

/** The base address that the user typed as option or variable; undefined where none was. Throws UsageError. */
export function typedBaseAddress(option: string | undefined, env: AccountSources['env']): BaseAddress | undefined {
  if (option !== undefined) return readBaseAddress(option, '--base-url')
  if (env.PIXGATE_BASE_URL) return readBaseAddress(env.PIXGATE_BASE_URL, 'PIXGATE_BASE_URL')
  return undefined
}

function localAccount(typed: BaseAddress | undefined, env: AccountSources['env']): Account {
  const address = typed ?? readBaseAddress(LOCAL_PROFILE.baseUrl, LOCAL_PROFILE.name)
  if (!address.isLoopback) {
    throw new AuthError(t`There are no credentials for ${address.host}`, {
      hint: t`Set \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`; the built-in profile \`local\` is for addresses of this machine only`,
    })
  }
  return {
    profile: LOCAL_PROFILE.name,
    confirmName: LOCAL_PROFILE.name,
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    environment: 'sandbox',
    ...address,
    clientId: LOCAL_PROFILE.clientId,
    clientSecret: new Secret(LOCAL_PROFILE.clientSecret),
    callbackUrl: env.PIXGATE_CALLBACK_URL || LOCAL_PROFILE.callbackUrl,
  }
}

/** A credential must fit into an HTTP header as it is: visible ASCII, spaces inside only. */
function headerValue(text: string, variable: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text
  throw new UsageError(t`\`${variable}\` holds a character that no HTTP header can carry`, {
    hint: t`Copy the value again without line break, space around it or accents`,
  })
}

function incomplete(variable: string): AuthError {
  return new AuthError(t`The environment has part of the credentials, but \`${variable}\` is missing`, {
    hint: t`Set \`PIXGATE_BASE_URL\`, \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\` together, or none of them to use the profile \`local\``,
  })
}

function unknownProfile(name: string): UsageError {
  return new UsageError(t`There is no profile ${name}`, {
    hint: t`Use \`--profile local\`, or no profile and the credentials in the environment`,
  })
}
