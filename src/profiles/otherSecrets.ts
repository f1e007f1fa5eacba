import type { OtherSecret } from '../wire/signatureDiagnosis.ts'
import { LOCAL_PROFILE } from './account.ts'
import { isCredentialText, type ProfileStore, type SecretSource } from './profile.ts'
import { immediateSecret, type Signer, secretsOf } from './signer.ts'

/** The secrets of all profiles except the signer's own. */
export interface OtherSecrets {
  /** The secrets that could be read directly. */
  known: OtherSecret[]
  /** The profiles whose secret needs a command or keychain, or is in a variable that is not set. */
  unread: string[]
}

/** Collects the secrets of the other profiles without running a command or opening a keychain. */
export function otherSecrets(
  store: ProfileStore,
  env: Readonly<Record<string, string | undefined>>,
  signer: Signer,
): OtherSecrets {
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
