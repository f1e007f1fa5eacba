import type { Command, CommanderError } from 'commander'
import { nearest } from './text/suggest.ts'
import { t } from './text/words.ts'
import { UsageError } from './wire/errors.ts'

/**
 * Refuses an option whose value looks like an option (`--reason --amount 10`): the parser would swallow it. A value that
 * begins with `-` is written `--option=-value`. Throws UsageError.
 */
export function guardOptionValues(tree: Command, argv: readonly string[]): void {
  let command = tree
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return
    if (!word.startsWith('-') || word === '-') {
      command = subcommandOf(command, word) ?? command
      continue
    }
    const option = command.options.find((each) => each.short === word || each.long === word)
    if (option?.required !== true) continue
    index++
    const value = argv[index]
    if (value === undefined || !/^-[^\d]/.test(value)) continue
    throw new UsageError(t`\`${word}\` needs a value, and \`${value}\` looks like an option`, {
      hint: t`Give the value after \`${word}\`; one that begins with \`-\` is written \`${option.long ?? word}=${value}\``,
    })
  }
}

function subcommandOf(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name))
}

/** commander stopped at this command: for help, for the version, or because it does not understand the line. */
export class Unparsed extends Error {
  readonly command: Command
  readonly reason: CommanderError

  constructor(command: Command, reason: CommanderError) {
    super(reason.message)
    this.command = command
    this.reason = reason
  }
}

/** The failure that a command line which commander refuses is, in our words. */
export function parsingFailure({ command, reason: error }: Unparsed): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const name = commandPath(command)
  const help = t`See \`${name} --help\``
  switch (error.code) {
    case 'commander.help':
      return unchosenSubcommand(command)
    case 'commander.unknownOption':
      return new UsageError(t`\`${name}\` has no option \`${quoted}\``, {
        hint: didYouMean(quoted, optionsOf(command)) ?? help,
      })
    case 'commander.unknownCommand':
      return unknownCommand(command, quoted)
    case 'commander.excessArguments': {
      const [first] = command.args
      if (command.commands.length > 0) return unknownCommand(command, first ?? '')
      const excess = command.args[command.registeredArguments.length] ?? ''
      return new UsageError(t`\`${name}\` does not know what to do with \`${excess}\``, {
        hint: t`Quote a value that has spaces in it, or see \`${name} --help\``,
      })
    }
    case 'commander.missingArgument':
      return new UsageError(t`\`${name}\` needs ${argumentName(quoted)}`, {
        hint: t`Write \`${name} <${quoted}>\`, or see \`${name} --help\``,
      })
    case 'commander.optionMissingArgument':
      return new UsageError(t`\`${quoted}\` needs a value`, { hint: help })
    default:
      return new UsageError(error.message.replace(/^error: /, ''), { hint: help })
  }
}

/** The failure of a group called without one of its commands. */
function unchosenSubcommand(group: Command): UsageError {
  const names = group.commands.map((command) => command.name()).join(', ')
  return new UsageError(t`\`${commandPath(group)}\` needs one of its commands`, {
    hint: t`Choose one: ${names}`,
  })
}

function unknownCommand(command: Command, typed: string): UsageError {
  const known = command.commands.flatMap((each) => [each.name(), ...each.aliases()])
  const name = commandPath(command)
  return new UsageError(t`\`${name}\` has no command \`${typed}\``, {
    hint: didYouMean(typed, known) ?? t`See \`${name} --help\` for the commands that there are`,
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
