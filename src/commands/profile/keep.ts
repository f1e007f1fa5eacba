import { readFromKeychain, removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import type { SecretSource } from '../../profiles/profile.ts'
import { t } from '../../text/words.ts'
import { AuthError } from '../../wire/errors.ts'
import type { SecretWish } from './secretWish.ts'
import type { Warnings } from './warnings.ts'

/** A secret in its place, and the way back where the profile then cannot be stored. */
export interface KeptSecret {
  source: SecretSource
  undo(): Promise<void>
}

const NOTHING_TO_UNDO = async () => undefined

/**
 * Puts a secret where it is wished. `isReplacing` is true where the keychain holds an earlier secret of this profile. A
 * keychain that does not take it is announced, and the secret stored in the file instead.
 */
export async function keepSecret(
  name: string,
  wish: SecretWish,
  isReplacing: boolean,
  { warn }: Warnings,
): Promise<KeptSecret> {
  if (wish.source === 'stored') return { source: { source: 'stored', value: wish.value }, undo: NOTHING_TO_UNDO }
  if (wish.source !== 'keychain') return { source: wish, undo: NOTHING_TO_UNDO }
  try {
    const earlier = isReplacing ? await readFromKeychain(name) : undefined
    await storeInKeychain(name, wish.value)
    const undo = () => (earlier === undefined ? removeFromKeychain(name) : storeInKeychain(name, earlier))
    return { source: { source: 'keychain' }, undo: () => undoOrWarn(name, undo, warn) }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warn(t`${error.message}; the secret is stored in the file instead`)
    return { source: { source: 'stored', value: wish.value }, undo: NOTHING_TO_UNDO }
  }
}

/** The failure of the profile counts, so that of its keychain is only said. */
async function undoOrWarn(name: string, undo: () => Promise<void>, warn: Warnings['warn']): Promise<void> {
  try {
    await undo()
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warn(t`The keychain keeps the new secret of \`${name}\`: ${error.message}`)
  }
}

/** Removes what no profile uses any longer; a failure is only said, because the profile itself is changed already. */
export async function forgetInKeychain(name: string, { warn }: Warnings): Promise<void> {
  try {
    await removeFromKeychain(name)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warn(t`The secret of \`${name}\` is still in the keychain: ${error.message}`)
  }
}
