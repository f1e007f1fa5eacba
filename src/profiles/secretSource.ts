import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { AuthError } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'
import { profileWithoutSecret } from './credentialErrors.ts'
import { credentialText, isCredentialText, isPasswordText } from './credentialText.ts'
import type { ProfileSecret, SecretSource } from './profile.ts'

const TIMEOUT_MS = 10_000

/** What a secret belongs to, as errors say it, and the command whose help says how to change its source. */
interface SecretOwner {
  text: string
  help: string
}

interface SecretDependencies {
  env: EnvironmentVariables
  /** Kills the command that prints a secret. */
  interrupt: AbortSignal
}

/**
 * Reads a secret from its source; `profile` is null for a secret from the environment. Errors never show any part of it.
 * Throws AuthError if the source does not supply it, or if there is none, UsageError if the value is not valid in an HTTP header, Cancelled on an
 * interrupt.
 */
export async function readSecret(
  source: ProfileSecret,
  profile: string | null,
  dependencies: SecretDependencies,
): Promise<Secret> {
  if (source.source === 'none') throw profileWithoutSecret(profile ?? '')
  const text = profile === null ? t`the environment` : t`the profile \`${profile}\``
  const owner = { text, help: 'pixgate profile edit --help' }
  const read = await readFrom(source, owner, dependencies)
  if (source.source === 'stored') return new Secret(credentialText(read, t`profile ${profile ?? ''}`))
  if (source.source === 'env') return new Secret(credentialText(read, source.variable))
  const wrong = t`The secret of ${text} contains a character that is not allowed in an HTTP header`
  return new Secret(usableOutput(read, owner, isCredentialText, wrong))
}

/**
 * Reads the password of a shared ledger, at `place`, from its source. Errors never show any part of it. Throws AuthError if the source does not supply
 * it, Cancelled on an interrupt.
 */
export async function readLedgerPassword(
  source: SecretSource,
  place: string,
  dependencies: SecretDependencies,
): Promise<Secret> {
  const owner = { text: t`the shared ledger \`${place}\``, help: 'pixgate ledger join --help' }
  const read = await readFrom(source, owner, dependencies)
  const wrong = t`The password of ${owner.text} contains a control character`
  const isFromProgram = source.source === 'command' || source.source === 'keychain'
  return new Secret(isFromProgram || !isPasswordText(read) ? usableOutput(read, owner, isPasswordText, wrong) : read)
}

/** The text of a secret, as its source gives it. Throws AuthError, Cancelled. */
async function readFrom(source: SecretSource, owner: SecretOwner, dependencies: SecretDependencies): Promise<string> {
  const { env } = dependencies
  switch (source.source) {
    case 'stored':
      return source.value
    case 'env':
      return readVariable(source.variable, owner, env)
    case 'command': {
      const { runProgram } = await import('./childProgram.ts')
      // Its stderr may contain the secret, too.
      const program = { command: source.command, reads: ['stdout'], timeoutMs: TIMEOUT_MS } as const
      const { fault, stdout } = await runProgram({ ...program, env, interrupt: dependencies.interrupt })
      if (fault !== null) throw commandFailed(fault, owner)
      return stdout
    }
    case 'keychain': {
      const { readFromKeychain } = await import('./keychain.ts')
      return readFromKeychain(source.entry, env)
    }
  }
}

/** The source of a secret as text; `profile` is the text for its profile. */
export function secretSourceText(source: ProfileSecret, profile: string): string {
  switch (source.source) {
    case 'none':
      return t`${profile}, which has none`
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

function readVariable(variable: string, { text: owner, help }: SecretOwner, env: SecretDependencies['env']): string {
  const text = env[variable]
  if (text) return text
  throw new AuthError(t`\`${variable}\` is not set, but ${owner} reads its secret from it`, {
    hint: t`Set \`${variable}\`, or change the source of the secret; see \`${help}\``,
  })
}

function commandFailed(why: string, { text: owner, help }: SecretOwner): AuthError {
  return new AuthError(t`The command that prints the secret of ${owner} failed: ${why}`, {
    details: [t`Nothing was sent; the command's output is not shown, because it may contain the secret`],
    hint: t`Run the command on its own to see its output; \`${help}\` shows how to change it`,
  })
}

/** Checks the output of a program and removes surrounding white space, which is never part of a secret. */
function usableOutput(
  output: string,
  { text: owner, help }: SecretOwner,
  isValid: (text: string) => boolean,
  wrong: string,
): string {
  const text = output.trim()
  if (isValid(text)) return text
  const fault =
    text === ''
      ? t`The source of the secret of ${owner} returned nothing`
      : /[\r\n]/.test(text)
        ? t`The source of the secret of ${owner} returned more than one line`
        : wrong
  throw new AuthError(fault, {
    details: [t`The output is not shown, because it may contain the secret`],
    hint: t`Make the source print only the secret, on one line, or change the source; see \`${help}\``,
  })
}
