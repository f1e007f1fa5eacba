import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { Readable } from 'node:stream'
import { signalProcessGroup } from '../processGroup.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'
import { withoutSecrets } from './childEnvironment.ts'

/** A program that is started and waited for. It gets no secret in its environment. */
interface ChildProgram {
  /** A command for the shell; with `words` a program, and these its arguments, which may ask on the terminal. */
  command: string
  words?: readonly string[]
  env: EnvironmentVariables
  /** Secrets are passed here, because other users can read command lines. */
  input?: string | Readable
  /** Which of its outputs are read. */
  reads: readonly ('stdout' | 'stderr')[]
  timeoutMs?: number
  interrupt?: AbortSignal
}

interface ProgramEnd {
  /** Null if it was killed, or could not be started. */
  exit: number | null
  /** Why that is not 0, as the end of a sentence; null if it is. */
  fault: string | null
  stdout: string
  stderr: string
}

const OUTPUT_CHARACTERS_MAX = 1024 * 1024

/**
 * Runs a program to its end. Too late, or with too much on stdout, it is killed; a command of the shell with its descendants. Throws Cancelled on an interrupt,
 * after which it is killed, too, and the error of the input.
 */
export function runProgram(program: ChildProgram): Promise<ProgramEnd> {
  const { command, words, env, input, reads, timeoutMs, interrupt } = program
  const isShell = words === undefined
  return new Promise((resolve, reject) => {
    const child = spawn(command, words ?? [], {
      shell: isShell,
      // A separate process group can be killed as a whole.
      detached: isShell && platform() !== 'win32',
      windowsHide: true,
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        reads.includes('stdout') ? 'pipe' : 'ignore',
        reads.includes('stderr') ? 'pipe' : 'ignore',
      ],
      env: withoutSecrets(env),
    })
    const output = { stdout: '', stderr: '' }
    const end = (fault: string | null, exit: number | null = null) => {
      clearTimeout(timer)
      interrupt?.removeEventListener('abort', cancel)
      resolve({ exit, fault, ...output })
    }
    const kill = (fault: string) => {
      // Without an id it did not start, and Node.js would kill the processes of this group instead.
      if (child.pid !== undefined && isShell) signalProcessGroup(child.pid, 'SIGKILL')
      else if (child.pid !== undefined) child.kill('SIGKILL')
      // What it started may keep them open; without a descriptor left for them there are none.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
      child.unref()
      end(fault)
    }
    const fail = (error: unknown) => {
      reject(error)
      kill('')
    }
    const cancel = () =>
      fail(new Cancelled(t`Interrupted; nothing was sent`, { hint: t`Run the command again when you are ready` }))
    const late = () => kill(t`it took longer than ${(timeoutMs ?? 0) / 1000} seconds`)
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs)

    for (const name of reads) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < OUTPUT_CHARACTERS_MAX) output[name] += text
        else if (name === 'stdout') kill(t`it wrote too much output`)
      })
    }
    child.on('error', (error) => kill(t`it could not be started: ${systemTrouble(error, '').reason}`))
    child.on('close', (exit, signal) => {
      if (exit === 0) end(null, exit)
      else end(exit === null ? t`it was killed by ${signal ?? ''}` : t`exit code ${exit}`, exit)
    })
    if (child.stdin && input !== undefined) {
      const source = typeof input === 'string' ? Readable.from([input]) : input
      // It may end without having read its input.
      child.stdin.on('error', () => source.destroy())
      source.on('error', fail)
      source.pipe(child.stdin)
      child.on('close', () => source.destroy())
    }
    interrupt?.addEventListener('abort', cancel)
    if (interrupt?.aborted) cancel()
  })
}
