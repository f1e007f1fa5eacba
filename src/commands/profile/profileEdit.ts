import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { credentialText, type EnvironmentKind, type StoredProfile } from '../../profiles/profile.ts'
import { type BaseAddress, readBaseAddress } from '../../wire/address.ts'
import { type PlainValues, type ProfileOptions, readPlainValues } from './options.ts'

/** The changes of an edit, except name and secret: undefined keeps a value, null clears it. */
export interface ProfileEdit extends PlainValues {
  address: BaseAddress | undefined
  clientId: string | undefined
}

/** Parses the options of an edit. Throws a UsageError that names the option. */
export function readEdit(options: ProfileOptions, baseUrl: string | undefined): ProfileEdit {
  return {
    ...readPlainValues(options),
    address: baseUrl === undefined ? undefined : readBaseAddress(baseUrl, '--base-url'),
    clientId: options.clientId === undefined ? undefined : credentialText(options.clientId, '--client-id'),
  }
}

/**
 * The profile after the edit, including fields that this version does not know. A remote sandbox is marked as confirmed: the
 * caller must store it only after a person has confirmed its host.
 */
export function applyEdit(profile: StoredProfile, edit: ProfileEdit): StoredProfile {
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

/** The host that must be confirmed for a sandbox profile with this address; undefined if none. */
export function sandboxHost(environment: EnvironmentKind, address: BaseAddress): string | undefined {
  return environment === 'sandbox' && !address.isLoopback ? address.host : undefined
}

/** True if the edit changes the scheme, host or port of the base address; another path is the same gateway. */
export function changesOrigin(profile: StoredProfile, { address }: ProfileEdit): boolean {
  return address !== undefined && new URL(address.url).origin !== new URL(profile.baseUrl).origin
}

/**
 * A profile keeps its environment unless another one is typed. A local sandbox that moves to a remote address becomes
 * production, as a new profile for that address would.
 */
function environmentAfter(profile: StoredProfile, edit: ProfileEdit): EnvironmentKind {
  if (edit.environment !== undefined) return edit.environment
  const leavesThisMachine = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback && edit.address?.isLoopback === false
  return leavesThisMachine ? 'production' : profileEnvironment(profile)
}

function afterEdit<Value>(earlier: Value | undefined, typed: Value | null | undefined): Value | undefined {
  return typed === undefined ? earlier : (typed ?? undefined)
}
