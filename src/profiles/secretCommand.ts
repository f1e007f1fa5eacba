import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { t } from '../text/words.ts'
import { AuthError, Cancelled, type Failure } from '../wire/errors.ts'

/** The longest time that a command may take to give a secret. */
const TIMEOUT_MS = 10_000
const OUTPUT_BYTES_MAX = 64 * 1024

/** What running a command needs of the world around it. */
export interface CommandSurroundings {
  env: Readonly<Record<string, string | undefined>>
  /** Ends the command. */
  interrupt: AbortSignal
  /** Kills a process and everything that it started. */
  endGroup(pid: number): void
}

/**
 * Runs a command through the shell and gives what it wrote to stdout. It gets no input, and what it says on stderr is not
 * shown, because that may be the secret too. After 10 s it is killed with everything that it started. Throws AuthError
 * naming the exit code, never the output; Cancelled on an interrupt. `owner` says for people whose command it is.
 */
export function runSecretCommand(command: string, owner: string, around: CommandSurroundings): Promise<string> {
  const { env, interrupt } = around
  return new Promise((resolve, reject) => {
    // A process group of its own can be killed whole.
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
      if (child.pid !== undefined) around.endGroup(child.pid)
      child.stdout.destroy()
      reject(failure)
    }
    const cancel = () =>
      end(new Cancelled(t`Interrupted, nothing was sent`, { hint: t`Run the command again when you are ready` }))
    const timer = setTimeout(
      () => end(commandFailed(t`it took longer than ${TIMEOUT_MS / 1000} seconds`, owner)),
      TIMEOUT_MS,
    )

    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > OUTPUT_BYTES_MAX) end(commandFailed(t`it wrote more than a secret can be`, owner))
    })
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(commandFailed(t`it cannot be run: ${error.code ?? error.message}`, owner)),
    )
    child.on('close', (code, signal) => {
      settle()
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else
        reject(commandFailed(code === null ? t`${signal ?? ''} ended it` : t`it ended with exit code ${code}`, owner))
    })
    interrupt.addEventListener('abort', cancel)
    if (interrupt.aborted) cancel()
  })
}

function commandFailed(why: string, owner: string): AuthError {
  return new AuthError(t`The command that gives the secret of ${owner} failed: ${why}`, {
    details: [t`Nothing was sent; what the command wrote is not shown, because it may hold the secret`],
    hint: t`Run the command by itself to see what it prints; \`pixgate profile show\` shows which one it is`,
  })
}
