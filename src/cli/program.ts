import { Argument, Command, type CommanderError, Option } from 'commander'
import {
  type ArgumentDefinition,
  type CommandDefinition,
  type Completes,
  defineOptions,
  type Example,
  type OptionDefinition,
} from '../commands/command.ts'
import { VERSION } from '../programInfo.ts'
import { OUTPUT_FORMATS } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { COMMAND_TREE, type GroupNode, type TreeNode } from './commandTree.ts'
import { type OptionCheck, optionChecker } from './optionChecks.ts'

const GLOBAL_GROUP = 'Global options:'
const HELP_COLUMNS_MAX = 110

export interface ProgramSetup {
  /** The command line, without the interpreter and the script. */
  argv: readonly string[]
  /** The width of the terminal; undefined for a pipe. */
  columns: number | undefined
  write(text: string): void
  execute(command: Command, definition: CommandDefinition, input: Readonly<Record<string, unknown>>): Promise<void>
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

/** An option that knows what completion offers for its value. */
export class CompletableOption extends Option {
  readonly completes: Completes | undefined
  readonly repeatable: boolean

  constructor({ flags, description, completes, repeatable }: OptionDefinition) {
    super(flags, description)
    this.completes = completes
    this.repeatable = repeatable === true
  }
}

/** An argument that knows what completion offers for it. */
export class CompletableArgument extends Argument {
  readonly completes: Completes | undefined

  constructor({ name, description, completes }: ArgumentDefinition) {
    super(name, description)
    this.completes = completes
  }
}

/** Builds the command tree for commander. A command's module is loaded when the command line names it. */
export async function createProgram(setup: ProgramSetup): Promise<Command> {
  const root = emptyCommand('pixgate', COMMAND_TREE, setup)
    .version(VERSION, '-V, --version')
    .helpCommand('help [command]', 'show the help of a command')
  await fill(root, COMMAND_TREE, { ...setup, check: optionChecker(setup.argv) })
  return root
}

/** Builds the whole command tree with all options, for inspection. */
export async function loadProgram(): Promise<Command> {
  const setup = { argv: [], columns: undefined, write: () => undefined, execute: async () => undefined }
  const root = await createProgram(setup)
  await fillBelow(root, COMMAND_TREE)
  return root

  async function fillBelow(parent: Command, { commands }: GroupNode): Promise<void> {
    for (const command of parent.commands) {
      const node = commands[command.name()]
      if (node === undefined) continue
      await fill(command, node, { ...setup, check: () => undefined })
      if ('commands' in node) await fillBelow(command, node)
    }
  }
}

/** True for a global option, which every command has. */
export function isGlobal(option: Option): boolean {
  return option.helpGroupHeading === GLOBAL_GROUP
}

function emptyCommand(name: string, { summary }: TreeNode, { columns, write }: ProgramSetup): Command {
  const command = new Command(name)
  return command
    .summary(summary)
    .helpCommand(false)
    .exitOverride((reason) => {
      throw new ParsingStopped(command, reason)
    })
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureHelp({ subcommandTerm: (child) => child.name() })
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(columns || 80, HELP_COLUMNS_MAX),
    })
}

type FillSetup = ProgramSetup & { check: OptionCheck }

/** Adds texts, arguments, options and the action to a command, and subcommands to a group. */
async function fill(command: Command, node: TreeNode, setup: FillSetup): Promise<void> {
  if ('commands' in node) addCommands(command, node, setup)
  if ('description' in node) {
    command.description(node.description).addHelpText('after', exampleText(node.examples))
  } else {
    const { load } = 'commands' in node ? node.bare : node
    define(command, await load(), setup)
  }
  for (const global of GLOBAL_OPTIONS) {
    if (command.options.some((own) => own.long === new Option(global.flags).long)) continue
    addOption(command, global, setup).helpGroup(GLOBAL_GROUP)
  }
  command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GLOBAL_GROUP))
}

function addCommands(group: Command, { commands }: GroupNode, setup: FillSetup): void {
  for (const [name, node] of Object.entries(commands)) group.addCommand(emptyCommand(name, node, setup))
  group.hook('preSubcommand', async (_, child) => {
    assertNoIgnoredOption(group, child)
    const node = commands[child.name()]
    if (node !== undefined) await fill(child, node, setup)
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

function define(command: Command, definition: CommandDefinition, setup: FillSetup): void {
  command.description(definition.description)
  if (definition.details !== undefined) command.addHelpText('after', `\n${definition.details}`)
  command.addHelpText('after', exampleText(definition.examples))
  for (const each of definition.arguments) command.addArgument(new CompletableArgument(each))
  const options = definition.options.map((each) => addOption(command, each, setup))
  command.action(async () => {
    const input: Record<string, unknown> = {}
    for (const [index, argument] of command.registeredArguments.entries()) {
      input[camelCase(argument.name())] = command.processedArgs[index]
    }
    for (const option of options) input[option.attributeName()] = command.getOptionValue(option.attributeName())
    await setup.execute(command, definition, input)
  })
}

function addOption(command: Command, definition: OptionDefinition, { check }: FillSetup): Option {
  const { default: text, parse, hidden } = definition
  const option = new CompletableOption(definition)
  if (definition.repeatable) option.argParser((value, earlier: string[] = []) => [...earlier, value])
  else if (parse !== undefined) option.argParser((value) => parse(value))
  if (text !== undefined) option.default(parse === undefined ? text : parse(text), text)
  option.hideHelp(hidden === true)
  // Registered before addOption, because commander stores the value in a listener of the same event.
  command.on(`option:${option.name()}`, (value: string | null | undefined) => check(option, value))
  command.addOption(option)
  return option
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function exampleText(examples: readonly Example[]): string {
  const lines = examples.flatMap(([commandLine, purpose]) => [`  # ${purpose}`, `  $ ${commandLine}`])
  return ['', 'Examples:', ...lines].join('\n')
}

/** The options that every command takes, before or after its name. */
const GLOBAL_OPTIONS = defineOptions(
  {
    flags: '-p, --profile <name>',
    description: 'credentials profile (env PIXGATE_PROFILE)',
    completes: 'profiles',
  },
  { flags: '--base-url <url>', description: "the gateway's base address (env PIXGATE_BASE_URL)" },
  {
    flags: '-o, --output <format>',
    description: 'text, json or csv (env PIXGATE_OUTPUT)',
    completes: OUTPUT_FORMATS,
  },
  { flags: '--json', description: 'the same as -o json' },
  { flags: '--fields <a,b.c>', description: 'select and order columns or keys' },
  { flags: '-y, --yes', description: 'answer yes to the question; not enough in production' },
  { flags: '--confirm <profile>', description: 'answer yes in production, by naming the profile' },
  { flags: '--no-input', description: 'never prompt; a missing value is an error (env CI)' },
  { flags: '--timeout <duration>', description: 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)' },
  { flags: '-q, --quiet', description: 'do not print notes on stderr' },
  { flags: '-v, --verbose', description: 'print request and response lines on stderr, secrets redacted' },
  { flags: '--no-color', description: 'disable colours (env NO_COLOR, FORCE_COLOR)' },
)
