import { type BaseAddress, readBaseAddress } from '../wire/address.ts'
import type { EnvironmentKind, ProfileStore } from './profile.ts'

/**
 * What an address is that is used without a stored profile: production beyond this machine; on it a sandbox, unless a
 * stored profile calls this port production by whatever name of this machine.
 */
export function environmentOf(address: BaseAddress, store: ProfileStore): EnvironmentKind {
  if (!address.isLoopback) return 'production'
  for (const profile of store.profiles.values()) {
    const own = readBaseAddress(profile.baseUrl, 'baseUrl')
    const isHere = own.isLoopback && portOf(own) === portOf(address)
    if (isHere && profile.environment === 'production') return 'production'
  }
  return 'sandbox'
}

/** The names of the stored profiles whose address this is. */
export function ownersOf(address: BaseAddress, store: ProfileStore): string[] {
  return [...store.profiles].filter(([, profile]) => profile.baseUrl === address.url).map(([name]) => name)
}

function portOf({ url }: BaseAddress): string {
  const { port, protocol } = new URL(url)
  return port === '' ? protocol : port
}
