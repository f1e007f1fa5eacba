import type { Command } from 'commander'
import { type Context, createContext, type Runtime } from '../context.ts'
import { type GlobalOptions, readSettings, settingsBeforeParsing } from '../settings.ts'
import { attachWaitDefault } from './optionChecks.ts'
import { createProgram, isGlobal, ParsingStopped } from './program.ts'
import { parsingFailure, reportFailure } from './reportFailure.ts'

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
  let context: Context | undefined
  let exitCode = 0
  try {
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
    return exitCode
  } catch (error) {
    if (!(error instanceof ParsingStopped)) return fail(error)
    if (error.reason.exitCode === 0) return 0
    if (error.command.parent !== null || error.reason.code !== 'commander.help') {
      return fail(parsingFailure(error))
    }
    error.command.outputHelp()
    return 0
  } finally {
    await context?.close()
  }

  function fail(error: unknown): number {
    return reportFailure(error, context ?? createContext(runtime, settingsBeforeParsing(argv, runtime.env)))
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
