import { PassThrough } from 'node:stream'
import { runCli } from '../src/cli/run.ts'
import { assertHintsCanBeTyped } from './typedHints.ts'
import { BINARY, NODE, type ProcessResult, type RunOptions, type World } from './world.ts'

/** How a command is run in this process. */
interface InProcessOptions {
  stdin?: string | Uint8Array
  /** The command is interrupted as by Ctrl-C when its stdout contains this text. */
  interruptAt?: string
  /** The width of the terminal that it writes to, and on which nobody types. There is none unless it is given. */
  columns?: number
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
  const screen = columns === undefined ? {} : { isTTY: true as const, columns, rows: 40 }
  const [stdin, stdout, stderr] = [
    new PassThrough(),
    Object.assign(new PassThrough(), screen),
    Object.assign(new PassThrough(), screen),
  ]
  stdin.end(options.stdin ?? '')
  const interrupt = new AbortController()
  const written = { stdout: '', stderr: '' }
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written.stdout += chunk
    if (options.interruptAt !== undefined && written.stdout.includes(options.interruptAt)) interrupt.abort()
  })
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    written.stderr += chunk
  })
  const exit = await runCli(args, {
    stdin,
    stdout,
    stderr,
    env,
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

/** Does what `world.run` does, in this process: for the cases of a table, after the binary has shown one of each kind. */
export function here({
  env,
}: Pick<World, 'env'>): (args: readonly string[], options?: Omit<RunOptions, 'cwd'>) => Promise<ProcessResult> {
  return (args, options = {}) => runInProcess(args, { ...env, ...options.env }, options)
}
