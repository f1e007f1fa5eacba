import { credentialText } from '../../profiles/credentialText.ts'
import { profileEnvironment } from '../../profiles/environment.ts'
import type { EnvironmentKind, StoredProfile } from '../../profiles/profile.ts'
import { type BaseAddress, readBaseAddress } from '../../wire/address.ts'
import { type PlainValues, type ProfileOptions, readPlainValues } from './options.ts'

/** What is to change, beside name and secret; undefined stays, null is cleared. */
export interface ProfileEdit extends PlainValues {
  address: BaseAddress | undefined
  clientId: string | undefined
}

/** Reads what was typed. Throws UsageError naming the option. */
export function readEdit(options: ProfileOptions, baseUrl: string | undefined): ProfileEdit {
  return {
    ...readPlainValues(options),
    address: baseUrl === undefined ? undefined : readBaseAddress(baseUrl, '--base-url'),
    clientId: options.clientId === undefined ? undefined : credentialText(options.clientId, '--client-id'),
  }
}

/**
 * The profile after the edit, what this version does not know included. A sandbox beyond this machine is written down as
 * confirmed: the caller stores it only after a person has confirmed its host.
 */
export function edited(profile: StoredProfile, edit: ProfileEdit): StoredProfile {
  const { clientId, callbackUrl, maxAmountCents, maxDayCents, readOnly, company, companyDocument } = edit
  const address = edit.address ?? readBaseAddress(profile.baseUrl, 'baseUrl')
  const environment = environmentAfter(profile, edit)
  return {
    ...profile,
    environment,
    confirmedSandboxHost: sandboxHost(environment, address),
    baseUrl: address.url,
    clientId: clientId ?? profile.clientId,
    callbackUrl: afterEdit(profile.callbackUrl, callbackUrl),
    maxAmountCents: afterEdit(profile.maxAmountCents, maxAmountCents),
    maxDayCents: afterEdit(profile.maxDayCents, maxDayCents),
    readOnly: readOnly ?? profile.readOnly,
    company: afterEdit(profile.company, company),
    companyDocument: afterEdit(profile.companyDocument, companyDocument),
  }
}

/** The host that a sandbox profile with this address must have confirmed; undefined if none is needed. */
export function sandboxHost(environment: EnvironmentKind, address: BaseAddress): string | undefined {
  return environment === 'sandbox' && !address.isLoopback ? address.host : undefined
}

/** True if the profile would speak to another host, port or scheme; another path is the same gateway. */
export function movesElsewhere(profile: StoredProfile, { address }: ProfileEdit): boolean {
  return address !== undefined && new URL(address.url).origin !== new URL(profile.baseUrl).origin
}

/**
 * A profile keeps its environment unless another one is typed; a sandbox that leaves this machine becomes production, as a
 * new profile for that address would be.
 */
function environmentAfter(profile: StoredProfile, edit: ProfileEdit): EnvironmentKind {
  if (edit.environment !== undefined) return edit.environment
  const leavesThisMachine = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback && edit.address?.isLoopback === false
  return leavesThisMachine ? 'production' : profileEnvironment(profile)
}

function afterEdit<Value>(earlier: Value | undefined, typed: Value | null | undefined): Value | undefined {
  return typed === undefined ? earlier : (typed ?? undefined)
}
