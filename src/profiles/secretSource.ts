import { t } from '../text/words.ts'
import { AuthError } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'
import { credentialText, isCredentialText } from './credentialText.ts'
import type { SecretSource } from './profile.ts'
import type { CommandSurroundings } from './secretCommand.ts'

/**
 * Reads a secret from where it is kept; `profile` is null for one of the environment. Nothing in a failure shows any of
 * it. Throws AuthError where there is none or its place does not give it, UsageError where a value that the user set
 * cannot be sent, Cancelled on an interrupt.
 */
export async function readSecret(
  source: SecretSource,
  profile: string | null,
  around: CommandSurroundings,
): Promise<Secret> {
  const owner = profile === null ? t`the environment` : t`the profile \`${profile}\``
  switch (source.source) {
    case 'stored':
      return new Secret(credentialText(source.value, t`profile ${profile ?? ''}`))
    case 'env':
      return new Secret(credentialText(readVariable(source.variable, owner, around.env), source.variable))
    case 'command': {
      const { runSecretCommand } = await import('./secretCommand.ts')
      return new Secret(usableOutput(await runSecretCommand(source.command, owner, around), owner))
    }
    case 'keychain':
      return new Secret(usableOutput(await readKeychain(source.entry), owner))
  }
}

/** Where a secret comes from, for people; `profile` is the text for its profile. */
export function secretSourceText(source: SecretSource, profile: string): string {
  switch (source.source) {
    case 'stored':
      return profile
    case 'env':
      return t`${source.variable}, named by ${profile}`
    case 'command':
      return t`command of ${profile}`
    case 'keychain':
      return t`keychain, ${profile}`
  }
}

function readVariable(variable: string, owner: string, env: CommandSurroundings['env']): string {
  const text = env[variable]
  if (text) return text
  throw new AuthError(t`\`${variable}\` is not set, and ${owner} reads its secret from there`, {
    hint: t`Set \`${variable}\`, or give the profile another source; \`pixgate profile edit --help\` lists them`,
  })
}

async function readKeychain(entry: string): Promise<string> {
  const { readFromKeychain } = await import('./keychain.ts')
  return readFromKeychain(entry)
}

/** What a program gave, without the white space around it, which no secret can have. */
function usableOutput(output: string, owner: string): string {
  const text = output.trim()
  if (isCredentialText(text)) return text
  const fault =
    text === ''
      ? t`Where ${owner} looks for its secret, there is nothing`
      : /[\r\n]/.test(text)
        ? t`Where ${owner} looks for its secret, there is more than one line`
        : t`The secret of ${owner} holds a character that no HTTP header can carry`
  throw new AuthError(fault, {
    details: [t`What was read is not shown, because it may hold the secret`],
    hint: t`Make the source give the secret alone, on one line, or give the profile another source; \`pixgate profile edit --help\` lists them`,
  })
}
