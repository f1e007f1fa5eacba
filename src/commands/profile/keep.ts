import { removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import type { SecretSource } from '../../profiles/profile.ts'
import { t } from '../../text/words.ts'
import { AuthError } from '../../wire/errors.ts'
import type { SecretWish } from './secretWish.ts'
import type { Warnings } from './warnings.ts'

/** A stored secret, and how to remove it if the profile cannot be stored. */
export interface KeptSecret {
  source: SecretSource
  undo(): Promise<void>
}

const NOTHING_TO_UNDO = async () => undefined

/**
 * Stores a secret in its chosen source. `newId` makes the keychain entry's name unique. If the keychain fails, it warns and
 * stores the secret in the profile file instead.
 */
export async function keepSecret(
  name: string,
  wish: SecretWish,
  newId: () => string,
  warnings: Warnings,
): Promise<KeptSecret> {
  if (wish.source === 'stored') return { source: { source: 'stored', value: wish.value }, undo: NOTHING_TO_UNDO }
  if (wish.source !== 'keychain') return { source: wish, undo: NOTHING_TO_UNDO }
  try {
    const source = { source: 'keychain', entry: `${name}-${newId()}` } as const
    await storeInKeychain(source.entry, wish.value)
    return { source, undo: () => forgetSecret(source, warnings) }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warnings.warn(t`${error.message}; the secret is stored in the profile file instead`)
    return { source: { source: 'stored', value: wish.value }, undo: NOTHING_TO_UNDO }
  }
}

/** Removes a secret that no profile uses any more from the keychain. A failure is only a warning. */
export async function forgetSecret(secret: SecretSource, { warn }: Warnings): Promise<void> {
  if (secret.source !== 'keychain') return
  try {
    await removeFromKeychain(secret.entry)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warn(t`The entry \`${secret.entry}\` is still in the keychain: ${error.message}`)
  }
}
