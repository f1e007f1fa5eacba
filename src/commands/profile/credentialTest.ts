import { type Context, openGateway, readStoredSecret } from '../../context.ts'
import { checkCredentials } from '../../gateway/credentialCheck.ts'
import { accountOfNewProfile } from '../../profiles/account.ts'
import type { SecretSource, StoredProfile } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, Failure } from '../../wire/errors.ts'
import type { NewSecret } from './newSecret.ts'

/** How long the test of address and credentials may take. */
const TEST_MS = 10_000

/** Why the gateway cannot be used with this profile; undefined if it can, or if it has no secret, or the variable of it is not set yet. */
export async function failureOfTest(
  context: Context,
  name: string,
  profile: StoredProfile,
): Promise<Failure | undefined> {
  const { terminal, runtime } = context
  const source = profile.secret
  if (source.source === 'none' || (source.source === 'env' && !runtime.env[source.variable])) return undefined
  terminal.passing(t`Testing the address and the credentials…`)
  try {
    const secret = await readStoredSecret(context, source, name)
    const account = accountOfNewProfile(name, profile, secret)
    const gateway = await openGateway(context, account)
    const failure = await checkCredentials(gateway, context.now() + TEST_MS).finally(() => gateway.close())
    if (failure === undefined) terminal.note(t`The gateway at ${account.host} accepts the credentials`)
    return failure
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    return error
  }
}

/** A new secret in the form of a stored one; one for the keychain is not there yet. */
export function readableSecret(newSecret: NewSecret): SecretSource {
  return newSecret.source === 'keychain' ? { ...newSecret, source: 'stored' } : newSecret
}
