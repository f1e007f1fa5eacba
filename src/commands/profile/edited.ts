import { credentialText } from '../../profiles/credentialText.ts'
import type { StoredProfile } from '../../profiles/profile.ts'
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

/** The profile after the edit, what this version does not know included. */
export function edited(profile: StoredProfile, edit: ProfileEdit): StoredProfile {
  const { address, clientId, callbackUrl, maxAmountCents, maxDayCents, readOnly } = edit
  return {
    ...profile,
    environment: environmentAfter(profile, edit),
    baseUrl: address?.url ?? profile.baseUrl,
    clientId: clientId ?? profile.clientId,
    callbackUrl: afterEdit(profile.callbackUrl, callbackUrl),
    maxAmountCents: afterEdit(profile.maxAmountCents, maxAmountCents),
    maxDayCents: afterEdit(profile.maxDayCents, maxDayCents),
    readOnly: readOnly ?? profile.readOnly,
  }
}

/** True where the profile would speak to another host, port or scheme; another path is the same gateway. */
export function movesElsewhere(profile: StoredProfile, { address }: ProfileEdit): boolean {
  return address !== undefined && new URL(address.url).origin !== new URL(profile.baseUrl).origin
}

/** A sandbox that moves beyond this machine is production unless it is typed; production never becomes less by itself. */
function environmentAfter(profile: StoredProfile, edit: ProfileEdit): StoredProfile['environment'] {
  if (edit.environment !== undefined) return edit.environment
  return movesElsewhere(profile, edit) && edit.address?.isLoopback !== true ? 'production' : profile.environment
}

function afterEdit<Value>(earlier: Value | undefined, typed: Value | null | undefined): Value | undefined {
  return typed === undefined ? earlier : (typed ?? undefined)
}
