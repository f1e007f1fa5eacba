import type { Command } from 'commander'
import type { GroupNode } from '../commands/command.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import {
  type MeantCommand,
  meantCommands,
  meantOptions,
  meantSubcommands,
  meantWithoutCommand,
  nearestMeantWord,
} from '../text/typedWords.ts'
import { UsageError } from '../wire/errors.ts'
import { COMMAND_TREE } from './commandTree.ts'
import { TOPICS } from './help/helpCommand.ts'
import { pathOf } from './help/helpPage.ts'

/** The error for a word in place of a command that the group does not have. */
export function unknownCommand(group: Command, typed: string): UsageError {
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

/** What a word means that is typed in place of a command of the program. */
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

/** The command of this version that a word such as `estornar` means, with its words without options. */
export function meantCommand(typed: string): (MeantCommand & { readonly path: readonly string[] }) | undefined {
  return meantCommands(typed)
    .map((meant) => ({ ...meant, path: meant.command.split(' ').filter((word) => !word.startsWith('-')) }))
    .find(({ path }) => isCommand(path))
}

/** True if these words are a command of this version. */
function isCommand(words: readonly string[]): boolean {
  if (words.join() === 'help') return true
  let commands: GroupNode['commands'] = COMMAND_TREE.commands
  return words.every((word) => {
    const node = commands[word]
    commands = node !== undefined && 'commands' in node ? node.commands : {}
    return node !== undefined
  })
}

/** A topic of `pixgate help` in place of a command. */
function topicHint(typed: string): string | undefined {
  const topic = TOPICS.find((each) => each === typed)
  return topic === undefined ? undefined : t`Run \`pixgate help ${topic}\``
}

/** Words after a list that can also be searched. */
function searchHint(group: Command): string | undefined {
  if (!group.commands.some((each) => each.name() === 'find')) return undefined
  const command = `${pathOf(group)} find ${group.args.map(shellWord).join(' ')}`
  return t`Run \`${command}\` to search`
}

/** The error for an option that the command does not have. */
export function unknownOption(command: Command, typed: string): UsageError {
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

/** True for a command whose arguments are another command line. */
export function takesCommandLine(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.required && argument.variadic)
}

function didYouMean(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : t`Did you mean \`${near.join('` or `')}\`?`
}
