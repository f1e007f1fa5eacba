import { isLoopbackHost } from '../wire/address.ts'
import type { EventOwner, Owner } from './records.ts'

/**
 * True where the webhooks of one account are about the transactions of the other: the same client id, and the same address
 * or a sandbox on this machine each, whose port changes from start to start. A secret alone belongs to no account.
 */
export function isSameAccount(
  one: Pick<EventOwner, 'environment' | 'baseUrl' | 'clientId'>,
  other: Pick<Owner, 'environment' | 'baseUrl' | 'clientId'>,
): boolean {
  if (one.clientId === null || one.baseUrl === null || one.clientId !== other.clientId) return false
  if (one.baseUrl === other.baseUrl) return true
  return [one, other].every(({ environment, baseUrl }) => environment === 'sandbox' && isOnThisMachine(baseUrl))
}

function isOnThisMachine(baseUrl: string | null): boolean {
  return baseUrl !== null && URL.canParse(baseUrl) && isLoopbackHost(new URL(baseUrl).hostname)
}
