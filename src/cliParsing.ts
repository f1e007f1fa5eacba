import type { Command, CommanderError, Option } from 'commander'
import { DEFAULT_WAIT } from './commands/optionValues.ts'
import { secretTyped } from './commands/profile/options.ts'
import { nearest } from './text/suggest.ts'
import { t } from './text/words.ts'
import { withoutPassword } from './wire/address.ts'
import { UsageError } from './wire/errors.ts'

/**
 * Refuses what the parser would swallow: an option whose value looks like an option (`--reason --amount 10`; a value that
 * begins with `-` is written `--option=-value`), and an option given to one command twice with different values, of which
 * only the last would count. Throws UsageError.
 */
export function guardOptionValues(tree: Command, argv: readonly string[]): void {
  let command = tree
  let given = new Map<Option, string>()
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return
    if (!word.startsWith('-') || word === '-') {
      const next = subcommandOf(command, word)
      if (next === undefined) continue
      command = next
      given = new Map()
      continue
    }
    const [name = '', ...rest] = word.startsWith('--') ? word.split('=') : [word]
    const option = command.options.find((each) => each.short === name || each.long === name)
    if (option?.required !== true) continue
    const value = rest.length > 0 ? rest.join('=') : argv[++index]
    if (value === undefined) return
    if (rest.length === 0 && /^-[^\d]/.test(value)) throw swallowed(option, name, value)
    const earlier = given.get(option)
    if (earlier !== undefined && earlier !== value && option.parseArg === undefined) {
      throw new UsageError(
        t`\`${name}\` is given twice, as \`${shown(option, earlier)}\` and as \`${shown(option, value)}\``,
        {
          hint: t`Give \`${name}\` once`,
        },
      )
    }
    given.set(option, value)
  }
}

function swallowed(option: Option, typed: string, value: string): UsageError {
  return new UsageError(t`\`${typed}\` needs a value, and \`${shown(option, value)}\` looks like an option`, {
    hint: t`Give the value after \`${typed}\`; one that begins with \`-\` is written \`${option.long ?? typed}=${shown(option, value)}\``,
  })
}

/** A secret in the wrong place of the command line must not reach the screen and the logs besides. */
function shown({ long }: Option, value: string): string {
  if (long?.includes('secret')) return '••••'
  return long?.endsWith('-url') ? withoutPassword(value) : value
}

/**
 * Gives `--wait` without a duration its default, so that it does not take the word behind it: `--wait <id>`. Everything else
 * stays as it is.
 */
export function withPlainWaits(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, index) => {
    if (word !== '--wait' || index > end) return word
    return /^\d+(?:ms|s|m|h|d)$/.test(argv[index + 1] ?? '') ? word : `--wait=${DEFAULT_WAIT}`
  })
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
        hint: t`Quote a value that has spaces in it, or see \`${name} --help\``,
      })
    }
    case 'commander.missingArgument':
      return new UsageError(t`\`${name}\` needs ${argumentName(quoted)}`, {
        hint: t`Write \`${name} ${takesCommandLine(command) ? '-- ' : ''}<${quoted}>\`, or see \`${name} --help\``,
      })
    case 'commander.optionMissingArgument': {
      const long = quoted.replace(/^-\w, /, '')
      return new UsageError(t`\`${long.replace(/ .*/, '')}\` needs a value`, {
        hint: t`Write \`${long}\`, or see \`${name} --help\``,
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
    hint: t`Choose one: ${names}`,
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
    return new UsageError(message, { hint: t`If it is a value, write \`--\` before it; see \`${name} --help\`` })
  }
  return new UsageError(message, { hint: t`See \`${name} --help\`` })
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
