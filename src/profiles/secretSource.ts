import { t } from '../text/translate.ts'
import { AuthError } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'
import { credentialText, isCredentialText, type SecretSource } from './profile.ts'
import type { SecretCommandDependencies } from './secretCommand.ts'

/**
 * Reads a secret from its source; `profile` is null for a secret from the environment. Errors never show any part of it.
 * Throws AuthError if the source does not supply it, UsageError if the value is not valid in an HTTP header, Cancelled on an
 * interrupt.
 */
export async function readSecret(
  source: SecretSource,
  profile: string | null,
  dependencies: SecretCommandDependencies,
): Promise<Secret> {
  const owner = profile === null ? t`the environment` : t`the profile \`${profile}\``
  switch (source.source) {
    case 'stored':
      return new Secret(credentialText(source.value, t`profile ${profile ?? ''}`))
    case 'env':
      return new Secret(credentialText(readVariable(source.variable, owner, dependencies.env), source.variable))
    case 'command': {
      const { runSecretCommand } = await import('./secretCommand.ts')
      return new Secret(usableOutput(await runSecretCommand(source.command, owner, dependencies), owner))
    }
    case 'keychain': {
      const { readFromKeychain } = await import('./keychain.ts')
      return new Secret(usableOutput(await readFromKeychain(source.entry), owner))
    }
  }
}

/** The source of a secret as text; `profile` is the text for its profile. */
export function secretSourceText(source: SecretSource, profile: string): string {
  switch (source.source) {
    case 'stored':
      return profile
    case 'env':
      return t`${source.variable}, set by ${profile}`
    case 'command':
      return t`command of ${profile}`
    case 'keychain':
      return t`keychain, ${profile}`
  }
}

function readVariable(variable: string, owner: string, env: SecretCommandDependencies['env']): string {
  const text = env[variable]
  if (text) return text
  throw new AuthError(t`\`${variable}\` is not set, but ${owner} reads its secret from it`, {
    hint: t`Set \`${variable}\`, or change the source of the secret; see \`pixgate profile edit --help\``,
  })
}

/** Checks the output of a program and removes surrounding white space, which is never part of a secret. */
function usableOutput(output: string, owner: string): string {
  const text = output.trim()
  if (isCredentialText(text)) return text
  const fault =
    text === ''
      ? t`The source of the secret of ${owner} returned nothing`
      : /[\r\n]/.test(text)
        ? t`The source of the secret of ${owner} returned more than one line`
        : t`The secret of ${owner} contains a character that is not allowed in an HTTP header`
  throw new AuthError(fault, {
    details: [t`The output is not shown, because it may contain the secret`],
    hint: t`Make the source print only the secret, on one line, or change the source; see \`pixgate profile edit --help\``,
  })
}
