import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { signalProcessGroup } from '../processGroup.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { AuthError, Cancelled, type Failure } from '../wire/errors.ts'
import { withoutSecrets } from './childEnvironment.ts'

const TIMEOUT_MS = 10_000
const OUTPUT_BYTES_MAX = 64 * 1024

/** What a secret belongs to, as errors say it, and the command whose help says how to change its source. */
export interface SecretOwner {
  text: string
  help: string
}

export interface SecretCommandDependencies {
  env: EnvironmentVariables
  /** Kills the command. */
  interrupt: AbortSignal
}

/**
 * Runs a command through the shell and returns its stdout. It gets no input, and its stderr is not shown, because it may
 * contain the secret. After 10 s it is killed with its descendants. Throws AuthError with the exit code but never the
 * output, and Cancelled on an interrupt.
 */
export function runSecretCommand(
  command: string,
  owner: SecretOwner,
  dependencies: SecretCommandDependencies,
): Promise<string> {
  const { env, interrupt } = dependencies
  return new Promise((resolve, reject) => {
    // A separate process group can be killed as a whole.
    const child = spawn(command, {
      shell: true,
      detached: platform() !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: withoutSecrets(env),
    })
    const chunks: Buffer[] = []
    let bytes = 0

    const settle = () => {
      clearTimeout(timer)
      interrupt.removeEventListener('abort', cancel)
    }
    const end = (failure: Failure) => {
      settle()
      if (child.pid !== undefined) signalProcessGroup(child.pid, 'SIGKILL')
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
      end(commandFailed(t`it could not be started: ${systemTrouble(error, '').reason}`, owner)),
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

function commandFailed(why: string, { text: owner, help }: SecretOwner): AuthError {
  return new AuthError(t`The command that prints the secret of ${owner} failed: ${why}`, {
    details: [t`Nothing was sent; the command's output is not shown, because it may contain the secret`],
    hint: t`Run the command on its own to see its output; \`${help}\` shows how to change it`,
  })
}
