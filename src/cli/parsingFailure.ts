import type { Command } from 'commander'
import { secretTyped } from '../commands/profile/options.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { optionsForArguments } from './excessArguments.ts'
import { conflictFailure, DefinedOption } from './options.ts'
import type { ParsingStopped } from './program.ts'

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
    case 'commander.conflictingOption':
      return conflict(command, error.message)
    default:
      return new UsageError(error.message.replace(/^error: /, ''), { hint: help })
  }
}

/** The error for two options that cannot be combined. */
function conflict(command: Command, message: string): UsageError {
  const flags = [...message.matchAll(/option '([^']*)'/g)].map((match) => match[1])
  const [option, other] = flags.map((each) => optionOf(command, each))
  if (option === undefined || other === undefined) throw new Error(message)
  return conflictFailure(option, other)
}

function optionOf(command: Command, flags: string | undefined): DefinedOption | undefined {
  const option = command.options.find((each) => each.flags === flags)
  return option instanceof DefinedOption ? option : undefined
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
