import type { Context } from '../../context.ts'
import { credentialText, looksLikeSecret } from '../../profiles/credentialText.ts'
import { isVariableName } from '../../profiles/storeShape.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { notBlank } from '../optionValues.ts'
import type { ProfileOptions } from './options.ts'
import type { Warnings } from './warnings.ts'

/** Where the secret is to be kept, and the secret itself where pixgate has to keep it. */
export type SecretWish =
  | { source: 'stored'; value: string }
  | { source: 'keychain'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }

type Way = 'prompt' | 'stdin' | 'env' | 'command' | 'keychain'

/** The one way that was typed; undefined where none was. Throws UsageError for several. */
export function chosenWay(options: ProfileOptions): Way | undefined {
  const typed: [way: Way, option: string, isTyped: boolean][] = [
    ['stdin', '--client-secret-stdin', options.clientSecretStdin === true],
    ['env', '--client-secret-env', options.clientSecretEnv !== undefined],
    ['command', '--client-secret-command', options.clientSecretCommand !== undefined],
    ['keychain', '--keychain', options.keychain === true],
  ]
  const chosen = typed.filter(([, , isTyped]) => isTyped)
  if (chosen.length > 1) {
    const names = chosen.map(([, option]) => `\`${option}\``).join(t` and `)
    throw new UsageError(t`The secret has one source, and ${names} are several`, {
      hint: t`Give one of them; \`--keychain\` alone asks for the secret, or reads it from a pipe`,
    })
  }
  return chosen[0]?.[0]
}

/** Gets the secret, or the name of its place, in this way. Throws UsageError, Cancelled. */
export async function secretInThisWay(
  context: Context,
  way: Way,
  options: ProfileOptions,
  warnings: Warnings,
): Promise<SecretWish> {
  switch (way) {
    case 'env':
      return { source: 'env', variable: variableName(context, options.clientSecretEnv ?? '', warnings) }
    case 'command':
      return { source: 'command', command: notBlank(options.clientSecretCommand ?? '', '--client-secret-command') }
    case 'keychain':
      return { source: 'keychain', value: await askOrRead(context, '--keychain') }
    case 'stdin':
      return { source: 'stored', value: await askOrRead(context, '--client-secret-stdin') }
    case 'prompt':
      return { source: 'stored', value: await askHidden(context) }
  }
}

/** From a pipe, or hidden from a person: typed into a terminal that echoes it, a secret is shown. */
async function askOrRead(context: Context, option: string): Promise<string> {
  if (context.world.stdin.isTTY !== true) {
    const text = await context.readInput('-', 'secret')
    return credentialText(text.replace(/\r?\n$/, ''), option)
  }
  if (context.terminal.canAsk) return askHidden(context)
  throw new UsageError(t`\`${option}\` reads the secret from a pipe, and there is none`, {
    hint: t`Write \`printf %s "$SECRET" | pixgate profile … ${option}\`, or allow questions`,
  })
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
  const value = context.world.env[typed]
  if (value) credentialText(value, typed)
  else warn(t`\`${typed}\` is not set now; it is read at every use`)
  return typed
}

/** The failure of a profile whose secret nobody gives. */
export function secretMissing(): UsageError {
  return new UsageError(t`The secret is missing, and nobody can be asked`, {
    hint: t`Add \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\``,
  })
}
