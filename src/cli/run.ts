import type { Command } from 'commander'
import { type Context, createContext, type Runtime } from '../context.ts'
import { type GlobalOptions, readSettings, settingsBeforeParsing } from '../settings.ts'
import { Failure } from '../wire/errors.ts'
import { attachWaitDefault } from './optionChecks.ts'
import { createProgram, isGlobal, ParsingStopped } from './program.ts'
import { parsingFailure, reportFailure } from './reportFailure.ts'
import { unwrittenOutput, watchOutput } from './unwrittenOutput.ts'

/**
 * Runs one command line and returns its exit code. Every error is reported on stderr. `argv` does not include the
 * interpreter and the script.
 */
export async function runCli(argv: readonly string[], runtime: Runtime): Promise<number> {
  if (argv[0] === '__complete') {
    const { completionCandidates } = await import('./complete.ts')
    runtime.stdout.write(await completionCandidates(argv[1] ?? '', runtime.env))
    return 0
  }
  const output = watchOutput(runtime.stdout)
  let context: Context | undefined
  let exitCode = 0
  try {
    let problem = await problemOf(async () => {
      const program = await createProgram({
        argv,
        columns: runtime.stdout.columns,
        write: (text) => runtime.stdout.write(text),
        async execute(command, definition, input) {
          context = createContext(runtime, readSettings(typedGlobals(command), runtime.env))
          exitCode = await definition.run(context, input)
        },
      })
      await program.parseAsync(attachWaitDefault(withHelpOption(argv)), { from: 'user' })
    })
    // A prompt whose input has ended is cancelled while the process exits, when there is no further turn of the event loop.
    if (problem === undefined) await output.settled()
    const unwritten = output.failure()
    if (unwritten !== undefined && (problem === undefined || problem instanceof Failure)) {
      problem = await unwrittenOutput(unwritten, context, problem)
    }
    if (problem === undefined) return exitCode
    return reportFailure(problem, context ?? createContext(runtime, settingsBeforeParsing(argv, runtime.env)))
  } finally {
    output.end()
    await context?.close()
  }
}

/** What running a command line threw; undefined if there is nothing to report, because it succeeded or showed help. */
async function problemOf(run: () => Promise<void>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (!(error instanceof ParsingStopped)) return error
    if (error.reason.exitCode === 0) return undefined
    if (error.command.parent !== null || error.reason.code !== 'commander.help') return parsingFailure(error)
    error.command.outputHelp()
    return undefined
  }
}

/** Rewrites `pixgate help <command>` to `pixgate <command> --help`. */
function withHelpOption(argv: readonly string[]): readonly string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
}

/** The global options on the command line, before or after the command. */
function typedGlobals(leaf: Command): GlobalOptions {
  const typed: Record<string, unknown> = {}
  for (let command: Command | null = leaf; command !== null; command = command.parent) {
    for (const option of command.options) {
      const name = option.attributeName()
      if (!isGlobal(option) || name in typed) continue
      if (command.getOptionValueSource(name) === 'cli') typed[name] = command.getOptionValue(name)
    }
  }
  return typed
}
