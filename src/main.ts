import { closeSync, mkdirSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isExecutableFile } from './packagedFile.ts'
import { DEFECT_EXIT, unsetEmptyVariables, VERSION } from './programInfo.ts'
import type { Secret } from './wire/secret.ts'

/** 128 plus the signal number, as shells report it. */
const SIGNAL_EXITS = { SIGTERM: 143, SIGHUP: 129 } as const
const INTERRUPTED_EXIT = 130
const USAGE_EXIT = 2
/** The access bits of the owner of a file. */
const OWNER_RIGHTS = 0o700
/** How long a command may take to stop after a signal. */
const GRACE_MS = 2000
/** How long the process may take to exit on its own after a command. */
const EXIT_MS = 100

/** The words with which the version is asked for. */
const SHORT_WORDS: Readonly<Record<string, string>> = { '-V': '--version', '-v': '--verbose' }

const secrets: Secret[] = []
let signalExit: number | undefined
let isDefective = false
let isServer = false

unsetEmptyVariables(process.env)
// A mask that takes the owner's own rights away would leave folders that not even the owner may enter.
process.umask(process.umask() & ~OWNER_RIGHTS)
void main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<void> {
  // The command line reports these; without a listener they would end the process halfway.
  process.stdout.on('error', () => undefined)
  // A failure to write a message must not stop a payment halfway.
  process.stderr.on('error', () => undefined)
  if (process.stdout.constructor.name === 'SyncWriteStream') writeWholeTexts(process.stdout)
  const words = argv.map((word) => SHORT_WORDS[word] ?? word)
  if (words.join(' ') === '--version') process.stdout.write(`${VERSION}\n`, reportVersionError)
  else if (words.sort().join(' ') === '--verbose --version') await writeVersionDetails()
  else if (argv[0] === '__complete' && argv[1] === '--') await writeCompletion(argv.slice(2))
  else await runCommandLine(argv)
}

async function writeVersionDetails(): Promise<void> {
  const { versionDetails } = await import('./buildInfo.ts')
  process.stdout.write(`${await versionDetails()}\n`, reportVersionError)
}

/** Answers a shell in which somebody pressed Tab, without the parts that run commands. */
async function writeCompletion(words: readonly string[]): Promise<void> {
  await cacheCode()
  const { answerCompletion } = await import('./cli/complete.ts')
  process.stdout.write(await answerCompletion(words, process.env))
}

