import type { Command } from 'commander'
import type { ArgumentDefinition, CommandDefinition, Input } from '../commandDefinition.ts'
import type { GlobalOptions } from '../settings.ts'
import { HelpRequested, helpColumns, pathOf } from './help/helpPage.ts'
import { attachWaitDefault, DocumentedCommand, isGlobal } from './options.ts'
import { createProgram, ParsingStopped, type ProgramSetup, surface } from './program.ts'

/** What a command line says: the command to run, and the final values of its arguments and options. */
export interface ParsedCommandLine {
  /** The words of the command that runs, such as `qr create`. */
  readonly command: string
  readonly definition: CommandDefinition
  readonly globals: GlobalOptions
  /** The values by name in camel case, as the command gets them. */
  readonly input: Input
}

interface ParsingSetup extends Pick<ProgramSetup, 'columns' | 'nowMs' | 'write' | 'heading'> {
  ask?: (missing: ArgumentDefinition, globals: GlobalOptions) => Promise<string | undefined>
}

/**
 * Parses a command line without running it. Returns undefined if help or the version was asked for, which is then written. `argv` does
 * not include the interpreter and the script. `ask` is called for a missing argument, with the global options; it returns the word, or
 * undefined if prompts are not possible. Throws UsageError.
 */
export async function parseCommandLine(
  argv: readonly string[],
  setup: ParsingSetup,
): Promise<ParsedCommandLine | undefined> {
  let parsed: ParsedCommandLine | undefined
  const program = await createProgram({
    ...setup,
    argv,
    onParsed(command, definition, input) {
      parsed = { command: wordsOf(command), definition, globals: typedGlobals(command), input }
    },
  })
  try {
    await program.parseAsync(attachWaitDefault(helpBehindCommand(argv)), { from: 'user' })
    return parsed
  } catch (error) {
    if (error instanceof HelpRequested) return answerHelp(error, setup)
    if (!(error instanceof ParsingStopped)) throw error
    if (error.reason.exitCode === 0) return undefined
    if (error.command.parent !== null || error.reason.code !== 'commander.help') {
      const { MissingArgument, parsingFailure } = await import('./parsingFailure.ts')
      const failure = parsingFailure(error)
      const missing = failure instanceof MissingArgument ? failure.definition : undefined
      const word = missing && (await setup.ask?.(missing, typedGlobals(error.command)))
      if (word === undefined) throw failure
      return parseCommandLine([...argv, ...(argv.includes('--') ? [] : ['--']), word], setup)
    }
    if (program.opts().surface === true) setup.write(await surface())
    else error.command.outputHelp()
    return undefined
  }
}

/** Moves a leading help option after the command: `-h qr create` becomes `qr create -h`. */
function helpBehindCommand(argv: readonly string[]): readonly string[] {
  const [first = '', ...others] = argv
  if (first !== '-h' && first !== '--help') return argv
  const end = others.findIndex((word) => word.startsWith('-'))
  return others.toSpliced(end === -1 ? others.length : end, 0, first)
}

/** The words of a command behind `pixgate`; those of a group name the command that it runs. */
function wordsOf(command: Command): string {
  const bare = command instanceof DocumentedCommand && command.bareName !== undefined ? ` ${command.bareName}` : ''
  return `${pathOf(command).replace(/^pixgate /, '')}${bare}`
}

/** Writes a topic or a man page, or returns what the help option of a command gives. Throws UsageError for words that are neither. */
async function answerHelp(
  { words, isMan }: HelpRequested,
  setup: Pick<ProgramSetup, 'columns' | 'nowMs' | 'write' | 'heading'>,
): Promise<ParsedCommandLine | undefined> {
  const { helpSubject, manPageOf, topicPage } = await import('./help/helpSubject.ts')
  const subject = helpSubject(words)
  if (isMan) setup.write(await manPageOf(subject))
  else if ('topic' in subject)
    setup.write(topicPage(subject.topic, { columns: helpColumns(setup.columns), heading: setup.heading ?? String }))
  else return parseCommandLine([...subject.path, '--help'], setup)
  return undefined
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
