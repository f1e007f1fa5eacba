import type { Argument, Command } from 'commander'
import type { ArgumentDefinition } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { mayBePixKey } from '../pix/pixKey.ts'
import { secretTyped } from '../steps/profiles/profileOptions.ts'
import { faultOf } from '../steps/requiredValue.ts'
import type { Choice } from '../terminal/prompts.ts'
import { displayWidth, truncateCells } from '../text/cellLayout.ts'
import { safeText } from '../text/safeText.ts'
import { shellWord } from '../text/shellWord.ts'
import {
  meantCommand,
  meantOptions,
  meantSubcommands,
  meantWithoutCommand,
  nearest,
  nearestMeantWord,
} from '../text/suggest.ts'
import { t, translated } from '../text/translate.ts'
import { type FailureFacts, UsageError } from '../wire/errors.ts'
import { type Candidate, knownNames } from './completedNames.ts'
import { pathOf, TOPICS } from './help/helpPage.ts'
import { conflictFailure, DefinedArgument, DefinedOption } from './options.ts'
import { oneFailure, type ParsingStopped } from './program.ts'

/** A command line without one of its arguments, which a person can be asked for. */
export class MissingArgument extends UsageError {
  /** Undefined for a command line, which makes no answer to one question. */
  readonly definition: ArgumentDefinition | undefined

  constructor(message: string, facts: FailureFacts, argument: Argument | undefined) {
    super(message, facts)
    const definition = argument instanceof DefinedArgument ? argument.definition : undefined
    this.definition = definition?.completes === 'command' ? undefined : definition
  }
}

