import module from 'node:module'
import { isAbsolute, join } from 'node:path'
import { DEFECT_EXIT, VERSION } from './programInfo.ts'
import type { Secret } from './wire/secret.ts'

/** 128 and the number of the signal, as shells report it. */
const SIGNAL_EXITS = { SIGTERM: 143, SIGHUP: 129 } as const
const INTERRUPTED_EXIT = 130
/** How long a command may take to end after a signal. */
const GRACE_MS = 2000
/** How long the process may take to end by itself after a command. */
const EXIT_MS = 100

const secrets: Secret[] = []
let signalExit: number | undefined
let isDefective = false

void main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<void> {
  process.stdout.once('error', reportOutputError)
  // A payment must not stop halfway because a message cannot be shown.
  process.stderr.on('error', () => undefined)
  const isVersion = argv.length === 1 && (argv[0] === '-V' || argv[0] === '--version')
  if (isVersion) process.stdout.write(`${VERSION}\n`)
  else await runCommandLine(argv)
}

async function runCommandLine(argv: readonly string[]): Promise<void> {
  // Node.js 20 waits up to 100 ms at exit while V8 optimizes undici's parser in the background. Remove with Node.js 20.
  if (process.versions.node.startsWith('20.')) process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only')
  const cli = await loadCli().catch(reportUnloadable)
  if (cli === undefined) return
  process.on('uncaughtException', (error) => void endWithStack(error))
  const exitCode = await cli.runCli(argv, {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    program: [process.execPath, process.argv[1] ?? ''],
    secrets,
    ...signals(),
  })
  finish(exitCode === INTERRUPTED_EXIT ? (signalExit ?? exitCode) : exitCode)
}

/** Loads the program, whose compiled code Node.js 22 and later keep in the user's cache folder. */
async function loadCli(): Promise<typeof import('./cli/run.ts')> {
  const { cacheFolder } = await import('./folders.ts')
  const folder = join(cacheFolder(), 'compiled')
  // Without a home directory the path is relative to the current folder.
  if (isAbsolute(folder) && 'enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
    module.enableCompileCache(folder)
  }
  return import('./cli/run.ts')
}

function reportUnloadable(error: unknown): undefined {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  process.stderr.write(`error: pixgate cannot be started: ${reason}\n`)
  process.exitCode = DEFECT_EXIT
}

/** A reader that closes its pipe has read enough; any other failure to write is an error. */
function reportOutputError(error: NodeJS.ErrnoException): void {
  process.stdout.on('error', () => undefined)
  if (error.code === 'EPIPE') return
  process.exitCode ||= DEFECT_EXIT
  process.stderr.write(`error: standard output cannot be written: ${error.code}\n`)
}

/** The first Ctrl-C interrupts the command, which may still finish what is under way; the second one abandons it. */
function signals(): { interrupt: AbortSignal; abandon: AbortSignal } {
  const interrupt = new AbortController()
  const abandon = new AbortController()
  const end = () => {
    abandon.abort()
    interrupt.abort()
    // Ends the process even if nobody reads what it has written.
    setTimeout(() => process.exit(process.exitCode ?? signalExit ?? INTERRUPTED_EXIT), GRACE_MS).unref()
  }
  process.on('SIGINT', () => {
    if (interrupt.signal.aborted) end()
    else interrupt.abort()
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signalExit = SIGNAL_EXITS[signal]
      end()
    })
  }
  return { interrupt: interrupt.signal, abandon: abandon.signal }
}

/** Prints the stack of the first defect; later ones are its consequences. */
async function endWithStack(error: unknown): Promise<void> {
  if (isDefective) return
  isDefective = true
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const [{ redact }, readable] = await Promise.all([
    import('./wire/secret.ts'),
    import('./cli/stackSources.ts').then(({ withSources }) => withSources(stack)).catch(() => stack),
  ])
  process.stderr.write(`${redact(readable, secrets)}\n`, () => process.exit(DEFECT_EXIT))
}

/**
 * Lets the process end by itself once everything written has been read, and stops what is left after a moment.
 * `process.exit` at once would cut a long write to a pipe, and on Node.js 24 could wait for ever for a thread of V8.
 */
function finish(exitCode: number): void {
  process.exitCode = exitCode || process.exitCode
  process.stdout.write('', () => process.stderr.write('', endSoon))
}

function endSoon(): void {
  if (!isDefective) setTimeout(() => process.exit(), EXIT_MS).unref()
}
