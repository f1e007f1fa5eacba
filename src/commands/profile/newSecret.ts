import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import { credentialText, looksLikeSecret, type SecretSource } from '../../profiles/profile.ts'
import { isVariableName } from '../../profiles/storeShape.ts'
import { t } from '../../text/translate.ts'
import { AuthError, UsageError } from '../../wire/errors.ts'
import type { ProfileOptions } from './options.ts'
import type { Warnings } from './profileStore.ts'

/** Where a new secret is kept, and the secret itself if pixgate stores it. */
export type NewSecret =
  | { source: 'stored'; value: string }
  | { source: 'keychain'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }

type SecretInput = 'prompt' | 'stdin' | 'env' | 'command' | 'keychain'

/** How the options supply the secret; undefined if none does. Throws UsageError if several do. */
export function chosenSecretSource(options: ProfileOptions): SecretInput | undefined {
  const typed: [input: SecretInput, option: string, isTyped: boolean][] = [
    ['stdin', '--client-secret-stdin', options.clientSecretStdin === true],
    ['env', '--client-secret-env', options.clientSecretEnv !== undefined],
    ['command', '--client-secret-command', options.clientSecretCommand !== undefined],
    ['keychain', '--keychain', options.keychain === true],
  ]
  const chosen = typed.filter(([, , isTyped]) => isTyped)
  if (chosen.length > 1) {
    const names = chosen.map(([, option]) => `\`${option}\``).join(t` and `)
    throw new UsageError(t`A secret has only one source, but ${names} are given`, {
      hint: t`Use only one of them; \`--keychain\` also prompts for the secret or reads it from a pipe`,
    })
  }
  return chosen[0]?.[0]
}

/** Reads the secret, or the name of its source, from this input. Throws UsageError, Cancelled. */
export async function readNewSecret(
  context: Context,
  input: SecretInput,
  options: ProfileOptions,
  warnings: Warnings,
): Promise<NewSecret> {
  switch (input) {
    case 'env':
      return { source: 'env', variable: variableName(context, options.clientSecretEnv ?? '', warnings) }
    case 'command':
      return { source: 'command', command: readText(options.clientSecretCommand ?? '', '--client-secret-command') }
    case 'keychain':
      return { source: 'keychain', value: await askOrRead(context, '--keychain') }
    case 'stdin':
      return { source: 'stored', value: await askOrRead(context, '--client-secret-stdin') }
    case 'prompt':
      return { source: 'stored', value: await askHidden(context) }
  }
}

/** Reads a secret from a pipe, or from a hidden prompt on a terminal, which would otherwise echo it. */
async function askOrRead(context: Context, option: string): Promise<string> {
  if (context.runtime.stdin.isTTY !== true) {
    const text = await context.readInput('-', 'secret')
    return credentialText(text.replace(/\r?\n$/, ''), option)
  }
  if (context.terminal.canAsk) return askHidden(context)
  throw new UsageError(
    t`\`${option}\` reads the secret from a pipe, but standard input is a terminal and prompts are off`,
    {
      hint: t`Pipe the secret to the command, or omit \`--no-input\` to be prompted`,
    },
  )
}

async function askHidden(context: Context): Promise<string> {
  return credentialText(await context.terminal.askSecret(t`Client secret`), t`client secret`)
}

function variableName(context: Context, typed: string, { warn }: Warnings): string {
  if (!isVariableName(typed) || looksLikeSecret(typed)) {
    throw new UsageError(t`\`--client-secret-env\` takes the name of a variable, not its value`, {
      hint: t`Write \`--client-secret-env ACME_SECRET\`, without \`$\``,
    })
  }
  const value = context.runtime.env[typed]
  if (value) credentialText(value, typed)
  else warn(t`The variable \`${typed}\` is not set; it is read at every use`)
  return typed
}

/** The error for a profile without a secret if prompts are not possible. */
export function missingSecret(): UsageError {
  return new UsageError(t`The client secret is missing, and prompts are not possible`, {
    hint: t`Add \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\``,
  })
}

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
