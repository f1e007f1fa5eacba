import { runCli } from './cli.ts'
import { DEFECT_EXIT } from './front.ts'
import { OutputChannel } from './terminal/outputChannel.ts'
import { redact, type Secret } from './wire/secret.ts'

/** As shells count them: 128 and the number of the signal. */
const SIGNAL_EXITS = { SIGTERM: 143, SIGHUP: 129 } as const
const INTERRUPTED_EXIT = 130
const GRACE_MS = 2000
const LAST_MS = 100

const controllers: { interrupt?: AbortController; abandon?: AbortController } = {}
const secrets: Secret[] = []
let signalExit: number | undefined
let exitCode: number | undefined
let isDefective = false
let lostOutput: NodeJS.ErrnoException | undefined
const stdout = new OutputChannel(1, openStdout)
const stderr = new OutputChannel(2, openStderr)

process.on('SIGINT', () => {
  const interrupt = controller('interrupt')
  if (interrupt.signal.aborted) end()
  else interrupt.abort()
})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    signalExit = SIGNAL_EXITS[signal]
    end()
  })
}
process.on('uncaughtException', (error) => {
  // What follows a defect comes of it.
  if (isDefective) return
  isDefective = true
  void endWithStack(error)
})

/** Runs the command line of this process and ends the process with its exit code. */
export async function runProcess(): Promise<void> {
  exitCode = await runCli(process.argv.slice(2), {
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    env: process.env,
    program: [process.execPath, process.argv[1] ?? ''],
    secrets,
    get interrupt() {
      return controller('interrupt').signal
    },
    get abandon() {
      return controller('abandon').signal
    },
  })
  exit(exitCode)
}

/** Made when it is first wanted: Node.js loads a part of itself for it, and most short commands want none. */
function controller(name: 'interrupt' | 'abandon'): AbortController {
  controllers[name] ??= new AbortController()
  return controllers[name]
}

/** A closed pipe is no error. */
function openStdout(): NodeJS.WriteStream {
  return process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lostOutput ??= error
  })
}

/** Words that nobody can read are no reason to stop in the middle of a payment. */
function openStderr(): NodeJS.WriteStream {
  return process.stderr.on('error', () => undefined)
}

/** Shows the stack with the lines of the sources, or of the bundle where those cannot be read. */
async function endWithStack(error: unknown): Promise<void> {
  try {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const told = await import('./stackSources.ts').then(({ withSources }) => withSources(stack)).catch(() => stack)
    stderr.write(`${redact(told, secrets)}\n`)
  } finally {
    process.exit(DEFECT_EXIT)
  }
}

/** Ends whatever is under way, and the process soon after, even where nobody takes what it has written. */
function end(): void {
  controller('abandon').abort()
  controller('interrupt').abort()
  setTimeout(() => process.exit(finalCode(exitCode ?? INTERRUPTED_EXIT)), GRACE_MS).unref()
}

/** Leaves as soon as everything written has been taken, because ending at once cuts a long pipe write. */
function exit(code: number): void {
  const final = finalCode(code)
  process.exitCode = final
  stdout.flush(() => stderr.flush(() => setImmediate(leave, final)))
}

/**
 * The process ends when nothing is under way any more, and in a moment where something is. `process.exit` would be as quick,
 * but may wait for ever: for a thread of V8 that waits for the garbage to be collected.
 */
function endByItself(code: number): void {
  setTimeout(() => process.exit(code), LAST_MS).unref()
}

function finalCode(code: number): number {
  return code === INTERRUPTED_EXIT ? (signalExit ?? code) : code
}

/** By now the streams have said what they could not write. */
function leave(code: number): void {
  if (isDefective) return
  if (lostOutput === undefined) {
    endByItself(code)
    return
  }
  stderr.write(`error: standard output cannot be written: ${lostOutput.code}\n`)
  stderr.flush(() => process.exit(code === 0 ? DEFECT_EXIT : code))
}
