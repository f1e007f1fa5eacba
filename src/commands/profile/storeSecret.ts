import { removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import type { SecretSource } from '../../profiles/profile.ts'
import { t } from '../../text/words.ts'
import { AuthError } from '../../wire/errors.ts'
import type { NewSecret } from './newSecret.ts'
import type { Warnings } from './profileStore.ts'

/** A stored secret, and how to remove it if the profile cannot be stored. */
export interface SavedSecret {
  source: SecretSource
  undo(): Promise<void>
}

const NOTHING_TO_UNDO = async () => undefined

/**
 * Stores a secret in its chosen source. `newId` makes the keychain entry's name unique. If the keychain fails, it warns and
 * stores the secret in the profile file instead.
 */
export async function storeSecret(
  name: string,
  newSecret: NewSecret,
  newId: () => string,
  warnings: Warnings,
): Promise<SavedSecret> {
  if (newSecret.source === 'stored')
    return { source: { source: 'stored', value: newSecret.value }, undo: NOTHING_TO_UNDO }
  if (newSecret.source !== 'keychain') return { source: newSecret, undo: NOTHING_TO_UNDO }
  try {
    const source = { source: 'keychain', entry: `${name}-${newId()}` } as const
    await storeInKeychain(source.entry, newSecret.value)
    return { source, undo: () => deleteSecret(source, warnings) }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warnings.warn(t`${error.message}; the secret is stored in the profile file instead`)
    return { source: { source: 'stored', value: newSecret.value }, undo: NOTHING_TO_UNDO }
  }
}

/** Removes a secret that no profile uses any more from the keychain. A failure is only a warning. */
export async function deleteSecret(secret: SecretSource, { warn }: Warnings): Promise<void> {
  if (secret.source !== 'keychain') return
  try {
    await removeFromKeychain(secret.entry)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warn(t`The entry \`${secret.entry}\` is still in the keychain: ${error.message}`)
  }
}
