import { Command, Option } from 'commander'
import { addEntries, type Entry, isWanted, type Words } from '../commands/entries.ts'
import { examples } from '../commands/examples.ts'
import type { Context, Run, World } from '../context.ts'
import { VERSION } from '../programInfo.ts'
import { GLOBAL_OPTIONS, readSettings, settingsBeforeParsing, type TypedGlobals } from '../settings.ts'
import { t } from '../text/words.ts'
import { guardOptionValues, Unparsed, withPlainWaits } from './parsing.ts'

const GLOBAL_GROUP = 'Global options:'
const HELP_COLUMNS_MAX = 110

/**
 * Runs one command line in this world and returns its exit code. Whatever goes wrong has been said on stderr by then.
 * `argv` is without the interpreter and the script.
 */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  if (argv[0] === '__complete') {
    const { completionCandidates } = await import('./complete.ts')
    world.stdout.write(await completionCandidates(argv[1] ?? '', world.env))
    return 0
  }
  let context: Context | undefined
  let exitCode = 0
  const run: Run = (steps) =>
    async function (...args) {
      const { createContext } = await import('../context.ts')
      context = createContext(world, readSettings(typedGlobals(this), world.env))
      exitCode = await steps(context, ...args)
    }
  try {
    if (!(await parse(false))) await parse(true)
    return exitCode
  } catch (error) {
    if (!(error instanceof Unparsed)) return await fail(error)
    if (error.reason.exitCode === 0) return 0
    if (error.command.parent !== null || error.reason.code !== 'commander.help') {
      const { parsingFailure } = await import('./parsingFailure.ts')
      return await fail(parsingFailure(error))
    }
    error.command.outputHelp()
    return 0
  } finally {
    await context?.close()
  }

  /** False for a line that no command ran for. Throws Unparsed for one that is not understood, if others are named. */
  async function parse(namesOthers: boolean): Promise<boolean> {
    const words = { words: argv, namesOthers }
    const tree = await buildTree(run, words)
    prepare(tree, world, words)
    guardOptionValues(tree, argv)
    try {
      await tree.parseAsync(withPlainWaits(argv), { from: 'user' })
    } catch (error) {
      if (namesOthers || !(error instanceof Unparsed)) throw error
    }
    return context !== undefined
  }

  async function fail(error: unknown): Promise<number> {
    const [{ createContext }, { reportFailure }] = await Promise.all([import('../context.ts'), import('./failure.ts')])
    return reportFailure(error, context ?? createContext(world, settingsBeforeParsing(argv, world.env)))
  }
}

/** In the order of help. */
const ENTRIES: readonly Entry[] = [
  [
    'demo',
    'the whole service, live, in your terminal',
    async () => {
      const { demo } = await import('../demo/demo.ts')
      return (run) => demo(run, runCli)
    },
  ],
  ['qr', 'create, draw and read PIX QR codes', async () => (await import('../commands/qr/group.ts')).qrGroup],
  ['refund', 'return all or part of a received payment', async () => (await import('../commands/refund.ts')).refund],
  [
    'transfer',
    'send a PIX transfer to a PIX key (cash-out)',
    async () => (await import('../commands/transfer.ts')).transfer,
  ],
  [
    'status',
    'what is known of one or many transactions',
    async () => (await import('../commands/status/status.ts')).status,
  ],
  [
    'resume',
    'go on with what is in doubt or was interrupted',
    async () => (await import('../commands/resume.ts')).resume,
  ],
  [
    'batch',
    'send transfers or refunds from a CSV file',
    async () => (await import('../commands/batch/group.ts')).batchGroup,
  ],
  [
    'history',
    'what was asked for from this machine, and what became of it',
    async () => (await import('../commands/history/group.ts')).historyGroup,
  ],
  [
    'webhook',
    'verify, receive, send and replay webhooks',
    async () => (await import('../commands/webhook/group.ts')).webhookGroup,
  ],
  ['sandbox', 'the gateway on your machine', async () => (await import('../commands/sandbox/group.ts')).sandboxGroup],
  ['profile', 'stored credentials', async () => (await import('../commands/profile/group.ts')).profileGroup],
  [
    'schema',
    'JSON Schemas of the events and of every JSON output',
    async () => (await import('../commands/schema.ts')).schema,
  ],
  [
    'doctor',
    'what is set up, what is wrong, how to fix it',
    async () => (await import('../commands/doctor.ts')).doctor,
  ],
  [
    'completion',
    'the completion script for your shell',
    async () => {
      const { completion } = await import('./completion/command.ts')
      return (run) => completion(run, () => buildTree(run))
    },
  ],
]

/** The command tree; its commands run through `run`. `words` leaves out what a command line cannot mean. */
export async function buildTree(run: Run, words?: Words): Promise<Command> {
  const tree = new Command('pixgate')
    .description(t`The command line for an instant-payment (PIX) gateway, with the gateway itself as a sandbox`)
    .version(VERSION, '-V, --version')
    .addHelpText(
      'after',
      examples(
        ['pixgate demo', 'see all of it in a few seconds'],
        ['pixgate sandbox', 'the gateway on your machine, for everything below'],
        ['pixgate qr create --amount 25,00', 'take a payment'],
        ['pixgate status <id>', 'look it up'],
      ),
    )
  await addEntries(tree, ENTRIES, run, words)
  addGlobals(tree, words)
  return tree
}

function addGlobals(tree: Command, words: Words): void {
  const options = GLOBAL_OPTIONS.map(([flags, description]) => globalOption(flags, description))
  const help = globalOption('-h, --help', 'show this help')
  for (const command of wantedCommands(tree, words)) {
    for (const option of options) {
      if (!command.options.some((own) => own.long === option.long)) command.addOption(option)
    }
    command.addHelpOption(help)
  }
}

function globalOption(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(GLOBAL_GROUP)
}

/** The command and all that the words can mean below it. */
function wantedCommands(command: Command, words: Words): Command[] {
  const children = command.commands.filter((child) => isWanted(child.name(), words))
  return [command, ...children.flatMap((child) => wantedCommands(child, words))]
}

function prepare(tree: Command, world: World, words: Words): void {
  const isFinal = words?.namesOthers !== false
  const output = {
    writeOut: (text: string) => isFinal && world.stdout.write(text),
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(world.stdout.columns || 80, HELP_COLUMNS_MAX),
  }
  for (const command of wantedCommands(tree, words)) {
    command
      .exitOverride((reason) => {
        throw new Unparsed(command, reason)
      })
      .enablePositionalOptions()
      .allowExcessArguments(false)
      .showSuggestionAfterError(false)
      .configureHelp({ subcommandTerm: (child) => child.name() })
      .configureOutput(output)
  }
}

/** The global options that stand on the command line; the one nearest to the leaf counts. */
function typedGlobals(leaf: Command): TypedGlobals {
  const typed: Record<string, unknown> = {}
  for (let command: Command | null = leaf; command !== null; command = command.parent) {
    for (const option of command.options) {
      const name = option.attributeName()
      if (option.helpGroupHeading !== GLOBAL_GROUP || name in typed) continue
      if (command.getOptionValueSource(name) === 'cli') typed[name] = command.getOptionValue(name)
    }
  }
  return typed
}
