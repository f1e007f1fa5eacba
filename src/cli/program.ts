import { type Command, type CommanderError, Option } from 'commander'
import type {
  CommandDefinition,
  CommandNode,
  Example,
  GroupNode,
  HelpBlock,
  HelpItem,
  Input,
} from '../commandDefinition.ts'
import { camelCase } from '../optionParsers.ts'
import { VERSION } from '../programInfo.ts'
import { t, translated } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { COMMAND_TREE } from './commandTree.ts'
import { HELP_COMMAND, HelpRequested, helpColumns, helpPage, pathOf, shortHelpPage } from './help/helpPage.ts'
import {
  addArgument,
  addOption,
  assertRequirements,
  DefinedArgument,
  DefinedOption,
  DocumentedCommand,
  GLOBAL_GROUP,
  GLOBAL_OPTIONS,
  isGlobal,
  type ParsingState,
  rejectMisreadOptions,
  valuesByName,
} from './options.ts'

export interface ProgramSetup {
  /** The command line, without the interpreter and the script. */
  argv: readonly string[]
  /** The width of the terminal; undefined for a pipe. */
  columns: number | undefined
  /** The time of the command, for values like `today`. */
  nowMs: number
  write(text: string): void
  /** How a heading of help is written; plain by default. */
  heading?: (text: string) => string
  /** Called with the command that is to run, after everything was parsed. */
  onParsed(command: Command, definition: CommandDefinition, input: Input): void
}

/** Thrown when commander stops at this command: to show help or the version, or because of a parsing error. */
export class ParsingStopped extends Error {
  readonly command: Command
  readonly reason: CommanderError

  constructor(command: Command, reason: CommanderError) {
    super(reason.message)
    this.command = command
    this.reason = reason
  }
}

const HELP_FLAGS = '-h, --help'

/** What a person makes up in an example: the names of files, numbers of orders and invoices, the profile, and quoted texts of several words. */
const PERSONAL_WORDS =
  /(?<![\w.-])[\w-]+\.(?:csv|xlsx|html|pdf|png|json|jsonl|ofx|txt|db)\b|\b(?:order|invoice|salaries)-\w+|(?<!\/)\bshop\b(?!\.)|(["'])[\w$, ]+ [\w$, ]+\1/g

/** Prints what scripts may use, for people who review a change of it. */
const SURFACE_FLAG = '--surface'

/** Builds the command tree for commander. A command's module is loaded when the command line names it. */
export async function createProgram(setup: ProgramSetup): Promise<Command> {
  const root = emptyCommand('pixgate', COMMAND_TREE, setup)
  root.addOption(new Option(SURFACE_FLAG, t`print every command, argument and option`).hideHelp())
  const state = { ...setup, onOption: rejectMisreadOptions(setup.argv), faults: [] }
  await fill(root, COMMAND_TREE, state)
  addHelpCommand(root, state)
  return root
}

/** Builds the whole command tree with all options, for inspection. */
export async function loadProgram(): Promise<Command> {
  const setup = { argv: [], columns: undefined, nowMs: 0, write: () => undefined, onParsed: () => undefined }
  const root = await createProgram(setup)
  await fillBelow(root, COMMAND_TREE)
  return root

  async function fillBelow(parent: Command, { commands }: GroupNode): Promise<void> {
    for (const command of parent.commands) {
      const node = commands[command.name()]
      if (node === undefined || !(command instanceof DocumentedCommand)) continue
      await fill(command, node, { ...setup, onOption: () => undefined, faults: [] })
      if ('commands' in node) await fillBelow(command, node)
    }
  }
}

function emptyCommand(
  name: string,
  node: Pick<CommandNode, 'summary' | 'heading'> | GroupNode,
  { argv, columns, write, heading = String }: ProgramSetup,
): DocumentedCommand {
  const command = new DocumentedCommand(name)
  if ('commands' in node) command.usage('bare' in node ? '[command] [options]' : '<command> [options]')
  return command
    .summary(translated(node.summary))
    .helpGroup(translated(node.heading ?? ''))
    .helpCommand(false)
    .exitOverride((reason) => {
      throw new ParsingStopped(command, reason)
    })
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureHelp({
      formatHelp: (_, helper) =>
        argv.includes('-h') ? shortHelpPage(command, helper, heading) : helpPage(command, helper, heading),
    })
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined,
      getOutHelpWidth: () => helpColumns(columns),
    })
}

type FillSetup = ProgramSetup & ParsingState

async function fill(command: DocumentedCommand, node: CommandNode | GroupNode, setup: FillSetup): Promise<void> {
  if (!('commands' in node)) await define(command, node, setup)
  else {
    addCommands(command, node, setup)
    if ('bare' in node) await defineBare(command, node, setup)
    else command.examples = node.examples.map(translatedExample)
    command.description(descriptionOf(node))
  }
  addGlobalOptions(command, setup)
}

function addGlobalOptions(command: Command, setup: ParsingState): void {
  command.version(VERSION, '-V, --version', t`output the version number`)
  command.options.at(-1)?.helpGroup(GLOBAL_GROUP)
  for (const global of GLOBAL_OPTIONS) {
    if (command.options.some((own) => own.long === new Option(global.flags).long)) continue
    addOption(command, global, setup).helpGroup(GLOBAL_GROUP)
  }
  command.addHelpOption(new Option(HELP_FLAGS, t`show this help`).helpGroup(GLOBAL_GROUP))
}

