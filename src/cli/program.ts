import { Command, type CommanderError, Option } from 'commander'
import {
  type CommandDefinition,
  type CommandNode,
  defineOptions,
  type Example,
  type GroupNode,
  type Input,
} from '../commands/command.ts'
import { readDuration } from '../optionParsers.ts'
import { VERSION } from '../programInfo.ts'
import { readFields, readOutputFormat } from '../settings.ts'
import { OUTPUT_FORMATS } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { COMMAND_TREE } from './commandTree.ts'
import {
  addArgument,
  addOption,
  assertRequirements,
  optionChecker,
  type ParsingState,
  valuesByName,
} from './options.ts'

const GLOBAL_GROUP = 'Global options:'
const HELP_COLUMNS_MAX = 110

export interface ProgramSetup {
  /** The command line, without the interpreter and the script. */
  argv: readonly string[]
  /** The width of the terminal; undefined for a pipe. */
  columns: number | undefined
  /** The time of the command, for values like `today`. */
  nowMs: number
  write(text: string): void
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

/** Builds the command tree for commander. A command's module is loaded when the command line names it. */
export async function createProgram(setup: ProgramSetup): Promise<Command> {
  const root = emptyCommand('pixgate', COMMAND_TREE, setup)
    .version(VERSION, '-V, --version')
    .helpCommand('help [command]', 'show the help of a command')
  await fill(root, COMMAND_TREE, { ...setup, check: optionChecker(setup.argv), faults: [] })
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
      if (node === undefined) continue
      await fill(command, node, { ...setup, check: () => undefined, faults: [] })
      if ('commands' in node) await fillBelow(command, node)
    }
  }
}

/** True for a global option, which every command has. */
export function isGlobal(option: Option): boolean {
  return option.helpGroupHeading === GLOBAL_GROUP
}

function emptyCommand(name: string, { summary }: CommandNode | GroupNode, { columns, write }: ProgramSetup): Command {
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
    .configureHelp({
      subcommandTerm: (child) => child.name(),
      optionDescription,
      argumentDescription: ({ description }) => description,
    })
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(columns || 80, HELP_COLUMNS_MAX),
    })
}

type FillSetup = ProgramSetup & ParsingState

/** Adds texts, arguments, options and the action to a command, and subcommands to a group. */
async function fill(command: Command, node: CommandNode | GroupNode, setup: FillSetup): Promise<void> {
  if ('commands' in node) addCommands(command, node, setup)
  if ('examples' in node) command.description(node.description).addHelpText('after', exampleText(node.examples))
  else await define(command, 'commands' in node ? node.bare : node, setup)
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

async function define(command: Command, { description, load }: CommandNode, setup: FillSetup): Promise<void> {
  const definition = await load()
  command.description(description ?? definition.description ?? '')
  if (definition.details !== undefined) command.addHelpText('after', `\n${definition.details}`)
  command.addHelpText('after', exampleText(definition.examples))
  for (const each of definition.arguments) addArgument(command, each, setup)
  const options = definition.options.map((each) => addOption(command, each, setup))
  command.action(() => {
    const [fault] = setup.faults
    if (fault !== undefined) throw fault
    assertRequirements(command, options)
    const typed = command.registeredArguments.map((argument, index) => [
      camelCase(argument.name()),
      command.processedArgs[index],
    ])
    setup.onParsed(command, definition, { ...Object.fromEntries(typed), ...valuesByName(command, options) })
  })
}

/** What help says of an option. Commander would append the choices, which the descriptions name where they fit. */
function optionDescription({ description, defaultValueDescription }: Option): string {
  return defaultValueDescription === undefined ? description : `${description} (default: ${defaultValueDescription})`
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
    parse: readOutputFormat,
    completes: OUTPUT_FORMATS,
  },
  { flags: '--json', description: 'the same as -o json' },
  { flags: '--fields <a,b.c>', description: 'select and order columns or keys', parse: readFields },
  { flags: '-y, --yes', description: 'answer yes to the question; not enough in production' },
  { flags: '--confirm <profile>', description: 'answer yes in production, by naming the profile' },
  { flags: '--no-input', description: 'never prompt; a missing value is an error (env CI)' },
  {
    flags: '--timeout <duration>',
    description: 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)',
    parse: readDuration,
  },
  { flags: '-q, --quiet', description: 'do not print notes on stderr' },
  { flags: '-v, --verbose', description: 'print request and response lines on stderr, secrets redacted' },
  { flags: '--no-color', description: 'disable colours (env NO_COLOR, FORCE_COLOR)' },
)
