import { type ChildProcess, spawn } from 'node:child_process'
import { constants, platform } from 'node:os'
import { isatty } from 'node:tty'
import type { Context } from '../../context.ts'
import { endProcessGroup, signalProcessGroup } from '../../processGroup.ts'
import { t } from '../../text/translate.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** Less than the two seconds after which a process that got SIGTERM ends anyway. */
const KILL_MS = 800
const INTERRUPTED_EXIT = 130

/**
 * Reads the process to end, then a line that dismisses it. Its input ends before that line if pixgate is killed; then it
 * does what pixgate cannot do any more: it ends the command and removes the folder.
 */
const WATCHDOG =
  'read -r target && read -r line && exit; [ -n "$target" ] && kill -s TERM -- "$target" && sleep 1; [ -n "$target" ] && kill -s KILL -- "$target"; rm -rf -- "$1"'

/**
 * Runs a command with our streams and gives its exit code, or 128 and the number of the signal that ended it. Signals are
 * passed on, and when it has ended, so has everything that it started and that can still be reached. `folder` is removed if
 * pixgate is killed. Throws UsageError if the command cannot be started.
 */
export async function runChild(
  context: Context,
  [file = '', ...args]: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { interrupt, abandon } = context.runtime
  if (abandon.aborted) return INTERRUPTED_EXIT
  // On a terminal the command must stay in our group, which gets Ctrl-C and may read what is typed.
  const hasOwnGroup = platform() !== 'win32' && ![0, 1, 2].some((descriptor) => isatty(descriptor))
  // The watchdog comes first, so that no command runs without one.
  const watchdog = startWatchdog(folder, context.runtime.env.PATH)
  const child = spawn(file, args, { stdio: 'inherit', env, detached: hasOwnGroup })
  const ended = exitOf(child, file)
  const { pid } = child
  if (pid === undefined) {
    const { code } = await ended.finally(watchdog.dismiss)
    return code ?? 0
  }
  watchdog.watch(hasOwnGroup ? -pid : pid)
  let killing: NodeJS.Timeout | undefined
  let ending: Promise<boolean> | undefined
  const passOn = () => {
    if (hasOwnGroup && !abandon.aborted) interruptGroup(pid)
  }
  const terminate = () => {
    if (hasOwnGroup) ending = endProcessGroup(pid, KILL_MS)
    else {
      child.kill('SIGTERM')
      killing = setTimeout(() => child.kill('SIGKILL'), KILL_MS)
    }
  }
  interrupt.addEventListener('abort', passOn)
  abandon.addEventListener('abort', terminate)
  try {
    const { code, endedBy } = await ended
    if (hasOwnGroup) await (ending ?? endProcessGroup(pid, KILL_MS))
    if (code !== null) return code
    return abandon.aborted ? INTERRUPTED_EXIT : 128 + (endedBy === null ? 0 : constants.signals[endedBy])
  } finally {
    clearTimeout(killing)
    interrupt.removeEventListener('abort', passOn)
    abandon.removeEventListener('abort', terminate)
    await watchdog.dismiss()
  }
}

function exitOf(child: ChildProcess, file: string): Promise<{ code: number | null; endedBy: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const hint = t`Check its name; words after \`--\` are the command and its arguments`
      if (error.code === 'ENOENT') reject(new UsageError(t`The command \`${file}\` was not found`, { hint }))
      else reject(new UsageError(t`The command \`${file}\` cannot be run: ${error.code ?? error.message}`, { hint }))
    })
    child.on('exit', (code, endedBy) => resolve({ code, endedBy }))
  })
}

function interruptGroup(pid: number): void {
  try {
    signalProcessGroup(pid, 'SIGINT')
  } catch (error) {
    // The command runs as another user, whose processes pixgate may not signal.
    if (!isSystemError(error) || error.code !== 'EPERM') throw error
  }
}

interface Watchdog {
  /** Names the process to end, or as a negative number its group. */
  watch(target: number): void
  dismiss(): Promise<void>
}

function startWatchdog(folder: string, path: string | undefined): Watchdog {
  if (platform() === 'win32') return { watch: () => undefined, dismiss: async () => undefined }
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: path },
    detached: true,
  })
  const { stdin } = watchdog
  // Without a shell there is no watchdog; the command runs all the same.
  watchdog.on('error', () => undefined)
  stdin.on('error', () => undefined)
  watchdog.unref()
  return {
    watch: (target) => stdin.write(`${target}\n`),
    // Two lines: without a target, the first one is read in its place.
    dismiss: () => new Promise((resolve) => stdin.end('\n\n', () => resolve())),
  }
}
