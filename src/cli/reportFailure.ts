import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { secretTyped } from '../commands/profile/options.ts'
import type { Context } from '../context.ts'
import { DEFECT_EXIT } from '../programInfo.ts'
import { hintCommands } from '../text/commandsInHint.ts'
import { safeJson, safeLines } from '../text/safeText.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { faultLines } from '../views/faultText.ts'
import { Failure, failureDocument, UsageError } from '../wire/errors.ts'
import { optionsForArguments } from './excessArguments.ts'
import type { ParsingStopped } from './program.ts'

/** Reports an error on stderr, as text or as one line of JSON, and returns the exit code. */
export function reportFailure(error: unknown, context: Context): number {
  const { terminal, settings } = context
  if (!(error instanceof Failure)) return reportDefect(error, context)
  if (settings.output === 'json') {
    terminal.say(safeJson(JSON.stringify({ error: failureDocument(error) })))
    return error.exitCode
  }
  terminal.say(`${terminal.err.red.bold('error:')} ${error.message}`)
  for (const detail of error.details) terminal.say(`  ${detail}`)
  for (const line of faultLines(error.faults ?? [])) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan('hint:')} ${error.hint}`)
  for (const command of hintCommands(error.hint)) terminal.command(command)
  return error.exitCode
}

function reportDefect(error: unknown, { terminal, settings }: Context): number {
  const stack = error instanceof Error ? withSources(error.stack ?? error.message) : String(error)
  const message = t`This is a bug in pixgate, not a problem with the command line`
  const hint = t`Report it together with the command line and the lines above`
  if (settings.output === 'json') {
    const facts = { code: 'INTERNAL', message, details: stack, hint, httpStatus: null, outcome: 'unknown' }
    terminal.say(safeJson(JSON.stringify({ error: { ...facts, exitCode: DEFECT_EXIT } })))
    return DEFECT_EXIT
  }
  terminal.say(`${terminal.err.red.bold('error:')} ${message}`)
  for (const line of safeLines(stack)) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan('hint:')} ${hint}`)
  return DEFECT_EXIT
}

/** A position in a bundled file, as a stack trace writes it. Folder names may contain spaces and parentheses. */
const PLACE = /(?<=\(|at (?:async )?)((?:\/|[A-Z]:\\).*?\.js):(\d+):(\d+)/g

/** Rewrites the positions in a stack trace from the bundle to the sources, using the source maps next to the bundle. */
export function withSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const source = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (source === undefined || !('originalSource' in source)) return place
    const path = join(dirname(file), source.originalSource)
    return `${path}:${source.originalLine + 1}:${source.originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}

/** What is wrong with a command line that commander did not accept, with the command to type in place of it. */
export function parsingFailure({ command, reason: error }: ParsingStopped): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const name = commandPath(command)
  const help = t`Run \`${name} --help\``
  if (takesNoSecret(command) && command.getOptionValue('clientSecret') !== undefined) return secretTyped()
  switch (error.code) {
    case 'commander.help':
      return unchosenSubcommand(command)
    case 'commander.unknownOption':
      return unknownOption(command, quoted)
    case 'commander.unknownCommand':
      return unknownCommand(command, quoted)
    case 'commander.excessArguments': {
      const [first] = command.args
      if (command.commands.length > 0) return unknownCommand(command, first ?? '')
      if (takesNoSecret(command)) return secretTyped()
      const excess = command.args.slice(command.registeredArguments.length)
      const options = optionsForArguments(command, excess)
      return new UsageError(t`Unexpected argument \`${excess[0] ?? ''}\` for \`${name}\``, {
        hint:
          options.length === 0
            ? t`Quote values that contain spaces, or run \`${name} --help\``
            : t`Name the option of each value: \`${options.join('`, `')}\``,
      })
    }
    case 'commander.missingArgument':
      return new UsageError(t`\`${name}\` needs ${argumentName(quoted)}`, {
        hint: t`Add it; run \`${name} --help\` for examples`,
      })
    case 'commander.optionMissingArgument': {
      const long = quoted.replace(/^-\w, /, '')
      return new UsageError(t`\`${long.replace(/ .*/, '')}\` needs a value`, {
        hint: t`Write a value after it; run \`${name} --help\` for examples`,
      })
    }
    default:
      return new UsageError(error.message.replace(/^error: /, ''), { hint: help })
  }
}

/** True for a command that accepts `--client-secret` only to reject it: an extra argument there may be the secret. */
function takesNoSecret(command: Command): boolean {
  return command.options.some((option) => option.long === '--client-secret' && option.hidden)
}

/** The error for a command group called without a subcommand. */
function unchosenSubcommand(group: Command): UsageError {
  const names = group.commands.map((command) => command.name()).join(', ')
  return new UsageError(t`\`${commandPath(group)}\` requires a subcommand`, {
    hint: t`Use one of: ${names}`,
  })
}

function unknownOption(command: Command, typed: string): UsageError {
  const name = commandPath(command)
  const bare = typed.replace(/=.*/s, '')
  if (bare !== typed && command.options.some((option) => option.long === bare)) {
    return new UsageError(t`\`${bare}\` takes no value`, { hint: t`Write \`${bare}\` without a value` })
  }
  const message = t`\`${name}\` has no option \`${bare}\``
  const near = didYouMean(bare, optionsOf(command))
  if (near !== undefined) return new UsageError(message, { hint: near })
  if (takesCommandLine(command)) {
    return new UsageError(message, { hint: t`Write \`--\` before the command to run: \`${name} -- ls -l\`` })
  }
  if (/^-\d/.test(typed)) {
    return new UsageError(message, {
      hint: t`Write \`--\` before a value that begins with \`-\`; see \`${name} --help\``,
    })
  }
  return new UsageError(message, { hint: t`Run \`${name} --help\`` })
}

/** True for a command whose arguments are another command line. */
function takesCommandLine(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.required && argument.variadic)
}

function unknownCommand(command: Command, typed: string): UsageError {
  const visible = command.createHelp().visibleCommands(command)
  const known = visible.flatMap((each) => [each.name(), ...each.aliases()])
  const name = commandPath(command)
  return new UsageError(t`\`${name}\` has no command \`${typed}\``, {
    hint: didYouMean(typed, known) ?? t`See \`${name} --help\` for a list of commands`,
  })
}

function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = nearest(typed, known)
  if (near.length === 0) return undefined
  return t`Did you mean \`${near.join('` or `')}\`?`
}

function optionsOf(command: Command): string[] {
  return ['--help', ...command.options.flatMap((option) => (option.long ? [option.long] : []))]
}

function argumentName(name: string): string {
  return t`\`<${name}>\``
}

function commandPath(command: Command): string {
  const names: string[] = []
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name())
  return names.join(' ')
}
