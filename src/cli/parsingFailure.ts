import type { Command } from 'commander'
import { secretTyped } from '../commands/profile/options.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import type { Unparsed } from './program.ts'

/** The failure that a command line which commander refuses is, in our words. */
export function parsingFailure({ command, reason: error }: Unparsed): UsageError {
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
      const excess = command.args[command.registeredArguments.length] ?? ''
      return new UsageError(t`\`${name}\` does not know what to do with \`${excess}\``, {
        hint: t`Quote a value that has spaces in it; run \`${name} --help\` for examples`,
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

/** True for a command that knows `--client-secret` only to refuse it: what is too much there may be the secret. */
function takesNoSecret(command: Command): boolean {
  return command.options.some((option) => option.long === '--client-secret' && option.hidden)
}

/** The failure of a group called without one of its commands. */
function unchosenSubcommand(group: Command): UsageError {
  const names = group.commands.map((command) => command.name()).join(', ')
  return new UsageError(t`\`${commandPath(group)}\` needs one of its commands`, {
    hint: t`Choose one of ${names}`,
  })
}

function unknownOption(command: Command, typed: string): UsageError {
  const name = commandPath(command)
  const bare = typed.replace(/=.*/s, '')
  if (bare !== typed && command.options.some((option) => option.long === bare)) {
    return new UsageError(t`\`${bare}\` takes no value`, { hint: t`Write \`${bare}\` alone` })
  }
  const message = t`\`${name}\` has no option \`${bare}\``
  const near = didYouMean(bare, optionsOf(command))
  if (near !== undefined) return new UsageError(message, { hint: near })
  if (takesCommandLine(command)) {
    return new UsageError(message, { hint: t`Write \`--\` before the command to run: \`${name} -- ls -l\`` })
  }
  if (/^-\d/.test(typed)) {
    return new UsageError(message, {
      hint: t`Write \`--\` before it if it is a value; run \`${name} --help\` for examples`,
    })
  }
  return new UsageError(message, { hint: t`Run \`${name} --help\`` })
}

/** True for a command whose arguments are a command line of their own. */
function takesCommandLine(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.required && argument.variadic)
}

function unknownCommand(command: Command, typed: string): UsageError {
  const visible = command.createHelp().visibleCommands(command)
  const known = visible.flatMap((each) => [each.name(), ...each.aliases()])
  const name = commandPath(command)
  return new UsageError(t`\`${name}\` has no command \`${typed}\``, {
    hint: didYouMean(typed, known) ?? t`Run \`${name} --help\` to list its commands`,
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
