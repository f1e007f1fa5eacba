import type { Context } from '../../context.ts'
import { removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import { credentialText, looksLikeSecret, type SecretSource } from '../../profiles/profile.ts'
import { isVariableName } from '../../profiles/storeShape.ts'
import { t } from '../../text/translate.ts'
import { AuthError, UsageError } from '../../wire/errors.ts'
import type { Warnings } from './profileStore.ts'

/** Where a new secret is kept, and the secret itself if pixgate stores it. */
export type NewSecret =
  | { source: 'stored'; value: string }
  | { source: 'keychain'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }

/** The options that say where the secret comes from; at most one of them is typed. */
interface SecretOptions {
  clientSecretStdin: boolean
  clientSecretEnv?: string
  clientSecretCommand?: string
  keychain: boolean
}

type SecretInput = 'prompt' | 'stdin' | 'env' | 'command' | 'keychain'

/** How the options supply the secret; undefined if none does. */
export function chosenSecretSource(options: SecretOptions): SecretInput | undefined {
  if (options.clientSecretEnv !== undefined) return 'env'
  if (options.clientSecretCommand !== undefined) return 'command'
  if (options.keychain) return 'keychain'
  return options.clientSecretStdin ? 'stdin' : undefined
}

/** Reads the secret, or the name of its source, from this input. Throws UsageError, Cancelled. */
export async function readNewSecret(
  context: Context,
  input: SecretInput,
  options: SecretOptions,
  warnings: Warnings,
): Promise<NewSecret> {
  switch (input) {
    case 'env':
      return { source: 'env', variable: checkedVariable(context, options.clientSecretEnv ?? '', warnings) }
    case 'command':
      return { source: 'command', command: options.clientSecretCommand ?? '' }
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

/** The name of a variable. Throws UsageError for what may be a value. */
export function readVariableName(typed: string, name: string): string {
  if (isVariableName(typed) && !looksLikeSecret(typed)) return typed
  throw new UsageError(t`\`${name}\` takes the name of a variable, not its value`, {
    hint: t`Write \`${name} ACME_SECRET\`, without \`$\``,
  })
}

function checkedVariable(context: Context, variable: string, { warn }: Warnings): string {
  const value = context.runtime.env[variable]
  if (value) credentialText(value, variable)
  else warn(t`The variable \`${variable}\` is not set; it is read at every use`)
  return variable
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