/** What is wrong with a command line that commander did not accept, with the command to type in place of it. */
export function parsingFailure({ command, reason: error }: ParsingStopped): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const name = pathOf(command)
  const help = t`Run \`${name} --help\``
  if (takesNoSecret(command) && command.getOptionValue('clientSecret') !== undefined) return secretTyped()
  switch (error.code) {
    case 'commander.help':
      return unchosenSubcommand(command)
    case 'commander.unknownOption':
      return oneFailure(
        command,
        unknownOptions(command, quoted).map((typed) => unknownOption(command, typed)),
      )
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
      return new MissingArgument(
        t`\`${name}\` needs \`<${quoted}>\``,
        { hint: t`Add it; run \`${name} --help\` for examples` },
        command.registeredArguments.find((argument) => argument.name() === quoted),
      )
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

/** The first option that the command does not have, and those after it. */
function unknownOptions(command: Command, first: string): string[] {
  // The others are those of the command to run.
  if (takesCommandLine(command)) return [first]
  const rest = command.args.slice(command.args.indexOf(first))
  const end = rest.indexOf('--')
  const options = rest.slice(0, end === -1 ? undefined : end).filter((word) => /^-(?:-|[a-z]$)/i.test(word))
  return [...new Set([first, ...options])]
}

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

function unchosenSubcommand(group: Command): UsageError {
  const names = group.commands.map((command) => command.name()).join(', ')
  return new UsageError(t`\`${pathOf(group)}\` requires a subcommand`, {
    hint: t`Use one of: ${names}`,
  })
}

type Meaning = 'key' | 'amount' | 'reason'

/**
 * The options that arguments were meant to be the values of, such as `--key maria@example.com` and `--amount 10`. Empty if one of them
 * cannot be told, because a value with spaces may have lost its quotes.
 */
function optionsForArguments(command: Command, words: readonly string[]): string[] {
  const taken = new Set<Meaning>()
  const options: string[] = []
  for (const word of words) {
    const meaning = meaningOf(word, (option) => isMissing(command, option) && !taken.has(option))
    if (meaning === undefined) return []
    taken.add(meaning)
    options.push(`--${meaning} ${shellWord(word)}`)
  }
  return options
}

function meaningOf(word: string, isMissing: (meaning: Meaning) => boolean): Meaning | undefined {
  if (word.startsWith('-')) return undefined
  if (mayBePixKey(word)) return isMissing('key') ? 'key' : undefined
  if (tryParseAmount(word) !== null) return isMissing('amount') ? 'amount' : undefined
  return (['key', 'reason'] as const).find(isMissing)
}

function isMissing(command: Command, name: Meaning): boolean {
  const isTyped = (option: string) => command.getOptionValue(option) !== undefined
  if (isTyped(name) || (name === 'amount' && isTyped('value'))) return false
  return command.options.some(({ long }) => long === `--${name}`)
}

/** Asks for an argument that is missing: from a list if it names what is known, else as text. Undefined if nothing is known. Throws Cancelled. */
export async function askForArgument(context: Context, definition: ArgumentDefinition): Promise<string | undefined> {
  const { terminal, settings, runtime } = context
  const { name, description, parse, choices, completes } = definition
  const question = translated(description)
  if (choices !== undefined)
    return terminal.choose(
      question,
      choices.map((each) => ({ value: each, name: each })),
    )
  if (completes === 'profiles' || completes === 'stored profiles' || completes === 'payees' || completes === 'runs') {
    const names = await knownNames(completes, settings.profile, runtime.env)
    // The built-in profile alone is no choice.
    if (names.length <= (completes === 'profiles' ? 1 : 0)) return undefined
    return terminal.choose(LIST_QUESTIONS[completes](), nameChoices(names, terminal.columns - MARK_COLUMNS))
  }
  const read = (text: string) => parse?.(text, name, context.now())
  return terminal.askText(question, { faultOf: faultOf(read) })
}

const LIST_QUESTIONS = {
  profiles: () => t`Which profile?`,
  'stored profiles': () => t`Which profile?`,
  payees: () => t`Which payee?`,
  runs: () => t`Which run?`,
}

/** Around a line of the list. */
const MARK_COLUMNS = 3

function nameChoices(names: readonly Candidate[], columns: number): Choice<string>[] {
  const width = Math.max(...names.map(([name]) => displayWidth(name)))
  return names.map(([name, meaning]) => {
    const line = `${safeText(name)}${' '.repeat(width - displayWidth(name))}  ${safeText(meaning)}`
    return { value: name, name: truncateCells(line, columns), short: safeText(name) }
  })
}

function unknownCommand(group: Command, typed: string): UsageError {
  const name = pathOf(group)
  const message = t`\`${name}\` has no command \`${typed}\``
  return new UsageError(message, {
    hint: commandHint(group, typed) ?? t`See \`${name} --help\` for a list of commands`,
  })
}

function commandHint(group: Command, typed: string): string | undefined {
  const isRoot = group.parent === null
  const known = group
    .createHelp()
    .visibleCommands(group)
    .map((each) => each.name())
  if (/\.(?:csv|xlsx)$/i.test(typed) && (isRoot || group.name() === 'batch')) return fileHint(typed)
  if (typed === 'help') return t`Run \`${pathOf(group)} --help\``
  const near = didYouMean(nearest(typed, known))
  if (isRoot) return meantHint(typed) ?? near ?? meantHint(nearestMeantWord(typed)) ?? topicHint(typed)
  return didYouMean(meantSubcommands(typed).filter((each) => known.includes(each))) ?? near ?? searchHint(group)
}

/** A file in place of a command: its rows can be payments of two kinds. */
function fileHint(typed: string): string {
  const file = shellWord(typed)
  return t`Write what its rows are: \`pixgate batch transfer ${file}\` or \`pixgate batch refund ${file}\``
}

function meantHint(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined
  switch (meantWithoutCommand(typed)) {
    case 'balance':
      return t`See the balance in the dashboard; the gateway has no query for it`
    case 'cancel':
      return t`See \`pixgate refund --help\` to return a received payment; a Pix that was sent cannot be cancelled`
  }
  const meant = meantCommand(typed)
  if (meant === undefined) return undefined
  const { command, path, isComplete } = meant
  const line = ['pixgate', ...path].join(' ')
  return isComplete ? t`Did you mean \`${line}\`?` : t`Did you mean \`${command}\`? See \`${line} --help\``
}

function topicHint(typed: string): string | undefined {
  const topic = TOPICS.find((each) => each === typed)
  return topic === undefined ? undefined : t`Run \`pixgate help ${topic}\``
}

function searchHint(group: Command): string | undefined {
  if (!group.commands.some((each) => each.name() === 'find')) return undefined
  const command = `${pathOf(group)} find ${group.args.map(shellWord).join(' ')}`
  return t`Run \`${command}\` to search`
}

function unknownOption(command: Command, typed: string): UsageError {
  const name = pathOf(command)
  const bare = typed.replace(/=.*/s, '')
  if (bare !== typed && command.options.some((option) => option.long === bare)) {
    return new UsageError(t`\`${bare}\` takes no value`, { hint: t`Write \`${bare}\` without a value` })
  }
  return new UsageError(t`\`${name}\` has no option \`${bare}\``, { hint: optionHint(command, typed, bare) })
}

function optionHint(command: Command, typed: string, bare: string): string {
  const name = pathOf(command)
  const known = ['--help', ...command.options.flatMap(({ long }) => long ?? [])]
  const meant = meantOptions(bare)
  const near = meant?.filter((each) => known.includes(each)).slice(0, 1) ?? nearestOptions(bare, known)
  if (near.length > 0) return didYouMean(near) ?? ''
  if (meant?.includes('--reason')) return t`Omit it; the gateway takes no description of a payment`
  if (bare === '--id' && command.registeredArguments.length > 0) return t`Write the id alone, without \`${bare}\``
  if (takesCommandLine(command)) return t`Write \`--\` before the command to run: \`${name} -- ls -l\``
  if (/^-\d/.test(typed)) return t`Write \`--\` before a value that begins with \`-\`; see \`${name} --help\``
  return t`Run \`${name} --help\``
}

/** The known options with almost the letters of this one, which may be short. */
function nearestOptions(typed: string, known: readonly string[]): string[] {
  const names = known.map((option) => option.replace(/^--/, ''))
  return nearest(typed.replace(/^--?/, ''), names).map((name) => `--${name}`)
}

function takesCommandLine(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.required && argument.variadic)
}

function didYouMean(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : t`Did you mean \`${near.join('` or `')}\`?`
}
