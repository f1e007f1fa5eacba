import { PassThrough } from 'node:stream'
import { runCli } from '../src/cli/run.ts'
import { unsetEmptyVariables } from '../src/programInfo.ts'
import { assertHintsCanBeTyped } from './typedHints.ts'
import { BINARY, NODE, type ProcessResult, type RunOptions, type World } from './world.ts'

/** How a command is run in this process. */
interface InProcessOptions {
  stdin?: string | Uint8Array
  /** The command is interrupted as by Ctrl-C when its stdout contains this text. */
  interruptAt?: string
  /** The width of the terminal that it writes to, and on which nobody types. There is none unless it is given. */
  columns?: number
  onStdout?(text: string): void
  /** Interrupts the command as Ctrl-C does. */
  interrupt?: AbortSignal
}

/**
 * Runs the command tree in this process, which takes a tenth of the processor time of a process of its own. On Node.js 20
 * SQLite keeps a ledger that was used here open until garbage collection.
 */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string | undefined>,
  options: InProcessOptions = {},
): Promise<ProcessResult> {
  const { columns } = options
  const variables = { ...env }
  unsetEmptyVariables(variables)
  const screen = columns === undefined ? {} : { isTTY: true as const, columns, rows: 40 }
  const [stdin, stdout, stderr] = [
    new PassThrough(),
    Object.assign(new PassThrough(), screen),
    Object.assign(new PassThrough(), screen),
  ]
  stdin.end(options.stdin ?? '')
  const interrupt = new AbortController()
  options.interrupt?.addEventListener('abort', () => interrupt.abort())
  const written = { stdout: '', stderr: '' }
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written.stdout += chunk
    options.onStdout?.(chunk)
    if (options.interruptAt !== undefined && written.stdout.includes(options.interruptAt)) interrupt.abort()
  })
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    written.stderr += chunk
  })
  const exit = await runCli(args, {
    stdin,
    stdout,
    stderr,
    env: variables,
    program: [NODE, BINARY],
    secrets: [],
    interrupt: interrupt.signal,
    abandon: new AbortController().signal,
  })
  const ends = [stdout, stderr].map((stream) => new Promise((resolve) => stream.once('end', resolve)))
  stdout.end()
  stderr.end()
  await Promise.all(ends)
  assertHintsCanBeTyped(written.stderr)
  return { exit, ...written }
}

/** A command in this process that goes on until it is interrupted. */
interface RunningHere {
  /** The whole lines of stdout so far. */
  printed: string[]
  /** When it has printed its first line. Rejects if it ends before. */
  ready: Promise<string>
  /** As Ctrl-C does. */
  interrupt(): void
  ended: Promise<ProcessResult>
}

/** Starts a command that goes on, such as a listener, in this process. Whoever starts it interrupts it. */
export function startInProcess(args: readonly string[], env: Record<string, string | undefined>): RunningHere {
  const interrupt = new AbortController()
  const printed: string[] = []
  let rest = ''
  let isReady: (line: string) => void
  const firstLine = new Promise<string>((resolve) => {
    isReady = resolve
  })
  const onStdout = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    printed.push(...lines)
    if (printed[0] !== undefined) isReady(printed[0])
  }
  const ended = runInProcess(args, env, { onStdout, interrupt: interrupt.signal })
  const early = ended.then((how) => Promise.reject(new Error(`it ended: ${JSON.stringify(how)}`)))
  return { printed, ready: Promise.race([firstLine, early]), interrupt: () => interrupt.abort(), ended }
}

/** Does what `world.run` does, in this process: for the cases of a table, after the binary has shown one of each kind. */
export function here({
  env,
}: Pick<World, 'env'>): (args: readonly string[], options?: Omit<RunOptions, 'cwd'>) => Promise<ProcessResult> {
  return (args, options = {}) => runInProcess(args, { ...env, ...options.env }, options)
}