/** Makes an output to a file fail if only the beginning of a text fits on the disk, which Node.js reports as written. */
function writeWholeTexts(file: typeof process.stdout): void {
  file._write = (text: Buffer, _encoding, done) => {
    try {
      writeFileSync(file.fd, text)
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

async function runCommandLine(argv: readonly string[]): Promise<void> {
  // Node.js 20 waits up to 100 ms at exit while V8 optimizes undici's parser in the background. Remove with Node.js 20.
  if (process.versions.node.startsWith('20.')) process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only')
  const { interrupt, abandon, hangUp } = signals()
  const cli = await loadCli().catch(reportUnloadable)
  if (cli === undefined) return
  // A signal that came while the program was loaded is noticed in the next turn of the event loop.
  await nextTurn()
  if (interrupt.aborted) process.exit(signalExit ?? INTERRUPTED_EXIT)
  process.on('uncaughtException', (error) => (isTerminalGone(error) ? hangUp() : void endWithStack(error)))
  const exitCode = await cli.runCli(argv, {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    get program(): [string, ...string[]] {
      return isExecutableFile() ? [process.execPath] : [process.execPath, process.argv[1] ?? '']
    },
    secrets,
    interrupt,
    abandon,
    serve() {
      isServer = true
    },
  })
  const isEnded = exitCode === INTERRUPTED_EXIT || (exitCode === 0 && isServer && signalExit === SIGNAL_EXITS.SIGHUP)
  finish(isEnded ? (signalExit ?? exitCode) : exitCode)
}

async function loadCli(): Promise<typeof import('./cli/run.ts')> {
  await cacheCode()
  return import('./cli/run.ts')
}

/** Lets Node.js 22 and later cache the compiled code of the program in the user's cache folder. */
async function cacheCode(): Promise<void> {
  const { userFolder } = await import('./storage/userFolders.ts')
  const cache = userFolder('cache', process.env)
  if (cache !== undefined && 'enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
    const folder = join(cache, 'compiled')
    try {
      // Whatever the umask, no other user may put code there.
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      module.enableCompileCache(folder)
    } catch (error) {
      // Without the cache pixgate only starts more slowly.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

function reportUnloadable(error: unknown): undefined {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  process.stderr.write(`error: pixgate failed to start: ${reason}\n`)
  // Of a program that was not installed to the end a part cannot be found.
  const isOutside = /^(?:E[MN]FILE|Cannot find) /.test((reason ?? '').replace(':', ' '))
  process.exitCode = isOutside ? USAGE_EXIT : DEFECT_EXIT
}

/** A reader that closes the pipe is not an error; any other write failure is. */
function reportVersionError(error: NodeJS.ErrnoException | null | undefined): void {
  if (error == null || error.code === 'EPIPE') return
  process.exitCode = USAGE_EXIT
  process.stderr.write(`error: Standard output cannot be written: ${error.code}\n`)
}

/** The first Ctrl-C interrupts the command, which may finish the current request; the second one abandons it. */
function signals(): { interrupt: AbortSignal; abandon: AbortSignal; hangUp(): void } {
  const interrupt = new AbortController()
  const abandon = new AbortController()
  const end = () => {
    abandon.abort()
    interrupt.abort()
    // Exits even if the output is never read.
    setTimeout(() => process.exit(process.exitCode ?? signalExit ?? INTERRUPTED_EXIT), GRACE_MS).unref()
  }
  process.on('SIGINT', () => {
    if (interrupt.signal.aborted) end()
    else interrupt.abort()
  })
  // From then on no one would see what a command does, but others see what a server answers.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !isServer) interrupt.abort()
  })
  process.on('SIGTERM', () => {
    signalExit = SIGNAL_EXITS.SIGTERM
    end()
  })
  const hangUp = () => {
    if (signalExit === SIGNAL_EXITS.SIGHUP) return
    signalExit = SIGNAL_EXITS.SIGHUP
    process.on('exit', leaveTerminal)
    end()
  }
  process.on('SIGHUP', hangUp)
  return { interrupt: interrupt.signal, abandon: abandon.signal, hangUp }
}

/** A prompt notices before the signal arrives that its terminal was closed: it cannot restore the mode of it. */
function isTerminalGone(error: Error): boolean {
  return 'code' in error && error.code === 'EIO' && 'syscall' in error && error.syscall === 'setRawMode'
}

/** Prints the stack of the first defect only; later ones are consequences of it. */
async function endWithStack(error: unknown): Promise<void> {
  if (isDefective) return
  isDefective = true
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const [{ redact }, readable] = await Promise.all([
    import('./wire/secret.ts'),
    import('./cli/reportFailure.ts').then(({ withSources }) => withSources(stack)).catch(() => stack),
  ])
  process.stderr.write(`${redact(readable, secrets)}\n`, () => process.exit(DEFECT_EXIT))
}

/**
 * Lets the process exit on its own once its output has been read, then forces the exit after a short delay. Calling
 * `process.exit` immediately would truncate a long write to a pipe, and on Node.js 24 it can hang on a V8 thread.
 */
function finish(exitCode: number): void {
  process.exitCode = exitCode || process.exitCode
  // Without this, Node.js removes the signal handlers milliseconds before it exits; a signal would then replace the exit code.
  process.on('exit', () => process.exit())
  void whenRead(process.stdout)
    .then(() => whenRead(process.stderr))
    .then(endSoon)
}

/** Waits until everything was taken, but from a screen that is paused not for long. */
function whenRead(output: typeof process.stdout | typeof process.stderr): Promise<void> {
  return new Promise((resolve) => {
    output.write('', () => resolve())
    if (output.isTTY) setTimeout(resolve, GRACE_MS).unref()
  })
}

/** Gives up a terminal that is gone. At its exit Node.js 20 would restore the modes of one, and abort because it cannot. */
function leaveTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      closeSync(fd)
    } catch (error) {
      // It was closed before.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

function endSoon(): void {
  if (!isDefective) setTimeout(() => process.exit(), EXIT_MS).unref()
}
