import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/words.ts'
import { AuthError, Cancelled, type Failure } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'
import { readFromKeychain } from './keychain.ts'
import { credentialText, isCredentialText, type SecretSource } from './profile.ts'

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
    case 'command':
      return new Secret(usableOutput(await runSecretCommand(source.command, owner, dependencies), owner))
    case 'keychain':
      return new Secret(usableOutput(await readFromKeychain(source.entry), owner))
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

/** The time limit for a command that prints a secret. */
const TIMEOUT_MS = 10_000
const OUTPUT_BYTES_MAX = 64 * 1024

export interface SecretCommandDependencies {
  env: EnvironmentVariables
  /** Kills the command. */
  interrupt: AbortSignal
  endGroup(pid: number): void
}

/**
 * Runs a command through the shell and returns its stdout. It gets no input, and its stderr is not shown, because it may
 * contain the secret. After 10 s it is killed with its descendants. Throws AuthError with the exit code but never the
 * output, and Cancelled on an interrupt. `owner` names the profile in errors.
 */
function runSecretCommand(command: string, owner: string, dependencies: SecretCommandDependencies): Promise<string> {
  const { env, interrupt } = dependencies
  return new Promise((resolve, reject) => {
    // A separate process group can be killed as a whole.
    const child = spawn(command, {
      shell: true,
      detached: platform() !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    })
    const chunks: Buffer[] = []
    let bytes = 0

    const settle = () => {
      clearTimeout(timer)
      interrupt.removeEventListener('abort', cancel)
    }
    const end = (failure: Failure) => {
      settle()
      if (child.pid !== undefined) dependencies.endGroup(child.pid)
      child.stdout.destroy()
      reject(failure)
    }
    const cancel = () =>
      end(new Cancelled(t`Interrupted; nothing was sent`, { hint: t`Run the command again when you are ready` }))
    const timer = setTimeout(
      () => end(commandFailed(t`it took longer than ${TIMEOUT_MS / 1000} seconds`, owner)),
      TIMEOUT_MS,
    )

    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > OUTPUT_BYTES_MAX) end(commandFailed(t`it wrote too much output for a secret`, owner))
    })
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(commandFailed(t`it could not be started: ${error.code ?? error.message}`, owner)),
    )
    child.on('close', (code, signal) => {
      settle()
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(commandFailed(code === null ? t`it was killed by ${signal ?? ''}` : t`exit code ${code}`, owner))
    })
    interrupt.addEventListener('abort', cancel)
    if (interrupt.aborted) cancel()
  })
}

function commandFailed(why: string, owner: string): AuthError {
  return new AuthError(t`The command that prints the secret of ${owner} failed: ${why}`, {
    details: [t`Nothing was sent; the command's output is not shown, because it may contain the secret`],
    hint: t`Run the command on its own to see its output; \`pixgate profile show\` shows which command it is`,
  })
}
