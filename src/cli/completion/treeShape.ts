import type { Argument, Command, Option } from 'commander'
import type { OptionDefinition } from '../../commands/command.ts'
import { DefinedArgument, DefinedOption } from '../options.ts'

/**
 * What a value can be completed with: fixed words, files, a command line, names that `pixgate __complete` lists, or nothing
 * (`text`).
 */
export type ValueKind =
  | { type: 'words'; words: readonly string[] }
  | { type: 'files' | 'command' | 'profiles' | 'payees' | 'ids' | 'text' }

/** An option as a completion script needs it. Every text is a single line. */
export interface OptionShape {
  /** Including the dashes. */
  long: string
  short: string | null
  value: 'none' | 'optional' | 'required'
  /** The name of the value in help; empty if the option takes none. */
  placeholder: string
  kind: ValueKind
  description: string
  repeatable: boolean
}

export interface ArgumentShape {
  name: string
  variadic: boolean
  kind: ValueKind
}

export interface CommandShape {
  /** The names from the program to this command, separated by spaces. */
  path: string
  name: string
  aliases: readonly string[]
  summary: string
  /** Without the global options. */
  options: readonly OptionShape[]
  arguments: readonly ArgumentShape[]
  subcommands: readonly CommandShape[]
}

/** A command tree without commander: everything that a completion script is generated from. */
export interface TreeShape {
  /** The program first, and each group before its commands. */
  commands: readonly CommandShape[]
  /** The global options. */
  globals: readonly OptionShape[]
}

/** Describes a command tree without its hidden commands and options. Throws if a script cannot represent it. */
export function describeTree(tree: Command): TreeShape {
  const all = withDescendants(tree)
  const globals = visibleOptions(tree)
    .filter(({ long }) => all.every((command) => visibleOptions(command).some((option) => option.long === long)))
    .map((option) => describeOption(option, tree.name()))
  const root = describeCommand(tree, [], globals)
  return { commands: flatten(root), globals }
}

function describeCommand(command: Command, above: readonly string[], globals: readonly OptionShape[]): CommandShape {
  const names = [...above, command.name()]
  const path = names.join(' ')
  return {
    path,
    name: command.name(),
    aliases: command.aliases(),
    summary: oneLine(command.summary() || command.description()),
    options: visibleOptions(command)
      .map((option) => describeOption(option, path))
      .filter((option) => !globals.some((each) => JSON.stringify(each) === JSON.stringify(option))),
    arguments: command.registeredArguments.map(describeArgument),
    subcommands: visibleCommands(command).map((child) => describeCommand(child, names, globals)),
  }
}

function describeOption(option: Option, path: string): OptionShape {
  const { long, short, flags, description } = option
  if (long === undefined) throw new Error(`The option ${flags} of ${path} has no long name`)
  const placeholder = /[<[](.*?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? ''
  return {
    long,
    short: short ?? null,
    value: option.required ? 'required' : option.optional ? 'optional' : 'none',
    placeholder,
    kind: kindOf(option instanceof DefinedOption ? option.definition : {}, placeholder),
    description: oneLine(description),
    repeatable: option instanceof DefinedOption && option.definition.repeatable === true,
  }
}

function describeArgument(argument: Argument): ArgumentShape {
  const definition = argument instanceof DefinedArgument ? argument.definition : {}
  return { name: argument.name(), variadic: argument.variadic, kind: kindOf(definition, argument.name()) }
}

/** Throws for a word that a shell would split: the scripts embed words without quotes. */
function kindOf(
  { choices, completes = choices }: Pick<OptionDefinition, 'choices' | 'completes'>,
  placeholder: string,
): ValueKind {
  if (completes === undefined) return { type: placeholder === 'file' ? 'files' : 'text' }
  if (typeof completes === 'string') return { type: completes }
  for (const word of completes) {
    if (!/^[\w:.-]+$/.test(word)) throw new Error(`${word} cannot be written into a completion script`)
  }
  return { type: 'words', words: completes }
}

/** commander's built-in help command is not part of the tree, so it is excluded. */
function visibleCommands(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command)
  return command.commands.filter((child) => visible.includes(child))
}

function visibleOptions(command: Command): Option[] {
  return command.createHelp().visibleOptions(command)
}

function withDescendants(command: Command): Command[] {
  return [command, ...visibleCommands(command).flatMap(withDescendants)]
}

function flatten(command: CommandShape): CommandShape[] {
  return [command, ...command.subcommands.flatMap(flatten)]
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
