import type { Command } from 'commander'
import { loadProgram } from '../src/cli/program.ts'

const tree = await loadProgram()

/** The words of a command line after `pixgate`, quotes kept. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word).slice(1)
}

/** The first word that the command tree does not know; undefined if it knows them all. */
export function unknownWord(words: readonly string[]): string | undefined {
  let command: Command = tree
  for (const word of words) {
    if (word === '--') return undefined
    if (isOption(word)) {
      if (!isKnownOption(command, word)) return word
      continue
    }
    const child = command.commands.find((each) => each.name() === word)
    if (child !== undefined) command = child
    else if (command.commands.length > 0 && command.registeredArguments.length === 0 && !word.startsWith('<')) {
      const isOptionValue = words[words.indexOf(word) - 1]?.startsWith('-') === true
      if (!isOptionValue) return word
    }
  }
  return undefined
}

function isKnownOption(command: Command, word: string): boolean {
  const flag = word.split('=')[0] ?? word
  if (flag === '--help') return true
  return [...command.options, ...tree.options].some(({ long, short }) => long === flag || short === flag)
}

/** True if a command line lacks an argument that its command requires; `--help` needs none. */
export function lacksArgument(words: readonly string[]): boolean {
  let command: Command = tree
  const end = words.indexOf('--')
  // What follows `--` is an argument, whatever it looks like.
  const after = end === -1 ? 0 : words.length - end - 1
  let given = 0
  words.slice(0, end === -1 ? undefined : end).forEach((word, index) => {
    const child = given === 0 ? command.commands.find((each) => each.name() === word) : undefined
    if (child !== undefined) command = child
    else if (!isOption(word) && !takesValue(command, words[index - 1] ?? '')) given += 1
  })
  return (
    !words.includes('--help') && given + after < command.registeredArguments.filter(({ required }) => required).length
  )
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

/** True for an option whose value is the next word. */
function takesValue(command: Command, word: string): boolean {
  return [...command.options, ...tree.options].some(
    ({ long, short, required }) => required && (long === word || short === word),
  )
}

/** True if any command has the option. */
export function isOptionOfAny(flag: string): boolean {
  return commandsOf(tree).some((command) => isKnownOption(command, flag))
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)]
}

/** The commands without subcommands, their words joined by hyphens: `webhook-events-list`. */
export function leafCommands(command: Command = tree, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join('-')]
  return command.commands.flatMap((child) => leafCommands(child, [...path, child.name()]))
}
