import type { Command } from 'commander'
import type { CommandDefinition, Input } from '../commands/command.ts'
import type { GlobalOptions } from '../settings.ts'
import { attachWaitDefault } from './options.ts'
import { createProgram, isGlobal, ParsingStopped, type ProgramSetup } from './program.ts'

/** What a command line says: the command to run, and the final values of its arguments and options. */
export interface ParsedCommandLine {
  readonly definition: CommandDefinition
  readonly globals: GlobalOptions
  /** The values by name in camel case, as the command gets them. */
  readonly input: Input
}

/**
 * Parses a command line without running it. Returns undefined if help or the version was asked for, which is then written. `argv` does
 * not include the interpreter and the script. Throws UsageError.
 */
export async function parseCommandLine(
  argv: readonly string[],
  setup: Pick<ProgramSetup, 'columns' | 'nowMs' | 'write'>,
): Promise<ParsedCommandLine | undefined> {
  const words = withHelpOption(argv)
  let parsed: ParsedCommandLine | undefined
  const program = await createProgram({
    ...setup,
    argv: words,
    onParsed(command, definition, input) {
      parsed = { definition, globals: typedGlobals(command), input }
    },
  })
  try {
    await program.parseAsync(attachWaitDefault(words), { from: 'user' })
    return parsed
  } catch (error) {
    if (!(error instanceof ParsingStopped)) throw error
    if (error.reason.exitCode === 0) return undefined
    if (error.command.parent !== null || error.reason.code !== 'commander.help') {
      const { parsingFailure } = await import('./parsingFailure.ts')
      throw parsingFailure(error)
    }
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
