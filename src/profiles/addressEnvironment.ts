import type { EnvironmentVariables } from '../programInfo.ts'
import { type BaseAddress, portOf, readBaseAddress } from '../wire/address.ts'
import type { EnvironmentKind, ProfileStore, ProfileValues } from './profile.ts'

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