/** Adds the command `help`, which is answered when the command line was parsed. */
function addHelpCommand(root: Command, setup: FillSetup): void {
  const help = emptyCommand('help', HELP_COMMAND, setup).description(translated(HELP_COMMAND.description))
  help.examples = HELP_COMMAND.examples.map(translatedExample)
  addArgument(help, HELP_COMMAND.argument, setup)
  addOption(help, HELP_COMMAND.manOption, setup)
  addGlobalOptions(help, setup)
  help.action((words: string[], { man }: { man?: true }) => {
    throw new HelpRequested(words, man === true)
  })
  root.addCommand(help)
}

function addCommands(group: Command, { commands }: GroupNode, setup: FillSetup): void {
  for (const [name, node] of Object.entries(commands)) group.addCommand(emptyCommand(name, node, setup))
  group.hook('preSubcommand', async (_, child) => {
    assertNoIgnoredOption(group, child)
    const node = commands[child.name()]
    if (node !== undefined && child instanceof DocumentedCommand) await fill(child, node, setup)
  })
}

/** Rejects an option of a group that is written before one of its subcommands, where it would be ignored. Throws UsageError. */
function assertNoIgnoredOption(group: Command, child: Command): void {
  const ignored = group.options.find(
    (option) => !isGlobal(option) && group.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (ignored === undefined) return
  throw new UsageError(t`\`${ignored.long ?? ignored.flags}\` before \`${child.name()}\` has no effect`, {
    hint: t`Write the options of \`${child.name()}\` after its name, or omit them`,
  })
}

/** What a page begins with. */
function descriptionOf({ summary, description }: Pick<CommandNode, 'summary' | 'description'>): string {
  return translated(description ?? summary).replace(/^./u, (letter) => letter.toUpperCase())
}

/** Lets a group take what the command takes that it runs without a subcommand. */
async function defineBare(
  group: DocumentedCommand,
  { bare, commands }: GroupNode & { bare: CommandNode },
  setup: FillSetup,
): Promise<void> {
  await define(group, bare, setup)
  group.bareName = Object.keys(commands).find((name) => commands[name] === bare)
  if (group.bareName === undefined) {
    const names = group.registeredArguments.map((argument) => `<${argument.name()}>`)
    group.usage([...names, '[options]'].join(' '))
  }
}

async function define(command: DocumentedCommand, node: CommandNode, setup: FillSetup): Promise<void> {
  const definition = await node.load()
  command.description(descriptionOf(node))
  command.details = (definition.details ?? []).map(translatedBlock)
  command.examples = definition.examples.map(translatedExample)
  command.describedBy = definition.describedBy
  command.usualOptions = definition.usualOptions
  for (const each of definition.arguments) addArgument(command, each, setup)
  const options = definition.options.map((each) => addOption(command, each, setup))
  command.action(() => {
    if (setup.faults.length > 0) throw oneFailure(command, setup.faults)
    assertRequirements(command, options)
    const typed = command.registeredArguments.map((argument, index) => [
      camelCase(argument.name()),
      command.processedArgs[index],
    ])
    setup.onParsed(command, definition, { ...Object.fromEntries(typed), ...valuesByName(command, options) })
  })
}

function translatedExample([commandLine, purpose]: Example): Example {
  return [commandLine.replace(PERSONAL_WORDS, translated), translated(purpose)]
}

function translatedBlock(block: HelpBlock): HelpBlock {
  if (typeof block === 'string') return translated(block)
  const items = block.items.map(([term, meaning]): HelpItem => [term, translated(meaning)])
  return block.heading === undefined ? { items } : { heading: translated(block.heading), items }
}

/** What is wrong with a command line, as one error; `faults` must not be empty. */
export function oneFailure(command: Command, faults: readonly UsageError[]): UsageError {
  const [first, ...others] = faults
  if (first === undefined) throw new Error('Nothing is wrong')
  // A fault with details, such as a secret that was typed, is reported alone.
  if (others.length === 0 || first.details.length > 0) return first
  return new UsageError(t`The command line has ${faults.length} mistakes`, {
    details: faults.map(({ message, hint }) => t`${message}. ${hint}`),
    hint: t`Correct them, or run \`${pathOf(command)} --help\``,
  })
}

/**
 * Every command, argument and option, one a line with its command, in the order of code points: `pixgate transfer --key <key>`. Global options are named
 * once. A change of this text is a change of what scripts may use.
 */
export async function surface(): Promise<string> {
  const lines = surfaceOf(await loadProgram())
  return `${lines.sort().join('\n')}\n`
}

function surfaceOf(command: Command): string[] {
  const path = pathOf(command)
  const isRoot = command.parent === null
  // An option that is hidden exists to be rejected with a better message.
  const options = command.options.filter(
    (option) => (isRoot || !isGlobal(option)) && !(option instanceof DefinedOption && option.hidden),
  )
  // Written as it was defined: one that a terminal asks for is optional for commander.
  const words = command.registeredArguments.flatMap((each) =>
    each instanceof DefinedArgument ? [each.definition.name] : [],
  )
  const flags = [...options.map((option) => option.flags), ...(isRoot ? [HELP_FLAGS] : [])]
  const own = [...words, ...flags].map((each) => `${path} ${each}`)
  return [...(isRoot ? [] : [path]), ...own, ...command.commands.flatMap(surfaceOf)]
}
